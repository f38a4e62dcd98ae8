package pages

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/testsite"
)

// args are the arguments of a call; {{host}} in texts is an origin of the site.
type args = map[string]any

// world is a site, and an agent with a task in a browser context of its own.
type world struct {
	*testsite.Server
	t         *testing.T
	ctx       context.Context
	host      *host.Host
	registry  *agent.Registry
	address   string // of the browser
	task      *host.Task
	downloads string // the directory for them
}

// newWorld starts in the browser that tests share. The test may run beside others.
func newWorld(t *testing.T, pages map[string]string) *world {
	t.Helper()
	t.Parallel()
	return newWorldAt(t, common.Address(t), pages)
}

// newWorldAlone starts in a browser of its own, which the test may wound.
func newWorldAlone(t *testing.T, pages map[string]string) *world {
	t.Helper()
	t.Parallel()
	address, _ := shared.Own(t)
	return newWorldAt(t, address, pages)
}

func newWorldAt(t *testing.T, address string, pages map[string]string) *world {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), shared.Limit(), errors.New("the test took too long"))
	t.Cleanup(cancel)
	w := &world{Server: testsite.New(t, pages), t: t, ctx: ctx, address: address, downloads: t.TempDir()}
	w.host = common.NewHost(t, host.Options{DownloadDir: w.downloads})
	w.task = w.attach(t.Name())
	var err error
	w.registry, err = agent.New(w.host, agent.Options{
		Toolsets: agent.Toolsets{Use: []string{"browser-full"}}, Browser: agent.BrowserOptions{Timeout: time.Minute, DownloadDir: w.downloads},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.registry.Close)
	return w
}

func (w *world) attach(id string) *host.Task {
	w.t.Helper()
	task, err := w.host.Attach(w.ctx, id, w.address, &host.TaskOptions{Scope: host.ScopeContext})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if w.t.Failed() {
			w.t.Logf("last snapshot of %s: %s", id, shared.Dump(task.Snapshot()))
		}
	})
	return task
}

// another is a second agent on the same browser, with the same site, host and tools.
func (w *world) another() *world {
	w.t.Helper()
	second := *w
	second.task = w.attach(w.t.Name() + "/second")
	return &second
}

// in gives the same world to a subtest.
func (w *world) in(t *testing.T) *world {
	t.Helper()
	sub := *w
	sub.t = t
	return &sub
}

// call calls a tool.
func (w *world) call(tool string, a args) agent.Result {
	w.t.Helper()
	if a == nil {
		a = args{}
	}
	encoded, err := json.Marshal(a)
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := w.registry.Call(w.ctx, agent.Call{Task: w.task.ID(), Name: tool, Arguments: json.RawMessage(w.Expand(string(encoded)))})
	if err != nil {
		w.t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// good is call of what must do what was asked.
func (w *world) good(tool string, a args) agent.Result {
	w.t.Helper()
	r := w.call(tool, a)
	if r.IsError || r.Structured["success"] != true {
		w.t.Fatalf("%s %s failed: %s", tool, shared.Dump(a), show(r))
	}
	return r
}

// bad is call of what must fail with a kind, and with an error that has each of the words.
func (w *world) bad(tool string, a args, kind string, words ...string) agent.Result {
	w.t.Helper()
	return w.failed(w.call(tool, a), tool, a, kind, words...)
}

// failed is bad for a call that was made.
func (w *world) failed(r agent.Result, tool string, a args, kind string, words ...string) agent.Result {
	w.t.Helper()
	for w.tooShort(a, r, kind) { // for this machine at its current load
		a["timeout_ms"] = 3 * a["timeout_ms"].(int)
		r = w.call(tool, a)
	}
	if !r.IsError || r.Structured["success"] != false || r.Structured["kind"] != kind {
		w.t.Fatalf("%s %s did not fail with %s: %s", tool, shared.Dump(a), kind, show(r))
	}
	for _, word := range words {
		if text, _ := r.Structured["error"].(string); !strings.Contains(text, word) {
			w.t.Errorf("%s: the error does not say %q: %s", tool, word, text)
		}
	}
	return r
}

// tooShort tells whether a call that must fail with a kind had too little time to find out.
func (w *world) tooShort(a args, r agent.Result, kind string) bool {
	limit, limited := a["timeout_ms"].(int)
	got := r.Structured["kind"]
	return limited && limit < 100_000 && kind != got && (got == "timeout" || got == "renderer_busy")
}

// open loads a page of the site at localhost.
func (w *world) open(path string) agent.Result {
	w.t.Helper()
	return w.good("browser_navigate", args{"url": w.URL("localhost", path)})
}

// js gives the JSON of an expression; more are further arguments of browser_evaluate.
func (w *world) js(expression string, more ...args) string {
	w.t.Helper()
	all := args{"expression": expression}
	for _, m := range more {
		maps.Copy(all, m)
	}
	return lookUp(w.t, w.good("browser_evaluate", all), "result")
}

// reported waits for a report of the page.
func (w *world) reported(key string) string {
	w.t.Helper()
	value, err := w.Reported(w.ctx, key)
	if err != nil {
		w.t.Fatal(err)
	}
	return value
}

// until calls a tool again and again until what it gives is right. Chromium tells of some things a moment later.
func (w *world) until(what, tool string, a args, right func(agent.Result) bool) agent.Result {
	w.t.Helper()
	pause := time.NewTimer(0)
	defer pause.Stop()
	var r agent.Result
	for {
		select {
		case <-pause.C:
		case <-w.ctx.Done():
			w.t.Fatalf("waited in vain for %s: %s", what, show(r))
		}
		if r = w.call(tool, a); right(r) {
			return r
		}
		pause.Reset(20 * time.Millisecond)
	}
}

// shows reads the page until each of the texts is in it.
func (w *world) shows(a args, texts ...string) agent.Result {
	w.t.Helper()
	return w.until(strings.Join(texts, ", "), "browser_snapshot", a, func(r agent.Result) bool {
		snapshot, _ := r.Structured["snapshot"].(string)
		for _, text := range texts {
			if !strings.Contains(snapshot, text) {
				return false
			}
		}
		return true
	})
}

// ref is the ref of an element that has to be in a snapshot.
func (w *world) ref(r agent.Result, text string) string {
	w.t.Helper()
	found := ref(r, text)
	if found == "" {
		w.t.Fatalf("no ref of %s in %s", text, show(r))
	}
	return found
}
