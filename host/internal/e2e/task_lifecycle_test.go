package e2e

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestATaskIsReadyWhenAttachReturns(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	for _, tc := range []struct{ name, url string }{
		{"no address", ""}, {"about:blank", "about:blank"}, {"a page", w.url("localhost", "/empty")}, {"a data: address", "data:text/html,x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := w.in(t)
			task, err := w.host.Attach(w.ctx, t.Name(), w.address, &host.TaskOptions{Scope: host.ScopeContext, URL: tc.url})
			if err != nil {
				t.Fatal(err)
			}
			w.Task = task
			s := task.Snapshot()
			p := s.Page()
			if p == nil || !p.Ready || p.Type != "page" || p.SessionID == "" || p.RawFrameTree == nil || s.TaskID != t.Name() || s.Revision == 0 {
				t.Fatalf("the first snapshot: %s", shared.Dump(s))
			}
			address := tc.url
			if address == "" {
				address = "about:blank"
			}
			w.await("the address", func(s *host.Snapshot) bool {
				return s.Page().URL == address && s.Page().RawFrameTree.Top.URL == address
			})
			w.becomes("")
			if tc.name == "a page" {
				w.await("the title", func(s *host.Snapshot) bool { return strings.HasSuffix(s.Page().Title, "/empty") })
			}
			settled := task.SettledSnapshot(w.ctx)
			if f := settled.Page().FrameTree; f == nil || f.Top.FrameID != settled.Page().ID || f.DecidedBy.Module != "frame-filter" {
				t.Errorf("the settled snapshot: %s", shared.Dump(settled))
			}
		})
	}
}

func TestAttachIsIdempotent(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	p := newProxy(t, w.address)
	o := host.TaskOptions{Scope: host.ScopeContext}
	var wait sync.WaitGroup
	tasks := make([]*host.Task, 8)
	for i := range tasks {
		wait.Go(func() {
			var err error
			if tasks[i], err = w.host.Attach(w.ctx, "one", p.address, &o); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, task := range tasks {
		want(t, "the task", task, tasks[0])
	}
	want(t, "the task by its id", w.host.Task("one"), tasks[0])
	want(t, "its tabs", len(tasks[0].Snapshot().Targets), 1)
	if _, err := w.host.Attach(w.ctx, "two", p.address, &o); err != nil {
		t.Fatal(err)
	}
	want(t, "connections", p.connections(), 1)
	want(t, "tasks", len(w.host.Tasks()), 3)
}

func TestAChangedAddressStopsTheOldSupervisorAndStartsAFreshOne(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	old, first := w.Task, w.Snapshot().Page().ID
	other, _ := shared.Own(t)
	fresh, err := w.host.Attach(w.ctx, old.ID(), other, nil)
	if err != nil {
		t.Fatal(err)
	}
	if fresh == old {
		t.Fatal("the old task was given for another browser")
	}
	<-old.Done()
	if _, err := old.Tab("").Evaluate(w.ctx, "1", nil); !errors.Is(err, host.ErrClosed) {
		t.Errorf("evaluate on the old task: %v", err)
	}
	want(t, "the task of the id", w.host.Task(old.ID()), fresh)
	if newRawClient(w.ctx, t, w.address).has(first) {
		t.Error("the old task's tab is still there")
	}
	w.Task = fresh
	w.usable()
}

func TestAttachToABadAddress(t *testing.T) {
	t.Parallel()
	h := newHost(t, host.Options{ConnectTimeout: 3 * time.Second})
	const secret = "hunter2secret"
	serve := func(f http.HandlerFunc) string {
		s := httptest.NewServer(f)
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	// A port that has just been closed may by now be that of another test's browser.
	const closed = "127.0.0.1:1"
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never says a word
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = silent.Close() })
	echo := serve(func(w http.ResponseWriter, r *http.Request) { http.Error(w, r.URL.String(), http.StatusTeapot) })
	for name, tc := range map[string]struct{ address, says string }{
		"refused":                    {closed, "refused"},
		"refused, WebSocket":         {"ws://" + closed + "/devtools/browser/" + secret + "?token=" + secret, "refused"},
		"an HTTP server":             {serve(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<p>hello")) }), "not JSON"},
		"JSON of another kind":       {serve(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }), "webSocketDebuggerUrl"},
		"404":                        {serve(http.NotFound), "404"},
		"401 with a token":           {"http://user:" + secret + "@" + serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }) + "?token=" + secret, "401"},
		"a server that echoes":       {"http://" + echo + "/" + secret + "?token=" + secret, "418"},
		"a WebSocket that is none":   {"ws://" + echo + "/" + secret + "?token=" + secret, "418"},
		"silent":                     {"http://" + silent.Addr().String() + "?token=" + secret, "no browser within 3s"},
		"silent, WebSocket":          {"ws://" + silent.Addr().String() + "/?token=" + secret, "no browser within 3s"},
		"an unknown scheme":          {"ftp://host/?token=" + secret, "unknown scheme"},
		"no address":                 {"", ""},
		"text that is no address":    {"http://[" + secret, ""},
		"a host that does not exist": {"http://nosuchhost.invalid:1?token=" + secret, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			task, err := h.Attach(t.Context(), t.Name(), tc.address, nil)
			if err == nil || task != nil {
				t.Fatal("attached")
			}
			if !errors.Is(err, host.ErrTask) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("the error is %q, it should say %q", err, tc.says)
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error holds the secret: %q", err)
			}
			want(t, "the task", h.Task(t.Name()), nil)
		})
	}
}

