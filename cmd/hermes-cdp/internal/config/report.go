package config

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Report says what [Load] read. It holds no secret that can be printed.
type Report struct {
	// File is the YAML file that was read; empty: there was none.
	File string
	// FileEmpty tells that it says nothing. A file that says {} is not empty.
	FileEmpty bool
	// DotEnvFile is the .env file that was read; empty: there was none.
	DotEnvFile string
	// Private are the two wherever they would be, for [host.Options]: they may hold secrets, and say what is run.
	Private []string
	// Values lists every key with its value and origin, ordered as [Config] is, plugins and servers by name.
	Values []Value
	// Warnings lists what was ignored.
	Warnings []Warning

	env, dotEnv map[string]string
}

// Place is where the YAML file is, or would be; empty: nowhere.
func (r *Report) Place() string {
	if len(r.Private) == 0 {
		return r.File
	}
	return r.Private[0]
}

// Lost tells which file was read and no longer exists or says anything, as a disk that is full leaves it. That is no
// wish to be without what it said, a guard of navigations among it: the one who wishes that writes {}.
func (r *Report) Lost(now *Report) error {
	const wish = "put it back; a file that says {} means that nothing is configured"
	var errs []error
	for was, is := range map[string]string{r.File: now.File, r.DotEnvFile: now.DotEnvFile} {
		if was != "" && is == "" {
			errs = append(errs, fmt.Errorf("the configuration file %s is missing: %s", was, wish))
		}
	}
	if r.File != "" && !r.FileEmpty && now.FileEmpty {
		errs = append(errs, fmt.Errorf("the configuration file %s is empty: %s", now.File, wish))
	}
	return errors.Join(errs...)
}

// Getenv is a variable of the environment, or else of the .env file, or "". Credentials that are no keys of the schema
// are read with it.
func (r *Report) Getenv(name string) string {
	if value := r.env[name]; value != "" {
		return value
	}
	return r.dotEnv[name]
}

// IsSet tells whether a layer set the key, so that it does not have its default.
func (r *Report) IsSet(key string) bool {
	return slices.ContainsFunc(r.Values, func(v Value) bool { return v.Key == key && v.Origin.Layer != LayerDefault })
}

// Warning is something that was ignored.
type Warning struct {
	Text       string `json:"text"`
	Suggestion string `json:"suggestion,omitempty"`
	Origin     Origin `json:"origin"`
}

// String is for people.
func (w Warning) String() string { return w.Origin.String() + ": " + w.Text }

// Value is one key with its value, without secrets.
type Value struct {
	Key string `json:"key"`
	// Value is a text, bool, number, list or map of these.
	Value any `json:"value"`
	// Redacted tells that something in Value was replaced by [Redacted].
	Redacted bool   `json:"redacted,omitempty"`
	Origin   Origin `json:"origin"`
}

// Text is the value as it can be given to --set.
func (v Value) Text() string {
	if text, ok := v.Value.(string); ok && isPlainText(text) {
		return text
	}
	text, err := pagetext.Marshal(v.Value)
	if err != nil {
		// Every value was read from YAML as nil, bool, finite number, text, list or map, which JSON can express.
		panic(err)
	}
	return string(text)
}

var (
	plainText = regexp.MustCompile(`^[A-Za-z0-9/~._\[][^\x00-\x1f\x7f]*$`)
	plainName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// isPlainText tells whether a text needs no quotes, whether it is read as YAML (in a free map) or as it is.
func isPlainText(s string) bool {
	if !plainText.MatchString(s) || strings.TrimSpace(s) != s {
		return false
	}
	node, err := nodeOfText(TypeMap, s)
	if err != nil {
		return false
	}
	value, err := decodeFree(node)
	return err == nil && value == s
}

// values lists a configuration by the schema.
func (r *reader) values(cfg Config) []Value {
	var values []Value
	for _, key := range r.schema.keys {
		if _, named := familyOf(key.parts); named {
			continue
		}
		values = append(values, r.valuesAt(key, key.parts, fieldOf(reflect.ValueOf(cfg), key.parts))...)
	}
	return slices.Concat(values, membersOf(r, "plugins", cfg.Plugins), membersOf(r, "mcp_servers", cfg.MCPServers))
}

// membersOf lists the values of each plugin or server.
func membersOf[T any](r *reader, family string, members map[string]T) []Value {
	var values []Value
	for _, name := range sortedNames(members) {
		for _, key := range r.schema.keys {
			if key.parts[0] != family {
				continue
			}
			path := slices.Clone(key.parts)
			path[1] = name
			values = append(values, r.valuesAt(key, path, fieldOf(reflect.ValueOf(members[name]), key.parts[2:]))...)
		}
	}
	return values
}

// valuesAt is the value of a key, or those in it where it is a map.
func (r *reader) valuesAt(key Key, path []string, value any) []Value {
	switch v := value.(type) {
	case map[string]any:
		return r.freeValues(key, path, v)
	case map[string][]string:
		return r.freeValues(key, path, free(v))
	case map[string]string:
		return r.freeValues(key, path, free(v))
	}
	return []Value{r.value(key, path, value)}
}

// free is a map as [reader.freeValues] takes it.
func free[T any](m map[string]T) map[string]any {
	out := make(map[string]any, len(m))
	for name, value := range m {
		out[name] = value
	}
	return out
}

// freeValues lists each value of a free map by itself, as far as the names can be written in a path.
func (r *reader) freeValues(key Key, path []string, m map[string]any) []Value {
	names := slices.Sorted(maps.Keys(m))
	if len(m) == 0 || slices.ContainsFunc(names, func(name string) bool { return !plainName.MatchString(name) }) {
		return []Value{r.value(key, path, m)}
	}
	var values []Value
	for _, name := range names {
		child := append(slices.Clone(path), name)
		if inner, ok := m[name].(map[string]any); ok {
			values = append(values, r.freeValues(key, child, inner)...)
			continue
		}
		values = append(values, r.value(key, child, m[name]))
	}
	return values
}

func (r *reader) value(key Key, path []string, value any) Value {
	name := strings.Join(path, ".")
	if v := reflect.ValueOf(value); v.Kind() == reflect.Slice && v.IsNil() {
		value = []string{}
	} else if v.Kind() == reflect.Map && v.IsNil() {
		value = map[string]any{}
	}
	shown := redactValue(key, path, value)
	origin, given := r.origins[name]
	if !given {
		origin = Origin{Layer: LayerDefault}
	}
	return Value{Key: name, Value: shown, Redacted: !reflect.DeepEqual(shown, value), Origin: origin}
}

// originBelow is the origin of a path, or of some value below it.
func (r *reader) originBelow(path string) Origin {
	for _, name := range slices.Sorted(maps.Keys(r.origins)) {
		if strings.HasPrefix(name+".", path+".") {
			return r.origins[name]
		}
	}
	return Origin{}
}

// fieldOf follows the koanf tags of a path through nested structs.
func fieldOf(v reflect.Value, path []string) any {
	for _, name := range path {
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("koanf") == name {
				v = v.Field(i)
				break
			}
		}
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v.Interface()
}

func sortedNames[T any](members map[string]T) []string { return slices.Sorted(maps.Keys(members)) }
