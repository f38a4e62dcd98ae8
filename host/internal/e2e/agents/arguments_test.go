package agents

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// outOfRange are values that no parameter of the name takes; nil: every number is taken.
var outOfRange = map[string][]any{
	"click_count": {0, 4, 1.5}, "context": {-1, 21}, "timeout_ms": {0, -1, 600001, 1.5}, "page": {-1, 100001}, "amount": {-1, 1000001}, "max_chars": {0, 1000001}, "offset": {-1, 100000001}, "ms": {-1, 30001}, "time_ms": {0, -1, 600001, 1.5},
	"timeout": {0.5, 301}, "expires_s": {0, 86401}, "backend_node_id": nil,
	"limit": {-1, 1001, 1.5}, "x": {-1, 100001}, "y": {-1, 100001}, "to_x": {-1, 100001}, "to_y": {-1, 100001},
	"width": {-1, 10001, 1.5}, "height": {-1, 10001, 1.5}, "device_scale_factor": {-1, 11},
	"latency_ms": {-1, 60001}, "download_kbps": {-1, 10000001}, "upload_kbps": {-1, 10000001}, "cpu_slowdown": {0.5, 101},
	"latitude": {-91, 91}, "longitude": {-181, 181}, "accuracy": {-1, 1000001},
	"status": {199, 600, 200.5}, "times": {-1, 1000001, 1.5},
}

// thisFile is in a directory that files may be uploaded from, wherever tests are compiled.
func thisFile() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "arguments_test.go")
}

// wrongType is a value that is not of a type.
var wrongType = map[string]any{"string": 7, "integer": "seven", "number": "seven", "boolean": "yes", "array": "one", "object": []int{1}}

// whole are arguments with which each tool could be called; those that miss have none that it needs.
var whole = map[string]arguments{
	"browser_navigate": {"url": "{{localhost}}/two"}, "browser_click": {"selector": "p"}, "browser_dblclick": {"selector": "p"},
	"browser_hover": {"selector": "p"}, "browser_type": {"selector": "p", "text": "x"}, "browser_press": {"key": "Enter"},
	"browser_scroll": {"direction": "down"}, "browser_select": {"selector": "p", "values": []string{"x"}}, "browser_check": {"selector": "p"},
	"browser_drag": {"selector": "p", "to_selector": "html"}, "browser_upload": {"selector": "p", "paths": []string{thisFile()}},
	"browser_download": {"selector": "p"}, "browser_wait_for": {"selector": "p"}, "browser_vision": {"question": "what is there?"},
	"browser_cdp": {"method": "Page.getNavigationHistory"}, "browser_evaluate": {"expression": "1"}, "browser_dialog": {"action": "accept"},
	"browser_resume": {"call_id": "c-1"}, "browser_interact": {"actions": []arguments{{"action": "extract_text"}}},
	"browser_network_request": {"id": "r1"}, "browser_mouse": {"action": "click", "x": 5, "y": 5}, "browser_get": {"selector": "p", "what": "state"}, "browser_highlight": {"selector": "p"}, "browser_save": {"format": "pdf"}, "browser_route": {"action": "list"},
	"browser_trace": {"action": "start"}, "browser_state": {"action": "save", "name": "whole"}, "browser_record": {"action": "start"},
	"browser_ask_operator": {"question": "well?", "timeout_ms": 1},
}

// bad is a call with arguments that are not taken.
type badCall struct {
	arguments
	names string // what the error has to name
}

// badCalls are those that follow from a tool's schema.
func badCalls(t *testing.T, s schema, good arguments) (list []badCall) {
	t.Helper()
	for _, name := range s.Required {
		without := maps.Clone(good)
		delete(without, name)
		list = append(list, badCall{without, name})
	}
	list = append(list, badCall{good.with(arguments{"no_such_parameter": 1}), "no_such_parameter"})
	for name, p := range s.Properties {
		switch {
		case len(p.Enum) > 0:
			list = append(list, badCall{good.with(arguments{name: "nonsense"}), name}, badCall{good.with(arguments{name: 7}), name})
			continue
		case wrongType[p.Type] == nil:
			t.Errorf("nothing is known of the type %q of %s", p.Type, name)
			continue
		}
		list = append(list, badCall{good.with(arguments{name: wrongType[p.Type]}), name})
		if p.Type == "array" && p.Items.Type == "string" {
			list = append(list, badCall{good.with(arguments{name: []any{"a", 7}}), name + "[1]"})
		}
		if p.Type != "integer" && p.Type != "number" {
			continue
		}
		values, known := outOfRange[name]
		if !known {
			t.Errorf("nothing is known of the range of %s", name)
		}
		for _, value := range values {
			list = append(list, badCall{good.with(arguments{name: value}), name})
		}
	}
	return list
}

// Whatever a schema does not allow is an error that names the parameter, and nothing is done.
func TestBadArgumentsOfEveryToolAreNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	u := b.newUser(t, host.TaskOptions{})
	for _, tool := range everyone(b) {
		s, good := schemaOf(t, tool), whole[tool.Name]
		for _, name := range s.Required {
			if good[name] == nil {
				t.Fatalf("%s needs %s, which the test does not give", tool.Name, name)
			}
		}
		// Most of what the default toolset does not tell models is a parameter of all tools.
		for name, p := range map[string]schema{"timeout_ms": {Type: "integer"}} {
			if _, listed := s.Properties[name]; !listed && tool.Name != "browser_cdp" {
				s.Properties = maps.Clone(s.Properties)
				if s.Properties == nil {
					s.Properties = map[string]schema{}
				}
				s.Properties[name] = p
			}
		}
		for _, bad := range badCalls(t, s, good) {
			u.bad(tool.Name, bad.arguments, "bad_arguments", bad.names)
		}
		if tool.Name == "browser_interact" {
			u.badActions(*s.Properties["actions"].Items)
		}
	}
	want(t, u.good("browser_snapshot", nil), "url", `"about:blank"`)
}

