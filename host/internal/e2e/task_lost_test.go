package e2e

import (
	"errors"
	"os"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// loss is a task with an open dialog and calls under way, whose connection is about to end.
type loss struct {
	*world
	events *host.Subscription
	calls  chan error
}

const forever = "new Promise(() => {})"

// beforeLoss brings a task into the middle of everything: a tab with a call that never ends, another with an open
// dialog.
func beforeLoss(w *world) *loss {
	w.t.Helper()
	l := &loss{world: w, events: w.Events(100), calls: make(chan error, 2)}
	w.open("/empty")
	first := w.Snapshot().Page().ID
	w.start("window.open('" + w.url("127.0.0.1", "/empty") + "', '', 'noopener')")
	second := w.await("the popup", func(s *host.Snapshot) bool {
		return len(s.Targets) == 2 && s.Targets[1].URL == w.url("127.0.0.1", "/empty")
	}).Targets[1].ID
	// The dialog may be there before the reply.
	_, err := w.Tab(second).Evaluate(w.ctx, "setTimeout(() => confirm('still there?')); 0", nil)
	if err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		w.t.Fatal(err)
	}
	w.dialog()
	go func() {
		_, err := w.Tab(first).Evaluate(w.ctx, forever, &host.EvaluateOptions{AwaitPromise: true})
		l.calls <- err
	}()
	go func() {
		l.calls <- commit(w.ctx, w.Tab(first), w.url("localhost", "/held"))
	}()
	w.visited("/held", 1)
	return l
}

// afterLoss checks that everything has ended, and says so.
func (l *loss) afterLoss() {
	t := l.t
	t.Helper()
	<-l.Done()
	for range 2 {
		if err := <-l.calls; !errors.Is(err, host.ErrDisconnected) {
			t.Errorf("a call under way ended with: %v", err)
		}
	}
	s := l.Snapshot()
	if s.Disconnected == "" || len(s.Targets) != 0 || len(s.PendingDialogs) != 0 || len(s.RecentDialogs) != 1 {
		t.Fatalf("the snapshot: %s", shared.Dump(s))
	}
	want(t, "closed by", s.RecentDialogs[0].ClosedBy, "disconnected")
	seen := map[host.EventKind]int{}
	for e := range l.events.C { // it ends with the task
		seen[e.Kind]++
		if e.Kind == host.EventDialogClosed {
			want(t, "the event's closed by", e.Dialog.ClosedBy, "disconnected")
		}
	}
	want(t, "dialog closed events", seen[host.EventDialogClosed], 1)
	want(t, "disconnected events", seen[host.EventDisconnected], 1)
	for name, call := range map[string]func() error{
		"Navigate":      func() error { return commit(l.ctx, l.Tab(""), "about:blank") },
		"Evaluate":      func() error { _, err := l.Tab("").Evaluate(l.ctx, "1", nil); return err },
		"RespondDialog": func() error { _, err := l.RespondDialog(l.ctx, host.DialogResponse{}); return err },
	} {
		if err := call(); !errors.Is(err, host.ErrDisconnected) {
			t.Errorf("%s afterwards: %v", name, err)
		}
	}
	if s := l.SettledSnapshot(l.ctx); s.Disconnected == "" {
		t.Error("the settled snapshot does not say that the connection is lost")
	}
}

func TestABrowserThatIsKilledEndsItsTasks(t *testing.T) {
	t.Parallel()
	address, process := shared.Own(t)
	w := newWorldOn(t, address, host.Options{ReconnectTimeout: -1}, nil, host.TaskOptions{})
	defer w.hold("/held")()
	l := beforeLoss(w)
	process.Kill()
	l.afterLoss()
	if err := w.Close(w.ctx); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := w.host.Attach(w.ctx, w.ID(), w.address, nil); !errors.Is(err, host.ErrTask) {
		t.Errorf("attached to a browser that is gone: %v", err)
	}
}

func TestALaunchedBrowserThatIsKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	h := newHost(t, host.Options{})
	ctx := testContext(t)
	task, err := h.Launch(ctx, "launched", &host.LaunchOptions{UserDataDir: profile}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{site: serve(ctx, t, nil), Task: task, t: t, ctx: ctx, host: h}
	defer w.hold("/held")()
	l := beforeLoss(w)
	for _, pid := range processesWith(t, profile) {
		process, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
	l.afterLoss()
	fresh, err := h.Launch(ctx, "launched", &host.LaunchOptions{UserDataDir: profile}, nil)
	if err != nil || fresh == task {
		t.Fatalf("launched once more: %v", err)
	}
	w.Task = fresh
	w.usable()
	if err := fresh.Close(ctx); err != nil {
		t.Error(err)
	}
	if left := processesWith(t, profile); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

func TestAConnectionThatIsCutForGoodCanBeMadeAgain(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), host.Options{ReconnectTimeout: -1}, nil, host.TaskOptions{})
	p := newProxy(t, w.address)
	task, err := w.host.Attach(w.ctx, t.Name()+"/cut", p.address, &host.TaskOptions{Scope: host.ScopeContext})
	if err != nil {
		t.Fatal(err)
	}
	w.Task = task
	release := w.hold("/held")
	defer release()
	l := beforeLoss(w)
	p.cut()
	l.afterLoss()
	fresh, err := w.host.Attach(w.ctx, task.ID(), p.address, &host.TaskOptions{Scope: host.ScopeContext})
	if err != nil {
		t.Fatal(err)
	}
	if fresh == task {
		t.Fatal("the lost task was given again")
	}
	want(t, "connections", p.connections(), 2)
	w.Task = fresh
	w.usable()
	if err := task.Close(w.ctx); err != nil {
		t.Errorf("close the lost task: %v", err)
	}
	want(t, "the task of the id", w.host.Task(task.ID()), fresh)
}
