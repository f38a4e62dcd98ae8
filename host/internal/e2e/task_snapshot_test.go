package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

var wide = onSites(map[string]string{
	"/wide":  `<script>for (let i = 0; i < 60; i++) document.write('<iframe src=' + (i % 10 ? '/empty' : '$B/outer') + '?' + i + '></iframe>')</script>`,
	"/outer": `<iframe src=$C/inner></iframe>`, "/inner": `<iframe src=$D/empty></iframe>`,
})

// The filtered tree says which raw tree it was made of, and by which module.
func TestASettledSnapshotHasTheVerdictOnTheTreeOfItsCall(t *testing.T) {
	t.Parallel()
	patient := host.Options{Plugins: map[string]host.PluginOptions{"frame-filter": {Limits: module.Limits{HookTimeout: 10 * time.Second}}}}
	w := newWorldOn(t, common.Address(t), patient, wide, host.TaskOptions{})
	w.keepProcesses()
	w.load("/wide")
	for i := range 10 {
		raw := w.Snapshot().Page().RawFrameTree.Revision
		s := w.SettledSnapshot(w.ctx)
		p := s.Page()
		if p.FrameTree == nil || p.FrameTree.Revision < raw || p.FrameTree.Revision > p.RawFrameTree.Revision {
			t.Fatalf("call %d: asked at raw revision %d, got %s", i, raw, shared.Dump(p))
		}
		by := p.FrameTree.DecidedBy
		if by.Module != "frame-filter" || len(by.SHA256) != 64 || by.Sequence == 0 || by.Fault != "" {
			t.Errorf("decided by %s", shared.Dump(by))
		}
		checkTree(t, p.RawFrameTree)
		checkTree(t, p.FrameTree)
		w.evaluate("document.body.append(document.createElement('iframe'))")
	}
	w.sameTree("")
	p := w.SettledSnapshot(w.ctx).Page()
	want(t, "raw frames below the top", len(p.RawFrameTree.Children) >= 60+10, true)
	want(t, "filtered frames below the top", len(p.FrameTree.Children), 30)
	want(t, "truncated", p.FrameTree.Truncated, true)
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{`"frame_tree"`, `"truncated":true`, `"is_oopif":true`, `"parent_frame_id"`, `"session_id"`} {
		if !strings.Contains(string(text), key) {
			t.Errorf("the snapshot's JSON lacks %s", key)
		}
	}
}

// A page that never comes to rest must not hold anybody up.
func TestASnapshotNeverWaitsForThePage(t *testing.T) {
	w := newWorldAlone(t, wide, host.TaskOptions{})
	w.load("/wide")
	tree := w.sameTree("")
	page := w.Snapshot().Page().ID
	popup := w.opens(page, "open('"+w.url("127.0.0.2", "/empty")+"', '', 'noopener')")
	w.start("report('spins'); setTimeout(() => { for (;;); }, 100)")
	w.reported("spins")
	ctx, cancel := context.WithCancel(w.ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := w.Tab("").Evaluate(ctx, "new Promise(r => setTimeout(r, 200)).then(() => 1)", &host.EvaluateOptions{AwaitPromise: true})
		ended <- err
	}()
	for range 1000 {
		s := w.SettledSnapshot(w.ctx)
		if got := supervised(s.Page().RawFrameTree); len(got) != len(tree) || w.Snapshot() == nil {
			t.Fatalf("%d frames instead of %d", len(got), len(tree))
		}
	}
	want(t, "another tab", w.evaluateIn(popup, "1 + 1"), "2")
	cancel()
	if err := <-ended; err == nil {
		t.Error("the evaluate in a page that spins ended without an error")
	}
	// A task whose page never answers still ends.
	if err := w.Close(w.ctx); err != nil {
		t.Errorf("close: %v", err)
	}
	if newRawClient(w.ctx, t, w.address).has(page) {
		t.Error("the tab is still there")
	}
}

func TestASettledSnapshotEndsWithItsContext(t *testing.T) {
	w := newWorld(t, wide, host.TaskOptions{})
	w.open("/empty")
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	if s := w.SettledSnapshot(ctx); s == nil || s.Page() == nil {
		t.Errorf("got %s", shared.Dump(s))
	}
	if s, ok := w.Wait(ctx, func(*host.Snapshot) bool { return false }); ok || s == nil {
		t.Errorf("Wait gave %v, %s", ok, shared.Dump(s))
	}
	if _, ok := w.Wait(ctx, func(*host.Snapshot) bool { return true }); !ok {
		t.Error("Wait does not see a condition that holds at once")
	}
}

func TestEventsAreBoundedAndInOrder(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	small, large := w.Events(1), w.Events(1000)
	const n = 200
	w.evaluate(fmt.Sprintf("for (let i = 0; i < %d; i++) console.log('line', i)", n))
	w.await("the console", func(s *host.Snapshot) bool { return s.ConsoleTotal == n })
	for i := range n {
		e := <-large.C
		if e.Kind != host.EventConsole || e.Console.Text != fmt.Sprint("line ", i) || e.TaskID != w.ID() {
			t.Fatalf("event %d is %s", i, shared.Dump(e))
		}
	}
	want(t, "dropped by who reads", large.Dropped(), 0)
	want(t, "dropped by who does not read", small.Dropped(), n-1)
	want(t, "what it kept", (<-small.C).Console.Text, "line 0")
	want(t, "console entries kept", len(w.Snapshot().Console), 50)
	small.Close()
	small.Close()
	if _, open := <-small.C; open {
		t.Error("the channel of a closed subscription is open")
	}
	raw := newRawClient(w.ctx, t, w.address)
	id := w.Snapshot().Page().ID
	raw.call("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: target.ID(id)}, nil)
	e := <-large.C
	if e.Kind != host.EventTargetGone || e.Target.ID != id || w.Snapshot().Target(id) != nil {
		t.Errorf("the event after that is %s, the snapshot %s", shared.Dump(e), shared.Dump(w.Snapshot()))
	}
}
