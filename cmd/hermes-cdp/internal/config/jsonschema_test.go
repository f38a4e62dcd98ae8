package config

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// properties are those of an object, in the order of Config.
type properties struct {
	names  []string
	values map[string]any
}

func (p *properties) set(name string, value any) {
	if p.values == nil {
		p.values = map[string]any{}
	}
	if p.values[name] == nil {
		p.names = append(p.names, name)
	}
	p.values[name] = value
}

func (p *properties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i, name := range p.names {
		value, err := marshal(p.values[name])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteByte(',')
		}
		key, err := marshal(name)
		if err != nil {
			return nil, err
		}
		out.Write(append(append(key, ':'), value...))
	}
	return append(append([]byte("{"), out.Bytes()...), '}'), nil
}

func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}

// node is a schema, with its keywords in the order in which they are best read. Draft 7 is what editors know.
type node struct {
	Schema      string      `json:"$schema,omitempty"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description,omitempty"`
	Type        []string    `json:"type,omitempty"`
	Enum        []any       `json:"enum,omitempty"`
	Default     any         `json:"default,omitempty"`
	Minimum     *float64    `json:"minimum,omitempty"`
	Maximum     *float64    `json:"maximum,omitempty"`
	Pattern     string      `json:"pattern,omitempty"`
	Items       *node       `json:"items,omitempty"`
	Names       *node       `json:"propertyNames,omitempty"`
	Properties  *properties `json:"properties,omitempty"`
	Additional  any         `json:"additionalProperties,omitempty"`
}

// section is an object with known keys. A section without a value is as good as absent.
func section(description string) *node {
	return &node{Description: description, Type: []string{"object", "null"}, Properties: &properties{}, Additional: false}
}

// below returns the section of a name in another.
func (n *node) below(name, description string) *node {
	if n.Properties.values[name] == nil {
		n.Properties.set(name, section(description))
	}
	return n.Properties.values[name].(*node)
}

// members returns what each of a family is, whatever its name.
func (n *node) members(f family, description string) *node {
	if n.Properties.values[f.key] == nil {
		n.Properties.set(f.key, &node{
			Description: description, Type: []string{"object", "null"}, Names: &node{Pattern: f.name.String()}, Additional: section(""),
		})
	}
	return n.Properties.values[f.key].(*node).Additional.(*node)
}

// leaf is the schema of a key. An empty text means the default, whatever is allowed beside it.
func leaf(key Key, description string) *node {
	n := &node{Description: description, Default: key.Default}
	switch key.Type {
	case TypeText:
		n.Type = []string{"string", "null"}
		for _, text := range key.Allowed {
			n.Enum = append(n.Enum, text)
		}
		if n.Enum != nil {
			n.Enum = append(n.Enum, "", nil)
		}
		n.Pattern = map[string]string{"sha256": "^([0-9a-fA-F]{64})?$", "pointer": "^(/.*)?$", "https or oci": "^((https|oci)://.+)?$", "http": "^(https?://.+)?$"}[key.format]
	case TypeBool:
		n.Type = []string{"boolean", "null"}
	case TypeInteger, TypeNumber:
		n.Type = []string{map[Type]string{TypeInteger: "integer", TypeNumber: "number"}[key.Type], "null"}
		if key.Max > 0 {
			n.Minimum, n.Maximum = &key.Min, &key.Max
		}
		if key.Unit != "" {
			n.Description += " Unit: " + key.Unit + "."
		}
	case TypeList:
		n.Type, n.Items = []string{"array", "null"}, &node{Type: []string{"string"}}
		for _, text := range key.Allowed {
			n.Items.Enum = append(n.Items.Enum, text)
		}
	case TypeMap:
		n.Type, n.Additional = []string{"object", "null"}, true
		switch {
		case key.format == "toolsets":
			n.Names = &node{Pattern: toolsetName.String()}
			n.Additional = &node{Type: []string{"array"}, Items: &node{Type: []string{"string"}}}
		case key.isSecretMap():
			n.Additional = &node{Type: []string{"string"}}
		}
	}
	return n
}

func TestTheSchemaIsUpToDate(t *testing.T) {
	comments := fieldComments(t)
	root := section("Every key, with what it means: docs/configuration.md.")
	root.Schema, root.Title = "http://json-schema.org/draft-07/schema#", "The configuration of hermes-cdp"
	for _, key := range Keys() {
		at, field := root, strings.Split(key.Field, ".")
		names := slices.DeleteFunc(slices.Clone(key.parts), func(part string) bool { return part == AnyName })
		for i, name := range names[:len(names)-1] {
			comment := comments[strings.Join(field[:i+1], ".")]
			if f, isFamily := familyOf(names); isFamily && i == 0 {
				at = at.members(f, comment)
				continue
			}
			at = at.below(name, comment)
		}
		at.Properties.set(key.parts[len(key.parts)-1], leaf(key, comments[key.Field]))
	}
	text, err := marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden(t, "config.schema.json", out.String()+"\n")
}

// compiledSchema is the schema as a validator reads it.
func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("config.schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// validateYAML checks a configuration file as an editor does.
func validateYAML(schema *jsonschema.Schema, text []byte) error {
	var document any
	if err := yaml.Unmarshal(text, &document); err != nil {
		return err
	}
	plain, err := json.Marshal(document)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// Editors mark what is wrong, and nothing else.
func TestTheSchemaKnowsWhatIsRight(t *testing.T) {
	schema := compiledSchema(t)
	for text, right := range map[string]bool{
		"":                                   true,
		"browser:\n":                         true,
		"log: {level: }":                     true,
		"log: {level: ''}":                   true,
		"browser: {dialog_timeout_s: 1}":     true,
		"toolsets: [browser, x]":             true,
		"custom_toolsets: {mine: [a, b]}":    true,
		"plugins: {a: {config: {b: [1]}}}":   true,
		"mcp_servers: {a: {env: {A: b}}}":    true,
		"browser: {network: {allow: [all]}}": true,
		"custom_toolsets: {mine: a}":         false,
		"custom_toolsets: {'m e': [a]}":      false,
		"plugins: {A: {}}":                   false,
		"plugins: {a: {pathh: b}}":           false,
		"mcp_servers: {a: {env: {A: 1}}}":    false,
		"plugins: {a: {hooks: [dialogue]}}":  false,
	} {
		if err := validateYAML(schema, []byte(text)); right != (err == nil) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, name := range []string{"types", "unknown", "values", "list"} { // what Load refuses
		text, err := os.ReadFile(filepath.Join("testdata", "errors", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		if validateYAML(schema, text) == nil {
			t.Errorf("%s.yaml is right", name)
		}
	}
	if !strings.Contains(JSONSchema(), "How long a dialog may stay open before the watchdog dismisses it") {
		t.Error("the schema does not say what keys mean")
	}
}
