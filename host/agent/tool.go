package agent

import (
	"encoding/json"
	"errors"
)

// Tool is a tool as a model is told of it.
type Tool struct {
	// Name is unique in a registry: letters, digits, _ and -, at most 64 of them.
	Name string `json:"name"`
	// Title is for people; empty where the name says it all.
	Title string `json:"title,omitempty"`
	// Description says what the tool does, in a sentence or two.
	Description string `json:"description"`
	// Input and Output are JSON Schemas of type object. Output is nil where the shape of results is not known. It is that of
	// [Result.Structured], of failures as well.
	Input  json.RawMessage `json:"input_schema"`
	Output json.RawMessage `json:"output_schema,omitempty"`
	// ReadOnly says that the tool changes nothing; Destructive that what it does may not be undone; OpenWorld that it reaches
	// beyond the browser.
	ReadOnly    bool `json:"read_only,omitempty"`
	Destructive bool `json:"destructive,omitempty"`
	OpenWorld   bool `json:"open_world,omitempty"`
	// Source is where the tool comes from: "browser", the name of a plugin, "mcp-" and the name of a server, or what an
	// embedder registered it under. It is the name of a toolset, too.
	Source string `json:"source"`
}

// View is for whom tools are listed and called: it decides which there are.
type View struct {
	// Task is the id of the task that calls work on.
	Task string
	// Client is the name that the client gave of itself, such as hermes-cli; it chooses the toolsets of
	// [Toolsets.Platforms]. Empty: none.
	Client string
	// Toolsets are asked for by name, in place of those that are configured. Empty: those.
	Toolsets []string
	// Within bounds the tools, for a client that may not choose freely: there are those alone that are configured, that one of
	// these toolsets has, and that Toolsets ask for where they are given. Nil: nothing bounds them; empty: there are none.
	Within []string
}

// Call is one call of a tool.
type Call struct {
	// Task, Client, Toolsets and Within are as in [View].
	Task, Client     string
	Toolsets, Within []string
	// Name is the tool's.
	Name string
	// Arguments are a JSON object; empty is one without members.
	Arguments json.RawMessage
	// Progress is told how far a long call is, from the goroutine of the call: done of total steps, and what was done last.
	// Nil: nobody wants to know.
	Progress func(done, total float64, note string)
}

func (c Call) view() View {
	return View{Task: c.Task, Client: c.Client, Toolsets: c.Toolsets, Within: c.Within}
}

// Result is what a tool answered.
type Result struct {
	// Text is what a model reads: plain lines, the most important ones first.
	Text string `json:"text"`
	// Structured is what a program reads. Its key success tells whether the tool did what was asked; else its key error says
	// why not, and kind is one word for that.
	Structured map[string]any `json:"structured"`
	// Images are shown beside the text.
	Images []Image `json:"images,omitempty"`
	// IsError says that the tool did not do what was asked.
	IsError bool `json:"is_error,omitempty"`
}

// Image is a picture in a result.
type Image struct {
	// MIMEType is image/png or image/jpeg.
	MIMEType string `json:"mime_type"`
	Data     []byte `json:"data"`
}

// ErrUnknownTool says that there is no tool of a name for this client and task; the text says whether it is switched off.
var ErrUnknownTool = errors.New("unknown tool")
