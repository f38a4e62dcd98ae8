package supervise_test

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/sim"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// failer is the part of a test or rapid run that a world needs.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// world runs a state machine against a simulated browser. A schedule chooses who acts next, so every interleaving of
// the browser, the plugins, the agents and the clock can occur. A second state machine gets the same events and must
// return the same effects.
type world struct {
	t       failer
	choose  func(n int) int // one of 0 to n-1
	browser *sim.Browser
	state   *supervise.State
	callers *callers
	twin    *supervise.State
	config  supervise.Config
	now     time.Time
	lost    bool // the loss of the connection has been applied
	shared  bool // some task owns what no one else owns

	timers       map[supervise.Token]time.Time
	dialogAsks   []supervise.AskDialog
	framesAsks   []supervise.AskFrames
	bridgeAsks   []supervise.BridgeVerdict // with what will be said
	navigateAsks []supervise.AskNavigate
	awaited      map[supervise.Token]bool      // asks that have not been withdrawn
	guarding     bool                          // a module decides on navigations
	decided      map[string]abi.NavigateAction // by address; unspecified where it failed
	requestAsks  []supervise.AskRequest
	sifting      bool                         // a module decides on requests
	sifted       map[string]abi.RequestAction // likewise
	nextKey      int
	used         []supervise.Token // asks that have had a verdict
	requests     map[supervise.RequestID]int
	nextRequest  supervise.RequestID
	tasks        []string // that were added and not yet asked to end
	nextTask     int

	opened   map[string]supervise.Dialog
	closed   map[string]supervise.Dialog
	told     map[string]int
	draining time.Time                        // when the end of the schedule began
	logTo    func(format string, args ...any) // nil: nothing is logged
}

func newWorld(t failer, choose func(n int) int) *world {
	w := &world{
		t: t, choose: choose, browser: sim.New(), now: time.Unix(1_000_000, 0),
		timers: map[supervise.Token]time.Time{}, requests: map[supervise.RequestID]int{},
		decided: map[string]abi.NavigateAction{}, sifted: map[string]abi.RequestAction{}, awaited: map[supervise.Token]bool{}, opened: map[string]supervise.Dialog{}, closed: map[string]supervise.Dialog{}, told: map[string]int{},
	}
	w.config = supervise.Config{
		DialogTimeout: 300 * time.Second, MaxDialogTimeout: time.Hour, AnswerTimeout: 5 * time.Second,
		AskTimeout: 5 * time.Second, LeaveTimeout: 2 * time.Second, FallbackFrames: 6, FallbackDepth: 2, NavigateFailClosed: choose(2) == 1,
		DialogFailClosed: choose(2) == 1, RequestFailClosed: choose(2) == 1,
	}
	w.state, w.twin = supervise.New(w.config), supervise.New(w.config)
	w.callers = newCallers(w.state)
	return w
}

func (w *world) fail(format string, args ...any) {
	w.t.Helper()
	w.t.Fatalf(format, args...)
}

// apply gives an event to the state machine, does what it wants, and checks everything.
func (w *world) apply(e supervise.Event) {
	w.t.Helper()
	if w.logTo != nil {
		w.logTo("%s %s", w.now.Sub(time.Unix(1_000_000, 0)), brief(e))
	}
	effects := slices.Clone(w.state.Apply(w.now, e))
	if other := w.twin.Apply(w.now, e); !reflect.DeepEqual(effects, other) {
		w.fail("the same schedule had two outcomes of %T %+v:\n%+v\n%+v", e, e, effects, other)
	}
	wasLost := w.lost
	if loss, ok := e.(supervise.ConnectionLost); ok && !loss.Reconnecting {
		w.lost = true
	}
	for _, effect := range effects {
		if w.logTo != nil {
			w.logTo("      %s", brief(effect))
		}
		w.checkLost(effect, wasLost)
		w.perform(effect)
	}
	if _, loss := e.(supervise.ConnectionLost); loss {
		w.plan(schedule.ConnectionLost{})
	}
	w.check()
}

// brief prints an event or an effect on one line.
func brief(v any) string {
	switch e := v.(type) {
	case supervise.SendCommand:
		return fmt.Sprintf("send %d %s", e.Token, sendLine(e))
	case supervise.Notify:
		return fmt.Sprintf("notify %d %s%s%s", e.Kind, e.Dialog.ID, e.Target.ID, e.Fault)
	case supervise.Reply:
		return fmt.Sprintf("reply %d %v", e.Request, e.Err)
	case supervise.Attached:
		return fmt.Sprintf("attached %s on %q: %s %s under %q, waiting %t", e.Session, e.Parent, e.Info.Type, e.Info.TargetID, e.Info.ParentFrameID, e.Waiting)
	}
	return fmt.Sprintf("%T %+v", v, v)
}

