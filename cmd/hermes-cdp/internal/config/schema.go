package config

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Type is what kind of value a key takes.
type Type string

// The types of values. Each is worded so that "want " can stand before it.
const (
	TypeText    Type = "text"
	TypeBool    Type = "true or false"
	TypeInteger Type = "an integer"
	TypeNumber  Type = "a number"
	TypeList    Type = "a list of texts"
	TypeMap     Type = "a map"
)

// Reload is when a running daemon uses a new value of a key.
type Reload string

// The tags of fields in [Config] say which.
const (
	ReloadRestart Reload = ""      // when it is started again
	ReloadNow     Reload = "now"   // with the reload
	ReloadTasks   Reload = "tasks" // for tasks that start after the reload
)

// AnyName stands in [Key.Path] for the name of a plugin or of an MCP server.
const AnyName = "<name>"

// family is a section that has others by name.
type family struct {
	key  string // of the section
	what string // one of them is, with its article
	name *regexp.Regexp
	want string // words what name allows
}

// families are in the order in which the report has them. The name of a server is part of those of its tools and of its
// toolset, which have 64 letters at most.
var families = []family{
	{"plugins", "a plugin", regexp.MustCompile(`^[a-z0-9-]+$`), "only a-z, 0-9 and - are allowed"},
	{"mcp_servers", "an MCP server", regexp.MustCompile(`^[a-z0-9-]{1,32}$`), "only a-z, 0-9 and - are allowed, at most 32 of them"},
}

// familyOf finds the family of a path; ok is false for other keys.
func familyOf(path []string) (f family, ok bool) {
	at := slices.IndexFunc(families, func(f family) bool { return f.key == path[0] })
	if at < 0 {
		return family{}, false
	}
	return families[at], true
}

// KnownPlugins lists the names of hermes-cdp's own plugins. They need no path, and variables know them without a file.
func KnownPlugins() []string { return []string{"bridge-script", "dialog-policy", "frame-filter"} }

// Key is one key of the schema.
type Key struct {
	// Path is the key's name as it is written: parts joined with dots, [AnyName] for any name.
	Path string
	// Field is the Go field of [Config], such as Browser.CDPURL.
	Field string
	// Type is what kind of value the key takes.
	Type Type
	// Unit is the unit of a number, if it has one.
	Unit string
	// Allowed lists the texts that are allowed; empty: any.
	Allowed []string
	// Min and Max bound a number, both included; 0: no bound.
	Min, Max float64
	// Reload says when a running daemon uses a new value.
	Reload Reload
	// Default is the value without any layer; nil if it is empty or depends on the environment.
	Default any

	format string
	parts  []string
}

// Keys lists the schema in the order of [Config].
func Keys() []Key {
	defaults := Config{Plugins: map[string]Plugin{AnyName: {}}, MCPServers: map[string]MCPServer{AnyName: {}}}.WithDefaults()
	return keysOf(reflect.ValueOf(defaults), nil, "", ReloadRestart)
}

// ReloadOf says when a running daemon uses a new value of a key, whose parts are joined with dots.
func ReloadOf(path string) Reload {
	_, key := newSchema().lookup(strings.Split(path, "."))
	return key.Reload
}

// keysOf lists the leaves below a struct whose fields hold the defaults. They are reloaded as the struct is, unless
// they say otherwise.
func keysOf(section reflect.Value, parts []string, field string, reload Reload) []Key {
	var keys []Key
	for i := range section.NumField() {
		f := section.Type().Field(i)
		value := section.Field(i)
		childParts := append(slices.Clone(parts), f.Tag.Get("koanf"))
		childField := strings.TrimPrefix(field+"."+f.Name, ".")
		childReload := cmp.Or(Reload(f.Tag.Get("reload")), reload)
		if isFamily(value.Type()) {
			value = value.MapIndex(reflect.ValueOf(AnyName))
			childParts = append(childParts, AnyName)
		}
		if value.Kind() == reflect.Struct {
			keys = append(keys, keysOf(value, childParts, childField, childReload)...)
			continue
		}
		key := keyOf(f, value, childParts, childField)
		key.Reload = childReload
		keys = append(keys, key)
	}
	return keys
}

func keyOf(f reflect.StructField, value reflect.Value, parts []string, field string) Key {
	key := Key{
		Path:   strings.Join(parts, "."),
		Field:  field,
		Unit:   f.Tag.Get("unit"),
		Min:    tagNumber(f, "min"),
		Max:    tagNumber(f, "max"),
		format: f.Tag.Get("format"),
		parts:  parts,
	}
	if allowed := f.Tag.Get("oneof"); allowed != "" {
		key.Allowed = strings.Split(allowed, ",")
	}
	if value.Kind() == reflect.Pointer {
		value = value.Elem()
	}
	if !value.IsZero() {
		key.Default = value.Interface()
	}
	key.Type = map[reflect.Kind]Type{
		reflect.String: TypeText, reflect.Bool: TypeBool, reflect.Int: TypeInteger,
		reflect.Float64: TypeNumber, reflect.Slice: TypeList, reflect.Map: TypeMap,
	}[value.Kind()]
	return key
}

func tagNumber(f reflect.StructField, name string) float64 {
	n, _ := strconv.ParseFloat(f.Tag.Get(name), 64)
	return n
}

// match is what a path means in the schema.
type match int

const (
	matchNone    match = iota
	matchSection       // keys of the schema lie below it
	matchKey           // a key of the schema
	matchFree          // inside a map that takes any keys
)

// schema answers what a path means.
type schema struct{ keys []Key }

func newSchema() schema { return schema{keys: Keys()} }

// lookup tells what a path means, and the key for matchKey and matchFree.
func (s schema) lookup(path []string) (match, Key) {
	found := matchNone
	for _, key := range s.keys {
		n := commonParts(key.parts, path)
		switch {
		case n == len(key.parts) && n == len(path):
			return matchKey, key
		case n == len(key.parts) && key.Type == TypeMap:
			return matchFree, key
		case n == len(path):
			found = matchSection
		}
	}
	return found, Key{}
}

// commonParts counts the leading parts of path that fit the pattern.
func commonParts(pattern, path []string) int {
	n := 0
	for n < len(pattern) && n < len(path) && (pattern[n] == path[n] || pattern[n] == AnyName) {
		n++
	}
	return n
}

// concrete lists every path of the schema for the given names by family.
func (s schema) concrete(names map[string][]string) []string {
	var paths []string
	for _, key := range s.keys {
		if !strings.Contains(key.Path, AnyName) {
			paths = append(paths, key.Path)
			continue
		}
		for _, name := range names[key.parts[0]] {
			paths = append(paths, strings.Replace(key.Path, AnyName, name, 1))
		}
	}
	return paths
}

// sections lists the first parts of the paths.
func (s schema) sections() []string {
	var names []string
	for _, key := range s.keys {
		if len(key.parts) > 1 && !slices.Contains(names, key.parts[0]) {
			names = append(names, key.parts[0])
		}
	}
	return names
}
