package config

import (
	"errors"
	"strings"
)

// Flag is a flag of a command that sets a key.
type Flag struct {
	// Name is how the user wrote it, such as --log-level.
	Name string
	// Key is the path of the key, such as log.level.
	Key string
	// Value is the value's text.
	Value string
}

// readPair reads a value given as text for a path.
func (r *reader) readPair(layer map[string]any, path []string, text string, origin Origin) {
	found, key := r.schema.lookup(path)
	t := key.Type
	switch found {
	case matchNone:
		t = TypeText // the key is wrong whatever the value is
	case matchFree:
		t = below(key, path)
	case matchSection:
		t = TypeMap
	}
	node, err := nodeOfText(t, text)
	switch {
	case errors.Is(err, errNotCommas):
		r.fail(ProblemBadValue, path, origin, "%s is %s, which %v", strings.Join(path, "."), r.quote(key, path, nodeOf(text)), err)
		return
	case err != nil:
		r.fail(ProblemSyntax, path, origin, "the value of %s is no valid YAML; it must be %s", strings.Join(path, "."), r.wantedAt(found, key))
		return
	}
	if isNull(node) && found == matchKey {
		r.wrongType(key, path, node, source{origin: origin})
		return
	}
	r.read(layer, path, node, source{origin: origin})
}

// below is the type of a value inside of a map, for a text that is to need no quotes.
func below(key Key, path []string) Type {
	switch {
	case key.isSecretMap(): // of texts alone
		return TypeText
	case key.format == "toolsets" && len(path) == len(key.parts)+1:
		return TypeList
	}
	return TypeMap
}

func (r *reader) wantedAt(found match, key Key) string {
	switch found {
	case matchFree:
		return "a YAML value"
	case matchKey:
		return key.wanted()
	default:
		return string(TypeMap)
	}
}

func (r *reader) readFlags(flags []Flag) map[string]any {
	layer := map[string]any{}
	for _, flag := range flags {
		r.readPair(layer, strings.Split(flag.Key, "."), flag.Value, Origin{Layer: LayerFlag, Name: flag.Name})
	}
	return layer
}

func (r *reader) readSet(items []string) map[string]any {
	layer := map[string]any{}
	for _, item := range items {
		origin := Origin{Layer: LayerSet}
		name, value, ok := strings.Cut(item, "=")
		if !ok || name == "" {
			r.fail(ProblemSyntax, nil, origin, "%q must be key=value", RedactText(item))
			continue
		}
		r.readPair(layer, strings.Split(name, "."), value, origin)
	}
	return layer
}
