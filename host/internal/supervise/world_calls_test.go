package supervise_test

import (
	"maps"
	"reflect"
	"slices"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// callers send commands to the pages of a world, under the rules of package schedule.
type callers struct {
	state   *schedule.State
	waiting map[schedule.CallID]schedule.Call     // whose end someone waits for
	sent    map[schedule.CallID]schedule.SendCall // that the browser has not answered
	ops     map[schedule.OpID]*caller
	running map[target.SessionID]schedule.OpID // whose script runs on a main thread
	refused map[schedule.CallID]bool           // by the browser
	fences  map[schedule.CallID]schedule.OpID  // behind scripts that may wait for a promise
	calls   schedule.CallID
	nextOp  schedule.OpID
}

// caller is an operation: it takes its turn, then runs a few scripts.
type caller struct {
	task    string
	place   supervise.ScriptTarget
	left    int
	blocked bool
	begun   bool
}

// callReply is the browser's reply to a command of a caller. It arrives among the events.
type callReply struct {
	supervise.Event
	schedule.Replied
}

func newCallers(state *supervise.State) *callers {
	return &callers{
		state: schedule.New(state), waiting: map[schedule.CallID]schedule.Call{}, sent: map[schedule.CallID]schedule.SendCall{},
		ops: map[schedule.OpID]*caller{}, running: map[target.SessionID]schedule.OpID{},
		refused: map[schedule.CallID]bool{}, fences: map[schedule.CallID]schedule.OpID{},
	}
}

// plan applies an event to the schedule and to a copy of it, which must return the same effects.
func (w *world) plan(e schedule.Event) {
	w.t.Helper()
	copied := w.callers.state.Clone(w.state)
	effects := w.callers.state.Apply(w.now, e)
	if other := copied.Apply(w.now, e); !reflect.DeepEqual(effects, other) {
		w.fail("%T %+v had two outcomes:\n%+v\n%+v", e, e, effects, other)
	}
	w.carryOut(effects)
}

func (w *world) carryOut(effects []schedule.Effect) {
	w.t.Helper()
	for _, effect := range effects {
		if w.logTo != nil {
			w.logTo("      %T %+v", effect, effect)
		}
		switch e := effect.(type) {
		case schedule.SendCall:
			w.checkSend(e)
			w.callers.sent[e.Call.ID] = e
		case schedule.Finish:
			w.callEnded(e)
		case schedule.Block:
			if len(e.Dialogs) == 0 {
				w.fail("operation %d is blocked by nothing", e.Op)
			}
			if op := w.callers.ops[e.Op]; op != nil {
				op.blocked = true
			}
		case schedule.Unblock:
			if op := w.callers.ops[e.Op]; op != nil {
				op.blocked = false
			}
		}
	}
}

// checkSend holds the rules of what is sent: to a page that can answer, and script of one operation at a time to a main
// thread.
func (w *world) checkSend(e schedule.SendCall) {
	w.t.Helper()
	c := e.Call
	page := c.Tab
	if c.At != nil {
		page = c.At.Page
	} else {
		page, _, _ = w.state.Page(c.Task, page)
	}
	if c.Turn == schedule.ReturnTurn {
		w.callers.fences[c.ID] = c.Op
	}
	switch holder := w.callers.running[e.Session]; {
	case w.state.DisconnectedReason() != "" || w.state.EndedReason(c.Task) != "":
		w.fail("call %d is sent without a connection", c.ID)
	case len(w.state.BlockingDialogs(c.Task, page)) > 0 || w.state.MustWait(c.Task, page):
		w.fail("call %d is sent to %s, which cannot answer", c.ID, page)
	case !w.state.Attached(c.Task, e.Session):
		w.fail("call %d is sent to %s, which is not attached", c.ID, e.Session)
	case c.HasEffect && holder != 0 && holder != c.Op:
		w.fail("call %d of operation %d runs script beside operation %d", c.ID, c.Op, holder)
	case c.HasEffect:
		w.callers.running[e.Session] = c.Op
		if op := w.callers.ops[c.Op]; op != nil {
			op.begun = true
		}
	}
}

// callEnded is the one end of a call. Its operation goes on, or ends.
func (w *world) callEnded(e schedule.Finish) {
	w.t.Helper()
	delete(w.callers.sent, e.Call)
	if e.Call < 0 { // the script before it is over, if its promise is not
		w.endScript(w.callers.fences[e.Call])
		return
	}
	c, ok := w.callers.waiting[e.Call]
	if !ok {
		w.fail("nobody waits for the end of call %d: %+v", e.Call, e)
	}
	delete(w.callers.waiting, e.Call)
	op := w.callers.ops[c.Op]
	switch {
	case e.End == schedule.EndBlocked && len(e.Dialogs) == 0:
		w.fail("call %d is blocked by nothing", e.Call)
	case op == nil:
	case e.End == schedule.EndBlocked && op.begun:
		w.fail("call %d of operation %d, which has begun, ended with a dialog", e.Call, c.Op)
	// A fence that is refused gives no turn.
	case e.End != schedule.EndReplied || w.callers.refused[e.Call] || op.left == 0:
		w.endCaller(c.Op)
	default:
		op.left--
		next := schedule.Call{Op: c.Op, Task: op.task, At: &op.place, HasEffect: true}
		if op.left == 0 && w.choose(2) == 1 { // its turn is over with it
			next.Turn = schedule.FenceAfter
		}
		w.begin(next)
	}
}

func (w *world) begin(c schedule.Call) {
	w.t.Helper()
	w.callers.calls++
	c.ID = w.callers.calls
	w.callers.waiting[c.ID] = c
	w.plan(schedule.Begin{Call: c})
}

func (w *world) endCaller(id schedule.OpID) {
	w.t.Helper()
	delete(w.callers.ops, id)
	w.endScript(id)
	w.plan(schedule.OpOver{Op: id})
}

// endScript notes that no script of an operation runs any more.
func (w *world) endScript(id schedule.OpID) {
	maps.DeleteFunc(w.callers.running, func(_ target.SessionID, op schedule.OpID) bool { return op == id })
}

// callerActs is something that a caller does, or the browser's answer to one.
func (w *world) callerActs() {
	w.t.Helper()
	task := taskID(w.choose(w.nextTask + 1))
	var tab target.ID
	if v, ok := w.state.View(task); ok {
		if shown, ok := pick(w, v.Targets); ok && w.choose(2) == 1 {
			tab = shown.ID
		}
	}
	switch w.choose(8) {
	case 0:
		w.begin(schedule.Call{Task: task, Tab: tab, Commits: w.choose(2) == 1})
	case 1, 2:
		w.beginCaller(task, tab)
	case 3:
		w.giveUp()
	default:
		w.answerCaller()
	}
}

func (w *world) beginCaller(task string, tab target.ID) {
	w.t.Helper()
	place, how := w.state.Locate(task, supervise.FrameSelector{Target: tab})
	if how != supervise.Located {
		return
	}
	w.callers.nextOp++
	id := w.callers.nextOp
	op := &caller{task: task, place: place, left: w.choose(3)}
	w.callers.ops[id] = op
	w.begin(schedule.Call{Op: id, Task: task, At: &op.place, Turn: schedule.TakeTurn})
}

// giveUp leaves a call; an operation ends with it.
func (w *world) giveUp() {
	w.t.Helper()
	id, ok := pick(w, slices.Sorted(maps.Keys(w.callers.waiting)))
	if !ok {
		return
	}
	op := w.callers.waiting[id].Op
	delete(w.callers.waiting, id)
	w.plan(schedule.Abandon{Call: id})
	if op != 0 {
		w.endCaller(op)
	}
}

// answerCaller has the browser answer a call, where it can.
func (w *world) answerCaller() {
	w.t.Helper()
	id, ok := pick(w, slices.Sorted(maps.Keys(w.callers.sent)))
	if !ok {
		return
	}
	e := w.callers.sent[id]
	r := schedule.Replied{Call: id, Refused: w.chance(8)}
	if e.Call.Commits && w.choose(2) == 1 {
		r.Loader = cdproto.LoaderID("elsewhere")
	}
	if w.browser.Down() && w.choose(2) == 1 {
		w.plan(schedule.Unsent{Call: id})
		return
	}
	if w.browser.Answer(e.Session, callReply{Replied: r}) {
		delete(w.callers.sent, id)
		w.callers.refused[id] = r.Refused
	}
}

// answerCallers has the browser answer every call that it can.
func (w *world) answerCallers() bool {
	w.t.Helper()
	answered := false
	for _, id := range slices.Sorted(maps.Keys(w.callers.sent)) {
		if w.browser.Answer(w.callers.sent[id].Session, callReply{Replied: schedule.Replied{Call: id}}) {
			delete(w.callers.sent, id)
			answered = true
		}
	}
	return answered
}

// checkCallers holds the rule that nothing is left of the callers of tasks that have ended.
func (w *world) checkCallers() {
	w.t.Helper()
	for _, id := range slices.Sorted(maps.Keys(w.callers.waiting)) {
		w.fail("call %d never ends: %+v", id, w.callers.waiting[id])
	}
	if left := w.callers.state.String(); left != "idle" {
		w.fail("the schedule is left with %s", left)
	}
}
