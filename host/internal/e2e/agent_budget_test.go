package e2e

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// toolArguments has arguments for every tool, beside its timeout, by which it works on budgetPage. A tool that is new
// needs a line here.
var toolArguments = map[string]string{
	"browser_back":             `{}`,
	"browser_ask_operator":     `{"question":"well?"}`,
	"browser_cdp":              `{"method":"DOM.getDocument"}`,
	"browser_check":            `{"selector":"#box"}`,
	"browser_click":            `{"selector":"#button"}`,
	"browser_close":            `{}`,
	"browser_console":          `{"expression":"1+1"}`,
	"browser_dblclick":         `{"selector":"#button"}`,
	"browser_dialog":           `{"action":"accept"}`,
	"browser_download":         `{"selector":"#link"}`,
	"browser_drag":             `{"selector":"#from","to_selector":"#button"}`,
	"browser_emulate":          `{"locale":"de-DE"}`,
	"browser_evaluate":         `{"expression":"1+1"}`,
	"browser_extract_text":     `{}`,
	"browser_find":             `{"role":"button"}`,
	"browser_forward":          `{}`,
	"browser_highlight":        `{"selector":"#button"}`,
	"browser_get":              `{"selector":"#button","what":"state"}`,
	"browser_get_images":       `{}`,
	"browser_hover":            `{"selector":"#button"}`,
	"browser_interact":         `{"actions":[{"action":"click","selector":"#button"}]}`,
	"browser_mouse":            `{"action":"click","x":20,"y":20}`,
	"browser_navigate":         `{"url":"SITE/empty"}`,
	"browser_network_request":  `{"id":"r1"}`,
	"browser_network_requests": `{}`,
	"browser_press":            `{"key":"a","selector":"#field"}`,
	"browser_record":           `{"action":"start"}`,
	"browser_reload":           `{}`,
	"browser_resume":           `{"call_id":"c-99"}`,
	"browser_route":            `{"action":"list"}`,
	"browser_save":             `{"format":"mhtml"}`,
	"browser_screenshot":       `{}`,
	"browser_scroll":           `{"direction":"down","selector":"#wheel"}`,
	"browser_select":           `{"selector":"#choice","values":["b"]}`,
	"browser_snapshot":         `{}`,
	"browser_state":            `{"action":"save","name":"budget"}`,
	"browser_tabs":             `{"action":"focus","tab":"t1"}`,
	"browser_trace":            `{"action":"start"}`,
	"browser_type":             `{"selector":"#field","text":"a"}`,
	"browser_upload":           `{"selector":"#file","paths":["FILE"]}`,
	"browser_vision":           `{"question":"what is there?"}`,
	"browser_wait_for":         `{"selector":"#never"}`,
}

// budgetPage has what toolArguments name. With a query its handlers never end, once it is loaded.
const budgetPage = `<button id=button>button</button><a id=link download=a.txt href="data:text/plain,a">link</a><button id=from draggable=true>from</button>
<input id=field><input type=checkbox id=box><input type=file id=file><select id=choice><option>a<option>b</select>
<div id=wheel style="height: 40px; width: 100px; overflow: auto"><div style="height: 2000px">wheel</div></div>
<script>if (location.search) for (const kind of ["pointerdown", "pointerover", "pointermove", "keydown", "input", "change", "wheel", "scroll", "focusin"])
	addEventListener(kind, () => { while (true) {} }, true);</script>`

// setsOff are the tools that make handlers of budgetPage run.
var setsOff = []string{
	"browser_check", "browser_click", "browser_dblclick", "browser_download", "browser_drag", "browser_hover", "browser_interact",
	"browser_press", "browser_scroll", "browser_select", "browser_type", "browser_upload",
}

// budget is that of a call, by the time that a page takes to load: enough for a tool to begin, and soon over on a
// machine that has nothing else to do.
func (w *world) budget() time.Duration {
	w.t.Helper()
	return shared.Measure(func() { w.open("/page") }).Times(2, 300*time.Millisecond)
}

// grace is how long after its budget a call has ended at the latest.
func grace(budget time.Duration) time.Duration { return max(5*time.Second, 5*budget) }

// tools gives the registry of a world.
func (w *world) tools() *agent.Registry {
	w.t.Helper()
	return w.toolsWith(agent.Options{
		Toolsets: agent.Toolsets{Use: []string{"browser-full"}}, Browser: agent.BrowserOptions{DownloadDir: w.t.TempDir(), ScreenshotDir: w.t.TempDir(), StateDir: w.t.TempDir()},
	})
}

