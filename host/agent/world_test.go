package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), shared.Limit(), errors.New("the test took too long"))
	t.Cleanup(cancel)
	return ctx
}

func newRegistry(t *testing.T, h *host.Host, o Options) *Registry {
	t.Helper()
	r, err := New(h, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// world is a task named "task", a registry, and a site.
type world struct {
	t        *testing.T
	ctx      context.Context
	host     *host.Host
	task     *host.Task
	registry *Registry
	site     string // its URL, without a trailing slash
}

// newWorld serves HTML pages, keyed by path, and opens the first given path.
func newWorld(t *testing.T, pages map[string]string, o Options) *world {
	t.Helper()
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		// An error means that the client is gone.
		_, _ = io.WriteString(w, "<!doctype html><title>"+r.URL.Path+"</title>"+page)
	}))
	t.Cleanup(site.Close)
	w := &world{t: t, ctx: testContext(t), site: site.URL, host: common.NewHost(t, host.Options{EvaluateDisabled: o.EvaluateDisabled, Recording: host.RecordingOptions{Dir: t.TempDir()}})}
	task, err := w.host.Attach(w.ctx, "task", common.Address(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.task = task
	o.Toolsets.Use = append(o.Toolsets.Use, "browser-full")
	w.registry = newRegistry(t, w.host, o)
	return w
}

func (w *world) open(path string) {
	w.t.Helper()
	if _, err := w.task.Tab("").Navigate(w.ctx, w.site+path, &host.NavigateOptions{WaitUntil: host.WaitCommit}); err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		w.t.Fatal(err)
	}
}

// call calls a tool with arguments in JSON, in which SITE stands for the site's URL.
func (w *world) call(name, arguments string) Result {
	w.t.Helper()
	r, err := w.registry.Call(w.ctx, Call{Task: "task", Name: name, Arguments: json.RawMessage(strings.ReplaceAll(arguments, "SITE", w.site))})
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return r
}

// good is call for a tool that must do what was asked.
func (w *world) good(name, arguments string) Result {
	w.t.Helper()
	r := w.call(name, arguments)
	if r.IsError || r.Structured["success"] != true {
		w.t.Fatalf("%s %s failed: %s", name, arguments, show(r))
	}
	return r
}

// bad is call for a tool that must fail with a kind.
func (w *world) bad(name, arguments string, kind host.Code) Result {
	w.t.Helper()
	r := w.call(name, arguments)
	if !r.IsError || r.Structured["success"] != false || r.Structured["kind"] != string(kind) {
		w.t.Fatalf("%s %s did not fail with %s: %s", name, arguments, kind, show(r))
	}
	return r
}

// show formats a result as a server sends it.
func show(r Result) string {
	object, err := json.Marshal(r.Structured)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s\n%s", r.Text, object)
}

// field returns a member of the structured result as JSON. The path is separated by dots; the result is null if there
// is no such member.
func field(t *testing.T, r Result, path string) string {
	t.Helper()
	return shared.LookUp(t, r.Structured, path)
}

// want checks a member of a result.
func want(t *testing.T, r Result, path, value string) {
	t.Helper()
	if got := field(t, r, path); got != value {
		t.Errorf("%s is %s, want %s, in %s", path, got, value, show(r))
	}
}