func TestClosingTwiceAndUseAfterwards(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	events := w.Events(10)
	another, err := w.host.Attach(w.ctx, t.Name()+"/another", w.address, &host.TaskOptions{Scope: host.ScopeContext})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			if err := w.Close(w.ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	w.ended()
	for range events.C { // it is closed
	}
	closedNow := func(task *host.Task) {
		t.Helper()
		for name, call := range map[string]func() error{
			"Navigate":      func() error { return commit(w.ctx, task.Tab(""), "about:blank") },
			"Evaluate":      func() error { _, err := task.Tab("").Evaluate(w.ctx, "1", nil); return err },
			"RespondDialog": func() error { _, err := task.RespondDialog(w.ctx, host.DialogResponse{}); return err },
		} {
			if err := call(); !errors.Is(err, host.ErrClosed) {
				t.Errorf("%s after Close: %v", name, err)
			}
		}
		if task.Snapshot() == nil || task.SettledSnapshot(w.ctx) == nil {
			t.Error("no snapshot after Close")
		}
		if _, ok := task.Wait(w.ctx, func(*host.Snapshot) bool { return false }); ok {
			t.Error("Wait after Close says that the condition holds")
		}
		for range task.Events(1).C {
			t.Error("an event after Close")
		}
		if err := task.Close(w.ctx); err != nil {
			t.Errorf("Close after Close: %v", err)
		}
	}
	closedNow(w.Task)
	want(t, "the task by its id", w.host.Task(w.ID()), nil)
	for range 2 {
		if err := w.host.Close(w.ctx); err != nil {
			t.Errorf("close the host: %v", err)
		}
	}
	closedNow(another)
	if _, err := w.host.Attach(w.ctx, "late", w.address, nil); !errors.Is(err, host.ErrClosed) {
		t.Errorf("Attach after Close: %v", err)
	}
	if _, err := w.host.Launch(w.ctx, "late", nil, nil); !errors.Is(err, host.ErrClosed) {
		t.Errorf("Launch after Close: %v", err)
	}
}

// The host may be closed while tasks are being started: by an address that does not answer, by a browser that just
// comes up.
func TestClosingTheHostEndsWhatIsBeingStarted(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	profile := t.TempDir()
	h := newHost(t, host.Options{})
	failed := make(chan error, 2)
	go func() {
		_, err := h.Attach(context.Background(), "silent", "ws://"+silent.Addr().String(), nil)
		failed <- err
	}()
	asked, err := silent.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = asked.Close() }()
	go func() {
		_, err := h.Launch(context.Background(), "launched", &host.LaunchOptions{UserDataDir: profile}, nil)
		failed <- err
	}()
	waitUntil(t, "the browser's process", func() bool { return len(processesWith(t, profile)) > 0 })
	if err := h.Close(testContext(t)); err != nil {
		t.Errorf("close: %v", err)
	}
	waitUntil(t, "the end of its processes", func() bool { return len(processesWith(t, profile)) == 0 })
	for range 2 {
		if err := <-failed; !errors.Is(err, host.ErrClosed) || !errors.Is(err, host.ErrTask) {
			t.Errorf("the start failed with: %v", err)
		}
	}
}

func TestClosingTheHostEndsTheBrowsersThatItLaunched(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		o    host.LaunchOptions
		ctx  func() (context.Context, context.CancelFunc)
	}{
		{"over a pipe", host.LaunchOptions{}, func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), shared.Limit())
		}},
		{"over a port", host.LaunchOptions{Port: true}, func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), shared.Limit())
		}},
		{"in no time", host.LaunchOptions{}, func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, cancel
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.UserDataDir = t.TempDir()
			h := newHost(t, host.Options{})
			task, err := h.Launch(testContext(t), "launched", &tc.o, nil)
			if err != nil {
				t.Fatal(err)
			}
			again, err := h.Launch(testContext(t), "launched", &tc.o, nil)
			if err != nil || again != task {
				t.Errorf("launched once more: %p instead of %p, %v", again, task, err)
			}
			if len(processesWith(t, tc.o.UserDataDir)) == 0 {
				t.Fatal("no process of the browser was found")
			}
			ctx, cancel := tc.ctx()
			defer cancel()
			err = h.Close(ctx)
			if err != nil && !slices.Contains([]string{"in no time"}, tc.name) {
				t.Errorf("close: %v", err)
			}
			// The crash handlers of a directory that is not the host's are not killed: they end with their browser.
			waitUntil(t, "the end of its processes", func() bool { return len(processesWith(t, tc.o.UserDataDir)) == 0 })
			<-task.Done()
		})
	}
}

// Whoever finds a task by its id finds it whole, also while it begins.
func TestATaskThatIsKnownHasItsBrowserContext(t *testing.T) {
	t.Parallel()
	ctx, h := testContext(t), newHost(t, host.Options{})
	began, found := make(chan struct{}), make(chan error, 1)
	go func() {
		task := h.Task("t")
		for task == nil {
			runtime.Gosched()
			task = h.Task("t")
		}
		_, err := task.CDP(ctx, host.CDPCall{Method: "Browser.resetPermissions"})
		<-began
		found <- err
	}()
	attachAs(t, h, "t", common.Address(t), host.TaskOptions{Scope: host.ScopeContext})
	close(began)
	if err := <-found; err != nil {
		t.Errorf("while the task began: %v", err)
	}
}