func (w *world) settle() {
	w.t.Helper()
	w.carryOut(w.callers.state.Settle(w.now))
	effects := slices.Clone(w.state.Settle(w.now))
	if other := w.twin.Settle(w.now); !reflect.DeepEqual(effects, other) {
		w.fail("Settle had two outcomes:\n%+v\n%+v", effects, other)
	}
	for _, effect := range effects {
		w.perform(effect)
	}
	w.check()
}

// checkLost holds the rule that a lost connection is asked for nothing any more.
func (w *world) checkLost(effect supervise.Effect, before bool) {
	w.t.Helper()
	switch effect.(type) {
	case supervise.SendCommand, supervise.AskDialog, supervise.AskFrames, supervise.AskBridgeScript, supervise.AskBridgeRequest, supervise.AskBridgeReply, supervise.AskNavigate, supervise.Arm:
		if w.lost {
			w.fail("%T %+v although the connection is lost", effect, effect)
		}
	case supervise.Reply:
	default:
		if before {
			w.fail("%T %+v after the loss of the connection", effect, effect)
		}
	}
}

func (w *world) perform(effect supervise.Effect) {
	w.t.Helper()
	switch e := effect.(type) {
	case supervise.SendCommand:
		w.checkNavigation(e)
		w.checkRequest(e)
		w.browser.Send(e)
	case supervise.Interrupt:
		w.plan(schedule.Interrupted{Interrupt: e})
	case supervise.Withdraw:
		if !w.awaited[e.Token] {
			w.fail("ask %d was withdrawn and is not awaited", e.Token)
		}
		delete(w.awaited, e.Token)
	case supervise.AskNavigate:
		w.asked(e.Token, e.Until)
		w.navigateAsks = append(w.navigateAsks, e)
	case supervise.AskRequest:
		w.asked(e.Token, e.Until)
		w.requestAsks = append(w.requestAsks, e)
	case supervise.AskDialog:
		w.asked(e.Token, e.Until)
		w.dialogAsks = append(w.dialogAsks, e)
	case supervise.AskFrames:
		w.asked(e.Token, e.Until)
		w.framesAsks = append(w.framesAsks, e)
	case supervise.AskBridgeScript, supervise.AskBridgeRequest, supervise.AskBridgeReply:
		w.bridgeAsked(e)
	case supervise.Arm:
		if _, ok := w.timers[e.Timer]; ok {
			w.fail("timer %d was armed twice", e.Timer)
		}
		w.timers[e.Timer] = e.At
	case supervise.Disarm:
		if _, ok := w.timers[e.Timer]; !ok {
			w.fail("timer %d was disarmed and is not armed", e.Timer)
		}
		delete(w.timers, e.Timer)
	case supervise.Reply:
		replies, ok := w.requests[e.Request]
		if !ok || replies > 0 {
			w.fail("request %d has a reply too many: %+v", e.Request, e)
		}
		w.requests[e.Request]++
	case supervise.TellClosed:
		w.told[e.Event.DialogID]++
	case supervise.Notify:
		w.notified(e)
	}
}

// asked notes a call of a plugin: each bears the end of the time in which its outcome is of use.
func (w *world) asked(token supervise.Token, until time.Time) {
	w.t.Helper()
	if !until.Equal(w.now.Add(w.config.AskTimeout)) {
		w.fail("ask %d is to end at %v, asked at %v", token, until, w.now)
	}
	w.awaited[token] = true
}

// checkAwaited holds the rule that each ask has a timer, and is withdrawn as soon as no one waits for it.
func (w *world) checkAwaited() {
	w.t.Helper()
	if want := w.state.Awaited(); len(want) != len(w.awaited) {
		w.fail("the state waits for the asks %v; those that were not withdrawn are %v", want, w.awaited)
	}
}

func (w *world) notified(e supervise.Notify) {
	w.t.Helper()
	switch e.Kind {
	case supervise.NotifyDialogOpened:
		if _, ok := w.opened[e.Dialog.ID]; ok {
			w.fail("dialog %s opened twice", e.Dialog.ID)
		}
		w.checkBridged(e.Dialog)
		w.opened[e.Dialog.ID] = e.Dialog
	case supervise.NotifyDialogClosed:
		d := e.Dialog
		if _, ok := w.opened[d.ID]; !ok {
			w.fail("dialog %s closed and never opened", d.ID)
		}
		if _, ok := w.closed[d.ID]; ok {
			w.fail("dialog %s closed twice", d.ID)
		}
		if d.ClosedBy == abi.ClosedByUnspecified || d.Phase != supervise.PhaseClosed {
			w.fail("dialog %s closed by %v in phase %v", d.ID, d.ClosedBy, d.Phase)
		}
		if w.config.DialogFailClosed && d.Decision.Fault != "" && d.ClosedBy == abi.ClosedByAgent {
			w.fail("an agent has answered dialog %s, on which the policy failed", d.ID)
		}
		w.closed[d.ID] = d
		w.checkDeadline(d)
	}
}

