package upstream

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func TestNames(t *testing.T) {
	n := newNames()
	long := strings.Repeat("x", 70)
	taken := map[string]bool{"prices": true, "files_prices": true}
	for _, step := range []struct{ server, tool, want string }{
		{"files", "read", "read"},
		{"files", "read", "read"}, // it keeps it
		{"web", "read", "web_read"},
		{"web", "re.ad", "web_re_ad"},
		{"web", "re ad", "web_re_ad_2"},
		{"files", "prices", "files_prices_2"},
		{"files", "browser_click", "files_browser_click"},
		{"browser", "click", "click"},
		{"browser", "cli.ck", "mcp_browser_cli_ck"}, // names that begin with browser_ are this program's
		{"files", long, ("files_" + long)[:64]},
		{"files", long + "y", ("files_" + long)[:62] + "_2"},
		{"größe", "", "gr__e_"},
	} {
		if got := n.name(step.server, step.tool, taken); got != step.want {
			t.Errorf("%s of %s is named %s, want %s", step.tool, step.server, got, step.want)
		}
	}
	for name := range n.byName {
		if !agent.IsToolName(name) {
			t.Errorf("%s cannot be registered", name)
		}
	}
}

func TestExpand(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"A": "1", "B_2": "two ${A}"}[name] }
	got, err := expand("env", map[string]string{"x": "${A}-${B_2}", "y": "$${A} $A ${} ${1}", "z": ""}, getenv)
	if err != nil || got["x"] != "1-two ${A}" || got["y"] != "${A} $A ${} ${1}" || got["z"] != "" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := expand("headers", map[string]string{"X": "${C}"}, getenv); err == nil || !strings.Contains(err.Error(), "headers.X refers to the variable C, which is not set") {
		t.Errorf("got %v", err)
	}
}

func TestReasonsHaveNoSecrets(t *testing.T) {
	h := newHider("https://user:hidden-one@host/mcp?token=hidden-two", map[string]string{"A": "Bearer hidden-three", "B": "on"})
	for text, want := range map[string]string{
		"a hidden-three b":    "a [redacted] b",
		"Bearer hidden-three": "[redacted]",
		"switched on":         "switched on",
		"token=hidden-two":    "[redacted]",
		"\x1b[2J":             `\x1b[2J`,
		`see "https://user:hidden-one@host/mcp?token=hidden-two"`: `see "https://[redacted]@host/mcp?[redacted]"`,
	} {
		if got := h.reason(errors.New(text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	wrapped := &url.Error{Op: "Post", URL: "https://elsewhere/?hidden", Err: errors.New("no such host")}
	if got := h.reason(wrapped); got != "no such host" {
		t.Errorf("got %q", got)
	}
}

func TestResults(t *testing.T) {
	secrets := newNamedHider(map[string]string{"API_KEY": "hidden-key", "REGION": "north-west"}, nil)
	got := result("files", secrets, &mcp.CallToolResult{Content: []mcp.Content{
		&mcp.TextContent{Text: "hidden-key in north-west\u202e"},
		&mcp.ImageContent{MIMEType: "image/png", Data: []byte("png")},
		&mcp.ImageContent{MIMEType: "text/html", Data: []byte("html")},
		&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("wave")},
		&mcp.ResourceLink{URI: "file:///a", Name: "a", Description: "the first"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///b", Text: "b's text"}},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///c", MIMEType: "application/zip", Blob: []byte("zip")}},
	}})
	want := strings.Join([]string{
		"the MCP server files says:",
		`[redacted] in north-west\u202e`,
		"[an image, text/html, 4 bytes: not passed on; it is not an image, or there are too many]",
		"[audio, audio/wav, 4 bytes: not passed on]",
		"[a link to the resource file:///a a] the first",
		"[the resource file:///b]", "b's text",
		"[the resource file:///c, application/zip, 3 bytes: not passed on]",
	}, "\n")
	if got.Text != want || len(got.Images) != 1 || got.Images[0].MIMEType != "image/png" {
		t.Errorf("got %s and %v, want %s", got.Text, got.Images, want)
	}
	structured := result("files", secrets, &mcp.CallToolResult{StructuredContent: map[string]any{"a\x1b": []any{"hidden-key", 1.0, nil}}})
	if encoded, _ := json.Marshal(structured.Structured["result"]); string(encoded) != `{"a\\x1b":["[redacted]",1,null]}` || !strings.Contains(structured.Text, `"[redacted]"`) {
		t.Errorf("got %s, %s", encoded, structured.Text)
	}
	if got := result("files", secrets, &mcp.CallToolResult{}); got.Text != "the MCP server files says nothing" || got.Structured["success"] != true {
		t.Errorf("got %+v", got)
	}
	large := result("files", secrets, &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: strings.Repeat("é", maxText)}}, StructuredContent: strings.Repeat("x", maxStructured),
	})
	if len(large.Text) > maxText+300 || !strings.Contains(large.Text, "[cut: these are the first 65536 of 131072 bytes]") || large.Structured["result"] != nil || !strings.Contains(large.Text, "ask for less") {
		t.Errorf("got %d bytes: %s", len(large.Text), large.Text[max(0, len(large.Text)-300):])
	}
}

func TestToolsThatCanNotBeOffered(t *testing.T) {
	object := map[string]any{"type": "object"}
	list := choose(Server{}, []*mcp.Tool{
		{Name: "good", InputSchema: object},
		{Name: "good", InputSchema: object, Description: "once more"},
		{Name: "untyped", InputSchema: map[string]any{}},
		{Name: "", InputSchema: object},
		{Name: "none"},
		{Name: "array", InputSchema: map[string]any{"type": "array"}},
		{Name: "large", InputSchema: map[string]any{"type": "object", "description": strings.Repeat("x", maxSchema)}},
	})
	var names []string
	for _, t := range list.tools {
		names = append(names, t.remote)
	}
	if !slices.Equal(names, []string{"good", "untyped"}) || string(list.tools[1].tool.Input) != `{"type":"object"}` {
		t.Errorf("got %v", list.tools)
	}
	if want := []string{": it has no name", "none: its input schema is not an object", "array: its input schema is not of type object", "large: its input schema has 65570 bytes, more than 65536"}; !slices.Equal(list.leftOut, want) {
		t.Errorf("got %q", list.leftOut)
	}
}

func TestTheSchemaOfResultsHasThatOfTheServer(t *testing.T) {
	var server map[string]any
	if err := json.Unmarshal([]byte(`{"type": "object", "required": ["tree"], "additionalProperties": false,
		"properties": {"tree": {"$ref": "#/$defs/node"}, "self": {"$ref": "#"}},
		"$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "n": {"type": "integer", "description": "a\u202eb"}}}}}`), &server); err != nil {
		t.Fatal(err)
	}
	text := outputSchema(server)
	if !strings.Contains(string(text), `a\\u202eb`) {
		t.Errorf("the schema is %s", text)
	}
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for value, good := range map[string]bool{
		`{"success": true, "result": {"tree": {"next": {"n": 1}}, "self": {"tree": {}}}}`: true,
		`{"success": false, "error": "no", "kind": "mcp_tool"}`:                           true,
		`{"success": true, "result": {"tree": {"next": {"n": "one"}}}}`:                   false,
		`{"success": true, "result": {"self": {"tree": {}}}}`:                             false,
		`{"result": {"tree": {}}}`:                                                        false,
	} {
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); (err == nil) != good {
			t.Errorf("%s: %v", value, err)
		}
	}
	if outputSchema(map[string]any{"type": "array"}) != nil || outputSchema(nil) != nil {
		t.Error("what is no object has a schema")
	}
}
