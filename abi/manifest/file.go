package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// file is manifest.json. Here the schema of the configuration is JSON, not a string that contains JSON.
type file struct {
	// lower-case words joined by -
	Name string `json:"name"`
	// a semantic version, such as 1.2.0
	Version string `json:"version"`
	// what the plugin does, for operators
	Description string `json:"description,omitzero"`
	// exports that the host calls, such as hermes_on_dialog
	Hooks []string `json:"hooks"`
	// requested: kv, state, page
	Capabilities []string `json:"capabilities,omitempty"`
	// requested for a call, at most the host's limit; absent: that limit
	Fuel uint64 `json:"fuel,omitzero"`
	// JSON Schema of the configuration; absent: anything is allowed
	ConfigSchema jsontext.Value `json:"config_schema,omitzero"`
	// with hermes_tool_call: what agents can call
	Tools []tool `json:"tools,omitempty"`

	// imports that the module can do without
	OptionalImports []string `json:"optional_imports,omitempty"`
	// keywords of dialog_policy that the module knows; absent: unspecified
	DialogPolicies []string `json:"dialog_policies,omitempty"`

	// not packed: the command that compiles the module; {out} stands for the file to write
	Build []string `json:"build,omitempty"`
}

type tool struct {
	// [a-z][a-z0-9_]*, at most 64 characters
	Name string `json:"name"`
	// for the model
	Description string `json:"description"`
	// JSON Schema of the arguments, an object; absent: there are none
	InputSchema jsontext.Value `json:"input_schema,omitzero"`
	// the body of a function of args that runs in the page; needs the capability page
	PageScript string `json:"page_script,omitzero"`
	// not packed: the file with that script, in the directory of the manifest
	ScriptFile string `json:"page_script_file,omitzero"`
	// the tool changes nothing
	ReadOnly bool `json:"read_only,omitzero"`
}

// Source is what a manifest.json says: the manifest that is packed into the module, and how the module is built.
type Source struct {
	abi.Manifest
	// Build is the command that compiles the module, for a language that hermes-cdp plugin build does not know; {out}
	// in it stands for the file to write. Without one, the sources say how.
	Build []string
	// Files are those that the manifest names, in its order.
	Files []string
}

// Parse parses a manifest.json that names no other files. An unknown, repeated or missing key and an invalid value are
// errors that name the key.
func Parse(data []byte) (abi.Manifest, error) {
	source, err := ParseSource(data, nil)
	return source.Manifest, err
}

// ParseSource parses a manifest.json. read reads the files that it names, by their paths from its directory; nil allows
// none.
func ParseSource(data []byte, read func(name string) ([]byte, error)) (Source, error) {
	var f file
	if err := json.Unmarshal(data, &f, json.RejectUnknownMembers(true)); err != nil {
		return Source{}, explain(err)
	}
	source := Source{Build: f.Build}
	for i := range f.Tools {
		t := &f.Tools[i]
		if t.ScriptFile == "" {
			continue
		}
		name := fmt.Sprintf("tools/%d/page_script_file", i)
		switch {
		case t.PageScript != "":
			return Source{}, &ValidationError{name, "the tool has a page_script already; give one of both"}
		case read == nil:
			return Source{}, &ValidationError{name, "files are read by hermes-cdp plugin build and pack only"}
		}
		script, err := read(t.ScriptFile)
		if err != nil {
			return Source{}, fmt.Errorf("manifest: %s: %w", name, err)
		}
		t.PageScript = string(script)
		source.Files = append(source.Files, t.ScriptFile)
	}
	var err error
	source.Manifest, err = f.manifest()
	return source, err
}

// ReadFile reads a manifest.json and the files that it names, which are in its directory or below it.
func ReadFile(path string) (Source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Source{}, err
	}
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return Source{}, err
	}
	defer func() { _ = folder.Close() }() // it was only read
	source, err := ParseSource(text, folder.ReadFile)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return source, err
}

// manifest is what is packed of the file.
func (f *file) manifest() (abi.Manifest, error) {
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
		f.Tools = append(f.Tools, tool{
			Name: t.Name, Description: t.Description, InputSchema: jsontext.Value(t.InputSchema), PageScript: t.PageScript, ReadOnly: t.ReadOnly,
		})
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
			"capabilities, fuel, config_schema, tools, optional_imports, dialog_policies and build; of a tool name, description, input_schema, page_script, page_script_file and read_only"}
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
