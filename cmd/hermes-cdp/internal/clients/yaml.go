package clients

import (
	"bytes"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlFormat is YAML. Only what is written in blocks, a line for each key, is edited.
var yamlFormat = format{decode: decodeYAML, set: setYAML, remove: removeYAML}

func decodeYAML(data []byte) (map[string]any, error) {
	m := map[string]any{}
	err := yaml.Unmarshal(data, &m)
	return m, err
}

// block is a key whose value stands in the lines below it.
type block struct {
	indent   int // of the key
	from, to int // where its lines begin and where the next ones do
	value    *yaml.Node
}

// findYAML follows names from the root; nil: one of them is missing.
func findYAML(data []byte, names ...string) (*block, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil || len(document.Content) == 0 {
		return nil, err
	}
	var found *block
	node := document.Content[0]
	for _, name := range names {
		if node.Kind != yaml.MappingNode || node.Style&yaml.FlowStyle != 0 && len(node.Content) > 0 {
			return nil, ErrByHand
		}
		var key, value *yaml.Node
		for i := 0; i+1 < len(node.Content); i += 2 {
			if node.Content[i].Value == name {
				key, value = node.Content[i], node.Content[i+1]
			}
		}
		if key == nil {
			return nil, nil
		}
		from := 0
		for range key.Line - 1 {
			from = lineEnd(data, from)
		}
		found = &block{indent: key.Column - 1, from: from, to: blockEnd(data, from, key.Column-1), value: value}
		node = value
	}
	return found, nil
}

// blockEnd is where what belongs to the key that begins at a line ends: before the first line that is indented as it is
// or less, and before the comments and empty lines above that.
func blockEnd(data []byte, from, indent int) int {
	end := lineEnd(data, from)
	for at := end; at < len(data); at = lineEnd(data, at) {
		line := data[at:lineEnd(data, at)]
		text := bytes.TrimLeft(line, " ")
		switch {
		case isBlank(line), text[0] == '#':
			continue
		case len(line)-len(text) <= indent:
			return end
		}
		end = lineEnd(data, at)
	}
	return end
}

func setYAML(data []byte, servers, name string, fields []field) ([]byte, error) {
	if len(data) > 0 && data[len(data)-1] != '\n' {
		data = append(bytes.Clone(data), newlineOf(data)...)
	}
	newline := newlineOf(data)
	parent, err := findYAML(data, servers)
	if err != nil {
		return nil, err
	}
	if parent == nil {
		return append(bytes.Clone(data), servers+":"+newline+entryYAML(name, fields, 2, newline)...), nil
	}
	own, err := findYAML(data, servers, name)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return addYAML(data, parent, name, fields)
	}
	for _, f := range fields {
		if own, err = findYAML(data, servers, name); err != nil { // again, as the positions have moved
			return nil, err
		}
		if own.value.Kind != yaml.MappingNode || own.value.Style&yaml.FlowStyle != 0 || len(own.value.Content) == 0 {
			return nil, ErrByHand
		}
		indent := own.value.Content[0].Column - 1
		line := strings.Repeat(" ", indent) + f.key + ": " + inlineJSON(f.value) + newline
		key, err := findYAML(data, servers, name, f.key)
		switch {
		case err != nil:
			return nil, err
		case key == nil:
			data = splice(data, own.to, own.to, line)
		case key.value.LineComment != "":
			data = splice(data, key.from, key.to, strings.TrimSuffix(line, newline)+" "+key.value.LineComment+newline)
		default:
			data = splice(data, key.from, key.to, line)
		}
	}
	return data, nil
}

// addYAML adds an entry at the end of a map.
func addYAML(data []byte, parent *block, name string, fields []field) ([]byte, error) {
	newline := newlineOf(data)
	indent := parent.indent + 2
	switch value := parent.value; {
	case value.Kind == yaml.MappingNode && value.Style&yaml.FlowStyle == 0:
		indent = value.Content[0].Column - 1
	case len(value.Content) > 0 || value.Kind == yaml.AliasNode:
		return nil, ErrByHand
	default: // nothing, or {}
		line := string(data[parent.from:lineEnd(data, parent.from)])
		before, after, found := strings.Cut(line, ":")
		_, comment, _ := strings.Cut(after, "#")
		if !found || parent.to != parent.from+len(line) {
			return nil, ErrByHand
		}
		if comment != "" {
			comment = " #" + strings.TrimRight(comment, "\r\n")
		}
		line = before + ":" + comment + newline
		return splice(data, parent.from, parent.to, line+entryYAML(name, fields, indent, newline)), nil
	}
	return splice(data, parent.to, parent.to, entryYAML(name, fields, indent, newline)), nil
}

// entryYAML writes an entry; values are written as in JSON, which is YAML.
func entryYAML(name string, fields []field, indent int, newline string) string {
	text := strings.Repeat(" ", indent) + name + ":" + newline
	for _, f := range fields {
		text += strings.Repeat(" ", indent+2) + f.key + ": " + inlineJSON(f.value) + newline
	}
	return text
}

func removeYAML(data []byte, servers, name string) ([]byte, error) {
	own, err := findYAML(data, servers, name)
	if err != nil {
		return nil, err
	}
	if own == nil {
		return nil, errors.New("there is no such entry")
	}
	parent, err := findYAML(data, servers)
	if err != nil {
		return nil, err
	}
	if len(parent.value.Content) > 2 {
		return splice(data, own.from, own.to, ""), nil
	}
	return splice(data, own.from, own.to, strings.Repeat(" ", own.indent)+"{}"+newlineOf(data)), nil
}
