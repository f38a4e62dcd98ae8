package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// reader turns the layers into nested maps of checked values, and collects what is wrong with them.
type reader struct {
	schema   schema
	home     string              // for paths that begin with ~/
	names    map[string][]string // that suggestions and variables know, by family
	problems []Problem           // in the order of the layers
	origins  map[string]Origin   // of each path; the strongest layer wins because it is read last
	modules  bool                // plugins may be configured without a module
}

func newReader(home string) *reader {
	return &reader{schema: newSchema(), home: home, names: map[string][]string{"plugins": KnownPlugins()}, origins: map[string]Origin{}}
}

// source is where a value stands.
type source struct {
	origin Origin
	dir    string // what relative paths are relative to; empty: the working directory
}

func (r *reader) fail(kind ProblemKind, path []string, origin Origin, format string, args ...any) {
	r.problems = append(r.problems, Problem{Kind: kind, Key: RedactText(strings.Join(path, ".")), Origin: origin, Reason: fmt.Sprintf(format, args...)})
}

// read checks the value at a path and stores it, or what lies below it, in layer.
func (r *reader) read(layer map[string]any, path []string, node *yaml.Node, src source) {
	node = resolve(node)
	if src.origin.Layer == LayerFile && node.Line > 0 {
		src.origin.Line = node.Line
	}
	found, key := r.schema.lookup(path)
	family, named := familyOf(path)
	switch {
	case found == matchNone:
		name := strings.Join(path, ".")
		hint := misspelt.DidYouMean(r.suggest(name))
		if known, _ := r.schema.lookup(strings.Split(name, ".")); known != matchNone {
			hint = "; nest it, one level for each dot"
		}
		if of := credential.FindStringSubmatch(strings.ToUpper(name)); of != nil {
			hint = ": keys and settings of services that rent browsers belong into the environment, or into the file .env beside the configuration, such as " +
				variableOf(of[1])
		}
		r.fail(ProblemUnknownKey, path, src.origin, "%s is no key%s", RedactText(name), hint)
	case named && len(path) > 1 && !family.name.MatchString(path[1]):
		r.fail(ProblemBadValue, path, src.origin, "%q is no name of %s; %s", path[1], family.what, family.want)
	case isNull(node) && found != matchFree:
		return
	case found == matchSection:
		r.readSection(layer, path, node, src)
	default:
		r.readValue(layer, key, path, found, node, src)
	}
}

func (r *reader) readSection(layer map[string]any, path []string, node *yaml.Node, src source) {
	if node.Kind != yaml.MappingNode {
		r.wrongType(Key{Type: TypeMap}, path, node, src)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := resolve(node.Content[i])
		child := append(slices.Clone(path), name.Value)
		if seen[name.Value] {
			src.origin.Line = name.Line
			r.fail(ProblemSyntax, child, src.origin, "%s is given twice", strings.Join(child, "."))
			continue
		}
		seen[name.Value] = true
		if family, ok := familyOf(child); ok && len(child) == 2 && family.name.MatchString(name.Value) {
			// One without any key is still configured.
			r.origins[strings.Join(child, ".")] = Origin{Layer: src.origin.Layer, File: src.origin.File, Line: name.Line}
			set(layer, child, map[string]any{})
		}
		r.read(layer, child, node.Content[i+1], src)
	}
}

func (r *reader) readValue(layer map[string]any, key Key, path []string, found match, node *yaml.Node, src source) {
	var value any
	var err error
	if found == matchFree {
		value, err = decodeFree(node)
	} else {
		value, err = decode(key, node)
	}
	if errors.Is(err, errWrongType) {
		r.wrongType(key, path, node, src)
		return
	}
	switch {
	case err != nil:
	case found == matchKey:
		err = validate(key, value)
	default:
		err = validateBelow(key, path[len(key.parts):], value)
	}
	if err != nil {
		r.fail(ProblemBadValue, path, src.origin, "%s is %s, but %s", strings.Join(path, "."), r.quote(key, path, node), err)
		return
	}
	if found == matchKey {
		value = r.normalise(key, value, src)
	}
	r.note(path, value, src.origin)
	set(layer, path, value)
}

