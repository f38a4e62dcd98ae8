package sdktest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/internal/strictjson"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// UpdateEnv is the environment variable that makes [Schema] write what differs, if it is 1.
const UpdateEnv = "SDKTEST_UPDATE"

// Schema checks that the config_schema of a manifest says what the plugin reads of its configuration with package
// sdk/config: each key with its type, its allowed values, its bounds and its default. In documents, such as a
// README.md, it checks a table of the keys, between the lines "<!-- configuration -->" and "<!-- /configuration -->".
//
// With [UpdateEnv] it writes them. Descriptions, and all that a reader does not know of, such as required, stay as they
// are in the manifest.
func Schema(t *testing.T, manifest string, documents ...string) {
	t.Helper()
	keys := config.Record(func() {
		if runner, err := Native(context.WithoutCancel(t.Context()), nil); err == nil { // a required key may be missing
			_ = runner.Close()
		}
	})
	schema, err := checkFile(manifest, func(text []byte) ([]byte, []string, error) { return schemaIn(text, keys) })
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range documents {
		if _, err := checkFile(name, func(text []byte) ([]byte, []string, error) { return tableIn(text, schema, keys) }); err != nil {
			t.Error(err)
		}
	}
}

// checkFile compares a file with what it should be, and writes that if it is asked to. It returns the file then.
func checkFile(name string, want func(text []byte) ([]byte, []string, error)) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	wanted, differences, err := want(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(differences) == 0:
		return text, nil
	case os.Getenv(UpdateEnv) == "1":
		return wanted, os.WriteFile(name, wanted, 0o644) //nolint:gosec // a file of the author's, as any editor writes it
	}
	return nil, fmt.Errorf("%s does not say what the plugin reads; %s=1 writes it:\n  %s", name, UpdateEnv, strings.Join(differences, "\n  "))
}

// members are those of an object of JSON.
type members map[string]json.RawMessage

func parse(text []byte) (members, error) {
	m := members{}
	if len(text) == 0 {
		return m, nil
	}
	return m, strictjson.Unmarshal(text, (*map[string]json.RawMessage)(&m))
}

// schemaIn is a manifest with the schema of some keys, and how it differs from that of the manifest.
func schemaIn(manifest []byte, keys []config.Key) ([]byte, []string, error) {
	m, err := parse(manifest)
	if err != nil {
		return nil, nil, err
	}
	old, err := parse(m["config_schema"])
	if err != nil {
		return nil, nil, fmt.Errorf("config_schema: %w", err)
	}
	if old["$schema"] == nil {
		old["$schema"] = quoted("https://json-schema.org/draft/2020-12/schema")
	}
	schema, differences, err := objectSchema(old, keys, "")
	if err != nil {
		return nil, nil, err
	}
	text, err := withMember(manifest, "config_schema", schema)
	return text, differences, err
}

// objectSchema is the schema of an object with some keys.
func objectSchema(old members, keys []config.Key, place string) (json.RawMessage, []string, error) {
	properties, err := parse(old["properties"])
	if err != nil {
		return nil, nil, fmt.Errorf("%sproperties: %w", place, err)
	}
	var differences []string
	known := map[string]bool{}
	var list bytes.Buffer
	for i, k := range keys {
		known[k.Name] = true
		had, err := parse(properties[k.Name])
		if err != nil {
			return nil, nil, fmt.Errorf("%s%s: %w", place, k.Name, err)
		}
		if properties[k.Name] == nil {
			differences = append(differences, fmt.Sprintf("%s%s is missing", place, k.Name))
		}
		property, found, err := keySchema(had, k, place+k.Name)
		if err != nil {
			return nil, nil, err
		}
		if properties[k.Name] != nil {
			differences = append(differences, found...)
		}
		if i > 0 {
			list.WriteByte(',')
		}
		list.Write(quoted(k.Name))
		list.WriteByte(':')
		list.Write(property)
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !known[name] {
			differences = append(differences, fmt.Sprintf("%s%s is there, and the plugin does not read it", place, name))
		}
	}
	now := maps.Clone(old)
	now["type"], now["properties"] = quoted("object"), []byte("{"+list.String()+"}")
	if now["additionalProperties"] == nil {
		now["additionalProperties"] = []byte("false")
	}
	return now.write("$schema", "title", "description", "type", "additionalProperties", "required", "properties"), differences, nil
}

