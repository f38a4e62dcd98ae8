package manifest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// ValidationError says which key of a manifest is wrong.
type ValidationError struct {
	Key    string
	Reason string
}

// Error names the key and the reason.
func (e *ValidationError) Error() string { return "manifest: " + e.Key + ": " + e.Reason }

var (
	toolPattern   = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
	policyPattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	namePattern   = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	// versionPattern is https://semver.org/#is-there-a-suggested-regular-expression-regex-to-check-a-semver-string
	versionPattern = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
		`(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?` +
		`(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$`)
)

// Validate checks every field. The error is a [*ValidationError].
func Validate(m *abi.Manifest) error {
	switch {
	case !namePattern.MatchString(m.Name):
		return &ValidationError{"name", fmt.Sprintf("%q; want lower-case words joined by -, like frame-filter", m.Name)}
	case !versionPattern.MatchString(m.Version):
		return &ValidationError{"version", fmt.Sprintf("%q; want a semantic version, like 1.2.0", m.Version)}
	case len(m.Hooks) == 0:
		return &ValidationError{"hooks", "want at least one of " + strings.Join(hookNames(), ", ")}
	case !utf8.ValidString(m.Description):
		return &ValidationError{"description", "is not UTF-8"}
	}
	if err := checkNames("hooks", m.Hooks, hookNames()); err != nil {
		return err
	}
	if err := checkNames("capabilities", m.Capabilities, capabilityNames()); err != nil {
		return err
	}
	if err := checkOptional(m.OptionalImports); err != nil {
		return err
	}
	if err := checkPolicies(m); err != nil {
		return err
	}
	if schema := jsontext.Value(m.ConfigSchema); len(schema) > 0 && (!schema.IsValid() || schema.Kind() != '{') {
		return &ValidationError{"config_schema", "want a JSON object with a JSON Schema"}
	}
	return checkTools(m)
}

// checkPolicies checks the words by which tasks will name a policy.
func checkPolicies(m *abi.Manifest) error {
	if len(m.DialogPolicies) > 0 && !slices.Contains(m.Hooks, string(abi.HookDialog)) {
		return &ValidationError{"dialog_policies", "hooks does not name " + string(abi.HookDialog) + ", which decides by them"}
	}
	for i, word := range m.DialogPolicies {
		switch {
		case !policyPattern.MatchString(word):
			return &ValidationError{"dialog_policies", fmt.Sprintf("%q; want words of letters, digits, _, - and ., like auto_dismiss", word)}
		case slices.Contains(m.DialogPolicies[:i], word):
			return &ValidationError{"dialog_policies", fmt.Sprintf("%q occurs twice", word)}
		}
	}
	return nil
}

// checkTools checks what agents will see as tools. A module that serves the hook declares at least one.
func checkTools(m *abi.Manifest) error {
	serves := slices.Contains(m.Hooks, string(abi.HookToolCall))
	switch {
	case serves && len(m.Tools) == 0:
		return &ValidationError{"tools", "want at least one, as hooks names " + string(abi.HookToolCall)}
	case !serves && len(m.Tools) > 0:
		return &ValidationError{"tools", "hooks does not name " + string(abi.HookToolCall) + ", which serves them"}
	}
	for i, t := range m.Tools {
		key := fmt.Sprintf("tools/%d/", i)
		schema := jsontext.Value(t.InputSchema)
		switch {
		case !toolPattern.MatchString(t.Name):
			return &ValidationError{key + "name", fmt.Sprintf("%q; want lower-case words joined by _, like summarise_headings", t.Name)}
		case slices.ContainsFunc(m.Tools[:i], func(other abi.ManifestTool) bool { return other.Name == t.Name }):
			return &ValidationError{key + "name", fmt.Sprintf("%q occurs twice", t.Name)}
		case t.Description == "" || !utf8.ValidString(t.Description):
			return &ValidationError{key + "description", "want a text, by which a model chooses the tool"}
		case len(schema) > 0 && (!schema.IsValid() || schema.Kind() != '{'):
			return &ValidationError{key + "input_schema", "want a JSON object with a JSON Schema"}
		case t.PageScript != "" && !slices.Contains(m.Capabilities, string(abi.CapabilityPage)):
			return &ValidationError{key + "page_script", "capabilities does not name " + string(abi.CapabilityPage)}
		}
	}
	return nil
}

// checkOptional takes names that no version has so far, as that is what the list is for.
func checkOptional(names []string) error {
	for i, name := range names {
		if !toolPattern.MatchString(name) {
			return &ValidationError{"optional_imports", fmt.Sprintf("%q; want names of functions of %s, like kv_get", name, abi.ImportModule)}
		}
		if slices.Contains(names[:i], name) {
			return &ValidationError{"optional_imports", fmt.Sprintf("%q occurs twice", name)}
		}
	}
	return nil
}

func checkNames(key string, names, allowed []string) error {
	for i, name := range names {
		if !slices.Contains(allowed, name) {
			return &ValidationError{key, fmt.Sprintf("unknown %q; known are %s", name, strings.Join(allowed, ", "))}
		}
		if slices.Contains(names[:i], name) {
			return &ValidationError{key, fmt.Sprintf("%q occurs twice", name)}
		}
	}
	return nil
}

func hookNames() []string {
	names := make([]string, 0, len(abi.Hooks()))
	for _, hook := range abi.Hooks() {
		names = append(names, string(hook))
	}
	return names
}

func capabilityNames() []string {
	names := make([]string, 0, len(abi.Capabilities()))
	for _, capability := range abi.Capabilities() {
		names = append(names, string(capability))
	}
	return names
}
