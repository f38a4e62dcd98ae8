package upstream

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var reference = regexp.MustCompile(`\$?\$\{[A-Za-z_][A-Za-z0-9_]*\}`)

// expand replaces variables in the values of a map; the error names the key and the variable.
func expand(what string, values map[string]string, getenv func(string) string) (map[string]string, error) {
	out := make(map[string]string, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		value, missing := expandValue(values[name], getenv)
		if missing != "" {
			return nil, fmt.Errorf("%s.%s refers to the variable %s, which is not set: set it in the environment or in the file .env", what, name, missing)
		}
		out[name] = value
	}
	return out, nil
}

func expandValue(value string, getenv func(string) string) (expanded, missing string) {
	expanded = reference.ReplaceAllStringFunc(value, func(found string) string {
		if rest, plain := strings.CutPrefix(found, "$$"); plain {
			return "$" + rest
		}
		name := found[2 : len(found)-1]
		set := getenv(name)
		if set == "" {
			missing = name
		}
		return set
	})
	return expanded, missing
}
