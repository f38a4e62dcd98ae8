package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// everyMessage makes the test of faults try every message; without it some of them are picked. It is for releases.
var everyMessage = os.Getenv("HERMES_CDP_TESTS") == "long"

// picked is how many messages of each direction, and for each fault, the ordinary run tries.
const picked = 4

var sweepPages = map[string]string{
	"/frames": `<iframe src="/local"></iframe><iframe src="{{127.0.0.1}}/asks"></iframe>`,
	"/local":  "local",
	"/asks":   `<script>onmessage = () => { answer = confirm('in a frame') }</script>`,
	"/leave":  `<script>addEventListener('beforeunload', e => e.preventDefault())</script>`,
}

// TestAConnectionBreaksAtEveryMessage breaks the connection of a session that does a bit of everything, at one message
// in each run, and then wants the host to know the browser as it is.
func TestAConnectionBreaksAtEveryMessage(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	var length [2]int
	measured := shared.Measure(func() {
		t.Run("reference", func(t *testing.T) { length = playSession(t, address, shared.Pace(time.Minute)) })
	})
	for _, way := range []direction{toBrowser, toHost} {
		step := max(1, length[way]/picked)
		if everyMessage {
			step = 1
		}
		for _, kind := range []faultKind{faultDrop, faultTruncate, faultStall} {
			for message := 1 + step/2; message <= length[way]; message += step {
				t.Run(fmt.Sprintf("%s message %d %s", kind, message, way), func(t *testing.T) {
					t.Parallel()
					playSession(t, address, measured, fault{kind, way, message})
				})
			}
		}
	}
}

// play is one run of the session.
type play struct {
	*world
	proxy  *proxy
	mended bool // the fault is over, and everything has to work as if there had been none
}

// playSession runs the session once and gives how many messages it had. The pace is that of another session: it says
// when this one hangs, and when a connection without an answer is lost.
func playSession(t *testing.T, address string, at shared.Pace, faults ...fault) [2]int {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), at.Times(20, 45*time.Second), errors.New("the session took too long"))
	defer cancel()
	p := newProxy(t, address)
	p.plan(faults...)
	h := newHost(t, host.Options{PingInterval: time.Second, PingTimeout: at.Times(1, 3*time.Second)})
	s := &play{proxy: p, mended: len(faults) == 0, world: &world{site: serve(ctx, t, sweepPages), t: t, ctx: ctx, host: h, address: address}}
	s.begin()
	s.visit("/frames")
	s.until("all frames", func(n *host.Snapshot) bool { return len(n.Page().RawFrameTree.Children) == 2 })
	s.ask("alert('hello')", true)
	s.ask("globalThis.said = confirm('well?')", false)
	s.ask("globalThis.said = prompt('well?', 'so')", true)
	s.ask("frames[1].postMessage(1, '*')", false)
	s.must(func() error { return s.eval("1 + 1") })
	s.must(func() error { return s.eval("window.open('" + s.url("127.0.0.1", "/empty") + "', '', 'noopener'); 0") })
	s.until("the popup", func(n *host.Snapshot) bool { return len(n.Targets) >= 2 })
	s.visit("/leave")
	s.ask("location = '/empty'", true)
	s.mend()
	length := p.passed()
	s.checkAll()
	return length
}

// begin starts the task; a start that the fault ends is made again.
func (s *play) begin() {
	s.t.Helper()
	for {
		task, err := s.host.Attach(s.ctx, s.t.Name(), s.proxy.address, &host.TaskOptions{Scope: host.ScopeContext})
		if err == nil {
			s.Task = task
			s.t.Cleanup(func() {
				if s.t.Failed() {
					s.t.Logf("last snapshot: %s", shared.Dump(task.Snapshot()))
				}
			})
			return
		}
		if !errors.Is(err, host.ErrTask) || s.mended {
			s.t.Fatalf("attach: %v", err)
		}
		s.mended = s.proxy.hit()
	}
}

// step does something that the fault may end, but not make hang.
func (s *play) step(do func() error) bool {
	s.t.Helper()
	err := do()
	for errors.Is(err, host.ErrLoading) && s.ctx.Err() == nil { // nothing was done, and the page is to come
		err = do()
	}
	if s.ctx.Err() != nil {
		s.t.Fatalf("a call hung: %v", err)
	}
	if err == nil || errors.Is(err, host.ErrBlockedByDialog) {
		return true
	}
	if s.mended || !s.proxy.hit() {
		s.t.Fatalf("a call failed: %v", err)
	}
	s.mend()
	return false
}

