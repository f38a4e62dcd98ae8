package config

import (
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v3"
)

// WithDefaults returns a copy in which every field that is zero has its default, and an empty list or map is nil.
// PluginCacheDir, PluginDownloadDir, Browser.ScreenshotDir, Browser.RecordingDir and the paths of Control stay as they
// are: their defaults depend on the environment, which only [Load] reads.
func (c Config) WithDefaults() Config {
	fill(reflect.ValueOf(&c).Elem())
	return c
}

// WithDefaults returns a copy in which every limit that is zero has its default; zero instances stay zero, since that
// default depends on the machine.
func (l Limits) WithDefaults() Limits {
	fill(reflect.ValueOf(&l).Elem())
	return l
}

// fill gives the zero fields of a struct, and of those in it, the defaults in their tags. A map of structs is replaced:
// it may be another configuration's, too.
func fill(section reflect.Value) {
	for i := range section.NumField() {
		field, tag := section.Field(i), section.Type().Field(i).Tag
		switch {
		case field.Kind() == reflect.Struct:
			fill(field)
		case isFamily(field.Type()):
			members := reflect.MakeMap(field.Type())
			for name, value := range field.Seq2() {
				member := reflect.New(field.Type().Elem()).Elem()
				member.Set(value)
				fill(member)
				members.SetMapIndex(name, member)
			}
			field.Set(members)
		case field.Kind() == reflect.Slice && field.Len() == 0, field.Kind() == reflect.Map && field.Len() == 0:
			field.SetZero()
		case field.IsZero() && tag.Get("default") != "":
			if err := yaml.Unmarshal([]byte(tag.Get("default")), field.Addr().Interface()); err != nil {
				panic(fmt.Sprintf("the default of %s: %v", tag.Get("koanf"), err)) // every test would meet it
			}
		}
	}
}

// isFamily tells whether a field has others by name: plugins, or MCP servers.
func isFamily(t reflect.Type) bool {
	return t.Kind() == reflect.Map && t.Elem().Kind() == reflect.Struct
}
