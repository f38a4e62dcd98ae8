package clients

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlFormat is TOML. Servers are tables: [servers.name].
var tomlFormat = format{decode: decodeTOML, set: setTOML, remove: removeTOML}

func decodeTOML(data []byte) (map[string]any, error) {
	m := map[string]any{}
	err := toml.Unmarshal(data, &m)
	return m, err
}

// tomlItem is a header of a table, or a key with its value, in the order of the text.
type tomlItem struct {
	table    []string // of the header, or the one that the key is in
	key      []string // nil: this is a header
	from, to int      // what is written, without a comment after it
}

func scanTOML(data []byte) ([]tomlItem, error) {
	var parser unstable.Parser
	parser.Reset(data)
	var items []tomlItem
	var table []string
	for parser.NextExpression() {
		node := parser.Expression()
		var names []string
		begin := -1
		for keys := node.Key(); keys.Next(); {
			if begin < 0 {
				begin = int(keys.Node().Raw.Offset)
			}
			names = append(names, string(keys.Node().Data))
		}
		switch node.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = names
			end := begin + bytes.IndexByte(data[begin:], ']') + 1
			items = append(items, tomlItem{table: names, from: lineStart(data, begin), to: end})
		case unstable.KeyValue:
			raw := node.Raw
			items = append(items, tomlItem{table: table, key: names, from: int(raw.Offset), to: int(raw.Offset + raw.Length)})
		}
	}
	return items, parser.Error()
}

// header finds the table of a server; -1: there is none.
func header(items []tomlItem, path ...string) int {
	return slices.IndexFunc(items, func(i tomlItem) bool { return i.key == nil && slices.Equal(i.table, path) })
}

func setTOML(data []byte, servers, name string, fields []field) ([]byte, error) {
	items, err := scanTOML(data)
	if err != nil {
		return nil, err
	}
	newline := newlineOf(data)
	at := header(items, servers, name)
	if at < 0 {
		text := "[" + servers + "." + name + "]" + newline
		for _, f := range fields {
			text += f.key + " = " + valueTOML(f.value) + newline
		}
		if len(data) > 0 {
			text = newline + text
		}
		if len(data) > 0 && data[len(data)-1] != '\n' {
			text = newline + text
		}
		return append(slices.Clone(data), text...), nil
	}
	for _, f := range fields {
		items, err := scanTOML(data) // again, as the positions have moved
		if err != nil {
			return nil, err
		}
		line := f.key + " = " + valueTOML(f.value)
		own := slices.IndexFunc(items, func(i tomlItem) bool {
			return slices.Equal(i.table, []string{servers, name}) && slices.Equal(i.key, []string{f.key})
		})
		if own >= 0 {
			data = splice(data, items[own].from, items[own].to, line)
			continue
		}
		last := at
		for last+1 < len(items) && items[last+1].key != nil {
			last++
		}
		end := lineEnd(data, items[last].to)
		if data[end-1] != '\n' {
			line = newline + line
		} else {
			line += newline
		}
		data = splice(data, end, end, line)
	}
	return data, nil
}

// removeTOML takes out the table of a server, and those below it.
func removeTOML(data []byte, servers, name string) ([]byte, error) {
	items, err := scanTOML(data)
	if err != nil {
		return nil, err
	}
	path := []string{servers, name}
	isOwn := func(i tomlItem) bool { return len(i.table) >= 2 && slices.Equal(i.table[:2], path) }
	for at := len(items) - 1; at >= 0; at-- { // from the end, so that positions stay
		if !isOwn(items[at]) || items[at].key != nil {
			continue
		}
		last := at
		for last+1 < len(items) && items[last+1].key != nil {
			last++
		}
		from, to := items[at].from, lineEnd(data, items[last].to)
		// The empty lines that set it apart.
		for from > 0 && isBlank(data[lineStart(data, from-1):from]) && (to == len(data) || isBlank(data[to:lineEnd(data, to)])) {
			from = lineStart(data, from-1)
		}
		data = splice(data, from, to, "")
	}
	return data, nil
}

// valueTOML writes a value, which is the same as in JSON for texts, numbers, bools and lists of them: basic strings of
// TOML have the escapes of JSON's, but for the slash, which nothing here escapes.
func valueTOML(value any) string { return strings.ReplaceAll(inlineJSON(value), "\x7f", `\u007f`) }
