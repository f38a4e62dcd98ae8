package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// The formats of [Export].
const (
	FormatMCP       = "mcp"       // the result of tools/list
	FormatOpenAI    = "openai"    // function tools of the chat completions API
	FormatAnthropic = "anthropic" // tools of the messages API
)

// Formats lists the formats of [Export].
func Formats() []string { return []string{FormatMCP, FormatOpenAI, FormatAnthropic} }

// Export describes tools in the format of a model's API. The value is to be encoded as JSON. The error is
// [fault.ErrFormat].
func Export(format string, tools []Tool) (any, error) {
	switch format {
	case FormatMCP:
		return mcpList{MCPTools(tools)}, nil
	case FormatOpenAI:
		out := make([]openAITool, len(tools))
		for i, t := range tools {
			out[i] = openAITool{Type: "function", Function: openAIFunction{t.Name, t.Description, t.Input}}
		}
		return out, nil
	case FormatAnthropic:
		out := make([]anthropicTool, len(tools))
		for i, t := range tools {
			out[i] = anthropicTool{t.Name, t.Description, t.Input}
		}
		return out, nil
	}
	return nil, fmt.Errorf("%w %q; the formats are %s", fault.ErrFormat, format, strings.Join(Formats(), ", "))
}

type openAITool struct {
	Type     string         `json:"type"`
	Function openAIFunction `json:"function"`
}

type openAIFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type mcpList struct {
	Tools []MCPTool `json:"tools"`
}

// MCPTool is a tool as tools/list has it. It is shorter than the SDK's own, which has hints even where they are the
// protocol's defaults: a model reads every byte of it.
type MCPTool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description,omitempty"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
	Annotations  MCPHints        `json:"annotations,omitzero"`
}

// MCPHints omits the protocol's defaults: not read-only, destructive, open world.
type MCPHints struct {
	ReadOnly    bool  `json:"readOnlyHint,omitempty"`
	Destructive *bool `json:"destructiveHint,omitempty"`
	OpenWorld   *bool `json:"openWorldHint,omitempty"`
}

// keysOnly leaves the keys of a result of this package's tools: a model needs no types to read it, and has been told of
// the keys that every result has.
var keysOnly = strings.NewReplacer(
	`"success":{"type":"boolean"},"error":{"type":"string"},`, "", `"success":{"type":"boolean"},"error":{"type":"string"}`, "",
	`{"type":"string"}`, "{}", `{"type":"boolean"}`, "{}", `{"type":"integer"}`, "{}", `{"type":"number"}`, "{}", `{"type":"array"}`, "{}", `:{"type":"object"}`, ":{}",
)

// MCPTools describes tools in the format of tools/list.
func MCPTools(tools []Tool) []MCPTool {
	out := make([]MCPTool, len(tools))
	for i, t := range tools {
		hints := MCPHints{ReadOnly: t.ReadOnly}
		if !t.ReadOnly && !t.Destructive {
			hints.Destructive = new(bool)
		}
		if !t.OpenWorld {
			hints.OpenWorld = new(bool)
		}
		if t.Source == SourceBrowser {
			t.Output = json.RawMessage(keysOnly.Replace(string(t.Output)))
		}
		out[i] = MCPTool{t.Name, t.Title, t.Description, t.Input, t.Output, hints}
	}
	return out
}

// Listing is a tool and where it is available.
type Listing struct {
	Tool
	// On says that the view has it.
	On bool `json:"on"`
	// Disabled says that it is disabled, whichever toolsets have it.
	Disabled bool `json:"disabled,omitempty"`
	// Toolsets are those that have it, except the one of all tools.
	Toolsets []string `json:"toolsets"`
}

// List lists all tools and says which of them a view has.
func (r *Registry) List(v View) []Listing {
	all, there := r.entries(), r.there(v)
	c := r.catalogOf(all, *r.toolsets.Load())
	c.toolsets.Disabled = nil // a disabled tool is still in its toolsets
	has := map[string][]string{}
	for _, set := range c.names() {
		if slices.Contains(everything, set) {
			continue
		}
		for name := range c.expand([]string{set}) {
			has[name] = append(has[name], set)
		}
	}
	out := make([]Listing, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		_, on := there[name]
		out = append(out, Listing{all[name].Tool, on, slices.Contains(r.toolsets.Load().Disabled, name), has[name]})
	}
	return out
}