func (r *reader) wrongType(key Key, path []string, node *yaml.Node, src source) {
	hint := ""
	if key.Type == TypeText && node.Kind == yaml.ScalarNode {
		hint = ": quote it"
	}
	r.fail(ProblemWrongType, path, src.origin, "%s is %s, but must be %s%s",
		strings.Join(path, "."), r.quote(key, path, node), key.wanted(), hint)
}

// wanted words what a key takes, for an error.
func (k Key) wanted() string {
	if k.Type == TypeList && len(k.Allowed) > 0 {
		return "a list of " + strings.Join(k.Allowed, ", ")
	}
	if len(k.Allowed) > 0 {
		return "one of " + strings.Join(k.Allowed, ", ")
	}
	return string(k.Type)
}

// quote words a value for an error, without its secrets.
func (r *reader) quote(key Key, path []string, node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	if isNull(node) {
		return "empty"
	}
	shown, _ := redactValue(key, path, node.Value).(string)
	if short := pagetext.ShortenRunes(shown, 80); short != shown {
		shown = short + "..."
	}
	if node.ShortTag() == "!!str" || shown == Redacted {
		return fmt.Sprintf("%q", shown)
	}
	return shown
}

func (r *reader) normalise(key Key, value any, src source) any {
	if list, isList := value.([]string); isList && key.format == "places" {
		places := make([]string, len(list))
		for i, place := range list {
			if places[i] = place; place != placeShipped && !strings.Contains(place, "://") {
				places[i] = resolvePath(place, src.dir, r.home)
			}
		}
		return places
	}
	text, isText := value.(string)
	list, _ := value.([]string)
	switch {
	case key.format == "paths" && len(list) > 0:
		out := make([]string, len(list))
		for i, path := range list {
			out[i] = resolvePath(path, src.dir, r.home)
		}
		return out
	case !isText:
		return value
	case key.format == "path", key.format == "executable" && strings.ContainsAny(text, `/\`), key.format == "path or https" && !strings.Contains(text, "://"):
		return resolvePath(text, src.dir, r.home)
	case key.format == "sha256":
		return strings.ToLower(text)
	default:
		return value
	}
}

// note remembers the origin of a value, and of each value inside of a map.
func (r *reader) note(path []string, value any, origin Origin) {
	r.origins[strings.Join(path, ".")] = origin
	if m, ok := value.(map[string]any); ok {
		for name, child := range m {
			r.note(append(slices.Clone(path), name), child, origin)
		}
	}
}

// suggest finds the key that was probably meant.
func (r *reader) suggest(name string) string {
	names := maps.Clone(r.names)
	parts := strings.Split(name, ".")
	if family, ok := familyOf(parts); ok && len(parts) > 1 && family.name.MatchString(parts[1]) {
		names[family.key] = append(slices.Clone(names[family.key]), parts[1])
	}
	return nearest(name, append(r.schema.concrete(names), r.schema.sections()...))
}

// knowNames adds the names of plugins and servers in a layer to those that variables and suggestions know.
func (r *reader) knowNames(layer map[string]any) {
	for _, family := range families {
		members, _ := layer[family.key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if !slices.Contains(r.names[family.key], name) {
				r.names[family.key] = append(r.names[family.key], name)
			}
		}
	}
}

// set stores a value in nested maps, merging a map into one that is there.
func set(layer map[string]any, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		child, ok := layer[name].(map[string]any)
		if !ok {
			child = map[string]any{}
			layer[name] = child
		}
		layer = child
	}
	last := path[len(path)-1]
	if m, isMap := value.(map[string]any); isMap {
		if _, there := layer[last].(map[string]any); there {
			for name, child := range m {
				set(layer, []string{last, name}, child)
			}
			return
		}
	}
	layer[last] = value
}
