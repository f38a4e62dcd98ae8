package agents

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// step is an action of browser_interact in a place, with what is to come of it.
type step struct {
	action arguments
	result string // a key of its result
	value  string // and its JSON; empty: any
	took   string // an event that the page wrote down: its type and its element
}

// steps are actions of all kinds but those of [journeys].
func (s *spot) steps() []step {
	ref := func(role, name string) string { return s.ref(role, name) }
	return []step{
		{arguments{"action": "click", "ref": ref("button", "Save")}, "clicked", `"button \"Save\""`, "click save"},
		{arguments{"action": "click", "selector": "#save", "force": true}, "clicked", "", "click save"},
		{arguments{"action": "dblclick", "selector": "#save"}, "clicked", `"button \"Save\""`, "dblclick save"},
		{arguments{"action": "fill", "ref": ref("textbox", "Name"), "text": "filled"}, "typed", "6", "input name"},
		{arguments{"action": "fill", "selector": "#notes", "text": ""}, "element", `"textbox \"Notes\""`, "input notes"},
		{arguments{"action": "hover", "ref": ref("button", "Over")}, "hovered", `"button \"Over\""`, "mouseover over"},
		{arguments{"action": "press", "selector": "#query", "key": "Enter"}, "pressed", `"Enter"`, "submit form"},
		{arguments{"action": "scroll", "ref": ref("button", "Pane"), "direction": "down"}, "scrolled", `"down"`, "scroll pane"},
		{arguments{"action": "select", "selector": "#size", "values": []string{"Medium"}}, "selected", `["m"]`, "change size"},
		{arguments{"action": "check", "ref": ref("radio", "Red")}, "checked", "true", "click red"},
		{arguments{"action": "drag", "selector": "#source", "to_ref": ref("button", "Goal")}, "dragged", `"button \"Source\""`, "dropped goal"},
		{arguments{"action": "click", "ref": ref("button", "Veil")}, "clicked", "", "click veil"},
		{arguments{"action": "click", "selector": "#save", "wait_for_hidden": "#veiled"}, "clicked", "", "click save"},
		{arguments{"action": "extract_text", "selector": "#text", "max_chars": 8}, "text", `"The text"`, ""},
		{arguments{"action": "wait_for_selector", "selector": "#ready", "state": "attached"}, "state", `"attached"`, ""},
		{arguments{"action": "wait_for", "selector": "#ready", "state": "attached"}, "state", `"attached"`, ""},
		{arguments{"action": "screenshot", "ref": ref("button", "Save")}, "width", "", ""},
		{arguments{"action": "sleep", "ms": 1}, "slept_ms", "1", ""},
	}
}

// journeys are the kinds of actions that leave the page.
var journeys = []string{"goto", "back", "forward", "reload"}

func TestEveryKindOfActionHasAStep(t *testing.T) {
	t.Parallel()
	b := newBench(t, "", host.Options{})
	var schema struct {
		Properties struct {
			Actions struct {
				Items struct {
					Properties struct{ Action struct{ Enum []string } }
				}
			}
		}
	}
	for _, tool := range everyone(b) {
		if tool.Name == "browser_interact" {
			if err := json.Unmarshal(tool.Input, &schema); err != nil {
				t.Fatal(err)
			}
		}
	}
	kinds := schema.Properties.Actions.Items.Properties.Action.Enum
	done := slices.Clone(journeys)
	dummy := &spot{read: agent.Result{Structured: map[string]any{"snapshot": everyName}}, user: &user{t: t}}
	for _, step := range dummy.steps() {
		done = append(done, step.action["action"].(string))
	}
	for _, kind := range kinds {
		if !slices.Contains(done, kind) {
			t.Errorf("no step does %s", kind)
		}
	}
	if len(kinds) < len(journeys) {
		t.Errorf("the schema has only %v", kinds)
	}
}

// everyName stands for a snapshot that has what [spot.steps] names.
const everyName = `button "Save" @e1
textbox "Name" @e2
button "Over" @e3
button "Pane" @e4
radio "Red" @e5
button "Goal" @e6
button "Veil" @e7`