// badActions does likewise with the actions of a list.
func (u *user) badActions(s schema) {
	u.t.Helper()
	for _, bad := range badCalls(u.t, s, arguments{"action": "click", "selector": "p"}) {
		u.bad("browser_interact", arguments{"actions": []arguments{{"action": "extract_text"}, bad.arguments}}, "bad_arguments", "actions[1]", bad.names)
	}
}

// No tool takes an element that is named twice or, where it needs one, not at all.
func TestAnElementIsNamedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	u := b.newUser(t, host.TaskOptions{})
	optional := []string{"browser_press", "browser_type", "browser_scroll", "browser_extract_text", "browser_evaluate", "browser_console", "browser_screenshot"}
	var seen []string
	for _, tool := range everyone(b) {
		p := schemaOf(t, tool).Properties
		_, ref := p["ref"]
		_, selector := p["selector"]
		if !ref || !selector {
			continue
		}
		seen = append(seen, tool.Name)
		good := maps.Clone(whole[tool.Name])
		if good == nil {
			good = arguments{}
		}
		u.bad(tool.Name, good.with(arguments{"ref": "e1", "selector": "p"}), "bad_arguments", "ref")
		if delete(good, "selector"); !slices.Contains(optional, tool.Name) {
			u.bad(tool.Name, good, "bad_arguments", "ref")
		}
		u.bad(tool.Name, good.with(arguments{"ref": "e9999"}), "unknown_ref", "e9999")
		u.bad(tool.Name, good.with(arguments{"ref": "banana"}), "unknown_ref", "banana")
		u.inVain(tool.Name, good.with(arguments{"selector": "#nowhere"}), "no_element", "#nowhere", "within")
		u.bad(tool.Name, good.with(arguments{"selector": "::::"}), "bad_arguments", "::::")
	}
	if len(seen) < 12 {
		t.Errorf("only %v take an element", seen)
	}
	for _, a := range []arguments{{"selector": "p"}, {"selector": "p", "to_ref": "e1", "to_selector": "p"}} {
		u.bad("browser_drag", a, "bad_arguments", "to_ref")
	}
	for _, a := range []arguments{{}, {"selector": "p", "text": "x"}} {
		u.bad("browser_wait_for", a, "bad_arguments", "selector")
	}
}

// Every tool that takes a tab says which there are when there is none of the handle.
func TestAnUnknownTabIsNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	u := b.newUser(t, host.TaskOptions{})
	n := 0
	for _, tool := range everyone(b) {
		if _, ok := schemaOf(t, tool).Properties["tab"]; !ok {
			continue
		}
		n++
		a := whole[tool.Name].with(arguments{"tab": "t99"})
		if tool.Name == "browser_tabs" {
			a["action"] = "focus"
		}
		u.bad(tool.Name, a, "unknown_tab", "t99")
	}
	if n < 15 {
		t.Errorf("only %d tools take a tab", n)
	}
	u.bad("browser_click", arguments{"selector": "p", "frame_id": "nowhere"}, "unknown_frame", "nowhere")
	u.bad("browser_cdp", arguments{"method": "Page.getNavigationHistory", "target_id": "nowhere"}, "unknown_tab", "nowhere")
}

// What the schemas cannot say is checked all the same.
func TestArgumentsThatContradictEachOther(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	for _, c := range []struct {
		tool  string
		a     arguments
		words []string
	}{
		{"browser_press", arguments{"key": "Hyper+Q"}, []string{"Hyper+Q"}},
		{"browser_press", arguments{"key": ""}, []string{"key"}},
		{"browser_upload", arguments{"selector": "p", "paths": []string{"nowhere/at all"}}, []string{"nowhere/at all"}},
		{"browser_upload", arguments{"selector": "p", "paths": []string{t.TempDir()}}, []string{"no file"}},
		{"browser_wait_for", arguments{"text": "x", "state": "attached"}, []string{"attached", "visible or hidden"}},
		{"browser_tabs", arguments{"action": "close"}, []string{"tab", "close"}},
		{"browser_tabs", arguments{"action": "list", "tab": "t1"}, []string{"tab"}},
		{"browser_tabs", arguments{"action": "focus", "tab": "t1", "url": "about:blank"}, []string{"url"}},
		{"browser_dialog", arguments{"action": "dismiss", "prompt_text": "x"}, []string{"prompt_text"}},
		{"browser_dialog", arguments{"action": "accept", "arm": true, "dialog_id": "d-1"}, []string{"dialog_id"}},
		{"browser_dialog", arguments{"action": "accept", "expires_s": 5}, []string{"expires_s"}},
		{"browser_evaluate", arguments{"expression": "1", "selector": "p", "backend_node_id": 5}, []string{"backend_node_id", "selector"}},
		{"browser_evaluate", arguments{"expression": "1", "ref": "e1", "tab": "t1"}, []string{"ref", "tab"}},
		{"browser_snapshot", arguments{"since": "yesterday"}, []string{"yesterday"}},
		{"browser_navigate", arguments{"url": ""}, []string{"url"}},
	} {
		u.bad(c.tool, c.a, "bad_arguments", c.words...)
	}
	for _, text := range []string{"[]", "7", "{", `"x"`, "null"} {
		r, err := u.registry.Call(u.ctx, callOf(u, "browser_click", text))
		if err != nil {
			t.Fatal(err)
		}
		u.failed(r, fmt.Sprintf("browser_click %s", text), "bad_arguments", "JSON object", strings.Join([]string{"ref", "selector"}, ", "))
	}
}
