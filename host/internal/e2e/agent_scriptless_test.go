package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// With browser.evaluate_enabled: false no text that an agent gives to any tool, in any of its parameters, is run.
func TestWithoutEvaluateNoToolRunsScript(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, host.Options{EvaluateDisabled: true}, map[string]string{"/page": budgetPage}, host.TaskOptions{})
	r := w.toolsWith(agent.Options{
		Toolsets: agent.Toolsets{Use: []string{"browser-full"}}, Browser: agent.BrowserOptions{DownloadDir: t.TempDir()}, EvaluateDisabled: true,
	})
	report := "fetch('" + w.url("127.0.0.1", "/report/ran") + "',{method:'POST',mode:'no-cors'})"
	evil := []string{report, "javascript:" + report}
	for _, tool := range r.Tools(agent.View{Task: w.ID()}) {
		switch tool.Name {
		case "browser_evaluate":
			t.Error("browser_evaluate is there")
		case "browser_close": // the others need the task
			continue
		}
		if err := commit(w.ctx, w.Tab(""), w.url("localhost", "/page")); err != nil {
			t.Fatal(err)
		}
		for _, parameter := range texts(t, tool) {
			w.give(r, tool.Name, parameter, evil[len(parameter)%2])
			if parameter == "url" || parameter == "expression" {
				w.give(r, tool.Name, parameter, evil[0])
				w.give(r, tool.Name, parameter, evil[1])
				w.give(r, tool.Name, parameter, "data:text/html,<script>"+report+"</script>")
			}
		}
	}
	w.refuseScript(r, report)
	if s := w.Snapshot(); len(s.Targets) == 0 {
		t.Fatal("the task has no tab any more")
	}
	want(t, "some script ran", w.hasReported("ran"), false)
}

// texts are the parameters of a tool that take any text.
func texts(t *testing.T, tool agent.Tool) (names []string) {
	t.Helper()
	var input struct {
		Properties map[string]struct{ Type string } `json:"properties"`
	}
	if err := json.Unmarshal(tool.Input, &input); err != nil {
		t.Fatal(err)
	}
	for name, p := range input.Properties {
		if p.Type == "string" {
			names = append(names, name)
		}
	}
	return names
}

// give calls a tool with a text for one of its parameters.
func (w *world) give(r *agent.Registry, name, parameter, text string) {
	w.t.Helper()
	var arguments map[string]any
	if err := json.Unmarshal([]byte(strings.NewReplacer("SITE", w.url("localhost", ""), "FILE", "none").Replace(toolArguments[name])), &arguments); err != nil {
		w.t.Fatal(err)
	}
	arguments[parameter] = text
	if parameter == "selector" || parameter == "ref" {
		delete(arguments, map[string]string{"selector": "ref", "ref": "selector"}[parameter])
	}
	if name != "browser_cdp" && name != "browser_network_requests" {
		arguments["timeout_ms"] = short.Milliseconds()
	}
	w.callTool(r, name, arguments)
}

func (w *world) callTool(r *agent.Registry, name string, arguments map[string]any) agent.Result {
	w.t.Helper()
	encoded, err := json.Marshal(arguments)
	if err != nil {
		w.t.Fatal(err)
	}
	result, err := r.Call(w.ctx, agent.Call{Task: w.ID(), Name: name, Arguments: encoded})
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return result
}

// refuseScript tries the ways that are known, each of which says why it is closed.
func (w *world) refuseScript(r *agent.Registry, report string) {
	w.t.Helper()
	script := "javascript:" + report
	cdp := func(method string, p map[string]any) map[string]any {
		return map[string]any{"method": method, "params": p}
	}
	for name, c := range map[string]struct {
		tool      string
		arguments map[string]any
	}{
		"the console":        {"browser_console", map[string]any{"expression": report}},
		"an address":         {"browser_navigate", map[string]any{"url": script}},
		"a data address":     {"browser_navigate", map[string]any{"url": "data:text/html,<script>" + report + "</script>"}},
		"a rule's answer":    {"browser_route", map[string]any{"action": "add", "pattern": "*", "do": "fulfil", "content_type": "text/html", "body": "<script>" + report + "</script>"}},
		"a new tab":          {"browser_tabs", map[string]any{"action": "open", "url": script}},
		"a raw expression":   {"browser_cdp", cdp("Runtime.evaluate", map[string]any{"expression": report})},
		"a raw function":     {"browser_cdp", cdp("Runtime.callFunctionOn", map[string]any{"functionDeclaration": "() => " + report, "executionContextId": 1})},
		"a script to come":   {"browser_cdp", cdp("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": report, "runImmediately": true})},
		"a raw address":      {"browser_cdp", cdp("Page.navigate", map[string]any{"url": script})},
		"a raw tab":          {"browser_cdp", cdp("Target.createTarget", map[string]any{"url": script})},
		"a document":         {"browser_cdp", cdp("Page.setDocumentContent", map[string]any{"frameId": w.Snapshot().Page().ID, "html": "<script>" + report + "</script>"})},
		"a debugger's frame": {"browser_cdp", cdp("Debugger.enable", map[string]any{})},
	} {
		result := w.callTool(r, c.tool, c.arguments)
		if !result.IsError || result.Structured["kind"] != string(host.ErrEvaluateDisabled) || !strings.Contains(result.Text, "evaluate_enabled") {
			w.t.Errorf("%s: %s", name, result.Text)
		}
	}
	list := w.callTool(r, "browser_interact", map[string]any{"url": script, "actions": []map[string]any{{"action": "goto", "url": script}}})
	if !list.IsError || !strings.Contains(list.Text, "evaluate_enabled") {
		w.t.Errorf("a list of actions: %s", list.Text)
	}
	// What is dropped on a page may be an address that it loads.
	drop := map[string]any{"x": 5, "y": 5, "data": map[string]any{
		"items": []map[string]any{{"mimeType": "text/uri-list", "data": script}}, "dragOperationsMask": 1,
	}}
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		drop["type"] = kind
		w.callTool(r, "browser_cdp", cdp("Input.dispatchDragEvent", drop))
	}
	w.callTool(r, "browser_extract_text", nil)
}