// must does something until neither the fault ends it nor a dialog that came of the fault.
func (s *play) must(do func() error) {
	s.t.Helper()
	for {
		blocked := false
		if s.step(func() error {
			err := do()
			blocked = errors.Is(err, host.ErrBlockedByDialog)
			return err
		}) && !blocked {
			return
		}
		s.mend()
	}
}

// visit loads a page of the site.
func (s *play) visit(path string) {
	s.t.Helper()
	s.must(func() error {
		err := commit(s.ctx, s.Tab(""), s.url("localhost", path))
		if err == nil {
			_, err = s.Tab("").Evaluate(s.ctx, loaded, &host.EvaluateOptions{AwaitPromise: true})
		}
		return err
	})
}

func (s *play) eval(expression string) error {
	_, err := s.Tab("").Evaluate(s.ctx, expression, &host.EvaluateOptions{UserGesture: true})
	return err
}

// until waits for what comes, unless the fault keeps it from coming.
func (s *play) until(what string, condition func(*host.Snapshot) bool) bool {
	s.t.Helper()
	met := false
	s.await(what, func(n *host.Snapshot) bool {
		met = n.Disconnected == "" && n.Page() != nil && condition(n)
		return met || !s.mended && s.proxy.hit() && (n.Disconnected != "" || s.proxy.connections() > 1)
	})
	if !met {
		s.mend()
	}
	return met
}

// ask opens a dialog and answers it. A beforeunload dialog, or one of a frame, comes like any other.
func (s *play) ask(expression string, accept bool) {
	s.t.Helper()
	if !s.step(func() error { return s.eval("setTimeout(() => { " + expression + " }); 0") }) {
		return
	}
	if s.until("a dialog", func(n *host.Snapshot) bool { return len(n.PendingDialogs) > 0 && n.PendingDialogs[0].Action == "hold" }) {
		s.step(func() error {
			_, err := s.RespondDialog(s.ctx, host.DialogResponse{Accept: accept})
			return err
		})
	}
}

// mend waits until a fault that has happened is over, and dismisses what it left open.
func (s *play) mend() {
	s.t.Helper()
	s.await("the connection", func(n *host.Snapshot) bool {
		return n.Disconnected == "" && (!s.proxy.hit() || s.proxy.connections() > 1)
	})
	for {
		n := s.await("rest", func(n *host.Snapshot) bool {
			for _, d := range n.PendingDialogs {
				if d.Answering || d.Action == "" {
					return false
				}
			}
			return n.Disconnected == ""
		})
		if len(n.PendingDialogs) == 0 {
			break
		}
		_, err := s.RespondDialog(s.ctx, host.DialogResponse{DialogID: n.PendingDialogs[0].ID})
		var known *host.DialogError
		if err != nil && !errors.As(err, &known) {
			s.t.Fatalf("dismiss: %v", err)
		}
	}
	s.mended = s.mended || s.proxy.hit()
}

// checkAll compares what the host says with what the browser has, and uses every tab.
func (s *play) checkAll() {
	s.t.Helper()
	n := s.Snapshot()
	raw := newRawClient(s.ctx, s.t, s.address)
	var all target.GetTargetsResult
	raw.call("", target.CommandGetTargets, nil, &all)
	pages := map[string]bool{}
	for _, info := range all.TargetInfos {
		if info.Type == "page" && s.mine(info, all.TargetInfos) {
			pages[string(info.TargetID)] = true
		}
	}
	for _, known := range n.Targets {
		if !pages[known.ID] {
			s.t.Errorf("the browser does not have %s", shared.Dump(known))
		}
		delete(pages, known.ID)
	}
	if len(pages) > 0 {
		s.t.Errorf("the host does not know the tabs %v", pages)
	}
	for _, known := range n.Targets {
		// A dialog that the page asked for before the fault may open only now.
		s.must(func() error {
			_, err := s.Tab(known.ID).Evaluate(s.ctx, "1", nil)
			return err
		})
		s.sameTree(known.ID)
	}
	last := 0
	for _, d := range n.RecentDialogs {
		var number int
		if _, err := fmt.Sscanf(d.ID, "d-%d", &number); err != nil || number == last || d.ClosedBy == "" || d.ClosedAt.IsZero() {
			s.t.Errorf("a dialog is wrong: %s", shared.Dump(d))
		}
		last = number
	}
}

// mine tells whether a target is in the browser context of the task.
func (s *play) mine(info *target.Info, all []*target.Info) bool {
	for _, other := range all {
		if len(s.Snapshot().Targets) > 0 && string(other.TargetID) == s.Snapshot().Targets[0].ID {
			return other.BrowserContextID == info.BrowserContextID
		}
	}
	return false
}
