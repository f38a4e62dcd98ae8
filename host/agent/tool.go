package agent

import "encoding/json"

// Tool describes a tool to a model.
type Tool struct {
	// Name is unique in a registry: letters, digits, _ and -, at most 64 of them.
	Name string `json:"name"`
	// Title is for people; empty if the name is enough.
	Title string `json:"title,omitempty"`
	// Description says what the tool does, in one or two sentences.
	Description string `json:"description"`
	// Input and Output are JSON Schemas of type object. Output describes [Result.Structured], also of failures; it is nil
	// if the shape of results is not known.
	Input  json.RawMessage `json:"input_schema"`
	Output json.RawMessage `json:"output_schema,omitempty"`
	// ReadOnly says that the tool changes nothing, Destructive that its effects may be irreversible, and OpenWorld that it
	// reaches beyond the browser.
	ReadOnly    bool `json:"read_only,omitempty"`
	Destructive bool `json:"destructive,omitempty"`
	OpenWorld   bool `json:"open_world,omitempty"`
	// Source is where the tool comes from: "browser", the name of a plugin, "mcp-" and the name of a server, or the name
	// under which an embedder registered it. It is also the name of a toolset.
	Source string `json:"source"`
}

// View says for whom tools are listed and called, which decides what they are.
type View struct {
	// Task is the id of the task that calls work on.
	Task string
	// Client is the name that the client gave itself, such as hermes-cli; it selects from [Toolsets.Platforms]. Empty:
	// none.
	Client string
	// Toolsets are requested by name, instead of the configured ones. Empty: the configured ones.
	Toolsets []string
	// Within restricts the tools, for a client that may not choose freely: a tool must be in the configured toolsets, in
	// one of these, and in Toolsets if they are given. Nil: no restriction; empty: no tools.
	Within []string
}

// Call is one call of a tool.
type Call struct {
	// Task, Client, Toolsets and Within are as in [View].
	Task, Client     string
	Toolsets, Within []string
	// Name is the name of the tool.
	Name string
	// Arguments are a JSON object; empty means {}.
	Arguments json.RawMessage
	// Progress reports the progress of a long call, from the call's goroutine: done of total steps, and what was done
	// last. May be nil.
	Progress func(done, total float64, note string)
}

func (c Call) view() View {
	return View{Task: c.Task, Client: c.Client, Toolsets: c.Toolsets, Within: c.Within}
}
