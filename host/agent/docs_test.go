package agent

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/agent-tools.md")

const toolsIntro = `# Tools of agents

<!-- Made from the tools of host/agent; go test ./host/agent -run TestTheDocument -update -->

Every tool with its parameters, and the toolsets that have it; ` + "`all`" + ` has every tool. The configuration
([configuration.md](configuration.md)) and the token of an agent say which toolsets it gets. ` + "`hermes-cdp tools list`" + ` shows what
that comes to on your machine, with the tools of plugins and MCP servers. [agents.md](agents.md) explains deadlines, dialogs
and results.

In every tool that has it, ` + "`tab`" + ` names a tab, which is otherwise the one in use; ` + "`timeout_ms`" + ` is the budget of the call; and
` + "`ref`, `selector`, `text` or `role` with `name`" + ` name one element, in all frames or in that of ` + "`frame_id`" + `.
`

// parameters is as much of a JSON Schema as the document shows.
type parameters struct {
	Properties map[string]struct {
		Type        any    `json:"type"`
		Description string `json:"description"`
		Enum        []any  `json:"enum"`
	} `json:"properties"`
	Required []string `json:"required"`
}

// docs/agent-tools.md is made from the tools.
func TestTheDocumentHasEveryTool(t *testing.T) {
	of := map[string][]string{}
	for _, bundle := range slices.Sorted(maps.Keys(bundles())) {
		for _, name := range bundles()[bundle] {
			of[name] = append(of[name], "`"+bundle+"`")
		}
	}
	var out strings.Builder
	out.WriteString(toolsIntro)
	for _, tool := range Builtins() {
		fmt.Fprintf(&out, "\n## %s\n\n%s\n\nToolsets: %s.", tool.Name, oneLine(tool.Description), strings.Join(of[tool.Name], ", "))
		if tool.ReadOnly {
			out.WriteString(" It changes nothing.")
		}
		if tool.Destructive {
			out.WriteString(" What it does may be irreversible.")
		}
		out.WriteString("\n")
		var p parameters
		if err := json.Unmarshal(tool.Input, &p); err != nil {
			t.Fatal(err)
		}
		if len(p.Properties) == 0 {
			continue
		}
		out.WriteString("\n| parameter | type | what it is |\n|---|---|---|\n")
		for _, name := range inOrder(t, tool.Input) {
			of := p.Properties[name]
			says := oneLine(of.Description)
			if slices.Contains(p.Required, name) {
				says = strings.TrimSpace("Required. " + says)
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", name, typeOf(of.Type, of.Enum), says)
		}
	}
	const path = "../../docs/agent-tools.md"
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != out.String() {
		t.Errorf("%s is out of date (%v); run the test with -update", path, err)
	}
}

// inOrder lists the properties of a schema as it has them.
func inOrder(t *testing.T, schema json.RawMessage) []string {
	t.Helper()
	var s struct{ Properties json.RawMessage }
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	var names []string
	d := json.NewDecoder(bytes.NewReader(s.Properties))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var skipped json.RawMessage
		if err := d.Decode(&skipped); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

func typeOf(of any, values []any) string {
	if len(values) > 0 {
		var words []string
		for _, v := range values {
			words = append(words, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(words, ", ")
	}
	if several, ok := of.([]any); ok {
		var words []string
		for _, v := range several {
			words = append(words, fmt.Sprint(v))
		}
		return strings.Join(words, " or ")
	}
	if of == nil {
		return "any"
	}
	return fmt.Sprint(of)
}

// oneLine makes a text fit a cell of a table, where no character means anything but itself.
func oneLine(text string) string {
	return strings.NewReplacer("\n", " ", "|", `\|`, "<", `\<`, "*", `\*`, "_", `\_`).Replace(text)
}