// keySchema is the schema of the value of a key.
func keySchema(old members, k config.Key, place string) (json.RawMessage, []string, error) {
	now, found := maps.Clone(old), []string(nil)
	say := func(member string, value any) {
		want, err := json.Marshal(value)
		if err != nil || equal(want, old[member]) {
			return
		}
		found = append(found, fmt.Sprintf("%s: %s is %s, and should be %s", place, member, cmp.Or(string(old[member]), "missing"), want))
		now[member] = want
	}
	if len(k.Allowed) > 0 {
		say("enum", k.Allowed)
	} else {
		say("type", k.Type)
	}
	if k.Least != nil {
		say("minimum", *k.Least)
		say("maximum", *k.Most)
	}
	if hasDefault(k) && (!reflect.ValueOf(k.Default).IsZero() || old["default"] != nil) {
		say("default", k.Default)
	}
	if k.Type == "array" {
		items, err := parse(old["items"])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: items: %w", place, err)
		}
		if k.Items == nil && items["enum"] == nil {
			items["type"] = quoted("string")
		}
		written, below := items.write("description", "type"), []string(nil)
		if k.Items != nil {
			if written, below, err = objectSchema(items, k.Items, place+"[]."); err != nil {
				return nil, nil, err
			}
		}
		if old["items"] == nil {
			below = []string{place + ": items is missing"}
		}
		now["items"], found = written, append(found, below...)
	}
	return now.write("description", "type", "enum", "minimum", "maximum", "default", "items"), found, nil
}

// hasDefault reports whether what a reader returns for an absent key is a value of the key. If not, the plugin takes it
// for a sign that the key is absent.
func hasDefault(k config.Key) bool {
	if word, ok := k.Default.(string); ok && len(k.Allowed) > 0 {
		return slices.Contains(k.Allowed, word)
	}
	if n, ok := k.Default.(float64); ok && k.Least != nil {
		return n >= *k.Least && n <= *k.Most
	}
	return k.Default != nil
}

// write writes an object with some members first.
func (m members) write(first ...string) json.RawMessage {
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(m)), func(key string) bool { return slices.Contains(first, key) })
	var out bytes.Buffer
	for _, key := range append(first, rest...) {
		if m[key] == nil {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		out.Write(quoted(key))
		out.WriteByte(':')
		out.Write(m[key])
	}
	return []byte("{" + out.String() + "}")
}

func quoted(text string) json.RawMessage {
	out, _ := strictjson.Marshal(text) // a name or a constant
	return out
}

// equal reports whether two texts are the same value.
func equal(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// withMember is an object with another value of a member, and the rest as it is written.
func withMember(object []byte, name string, value json.RawMessage) ([]byte, error) {
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, value, "  ", "  "); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		if end := int(d.InputOffset()); key == name {
			return slices.Concat(object[:end-len(raw)], pretty.Bytes(), object[end:]), nil
		}
	}
	at := bytes.LastIndexByte(object, '}')
	if at < 0 {
		return nil, errors.New("it is no object")
	}
	return slices.Concat(bytes.TrimRight(object[:at], " \n"), []byte(",\n  "), quoted(name), []byte(": "), pretty.Bytes(), []byte("\n}\n")), nil
}

// The marks between which a document has the table.
const tableBegin, tableEnd = "<!-- configuration -->\n", "<!-- /configuration -->"

// tableIn is a document with the table of some keys, whose descriptions are in a manifest.
func tableIn(document, manifest []byte, keys []config.Key) ([]byte, []string, error) {
	before, rest, found := bytes.Cut(document, []byte(tableBegin))
	old, after, closed := bytes.Cut(rest, []byte(tableEnd))
	if !found || !closed {
		return nil, nil, fmt.Errorf("it has no lines %q and %q", strings.TrimSpace(tableBegin), tableEnd)
	}
	m, err := parse(manifest)
	if err != nil {
		return nil, nil, err
	}
	var schema described
	if err := json.Unmarshal(m["config_schema"], &schema); err != nil {
		return nil, nil, err
	}
	var table strings.Builder
	table.WriteString("\n| key | value | default | |\n|---|---|---|---|\n")
	schema.rows(&table, keys, "")
	table.WriteString("\n")
	if table.String() == string(old) {
		return document, nil, nil
	}
	return slices.Concat(before, []byte(tableBegin+table.String()+tableEnd), after), []string{"the table of the configuration is another"}, nil
}

// described is what a table takes of a schema.
type described struct {
	Description string               `json:"description"`
	Properties  map[string]described `json:"properties"`
	Items       *described           `json:"items"`
}

func (d described) rows(out *strings.Builder, keys []config.Key, place string) {
	for _, k := range keys {
		value, otherwise := k.Type, ""
		switch {
		case len(k.Allowed) > 0:
			value = "`" + strings.Join(k.Allowed, "`, `") + "`"
		case k.Least != nil:
			value = fmt.Sprintf("%s from %v to %v", k.Type, *k.Least, *k.Most)
		case k.Type == "array" && k.Items == nil:
			value = "array of strings"
		case k.Type == "array":
			value = "array of objects"
		}
		if hasDefault(k) && !reflect.ValueOf(k.Default).IsZero() {
			otherwise = fmt.Sprintf("`%v`", k.Default)
		}
		property := d.Properties[k.Name]
		fmt.Fprintf(out, "| `%s%s` | %s | %s | %s |\n", place, k.Name, value, otherwise, strings.ReplaceAll(property.Description, "|", `\|`))
		if property.Items != nil {
			property.Items.rows(out, k.Items, place+k.Name+"[].")
		}
	}
}
