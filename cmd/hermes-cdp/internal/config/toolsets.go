package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var toolsetName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// validateToolsets checks a map of toolsets by name.
func validateToolsets(toolsets map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(toolsets)) {
		if err := validateToolset([]string{name}, toolsets[name]); err != nil {
			return err
		}
	}
	return nil
}

// validateToolset checks one of them. Whether there is what it names is only known once the plugins are loaded.
func validateToolset(name []string, value any) error {
	if len(name) != 1 || !toolsetName.MatchString(name[0]) {
		return fmt.Errorf("%q in it is no name; only letters, digits, _ and - are allowed", strings.Join(name, "."))
	}
	list, ok := value.([]any)
	if !ok {
		return fmt.Errorf("%s must be a list of toolsets and tools", name[0])
	}
	for _, item := range list {
		if _, ok := item.(string); !ok {
			return fmt.Errorf("%s must be a list of texts, and has %v", name[0], item)
		}
	}
	return nil
}