// interactRows do lists of actions.
var interactRows = []row{
	{name: "of all kinds", tool: "browser_interact", run: func(t *testing.T, s *spot) {
		steps := s.steps()
		var actions []arguments
		for _, step := range steps {
			actions = append(actions, step.action)
		}
		s.evaluate(`{ find("pane").scrollTop = 0; 0 }`, new(int))
		s.log()
		r := s.good("browser_interact", s.inTab(arguments{"actions": actions}))
		want(t, r, "aborted", "null")
		is(t, "pictures", len(r.Images), 1)
		log := s.log()
		for i, step := range steps {
			at := fmt.Sprintf("results.%d.", i)
			want(t, r, at+"action", shared.Dump(step.action["action"]))
			want(t, r, at+"success", "true")
			got := lookUp(t, r, at+"result."+step.result)
			if got == "null" || step.value != "" && got != step.value {
				t.Errorf("%s: %s is %s", shared.Dump(step.action), step.result, got)
			}
			if step.took != "" {
				log = after(t, log, step.took)
			}
		}
	}},
	{name: "that goes on, or stops, after an error", tool: "browser_interact", run: func(t *testing.T, s *spot) {
		enough := shared.Patience(3 * time.Second).Milliseconds()
		actions := []arguments{
			{"action": "click", "selector": "#nowhere", "timeout_ms": enough}, {"action": "click", "ref": "e99999"}, {"action": "extract_text", "selector": "#text"},
		}
		r := s.answered("browser_interact", s.inTab(arguments{"actions": actions}))
		want(t, r, "success", "false")
		want(t, r, "results.0.kind", `"no_element"`)
		want(t, r, "results.1.kind", `"unknown_ref"`)
		want(t, r, "results.2.result.text", `"The text of the place"`)
		want(t, r, "aborted", "null")
		r = s.answered("browser_interact", s.inTab(arguments{"actions": actions, "stop_on_error": true}))
		want(t, r, "results.0.kind", `"no_element"`)
		want(t, r, "results.1", "null")
		want(t, r, "aborted", "true")
		want(t, r, "abort_reason", `"stop_on_error"`)
	}},
	{name: "that waits in vain for what is to be hidden", tool: "browser_interact", run: func(t *testing.T, s *spot) {
		save := s.ref("button", "Save")
		r := s.answered("browser_interact", s.inTab(arguments{"actions": []arguments{
			{"action": "click", "selector": "#save", "wait_for_hidden": "#text", "timeout_ms": 1500},
			{"action": "dblclick", "ref": save, "wait_for_hidden": "#text", "timeout_ms": 1500},
		}}))
		want(t, r, "results.0.error", `"wait_for_hidden(#text) timed out before click(#save)"`)
		want(t, r, "results.1.error", shared.Dump("wait_for_hidden(#text) timed out before dblclick("+save+")"))
		want(t, r, "results.0.kind", `"timeout"`)
		for _, e := range s.log() {
			if strings.Contains(e.Type, "click") {
				t.Errorf("it was done nevertheless: %s", shared.Dump(e))
			}
		}
	}},
	{name: "that a dialog interrupts", tool: "browser_interact", run: func(t *testing.T, s *spot) {
		blocked := s.bad("browser_interact", s.inTab(arguments{"actions": []arguments{
			{"action": "extract_text", "selector": "#text"}, {"action": "click", "selector": "#ask"}, {"action": "click", "selector": "#save"},
		}}), "blocked_by_dialog")
		s.held("prompt", "What?")
		s.good("browser_dialog", arguments{"action": "accept"})
		r := s.good("browser_resume", arguments{"call_id": text(t, blocked, "call_id")})
		want(t, r, "results.0.result.text", `"The text of the place"`)
		want(t, r, "results.1.result.clicked", `"button \"Ask\""`)
		want(t, r, "results.2.result.clicked", `"button \"Save\""`)
		want(t, r, "results.3", "null")
		after(t, after(t, s.log(), "answer ask"), "click save")
	}},
	{name: "that leaves the page", tool: "browser_interact", run: func(t *testing.T, s *spot) {
		r := s.good("browser_interact", s.inTab(arguments{
			"url": "{{localhost}}/after", "actions": []arguments{
				{"action": "goto", "url": "{{localhost}}/two"}, {"action": "back"}, {"action": "forward"}, {"action": "reload"},
				{"action": "wait_for_selector", "selector": "p"}, {"action": "extract_text"},
			},
		}))
		for i, path := range []string{"/after", "/two", "/after", "/two", "/two"} {
			want(t, r, fmt.Sprintf("results.%d.result.url", i), shared.Dump(s.URL("localhost", path)))
		}
		want(t, r, "results.1.result.http_status", "200")
		want(t, r, "results.6.result.text", `"two"`)
		want(t, r, "url", shared.Dump(s.URL("localhost", "/two")))
		s.reopen()
	}},
}

