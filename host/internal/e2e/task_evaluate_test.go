package e2e

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestEvaluateGivesJSON(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	for _, tc := range []struct{ expression, value string }{
		{"1 + 1", "2"}, {"'text'", `"text"`}, {"null", "null"}, {"true", "true"}, {"({a: [1, 'b', null]})", `{"a":[1,"b",null]}`},
		{"[]", "[]"}, {"undefined", ""}, {"void 0", ""}, {"'\\u00fc \\u{1F600}'", `"\u00fc \ud83d\ude00"`}, {"document.title", `"/empty"`},
		{"Promise.resolve(7)", "7"}, {"(async () => { await 0; return 'later' })()", `"later"`}, {"'x'.repeat(1e6).length", "1000000"},
	} {
		want(t, tc.expression, w.evaluate(tc.expression), tc.value)
	}
	big := w.evaluate("'x'.repeat(1e6)")
	want(t, "the length of a large value", len(big), 1_000_002)
	promise, err := w.Tab("").Evaluate(w.ctx, "Promise.resolve(7)", nil)
	if err != nil || string(promise.Value) != "{}" {
		t.Errorf("a promise that nobody waits for: %s, %v", promise.Value, err)
	}
}

func TestEvaluateTellsWhatAnExpressionThrew(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	for _, tc := range []struct{ expression, says string }{
		{"throw new TypeError('oh no')", "TypeError: oh no"}, {"nosuchname", "nosuchname is not defined"}, {"1 +", "SyntaxError"},
		{"throw 'a text'", "a text"}, {"throw undefined", ""}, {"Promise.reject(new Error('later'))", "Error: later"},
		{"const f = () => { throw new RangeError('deep') }; f()", "RangeError: deep"}, {"throw new Error('x'.repeat(1e6))", "Error: xxx"},
	} {
		_, err := w.Tab("").Evaluate(w.ctx, tc.expression, &host.EvaluateOptions{AwaitPromise: true})
		var thrown *host.EvaluateError
		if !errors.Is(err, host.ErrEvaluate) || !errors.As(err, &thrown) || !strings.Contains(thrown.Exception, tc.says) {
			t.Errorf("%.40s: the error is %.200v", tc.expression, err)
			continue
		}
		if len(err.Error()) > 20_000 {
			t.Errorf("%.40s: the error has %d bytes", tc.expression, len(err.Error()))
		}
	}
	want(t, "the page still runs", w.evaluate("1 + 1"), "2")
}

func TestAUserGestureIsOnlyThereWhenItIsAskedFor(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	const active = "navigator.userActivation.isActive"
	without, err := w.Tab("").Evaluate(w.ctx, active, nil)
	if err != nil {
		t.Fatal(err)
	}
	with, err := w.Tab("").Evaluate(w.ctx, active, &host.EvaluateOptions{UserGesture: true})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "without", string(without.Value), "false")
	want(t, "with", string(with.Value), "true")
}

func TestNavigateTellsWhyItFailed(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	for _, tc := range []struct{ url, says string }{
		{"http://127.0.0.1:1/", "net::ERR_"}, {"http://nosuchhost.invalid/", "net::ERR_NAME_NOT_RESOLVED"},
		{w.url("localhost", "/report/answers-204"), "net::ERR_ABORTED: the server answered without a document (204"}, {"no address at all", "invalid URL"},
	} {
		if err := commit(w.ctx, w.Tab(""), tc.url); !errors.Is(err, host.ErrNavigate) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("%s: %v", tc.url, err)
		}
	}
	w.usable()
	// A fragment is a navigation without a new document.
	w.evaluate("globalThis.same = true")
	if err := commit(w.ctx, w.Tab(""), w.url("localhost", "/empty")+"#fragment"); err != nil {
		t.Error(err)
	}
	want(t, "the document is the same", w.evaluate("same"), "true")
}

// What follows a navigation meets the new document.
func TestNavigateReturnsWhenTheNewDocumentIsThere(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	for i := range 20 {
		to := []string{"localhost", "127.0.0.1", "localhost"}[i%3]
		url := w.url(to, "/empty?"+strings.Repeat("x", i))
		if err := commit(w.ctx, w.Tab(""), url); err != nil {
			t.Fatal(err)
		}
		want(t, "the page's address", w.evaluate("location.href"), `"`+url+`"`)
		want(t, "the snapshot's address", w.Snapshot().Page().URL, url)
		want(t, "the tree's address", w.Snapshot().Page().RawFrameTree.Top.URL, url)
	}
}

func TestEveryCallEndsWithItsContext(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	p := newProxy(t, w.address)
	task := w.attachVia(p, "calls")
	w.Task = task
	w.open("/empty")
	release := w.hold("/held")
	defer release()
	reason := errors.New("the caller has lost interest")
	// A page whose document is being fetched may answer nothing, so the navigation comes last.
	for _, tc := range []struct {
		name string
		call func(context.Context) error
	}{
		{"Evaluate", func(ctx context.Context) error {
			_, err := task.Tab("").Evaluate(ctx, "report('evaluate'); "+forever, &host.EvaluateOptions{AwaitPromise: true})
			return err
		}},
		{"Navigate", func(ctx context.Context) error { return commit(ctx, task.Tab(""), w.url("localhost", "/held")) }},
	} {
		name, call := tc.name, tc.call
		ctx, cancel := context.WithCancelCause(w.ctx)
		ended := make(chan error, 1)
		go func() { ended <- call(ctx) }()
		if name == "Evaluate" {
			w.reported("evaluate")
		} else {
			w.visited("/held", 1)
		}
		cancel(reason)
		if err := <-ended; !errors.Is(err, reason) {
			t.Errorf("%s: %v", name, err)
		}
		if err := call(ctx); !errors.Is(err, reason) {
			t.Errorf("%s with a context that has ended: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancelCause(w.ctx)
	cancel(reason)
	if _, err := w.host.Attach(ctx, "never", w.address, nil); !errors.Is(err, reason) {
		t.Errorf("Attach: %v", err)
	}
	want(t, "a task that was not started", w.host.Task("never"), nil)
	release()
	w.usable()
}

func (w *world) attachVia(p *proxy, name string) *host.Task {
	w.t.Helper()
	task, err := w.host.Attach(w.ctx, w.t.Name()+"/"+name, p.address, &host.TaskOptions{Scope: host.ScopeContext})
	if err != nil {
		w.t.Fatal(err)
	}
	return task
}
