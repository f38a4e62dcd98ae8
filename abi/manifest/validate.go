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
		return &ValidationError{"hooks", "want at least one of " + strings.Join(texts(abi.Hooks()), ", ")}
	case !utf8.ValidString(m.Description):
		return &ValidationError{"description", "is not UTF-8"}
	}
	if err := checkKnown("hooks", m.Hooks, texts(abi.Hooks())); err != nil {
		return err
	}
	if err := checkKnown("capabilities", m.Capabilities, texts(abi.Capabilities())); err != nil {
		return err
	}
	// Optional imports may be names that no version has so far: that is what the list is for.
	if err := checkNames("optional_imports", m.OptionalImports, toolPattern.MatchString,
		"%q; want names of functions of "+abi.ImportModule+", like kv_get"); err != nil {
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

// checkPolicies checks the words with which tasks will name a policy.
func checkPolicies(m *abi.Manifest) error {
	if len(m.DialogPolicies) > 0 && !slices.Contains(m.Hooks, string(abi.HookDialog)) {
		return &ValidationError{"dialog_policies", "hooks does not name " + string(abi.HookDialog) + ", which decides by them"}
	}
	return checkNames("dialog_policies", m.DialogPolicies, policyPattern.MatchString,
		"%q; want words of letters, digits, _, - and ., like auto_dismiss")
}

// checkTools checks what agents will see as tools. A module that serves the hook must declare at least one.
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

// checkNames checks that each name is allowed and occurs once. format has a verb for a name that is not allowed.
func checkNames(key string, names []string, allowed func(string) bool, format string) error {
	for i, name := range names {
		if !allowed(name) {
			return &ValidationError{key, fmt.Sprintf(format, name)}
		}
		if slices.Contains(names[:i], name) {
			return &ValidationError{key, fmt.Sprintf("%q occurs twice", name)}
		}
	}
	return nil
}

// checkKnown is checkNames with a list of the allowed names.
func checkKnown(key string, names, known []string) error {
	allowed := func(name string) bool { return slices.Contains(known, name) }
	return checkNames(key, names, allowed, "unknown %q; known are "+strings.Join(known, ", "))
}

func texts[T ~string](names []T) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = string(name)
	}
	return out
}
