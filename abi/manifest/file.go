package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// file is manifest.json. Here the schema of the configuration is JSON, not a string that contains JSON.
type file struct {
	Name         string         `json:"name"`
	Version      string         `json:"version"`
	Description  string         `json:"description,omitzero"`
	Hooks        []string       `json:"hooks"`
	Capabilities []string       `json:"capabilities,omitempty"`
	Fuel         uint64         `json:"fuel,omitzero"`
	ConfigSchema jsontext.Value `json:"config_schema,omitzero"`
	Tools        []tool         `json:"tools,omitempty"`

	OptionalImports []string `json:"optional_imports,omitempty"`
	DialogPolicies  []string `json:"dialog_policies,omitempty"`
}

type tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	InputSchema jsontext.Value `json:"input_schema,omitzero"`
	PageScript  string         `json:"page_script,omitzero"`
	ReadOnly    bool           `json:"read_only,omitzero"`
}

// Parse parses a manifest.json. An unknown, repeated or missing key and an invalid value are errors that name the key.
func Parse(data []byte) (abi.Manifest, error) {
	var f file
	if err := json.Unmarshal(data, &f, json.RejectUnknownMembers(true)); err != nil {
		return abi.Manifest{}, explain(err)
	}
	m := abi.Manifest{
		Name: f.Name, Version: f.Version, Description: f.Description, Hooks: f.Hooks, Capabilities: f.Capabilities,
		Fuel: f.Fuel, OptionalImports: f.OptionalImports, DialogPolicies: f.DialogPolicies,
	}
	if len(f.ConfigSchema) > 0 {
		if err := f.ConfigSchema.Compact(); err != nil {
			return abi.Manifest{}, explain(err)
		}
		m.ConfigSchema = string(f.ConfigSchema)
	}
	for _, t := range f.Tools {
		if len(t.InputSchema) > 0 {
			if err := t.InputSchema.Compact(); err != nil {
				return abi.Manifest{}, explain(err)
			}
		}
		m.Tools = append(m.Tools, abi.ManifestTool{
			Name: t.Name, Description: t.Description, InputSchema: string(t.InputSchema), PageScript: t.PageScript, ReadOnly: t.ReadOnly,
		})
	}
	if err := Validate(&m); err != nil {
		return abi.Manifest{}, err
	}
	return m, nil
}

// Format is the inverse of [Parse].
func Format(m *abi.Manifest) ([]byte, error) {
	if err := Validate(m); err != nil {
		return nil, err
	}
	f := file{
		Name: m.Name, Version: m.Version, Description: m.Description, Hooks: m.Hooks, Capabilities: m.Capabilities,
		Fuel: m.Fuel, OptionalImports: m.OptionalImports, DialogPolicies: m.DialogPolicies,
	}
	if m.ConfigSchema != "" {
		f.ConfigSchema = jsontext.Value(m.ConfigSchema)
	}
	for _, t := range m.Tools {
		f.Tools = append(f.Tools, tool{t.Name, t.Description, jsontext.Value(t.InputSchema), t.PageScript, t.ReadOnly})
	}
	text, err := json.Marshal(f, jsontext.WithIndent("  "))
	if err != nil {
		return nil, explain(err)
	}
	return append(text, '\n'), nil
}

// explain turns the errors of the JSON package, which name Go types, into errors about the file.
func explain(err error) error {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return &ValidationError{key(syntactic.JSONPointer), "occurs twice"}
		}
		reason := syntactic.Err
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			reason = errors.New("the text ends too early")
		}
		return fmt.Errorf("manifest: not JSON at byte %d: %w", syntactic.ByteOffset, reason)
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return fmt.Errorf("manifest: %w", err)
	}
	if errors.Is(err, json.ErrUnknownName) {
		return &ValidationError{key(semantic.JSONPointer), "unknown key; known are name, version, description, hooks, " +
			"capabilities, fuel, config_schema, tools, optional_imports and dialog_policies; of a tool name, description, input_schema, page_script and read_only"}
	}
	reason := "has the wrong type"
	if semantic.JSONKind != 0 {
		reason = "must not be a JSON " + kindName(semantic.JSONKind)
	}
	if len(semantic.JSONValue) > 0 {
		reason = fmt.Sprintf("the value %s is not possible", bytes.TrimSpace(semantic.JSONValue))
	}
	return &ValidationError{key(semantic.JSONPointer), reason}
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '[':
		return "array"
	case '{':
		return "object"
	default:
		return kind.String()
	}
}

func key(pointer jsontext.Pointer) string {
	if pointer == "" {
		return "the file"
	}
	return string(pointer[1:])
}
