package engine

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/hooks"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// aboutDialog is a question about a dialog.
func aboutDialog(task string, e *abi.DialogEvent, decode plugin.Decode) lifecycle.Question {
	return lifecycle.Question{Hook: abi.HookDialog, Task: task, Header: &e.Header, Encode: e.Append, Decode: decode}
}

// given returns the module that a source holds, or a shipped one.
func given(_ context.Context, name string, s lifecycle.Source, _ []string, _ int64) (lifecycle.Fetched, error) {
	switch {
	case s.Wasm != nil:
		return lifecycle.Fetched{Wasm: s.Wasm}, nil
	case s.Path != "":
		wasm, err := os.ReadFile(s.Path)
		return lifecycle.Fetched{Wasm: wasm}, err
	}
	wasm, _ := plugins.Module(name)
	return lifecycle.Fetched{Wasm: wasm}, nil
}

// groupOf returns a group with these plugins.
func groupOf(t *testing.T, specs map[string]lifecycle.Spec) *Group {
	t.Helper()
	engine := lifecycle.New(lifecycle.Options{Logger: slog.New(slog.DiscardHandler), Fetch: given})
	t.Cleanup(engine.Close)
	for name, spec := range specs {
		if _, err := engine.Add(t.Context(), name, spec, "start"); err != nil {
			t.Fatal(err)
		}
	}
	return NewGroup(Options{Logger: slog.New(slog.DiscardHandler), Plugins: engine})
}

// busyLink returns a link without a browser, on a host whose only instance of the dialog policy is in use until release
// is called.
func busyLink(t *testing.T) (l *Link, release func()) {
	t.Helper()
	patient := plugin.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute, Instances: 1}
	g := groupOf(t, map[string]lifecycle.Spec{"dialog-policy": {Shipped: true, Hooks: plugins.Hooks("dialog-policy"), Limits: patient}})
	l = &Link{group: g, Log: g.log, inbox: newInbox(), asks: map[supervise.Token]context.CancelFunc{}}
	l.ctx, l.stop = context.WithCancel(t.Context())
	held, free := make(chan struct{}), make(chan struct{})
	l.work.Go(func() {
		event := abi.DialogEvent{DialogID: "d-0", Type: abi.DialogTypeConfirm}
		l.group.plugins.Ask(l.ctx, aboutDialog("task", &event, func([]byte) error {
			close(held)
			<-free
			return nil
		}))
	})
	<-held
	release = func() { close(free) }
	t.Cleanup(func() {
		l.stop()
		l.work.Wait()
	})
	return l, release
}

// verdict waits for the next outcome of a question.
func (l *Link) verdict(t *testing.T) supervise.DialogVerdict {
	t.Helper()
	<-l.inbox.ready
	items := l.inbox.take()
	if len(items) != 1 {
		t.Fatalf("the inbox has %d items", len(items))
	}
	return items[0].(supervise.Event).(supervise.DialogVerdict)
}

func (l *Link) busy() uint64 { return l.group.plugins.Plugins()[0].Stats.Busy }

func askAt(token supervise.Token, until time.Time) supervise.AskDialog {
	return supervise.AskDialog{Token: token, Until: until, Task: "task", Event: abi.DialogEvent{DialogID: "d-1", Type: abi.DialogTypeConfirm}}
}

func TestAQueuedQuestionEndsWithItsTime(t *testing.T) {
	l, release := busyLink(t)
	defer release()
	l.ask(hooks.Dialog(askAt(7, time.Now().Add(time.Millisecond))))
	if v := l.verdict(t); v.Token != 7 || !strings.Contains(v.Fault, plugin.ErrBusy.Error()) || l.busy() != 1 {
		t.Errorf("%+v; %d calls got no instance", v, l.busy())
	}
}

func TestAWithdrawnQuestionLeavesTheQueue(t *testing.T) {
	l, release := busyLink(t)
	far := time.Now().Add(time.Hour)
	l.ask(hooks.Dialog(askAt(7, far)))
	l.ask(hooks.Dialog(askAt(8, far)))
	l.perform([]supervise.Effect{supervise.Withdraw{Token: 7}, supervise.Withdraw{Token: 7}})
	if v := l.verdict(t); v.Token != 7 || v.Fault == "" || l.busy() != 1 {
		t.Errorf("%+v; %d calls got no instance", v, l.busy())
	}
	release()
	if v := l.verdict(t); v.Token != 8 || v.Fault != "" || v.Verdict.Action == abi.DialogActionUnspecified {
		t.Errorf("the next question got %+v", v)
	}
	l.withdraw(8)
	if len(l.asks) != 0 {
		t.Errorf("%d questions are kept after their outcomes", len(l.asks))
	}
}
