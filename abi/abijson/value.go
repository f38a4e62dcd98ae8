package abijson

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// ValueError says which part of a configuration cannot be passed to a plugin.
type ValueError struct {
	Path   string // such as rules[2].text; empty for the whole value
	Reason string
}

// Error names the path and the reason.
func (e *ValueError) Error() string {
	if e.Path == "" {
		return "configuration: " + e.Reason
	}
	return "configuration at " + e.Path + ": " + e.Reason
}

// maxExactInteger is the largest magnitude up to which a double, the only number type of a configuration, is exact.
const maxExactInteger = 1<<53 - 1

// FromMap builds a configuration from what YAML and JSON decoders produce: nil, booleans, numbers, strings, slices,
// arrays and maps with string keys, of any named type. It sorts keys. The error is a [*ValueError].
func FromMap(m map[string]any) (abi.Struct, error) {
	value, err := fromAny("", m, 0)
	return value.Struct, err
}

// FromAny is [FromMap] for any single value.
func FromAny(v any) (abi.Value, error) { return fromAny("", v, 0) }

func fromAny(path string, v any, depth int) (abi.Value, error) {
	switch v := v.(type) {
	case nil:
		return abi.Value{}, nil
	case abi.Value:
		return v, nil
	case abi.Struct:
		return abi.StructValue(v), nil
	case json.Number:
		return fromLiteral(path, string(v))
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Bool:
		return abi.BoolValue(r.Bool()), nil
	case reflect.String:
		return fromString(path, r.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fromInteger(path, float64(r.Int()), strconv.FormatInt(r.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fromInteger(path, float64(r.Uint()), strconv.FormatUint(r.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		return fromFloat(path, r.Float())
	case reflect.Map:
		return fromMap(path, r, depth)
	case reflect.Slice, reflect.Array:
		return fromSlice(path, r, depth)
	case reflect.Pointer, reflect.Interface:
		if r.IsNil() {
			return abi.Value{}, nil
		}
	}
	return abi.Value{}, &ValueError{path, fmt.Sprintf(
		"%T is not supported; use null, booleans, numbers, strings, lists and maps with string keys", v)}
}

func fromString(path, s string) (abi.Value, error) {
	if !utf8.ValidString(s) {
		return abi.Value{}, &ValueError{path, fmt.Sprintf("%q is not UTF-8", s)}
	}
	return abi.StringValue(s), nil
}

func fromInteger(path string, n float64, literal string) (abi.Value, error) {
	if math.Abs(n) > maxExactInteger {
		return abi.Value{}, &ValueError{path, literal + " is beyond 2^53-1 and would lose digits; give it as a string"}
	}
	return abi.NumberValue(n), nil
}

func fromFloat(path string, n float64) (abi.Value, error) {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return abi.Value{}, &ValueError{path, fmt.Sprintf("%v is not a number of JSON", n)}
	}
	return abi.NumberValue(n), nil
}

// fromLiteral takes a number in JSON syntax.
func fromLiteral(path, literal string) (abi.Value, error) {
	n, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return abi.Value{}, &ValueError{path, literal + " is not a number that a double can hold"}
	}
	if _, err := strconv.ParseInt(literal, 10, 64); err == nil || math.Abs(n) > maxExactInteger && n == math.Trunc(n) && isDigits(literal) {
		return fromInteger(path, n, literal)
	}
	return abi.NumberValue(n), nil
}

func isDigits(literal string) bool {
	for i, c := range literal {
		if (c < '0' || c > '9') && !(i == 0 && c == '-') {
			return false
		}
	}
	return true
}

func fromMap(path string, r reflect.Value, depth int) (abi.Value, error) {
	if depth >= abi.MaxValueDepth {
		return abi.Value{}, tooDeep(path)
	}
	members := make(map[string]reflect.Value, r.Len())
	for _, key := range r.MapKeys() {
		name := key
		if name.Kind() == reflect.Interface {
			name = name.Elem()
		}
		if name.Kind() != reflect.String {
			return abi.Value{}, &ValueError{path, fmt.Sprintf("the key %v is not a string; quote it", key)}
		}
		members[name.String()] = r.MapIndex(key)
	}
	fields := make(abi.Struct, 0, len(members))
	for _, key := range slices.Sorted(maps.Keys(members)) {
		if _, err := fromString(path, key); err != nil {
			return abi.Value{}, err
		}
		value, err := fromAny(join(path, key), members[key].Interface(), depth+1)
		if err != nil {
			return abi.Value{}, err
		}
		fields = append(fields, abi.Field{Key: key, Value: value})
	}
	return abi.StructValue(fields), nil
}

func fromSlice(path string, r reflect.Value, depth int) (abi.Value, error) {
	if depth >= abi.MaxValueDepth {
		return abi.Value{}, tooDeep(path)
	}
	items := make([]abi.Value, r.Len())
	for i := range items {
		var err error
		if items[i], err = fromAny(index(path, i), r.Index(i).Interface(), depth+1); err != nil {
			return abi.Value{}, err
		}
	}
	return abi.ListValue(items...), nil
}

func tooDeep(path string) error {
	return &ValueError{path, fmt.Sprintf("lists and maps nest more than %d deep", abi.MaxValueDepth)}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// ToMap is the inverse of [FromMap]: numbers become float64, arrays []any, objects map[string]any.
func ToMap(s abi.Struct) map[string]any {
	m := make(map[string]any, len(s))
	for i := range s {
		m[s[i].Key] = ToAny(s[i].Value)
	}
	return m
}

// ToAny is [ToMap] for any single value.
func ToAny(v abi.Value) any {
	switch v.Kind {
	case abi.KindNumber:
		return v.Number
	case abi.KindString:
		return v.String
	case abi.KindBool:
		return v.Bool
	case abi.KindStruct:
		return ToMap(v.Struct)
	case abi.KindList:
		items := make([]any, len(v.List))
		for i := range items {
			items[i] = ToAny(v.List[i])
		}
		return items
	default:
		return nil
	}
}
