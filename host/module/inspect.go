package module

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// Report describes a binary. It can be encoded as JSON.
type Report struct {
	// Powers are what it can do to pages, if it is granted what it exports and asks for.
	Powers []Power    `json:"powers"`
	SHA256 string     `json:"sha256"` // in hexadecimal
	Bytes  int        `json:"bytes"`
	ABI    bool       `json:"abi"` // whether it has the marker export of version 1
	Hooks  []abi.Hook `json:"hooks"`
	// Embedder lists the functions of an embedder that it imports, and is refused without.
	Embedder  []string  `json:"embedder_functions,omitempty"`
	Manifest  *Manifest `json:"manifest,omitempty"`
	Memory    *Memory   `json:"memory,omitempty"`
	Functions int       `json:"functions"` // that the module defines itself
	Imports   []Import  `json:"imports"`
	Exports   []Export  `json:"exports"`
	Sections  []Section `json:"sections"`
}

// Memory is the declared linear memory.
type Memory struct {
	MinBytes uint64 `json:"min_bytes"`
	MaxBytes uint64 `json:"max_bytes,omitempty"` // 0: up to the host's limit
}

// Import is something that the module needs from the host.
type Import struct {
	Module    string `json:"module"`
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Signature string `json:"signature,omitempty"` // of a function
}

// Export is something that the module offers.
type Export struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Signature string `json:"signature,omitempty"` // of a function
}

// Section is one section of the binary.
type Section struct {
	Name   string `json:"name"`
	Custom bool   `json:"custom,omitempty"`
	Offset int    `json:"offset"` // of the content, in bytes from the start of the file
	Bytes  int    `json:"bytes"`
}

// Inspect reads the outline of a module. It neither compiles nor runs the module, so it is safe for any file. The error
// says where the file is not WebAssembly, or why its manifest cannot be read.
func Inspect(wasm []byte) (Report, error) {
	sum := sha256.Sum256(wasm)
	report := Report{SHA256: hex.EncodeToString(sum[:]), Bytes: len(wasm)}
	file, err := wasmfile.Parse(wasm)
	if err != nil {
		return report, err
	}
	_, report.ABI = file.Export(abi.ExportMarker)
	report.Hooks = plugin.HooksOf(file)
	report.Powers = plugin.PowersOf(report.Hooks, nil)
	report.Functions = file.Functions()
	report.Embedder = plugin.FunctionsOf(file)
	if len(file.Memories) > 0 {
		m := file.Memories[0]
		report.Memory = &Memory{MinBytes: m.Min * wasmfile.PageBytes, MaxBytes: m.Max * wasmfile.PageBytes}
	}
	for _, i := range file.Imports {
		report.Imports = append(report.Imports, Import{i.Module, i.Name, i.Kind.String(), signature(i.Kind, i.Type)})
	}
	for _, e := range file.Exports {
		report.Exports = append(report.Exports, Export{e.Name, e.Kind.String(), signature(e.Kind, e.Type)})
	}
	for _, s := range file.Sections {
		report.Sections = append(report.Sections, Section{s.Name, s.Custom(), s.Offset, len(s.Data)})
	}
	manifest, err := plugin.Manifest(file)
	if manifest != nil {
		report.Powers = plugin.PowersOf(report.Hooks, plugin.AskedBy(manifest))
		report.Manifest = &Manifest{manifest.Name, manifest.Version, manifest.Description, manifest.Hooks,
			manifest.Capabilities, manifest.ConfigSchema, manifest.Fuel,
			toolsOf(manifest), manifest.OptionalImports, manifest.DialogPolicies}
	}
	return report, err
}

func signature(kind wasmfile.Kind, t wasmfile.FuncType) string {
	if kind != wasmfile.KindFunc {
		return ""
	}
	return t.String()
}

// Manifest is the module's description of itself; see [abi.Manifest].
type Manifest struct {
	Name         string   `json:"name"`
	Version      string   `json:"version"`
	Description  string   `json:"description,omitempty"`
	Hooks        []string `json:"hooks"`
	Capabilities []string `json:"capabilities,omitempty"`
	ConfigSchema string   `json:"config_schema,omitempty"` // JSON Schema of the configuration
	Fuel         uint64   `json:"fuel,omitempty"`          // requested per call, at most the host's limit; 0: that limit
	Tools        []Tool   `json:"tools,omitempty"`

	OptionalImports []string `json:"optional_imports,omitempty"` // functions of the host that it can do without
	DialogPolicies  []string `json:"dialog_policies,omitempty"`  // values of browser.dialog_policy that it knows
}

// Tool is a tool that the module offers to agents; see [abi.ManifestTool].
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	InputSchema string `json:"input_schema,omitempty"` // JSON Schema of the arguments
	PageScript  string `json:"page_script,omitempty"`  // JavaScript that runs in the page
	ReadOnly    bool   `json:"read_only,omitempty"`
}

func toolsOf(m *abi.Manifest) []Tool {
	var tools []Tool
	for _, t := range m.Tools {
		tools = append(tools, Tool(t))
	}
	return tools
}