// reopen loads the page of the place again; a popup is closed before.
func (s *spot) reopen() {
	s.t.Helper()
	if s.tab != "" {
		s.good("browser_tabs", arguments{"action": "close", "tab": s.tab})
		s.tab = ""
	}
	s.open()
}

// after finds an event of a type and element, which the browser made, in a log, and gives what came later.
func after(t *testing.T, log []event, what string) []event {
	t.Helper()
	kind, id, _ := strings.Cut(what, " ")
	for i, e := range log {
		if e.Type == kind && e.ID == id && e.Trusted == (kind != "change" || id != "size") {
			return log[i+1:]
		}
	}
	t.Errorf("no %s in what came then: %s", what, shared.Dump(log))
	return log
}

func TestAFailedNavigationAborts(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	r := u.call("browser_interact", arguments{"actions": []arguments{{"action": "goto", "url": nowhere}, {"action": "extract_text"}}})
	want(t, r, "success", "false")
	want(t, r, "aborted", "true")
	want(t, r, "abort_reason", `"goto_failed"`)
	want(t, r, "results.0.kind", `"navigation_failed"`)
	want(t, r, "results.1", "null")
	r = u.call("browser_interact", arguments{"url": nowhere, "actions": []arguments{{"action": "extract_text"}}})
	want(t, r, "abort_reason", `"initial_goto_failed"`)
	want(t, r, "results.0.action", `"goto"`)
	want(t, r, "results.1", "null")
}

// nowhere is an address where nobody answers.
const nowhere = "http://127.0.0.1:1/"

func TestAtMostAHundredActions(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	actions := slices.Repeat([]arguments{{"action": "sleep", "ms": 1}}, 100)
	r := u.good("browser_interact", arguments{"actions": actions})
	want(t, r, "results.99.success", "true")
	u.bad("browser_interact", arguments{"actions": append(actions, arguments{"action": "sleep", "ms": 1})}, "bad_arguments", "actions", "100")
	u.bad("browser_interact", arguments{"actions": []arguments{}}, "bad_arguments", "actions")
}

// What a list may take grows with it, unless the call names a bound.
func TestTheBudgetOfAListScales(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	b.use(t, agent.BrowserOptions{Timeout: 100e6})
	u := b.newUser(t, host.TaskOptions{})
	actions := []arguments{{"action": "sleep", "ms": 300}, {"action": "sleep", "ms": 300}}
	want(t, u.good("browser_interact", arguments{"actions": actions}), "results.1.result.slept_ms", "300")
	actions[1]["ms"] = 30000
	r := u.call("browser_interact", arguments{"actions": append(actions, arguments{"action": "extract_text"}), "timeout_ms": 800})
	want(t, r, "aborted", "true")
	want(t, r, "abort_reason", `"timeout"`)
	want(t, r, "results.0.success", "true")
	want(t, r, "results.1.kind", `"timeout"`)
	want(t, r, "results.2", "null")
}
