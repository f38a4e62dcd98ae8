package clients

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFormat is JSON, also with comments and trailing commas.
var jsonFormat = format{decode: decodeJSON, set: setJSON, remove: removeJSON}

func decodeJSON(data []byte) (map[string]any, error) {
	m := map[string]any{}
	if len(bytes.TrimSpace(data)) == 0 {
		return m, nil
	}
	standard, err := hujson.Standardize(bytes.Clone(data))
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(standard, &m)
	if m == nil { // null
		return nil, errors.New("it is no object")
	}
	return m, err
}

// jsonText is a text with the positions of its values.
type jsonText struct {
	data []byte
	root hujson.Value
}

func parseJSON(data []byte) (*jsonText, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	root, err := hujson.Parse(bytes.Clone(data))
	if err != nil {
		return nil, err
	}
	if _, isObject := root.Value.(*hujson.Object); !isObject {
		return nil, errors.New("it is no object")
	}
	return &jsonText{data: data, root: root}, nil
}

// member finds a member of an object; -1: it has none of this name.
func member(object *hujson.Object, name string) int {
	for i, m := range object.Members {
		if key, ok := m.Name.Value.(hujson.Literal); ok && key.String() == name {
			return i
		}
	}
	return -1
}

// at follows names from the root.
func (t *jsonText) at(names ...string) (v *hujson.Value) {
	v = &t.root
	for _, name := range names {
		object, isObject := v.Value.(*hujson.Object)
		if !isObject {
			return nil
		}
		i := member(object, name)
		if i < 0 {
			return nil
		}
		v = &object.Members[i].Value
	}
	return v
}

func setJSON(data []byte, servers, name string, fields []field) ([]byte, error) {
	for _, path := range [][]string{{servers}, {servers, name}} {
		t, err := parseJSON(data)
		if err != nil {
			return nil, err
		}
		data = t.data
		if t.at(path...) != nil {
			continue
		}
		if len(path) == 2 { // all at once
			return t.add(t.at(servers), name, fields), nil
		}
		if data = t.add(&t.root, servers, nil); data == nil {
			return nil, ErrByHand
		}
	}
	for _, f := range fields {
		t, err := parseJSON(data)
		if err != nil {
			return nil, err
		}
		if v := t.at(servers, name, f.key); v != nil {
			data = splice(data, v.StartOffset, v.EndOffset, inlineJSON(f.value))
			continue
		}
		data = t.add(t.at(servers, name), f.key, f.value)
	}
	return data, nil
}

// add appends a member to an object, in the way in which the object is written.
func (t *jsonText) add(to *hujson.Value, name string, value any) []byte {
	object, isObject := to.Value.(*hujson.Object)
	if !isObject {
		return nil
	}
	end := to.EndOffset - 1 // where the brace is
	inside := string(t.data[to.StartOffset+1 : end])
	if n := len(object.Members); n > 0 && !strings.Contains(inside, "\n") {
		last := object.Members[n-1].Value
		return splice(t.data, last.EndOffset, last.EndOffset, ", "+key(name)+valueJSON(value, "", "", ""))
	}
	newline, outer := newlineOf(t.data), indentAt(t.data, to.StartOffset)
	unit := t.unit()
	inner := outer + unit
	if len(object.Members) > 0 {
		inner = indentAt(t.data, object.Members[0].Name.StartOffset)
	}
	text := newline + inner + key(name) + valueJSON(value, newline, inner, unit)
	// The comments that stand before the brace stay before the new member, on whose lines they are.
	kept := to.StartOffset + 1 + len(strings.TrimRight(inside, " \t\r\n"))
	rest := string(t.data[kept:end])
	if !strings.Contains(rest, "\n") {
		rest = newline + outer
	}
	data := splice(t.data, kept, end, text+rest)
	if n := len(object.Members); n > 0 {
		last := object.Members[n-1].Value
		if last.AfterExtra == nil { // no comma is after it
			return splice(data, last.EndOffset, last.EndOffset, ",")
		}
		at := kept + len(text)
		return splice(data, at, at, ",")
	}
	return data
}

// unit is the indentation of one level.
func (t *jsonText) unit() string {
	object := t.root.Value.(*hujson.Object)
	if len(object.Members) > 0 {
		if indent := indentAt(t.data, object.Members[0].Name.StartOffset); indent != "" {
			return indent
		}
	}
	return "  "
}

func key(name string) string { return inlineJSON(name) + ": " }

// valueJSON writes the fields of an entry, or one value; nil is an empty object.
func valueJSON(value any, newline, indent, unit string) string {
	fields, isEntry := value.([]field)
	switch {
	case value == nil:
		return "{}"
	case !isEntry:
		return inlineJSON(value)
	}
	var out strings.Builder
	out.WriteString("{")
	for i, f := range fields {
		if i > 0 {
			out.WriteString(",")
			if newline == "" {
				out.WriteString(" ")
			}
		}
		if newline != "" {
			out.WriteString(newline + indent + unit)
		}
		out.WriteString(key(f.key) + inlineJSON(f.value))
	}
	if newline != "" {
		out.WriteString(newline + indent)
	}
	return out.String() + "}"
}

// inlineJSON writes a value on one line, a list with a space after each comma.
func inlineJSON(value any) string {
	if list, isList := value.([]string); isList {
		items := make([]string, len(list))
		for i, item := range list {
			items[i] = inlineJSON(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(fmt.Sprintf("a value of an entry: %v", err)) // every test would meet it
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func removeJSON(data []byte, servers, name string) ([]byte, error) {
	t, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	parent := t.at(servers)
	object := parent.Value.(*hujson.Object) // the entry was found in it
	i := member(object, name)
	from, to := object.Members[i].Name.StartOffset, object.Members[i].Value.EndOffset
	isLast, extra := i == len(object.Members)-1, object.Members[i].Value.AfterExtra
	if !isLast || extra != nil { // a comma is after it
		to += len(extra) + 1
	}
	if line, next := lineStart(data, from), lineEnd(data, to); isBlank(data[line:from]) && isBlank(data[to:next]) {
		from, to = line, next
	} else {
		from = len(bytes.TrimRight(data[:from], " \t"))
	}
	data = splice(data, from, to, "")
	switch {
	case len(object.Members) == 1:
		begin := parent.StartOffset + 1
		if end := begin + bytes.IndexByte(data[begin:], '}'); isBlank(data[begin:end]) {
			data = splice(data, begin, end, "")
		}
	case isLast && extra == nil: // the comma before it separated them
		previous := object.Members[i-1].Value
		comma := previous.EndOffset + len(previous.AfterExtra)
		data = splice(data, comma, comma+1, "")
	}
	return data, nil
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
