// Package journaltest draws random events, for tests of what records and replays calls.
package journaltest

import (
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Event draws an encoded event of a hook.
func Event(t *rapid.T, hook abi.Hook) []byte {
	event, _ := abi.NewMessages(hook)
	return drawn(t, event)
}

// Verdict draws an encoded verdict of a hook; nil if the hook has none.
func Verdict(t *rapid.T, hook abi.Hook) []byte {
	_, verdict := abi.NewMessages(hook)
	if verdict == nil {
		return nil
	}
	return drawn(t, verdict)
}

// Config draws an encoded configuration.
func Config(t *rapid.T) []byte {
	config := drawStruct(t, 0)
	return config.Append(nil)
}

func drawn(t *rapid.T, m abi.Message) []byte {
	fill(t, reflect.ValueOf(m).Elem())
	return m.Append(nil)
}

// fill gives every field of a message a random value, also to those that later versions add.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Interface().(type) {
	case abi.Struct:
		v.Set(reflect.ValueOf(drawStruct(t, 0)))
		return
	case []byte:
		v.SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "bytes"))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), rapid.IntRange(0, 4).Draw(t, "length"), 4))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.String:
		v.SetString(Text().Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int32: // an enum: mostly one of its words
		v.SetInt(int64(rapid.OneOf(rapid.Int32Range(0, 8), rapid.Int32()).Draw(t, "enum")))
	case reflect.Int64:
		v.SetInt(rapid.OneOf(rapid.Int64Range(0, 1000), rapid.Int64()).Draw(t, "number"))
	case reflect.Uint32:
		v.SetUint(uint64(rapid.OneOf(rapid.Uint32Range(0, 8), rapid.Uint32()).Draw(t, "number")))
	case reflect.Uint64:
		v.SetUint(rapid.Uint64().Draw(t, "number"))
	default:
		t.Fatalf("a message has a field of type %s", v.Type())
	}
}

// Text draws what pages and tasks write: words, addresses, anything.
func Text() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "Really leave?", "https://shop.example/pay?id=7", "auto_accept", "must_respond", "a\x00b\u2028c\"<\\", "naïve 🙂"}),
		rapid.StringN(0, 20, 80),
	)
}

func drawStruct(t *rapid.T, depth int) abi.Struct {
	keys := rapid.SliceOfNDistinct(rapid.OneOf(rapid.SampledFrom([]string{"policy", "timeout_ms", "rules", "max"}), rapid.StringN(0, 8, 20)),
		0, 4, rapid.ID[string]).Draw(t, "keys")
	slices.Sort(keys)
	s := make(abi.Struct, len(keys))
	for i, key := range keys {
		s[i] = abi.Field{Key: key, Value: drawValue(t, depth+1)}
	}
	return s
}

func drawValue(t *rapid.T, depth int) abi.Value {
	kinds := 6
	if depth > 3 {
		kinds = 4 // no deeper
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return abi.NumberValue(rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.Float64()).Draw(t, "number"))
	case 1:
		return abi.StringValue(Text().Draw(t, "text"))
	case 2:
		return abi.BoolValue(rapid.Bool().Draw(t, "bool"))
	case 4:
		return abi.StructValue(drawStruct(t, depth))
	case 5:
		items := make([]abi.Value, rapid.IntRange(0, 3).Draw(t, "items"))
		for i := range items {
			items[i] = drawValue(t, depth+1)
		}
		return abi.ListValue(items...)
	default:
		return abi.Value{}
	}
}