func (w *world) toolsWith(o agent.Options) *agent.Registry {
	w.t.Helper()
	r, err := agent.New(w.host, o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(r.Close)
	return r
}

// names lists the tools, each of which has arguments.
func (w *world) toolNames(r *agent.Registry) []string {
	w.t.Helper()
	var names []string
	for _, tool := range r.Tools(agent.View{Task: w.ID()}) {
		names = append(names, tool.Name)
		if toolArguments[tool.Name] == "" {
			w.t.Errorf("%s has no arguments here; give it some, so that its budget is tested", tool.Name)
		}
	}
	if want := slices.Sorted(maps.Keys(toolArguments)); !slices.Equal(names, want) {
		w.t.Fatalf("the tools are %q, and those with arguments %q", names, want)
	}
	return names
}

// within calls a tool with a budget, and fails the test when it has not ended soon after.
func (w *world) within(r *agent.Registry, name string, budget time.Duration) agent.Result {
	w.t.Helper()
	file, err := filepath.Abs("agent_budget_test.go")
	if err != nil {
		w.t.Error(err)
		return agent.Result{}
	}
	var arguments map[string]any
	text := strings.NewReplacer("SITE", w.url("localhost", ""), "FILE", file).Replace(toolArguments[name])
	if err := json.Unmarshal([]byte(text), &arguments); err != nil {
		w.t.Error(err)
		return agent.Result{}
	}
	switch name {
	case "browser_cdp":
		budget = max(budget, time.Second) // less is refused
		arguments["timeout"] = budget.Seconds()
	case "browser_network_requests": // asks nobody
	default:
		arguments["timeout_ms"] = budget.Milliseconds()
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		w.t.Error(err)
		return agent.Result{}
	}
	ended := make(chan agent.Result, 1)
	over := time.After(budget + grace(budget))
	go func() {
		result, err := r.Call(w.ctx, agent.Call{Task: w.ID(), Name: name, Arguments: encoded})
		if err != nil {
			result.Text = err.Error()
		}
		ended <- result
	}()
	select {
	case result := <-ended:
		return result
	case <-over:
		w.t.Errorf("%s has a budget of %v and had not ended %v later", name, budget, grace(budget))
		return <-ended
	}
}

// A main thread that waits for a synchronous request cannot be freed by anybody.
func TestEveryToolEndsByItsBudgetOnAPageThatCanNotBeFreed(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": budgetPage}, host.TaskOptions{})
	r := w.tools()
	w.open("/empty")
	budget := w.budget()
	for _, name := range w.toolNames(r) {
		if name == "browser_close" {
			continue // the others need the task
		}
		w.open("/page")
		release := w.hold("/held")
		w.forget()
		w.start("const r = new XMLHttpRequest(); r.open('GET', '/held', false); r.send()")
		w.visited("/held", 1)
		result := w.within(r, name, budget)
		release()
		if name == "browser_interact" {
			continue // its actions have the errors, and they are those of other tools
		}
		if code, _ := result.Structured["code"].(string); result.IsError && !slices.Contains([]host.Code{
			host.ErrRendererBusy, host.ErrTimeout, host.ErrNoDialog, host.ErrUnknownCall, host.ErrNavigate,
		}, host.Code(code)) {
			t.Errorf("%s: %s", name, result.Text)
		}
	}
	release := w.hold("/held")
	defer release()
	w.forget()
	w.start("const r = new XMLHttpRequest(); r.open('GET', '/held', false); r.send()")
	w.visited("/held", 1)
	if result := w.within(r, "browser_close", budget); result.IsError && result.Structured["kind"] != string(host.ErrTimeout) {
		t.Errorf("closing: %s", result.Text)
	}
}

func TestEveryToolWhoseHandlersNeverEndIsEndedAndCounted(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": budgetPage}, host.TaskOptions{})
	r := w.tools()
	w.toolNames(r)
	budget := w.budget()
	for _, name := range setsOff {
		result := w.setOff(r, name, budget)
		if !result.IsError || !strings.Contains(result.Text, "terminated") {
			t.Errorf("%s: %s", name, result.Text)
		}
		if next := w.within(r, "browser_evaluate", shared.Limit()); next.IsError {
			t.Errorf("the next call after %s: %s", name, next.Text)
		}
		if n := r.Counters()[name]; n.Calls == 0 || n.Terminations != 1 || n.Timeouts == 0 || n.Failures[string(host.ErrTimeout)] == 0 {
			t.Errorf("%s is counted as %+v", name, n)
		}
	}
}

// setOff calls a tool until it has met a handler that does not end: on a busy machine its time may be over before.
func (w *world) setOff(r *agent.Registry, name string, budget time.Duration) (result agent.Result) {
	w.t.Helper()
	for ; budget < shared.Limit()/4; budget *= 2 {
		w.open("/page?spins")
		result = w.within(r, name, budget)
		if r.Counters()[name].Terminations > 0 {
			break
		}
	}
	return result
}

// From some message on, nothing is heard of the browser any more.
func TestEveryToolEndsByItsBudgetWhenTheBrowserIsSilent(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": budgetPage}, host.TaskOptions{})
	via := newProxy(t, w.address)
	w.Task = w.attachVia(via, "silent")
	budget := w.budget()
	r := w.tools()
	names := w.toolNames(r)
	// So that the task is known to the registry.
	if result := w.within(r, "browser_extract_text", shared.Limit()); result.IsError {
		t.Fatal(result.Text)
	}
	passed := via.passed()
	via.plan(fault{way: toBrowser, message: passed[toBrowser] + 1, kind: faultStall})
	var all sync.WaitGroup
	for _, name := range names {
		if name != "browser_close" {
			all.Go(func() { w.within(r, name, budget) })
		}
	}
	all.Wait()
	if !via.hit() {
		t.Errorf("the browser was asked nothing after %v", passed)
	}
	w.within(r, "browser_close", budget)
}
