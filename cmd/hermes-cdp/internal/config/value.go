package config

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The bounds of a free map, so that a small file with aliases cannot become a large value.
const (
	maxFreeDepth = 64
	maxFreeNodes = 100_000
)

// errWrongType says that a value is not of the key's type.
var errWrongType = errors.New("wrong type")

// decode reads the value of a key from YAML. The types are strict: "1" is no number and 1 is no text.
func decode(key Key, node *yaml.Node) (any, error) {
	switch key.Type {
	case TypeText:
		return decodeText(node)
	case TypeBool:
		var v bool
		err := decodeScalar(node, &v, "!!bool")
		return v, err
	case TypeInteger:
		var v int
		err := decodeScalar(node, &v, "!!int")
		return v, err
	case TypeNumber:
		var v float64
		err := decodeScalar(node, &v, "!!int", "!!float")
		return v, err
	case TypeList:
		return decodeList(node)
	default:
		if node.Kind != yaml.MappingNode {
			return nil, errWrongType
		}
		return decodeFree(node)
	}
}

func decodeText(node *yaml.Node) (string, error) {
	if node.Kind != yaml.ScalarNode || !isText(node) {
		return "", errWrongType
	}
	return node.Value, nil
}

// isText reports whether YAML takes a scalar for a string. A << merges maps only where it is a key; elsewhere it is
// text, and is written without quotes.
func isText(node *yaml.Node) bool { return node.ShortTag() == "!!str" || node.ShortTag() == "!!merge" }

func decodeScalar(node *yaml.Node, into any, tags ...string) error {
	if node.Kind != yaml.ScalarNode {
		return errWrongType
	}
	for _, tag := range tags {
		if node.ShortTag() == tag && node.Decode(into) == nil {
			return nil
		}
	}
	return errWrongType
}

func decodeList(node *yaml.Node) ([]string, error) {
	if node.Kind != yaml.SequenceNode {
		return nil, errWrongType
	}
	list := make([]string, len(node.Content))
	for i, item := range node.Content {
		text, err := decodeText(resolve(item))
		if err != nil {
			return nil, err
		}
		list[i] = text
	}
	return list, nil
}

// decodeFree reads any value as nil, bool, int, float64, string, []any or map[string]any; what YAML would make a date
// stays the text that it is.
func decodeFree(node *yaml.Node) (any, error) {
	nodes := 0
	return decodeFreeNode(node, 0, &nodes)
}

func decodeFreeNode(node *yaml.Node, depth int, nodes *int) (any, error) {
	if *nodes++; *nodes > maxFreeNodes || depth > maxFreeDepth {
		return nil, fmt.Errorf("must have at most %d values, %d levels deep, after its aliases", maxFreeNodes, maxFreeDepth)
	}
	switch node.Kind {
	case yaml.AliasNode:
		return decodeFreeNode(node.Alias, depth+1, nodes)
	case yaml.SequenceNode:
		list := make([]any, len(node.Content))
		for i, item := range node.Content {
			value, err := decodeFreeNode(item, depth+1, nodes)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	case yaml.MappingNode:
		return decodeFreeMap(node, depth, nodes)
	default:
		return decodeFreeScalar(node)
	}
}

func decodeFreeMap(node *yaml.Node, depth int, nodes *int) (any, error) {
	m := make(map[string]any, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := resolve(node.Content[i])
		if name.Kind != yaml.ScalarNode || name.ShortTag() != "!!str" {
			return nil, fmt.Errorf("its keys must be texts: quote %s", name.Value)
		}
		if _, twice := m[name.Value]; twice {
			return nil, fmt.Errorf("must not have the key %q twice", name.Value)
		}
		value, err := decodeFreeNode(node.Content[i+1], depth+1, nodes)
		if err != nil {
			return nil, err
		}
		m[name.Value] = value
	}
	return m, nil
}

func decodeFreeScalar(node *yaml.Node) (any, error) {
	switch node.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		var v bool
		err := node.Decode(&v)
		return v, err
	case "!!int":
		var v int
		if node.Decode(&v) == nil {
			return v, nil
		}
		return decodeFreeFloat(node)
	case "!!float":
		return decodeFreeFloat(node)
	default:
		return node.Value, nil
	}
}

// decodeFreeFloat refuses what JSON, and so the plugins' configuration, cannot express.
func decodeFreeFloat(node *yaml.Node) (any, error) {
	var v float64
	if err := node.Decode(&v); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil, errors.New("must contain finite numbers only")
	}
	return v, nil
}

// resolve follows an alias to the value that it stands for.
func resolve(node *yaml.Node) *yaml.Node {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node
}

func isNull(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}

// nodeOfText reads a value from the environment or the command line. A value for a text key is taken as it is, unless
// it is in YAML quotes; one for a list is its items with commas between them, unless it is a list of YAML or JSON; any
// other value is YAML.
func nodeOfText(t Type, text string) (*yaml.Node, error) {
	verbatim := nodeOf(text)
	if t == TypeList && !isFlow(text) {
		return nodeOfList(text)
	}
	if t == TypeText && !strings.HasPrefix(text, `"`) && !strings.HasPrefix(text, "'") {
		return verbatim, nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		if t == TypeText {
			return verbatim, nil
		}
		return nil, errors.New("is no valid YAML")
	}
	if len(document.Content) == 0 {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}, nil
	}
	return document.Content[0], nil
}

func nodeOf(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

// isFlow tells whether a text for a list is empty, or YAML or JSON by its first character.
func isFlow(text string) bool {
	text = strings.TrimSpace(text)
	return text == "" || strings.ContainsRune("[{", rune(text[0])) || strings.HasPrefix(text, "- ")
}

// nodeOfList splits a list at its commas. Every item is taken as it is, so that one with a comma, with spaces around it
// or in quotes has to be written as JSON: guessing which is meant would hand a program the wrong arguments.
func nodeOfList(text string) (*yaml.Node, error) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" || strings.ContainsRune(`"'`, rune(item[0])) {
			return nil, errNotCommas
		}
		list.Content = append(list.Content, nodeOf(item))
	}
	return list, nil
}

// errNotCommas says that commas do not tell what the items of a list are.
var errNotCommas = errors.New(`has an item that is empty or in quotes; write it as JSON, such as ["one, with a comma", "two"]`)