// checkDeadline holds a dialog to its deadline once the browser answers at once: two answers and a navigation may fail
// before.
func (w *world) checkDeadline(d supervise.Dialog) {
	w.t.Helper()
	if w.draining.IsZero() {
		return
	}
	due := d.Deadline
	if due.Before(w.draining) {
		due = w.draining
	}
	if limit := due.Add(3 * w.config.AnswerTimeout); d.ClosedAt.After(limit) {
		w.fail("dialog %s was closed %v after its deadline: %+v", d.ID, d.ClosedAt.Sub(d.Deadline), d)
	}
}

// check holds the state to its invariants.
func (w *world) check() {
	w.t.Helper()
	if v := w.browser.Violations(); len(v) > 0 {
		w.fail("violations: %q", v)
	}
	if err := w.state.Check(); err != nil {
		w.fail("%v", err)
	}
	w.checkAwaited()
	pending := 0
	for i := range w.nextTask {
		v, ok := w.state.View(taskID(i))
		if !ok {
			continue
		}
		pending += len(v.Pending)
		w.checkView(v)
	}
	if open := len(w.opened) - len(w.closed); open != pending {
		w.fail("%d dialogs are open and %d are shown", open, pending)
	}
}

func (w *world) checkView(v supervise.View) {
	w.t.Helper()
	seen := map[string]bool{}
	for _, d := range v.Pending {
		if d.Phase == supervise.PhaseClosed || seen[d.ID] {
			w.fail("dialog %s is shown as open in phase %v", d.ID, d.Phase)
		}
		seen[d.ID] = true
	}
	for _, d := range v.Recent {
		if d.Phase != supervise.PhaseClosed || seen[d.ID] {
			w.fail("dialog %s is shown as closed in phase %v", d.ID, d.Phase)
		}
		seen[d.ID] = true
	}
	if len(v.Recent) > 20 || len(v.Console) > 100 || v.ConsoleTotal < len(v.Console) {
		w.fail("%d recent dialogs, %d console entries of %d", len(v.Recent), len(v.Console), v.ConsoleTotal)
	}
	for _, target := range v.Targets {
		w.checkTarget(target)
	}
}

func (w *world) checkTarget(t supervise.Target) {
	w.t.Helper()
	depth := map[string]int{}
	for i, f := range t.Frames {
		parent, ok := depth[string(f.Parent)]
		if i == 0 && (f.Parent != "" || string(f.ID) != string(t.ID)) || i > 0 && (!ok || f.Depth != parent+1) {
			w.fail("the tree of %s is not in order at frame %d: %+v", t.ID, i, t.Frames)
		}
		depth[string(f.ID)] = f.Depth
	}
	if t.FilteredRevision > t.Revision || t.Filtered != nil && t.FilteredRevision == 0 {
		w.fail("the filtered tree of %s names revision %d of %d", t.ID, t.FilteredRevision, t.Revision)
	}
	if len(t.Filtered) > 0 && t.Filtered[0].Parent != "" {
		w.fail("the filtered tree of %s has no top frame", t.ID)
	}
}

func (w *world) request(event func(supervise.RequestID) supervise.Event) {
	w.t.Helper()
	w.nextRequest++
	w.requests[w.nextRequest] = 0
	w.apply(event(w.nextRequest))
}

// fire runs a timer that is armed.
func (w *world) fire(token supervise.Token) {
	w.t.Helper()
	delete(w.timers, token)
	w.apply(supervise.Tick{Timer: token})
}

// due returns the armed timers in the order in which they run out.
func (w *world) due() []supervise.Token {
	var list []supervise.Token
	for token := range w.timers {
		list = append(list, token)
	}
	slices.SortFunc(list, func(a, b supervise.Token) int {
		if c := w.timers[a].Compare(w.timers[b]); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	return list
}

func (w *world) findTarget(id target.ID) (supervise.Target, bool) {
	for i := range w.nextTask {
		v, _ := w.state.View(taskID(i))
		for _, t := range v.Targets {
			if t.ID == id {
				return t, true
			}
		}
	}
	return supervise.Target{}, false
}
