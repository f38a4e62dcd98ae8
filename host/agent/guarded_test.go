package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// contraryTools is a module that decides on calls and their results by words in them.
func contraryTools(t *testing.T) host.PluginOptions {
	t.Helper()
	path := filepath.Join(t.TempDir(), "guard.wasm")
	if err := os.WriteFile(path, contrary.Tools(), 0o600); err != nil {
		t.Fatal(err)
	}
	return host.PluginOptions{
		PluginSource: host.PluginSource{Path: path}, Hooks: []abi.Hook{abi.HookBeforeTool, abi.HookAfterTool},
		Limits: module.Limits{HookTimeout: time.Minute},
	}
}

func guardedWorld(t *testing.T, pages map[string]string, o Options) *world {
	t.Helper()
	w := newWorld(t, pages, o)
	if _, err := w.host.AddPlugin(w.ctx, "guard", contraryTools(t)); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestAPluginDecidesOnCalls(t *testing.T) {
	w := guardedWorld(t, map[string]string{"/": "<h1>Home</h1>", "/other": "<h1>Other</h1>"}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	for what, c := range map[string]struct{ url, kind, says string }{
		"denied": {"SITE/other#!deny", "tool_denied", "plugin guard denied it by the rule the address says so: denied on " + w.site + " by "},
		"what agents may not load, a plugin cannot give them": {"SITE/other#!go:file:///etc/passwd", "", "file"},
		"an argument that the tool does not have":             {"SITE/other#!extra", "bad_arguments", "a plugin changed them"},
		"a reported failure":                                  {"SITE/other#!fail", "tool_denied", "no plugin could decide on it"},
		"a trap":                                              {"SITE/other#!trap", "tool_denied", "no plugin could decide on it"},
	} {
		r := w.call("browser_navigate", fmt.Sprintf(`{"url":%q}`, c.url))
		if !r.IsError || c.kind != "" && r.Structured["kind"] != c.kind || !strings.Contains(r.Text, c.says) {
			t.Errorf("%s: %s", what, show(r))
		}
		if rest, ok := outside(r.Text); !ok || strings.Contains(rest, "denied on") {
			t.Errorf("%s: the reason is outside the fence: %s", what, r.Text)
		}
	}
	if at := w.task.Snapshot().Page().RawFrameTree.Top.URL; at != w.site+"/" {
		t.Errorf("a denied call went to %s", at)
	}
	w.good("browser_navigate", `{"url":"SITE/#!go:SITE/other"}`)
	if at := w.task.Snapshot().Page().RawFrameTree.Top.URL; at != w.site+"/other" {
		t.Errorf("the changed call went to %s", at)
	}
	// The tool does what the plugin was shown: the last of two equal keys.
	if r := w.call("browser_navigate", `{"url":"SITE/","url":"SITE/other#!deny"}`); r.Structured["kind"] != "tool_denied" {
		t.Errorf("a repeated key: %s", show(r))
	}
	if r := w.call("browser_navigate", `[]`); r.Structured["kind"] != string(fault.ErrBadArguments) {
		t.Errorf("no object: %s", show(r))
	}
}

// A call that a plugin leaves to the operator is made if the answer is yes, and not if there is none.
func TestAPluginLeavesACallToTheOperator(t *testing.T) {
	w := guardedWorld(t, map[string]string{"/": "<h1>Home</h1>", "/other": "<h1>Other</h1>"}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	for answer, called := range map[string]bool{"Yes": true, "not today": false} {
		results := make(chan Result, 1)
		go func() { results <- w.call("browser_navigate", `{"url":"SITE/other#!ask:a shop"}`) }()
		q := w.question()
		if q.Plugin != "guard" || !strings.Contains(q.Text, "browser_navigate on "+w.site) || !strings.Contains(q.Text, w.site+"/other#!ask") || !strings.Contains(q.Text, "it goes to a shop") {
			t.Errorf("the question is %+v", q)
		}
		if _, err := w.task.AnswerQuestion(q.ID, answer); err != nil {
			t.Fatal(err)
		}
		r := <-results
		if r.IsError == called || !called && (r.Structured["kind"] != "tool_denied" || !strings.Contains(r.Text, "who did not allow it: "+answer)) {
			t.Errorf("after %q: %s", answer, show(r))
		}
	}
	if left := w.task.Questions(); len(left) > 0 {
		t.Errorf("there still wait %+v", left)
	}
}

// A person allows a call for the page that is there, and as far as its arguments can be read.
func TestAnAnswerIsForThePageAndTheArgumentsThatWereShown(t *testing.T) {
	w := guardedWorld(t, map[string]string{"/": "<h1>Home</h1>", "/other": "<h1>Other</h1>"}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	results := make(chan Result, 1)
	go func() { results <- w.call("browser_navigate", `{"url":"SITE/other#!ask:x"}`) }()
	q := w.question()
	if _, err := w.task.Tab("").Navigate(w.ctx, "data:text/html,elsewhere", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.task.AnswerQuestion(q.ID, "yes"); err != nil {
		t.Fatal(err)
	}
	if r := <-results; r.Structured["kind"] != "tool_denied" || !strings.Contains(r.Text, "shows another one by now") {
		t.Errorf("on another page: %s", show(r))
	}
	if r := w.call("browser_navigate", `{"url":"SITE/other#!ask:`+strings.Repeat("x", 3000)+`"}`); r.Structured["kind"] != "tool_denied" || !strings.Contains(r.Text, "could not see all") {
		t.Errorf("with long arguments: %s", show(r))
	}
}

// question waits until the operator is asked something.
func (w *world) question() host.Question {
	w.t.Helper()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		if list := w.task.Questions(); len(list) > 0 {
			return list[0]
		}
		select {
		case <-again.C:
		case <-w.ctx.Done():
			w.t.Fatal("nobody is asked")
		}
	}
}

func TestACallThatNobodyAllowsIsDenied(t *testing.T) {
	h := common.NewHost(t, host.Options{Plugins: map[string]host.PluginOptions{"guard": contraryTools(t)}, ToolAskTimeout: time.Millisecond})
	ask := func(task string) error {
		_, err := h.BeforeTool(t.Context(), &host.ToolUse{Task: task, Tool: "browser_navigate", Source: "browser", Arguments: map[string]any{"url": "https://a.test/#!ask:x"}})
		return err
	}
	if err := ask("none"); !errors.Is(err, host.ErrToolDenied) || !strings.Contains(err.Error(), "once the task has a browser") {
		t.Errorf("without a task: %v", err)
	}
	task, err := h.Launch(testContext(t), "task", &host.LaunchOptions{Executable: hosttest.Executable(t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := ask("task"); !errors.Is(err, host.ErrToolDenied) || !strings.Contains(err.Error(), "nobody answered within") {
		t.Errorf("without an answer: %v", err)
	}
	if left := task.Questions(); len(left) > 0 {
		t.Errorf("the question waits on: %+v", left)
	}
}

// Whatever reads the page, the agent gets it masked, both as text and as an object.
func TestAPluginMasksEveryReading(t *testing.T) {
	const page = `<script>document.title="SECRET title"</script><h1>A SECRET here</h1><button aria-label="SECRET button" onclick="console.log('SECRET log');this.after('SECRET new')">x</button>`
	w := guardedWorld(t, map[string]string{"/": page}, Options{Toolsets: Toolsets{Use: []string{"all"}}})
	for _, c := range [][2]string{
		{"browser_navigate", `{"url":"SITE/"}`}, {"browser_snapshot", `{}`}, {"browser_find", `{"text":"here"}`}, {"browser_extract_text", `{}`},
		{"browser_interact", `{"actions":[{"action":"click","selector":"button"}]}`}, {"browser_console", `{}`}, {"browser_tabs", `{"action":"list"}`},
		{"browser_evaluate", `{"expression":"({['SECRET']: [document.body.innerText]})"}`}, {"browser_get", `{"selector":"h1","what":"html"}`},
	} {
		r := w.call(c[0], c[1])
		encoded, _ := json.Marshal(r.Structured)
		if strings.Contains(r.Text, "SECRET") || strings.Contains(string(encoded), "SECRET") {
			t.Errorf("%s shows it: %s\n%s", c[0], r.Text, encoded)
		}
		if !strings.Contains(r.Text, "[masked]") {
			t.Errorf("%s masks nothing: %s", c[0], r.Text)
		}
		if rest, ok := outside(r.Text); !ok || strings.Contains(rest, "masked") {
			t.Errorf("%s: what the module wrote is not fenced: %s", c[0], r.Text)
		}
	}
}

func TestAResultIsWithheldIfAPluginSaysSoOrFails(t *testing.T) {
	w := guardedWorld(t, map[string]string{"/no": "<p>WITHHOLD that", "/trap": "<p>BREAK that"}, Options{})
	for path, says := range map[string]string{"/no": "has run, is withheld: plugin guard denied it", "/trap": "has run, is withheld: no plugin could decide"} {
		r := w.call("browser_navigate", `{"url":"SITE`+path+`"}`)
		if !r.IsError || r.Structured["kind"] != "tool_denied" || !strings.Contains(r.Text, says) || strings.Contains(r.Text, "that") {
			t.Errorf("%s: %s", path, show(r))
		}
	}
}

// Tools of every source pass the plugins: here that of an embedder, as the tools of other servers are.
func TestAPluginDecidesOnToolsOfOthers(t *testing.T) {
	t.Parallel()
	for _, open := range []bool{false, true} {
		h := common.NewHost(t, host.Options{Plugins: map[string]host.PluginOptions{"guard": contraryTools(t)}, ToolFailOpen: open, PluginFaults: -1})
		r := newRegistry(t, h, Options{Toolsets: Toolsets{Use: []string{"all"}}})
		ran := ""
		tool := Custom{
			Tool: Tool{Name: "look_up", Input: json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"}},"additionalProperties":false}`)}, NoBrowser: true,
			Run: func(_ context.Context, _ *Browser, arguments json.RawMessage) (Result, error) {
				ran = string(arguments)
				return Result{Text: "SECRET", Structured: map[string]any{"at": "SECRET"}, Images: []Image{{MIMEType: "image/png"}}}, nil
			},
		}
		if err := r.Register("mcp-other", tool); err != nil {
			t.Fatal(err)
		}
		ask := func(says string) Result {
			ran = ""
			got, err := r.Call(t.Context(), Call{Task: "task", Client: "cli", Name: "look_up", Arguments: json.RawMessage(`{"url":"x#!` + says + `"}`)})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if got := ask("deny"); got.Structured["kind"] != "tool_denied" || !strings.Contains(got.Text, "by cli") || ran != "" {
			t.Errorf("denied: %s, and it ran with %q", show(got), ran)
		}
		if got := ask("extra"); got.Structured["kind"] != "bad_arguments" || ran != "" {
			t.Errorf("changed to what its schema does not allow: %s, and it ran with %q", show(got), ran)
		}
		if got := ask("go:y"); ran != `{"url":"y"}` || !strings.Contains(got.Text, "[masked]") || got.Structured["at"] != "[masked]" || len(got.Images) != 1 {
			t.Errorf("changed: %s, and it ran with %q", show(got), ran)
		}
		if got := ask("trap"); got.IsError == open || (ran != "") != open {
			t.Errorf("a trap, open %v: %s, and it ran with %q", open, show(got), ran)
		}
	}
}

func TestWithoutSuchAPluginACallCostsNothing(t *testing.T) {
	h := common.NewHost(t, host.Options{})
	r := newRegistry(t, h, Options{})
	c, e := Call{Task: "task", Name: "browser_click", Arguments: json.RawMessage(`{"ref":"e5"}`)}, builtins()["browser_click"].entry
	if n := testing.AllocsPerRun(100, func() {
		if _, g, err := r.guard(t.Context(), c, e); g != nil || err != nil {
			t.Error("a plugin decides")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
