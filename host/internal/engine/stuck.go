package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// What an action sets off may never end: a handler that loops, or a task that a handler schedules. If the time of the
// action is over and a main thread that answered before the first input no longer answers, it is stuck in script that
// began after the input. That script is terminated, as for an evaluation. The host never touches a thread that was busy
// before, one on which another operation runs script, or one that a dialog holds.

// MayRunHandlers reports whether a command may run the page's event handlers.
func MayRunHandlers(method string) bool {
	return strings.HasPrefix(method, "Input.") || method == dom.CommandSetFileInputFiles
}

// inputThreads is what an operation knows about the main threads that its input may keep busy.
type inputThreads struct {
	mu       sync.Mutex
	sent     bool // input was sent, or is about to be
	turn     bool // the operation holds the turn for its input
	patient  bool // it waits for the first answer of a main thread until its budget ends
	answered map[target.SessionID]supervise.ScriptTarget
}

// note records that the main thread of a place answered the operation.
func (s *inputThreads) note(at supervise.ScriptTarget) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered == nil {
		s.answered = map[target.SessionID]supervise.ScriptTarget{}
	}
	s.answered[at.Session] = at
}

// known reports whether the operation no longer needs a first answer of a main thread.
func (s *inputThreads) known() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.patient || len(s.answered) > 0
}

// waitFully makes the operation wait for main threads until the end of its budget.
func (s *inputThreads) waitFully() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.patient = true
}

// inputSent reports whether input was sent.
func (s *inputThreads) inputSent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// locations returns the places that answered.
func (s *inputThreads) locations() []supervise.ScriptTarget {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]supervise.ScriptTarget, 0, len(s.answered))
	for _, at := range s.answered {
		list = append(list, at)
	}
	return list
}

// KeepTurn keeps the turn that the last script has taken for input to the same frame, which follows at once and then
// needs no fence.
func (op *Operation) KeepTurn() { op.threads.turn = true }

// ReleaseTurn returns the turn once the input is complete.
func (op *Operation) ReleaseTurn() {
	op.threads.turn = false
	op.ReturnTurn()
}

// lateHandlers is how long input that the page has not dealt with when its action ends may still start a handler. A
// page with much to do answers commands before it comes to the input, or to what a handler left for later.
const lateHandlers = 2 * time.Second

// lateAnswers is how often the main threads have to answer again when they have answered after the end of an action,
// each time a little later: their events may be as late as their answers were.
const lateAnswers = 3

// awaitStuck waits until a page has dealt with the input of an operation that has ended during one of its calls, or
// until [Operation.claimStuck] finds sessions. The call itself only shows that its own main thread is free: input is
// sent to that of the page, and its handlers may run on another.
func (op *Operation) awaitStuck(c *Call) []target.SessionID {
	waiting := []*Call{c}
	for end, answers := time.Now().Add(lateHandlers), 0; ; {
		for _, c := range waiting {
			if sessions := op.claimStuck(c); len(sessions) > 0 {
				return sessions
			}
		}
		if time.Now().After(end) || op.isBlocked() {
			return nil
		}
		if waiting = slices.DeleteFunc(waiting, func(c *Call) bool { return c.replied(op, startTimeout) }); len(waiting) > 0 {
			continue
		}
		if answers++; answers > lateAnswers {
			return nil
		}
		select {
		case <-time.After(startTimeout):
		case <-op.task.Link.done:
			return nil
		}
		for _, at := range op.threads.locations() {
			f := fenceOf(&at)
			again := &Call{Method: f.method, Params: f.params, Call: schedule.Call{At: &at}}
			op.put(again)
			defer op.task.Link.inbox.put(abandon{again.ID})
			waiting = append(waiting, again)
		}
	}
}

// claimStuck returns the sessions whose main threads are stuck in script that the input of the operation set off, while
// one of its calls waits for a reply.
func (op *Operation) claimStuck(c *Call) []target.SessionID {
	l := op.task.Link
	places := op.threads.locations()
	found, _ := askOwner(l, func() schedule.BusyCandidates { return l.scheduled.BusyCandidates(c.ID, places) })
	if len(found.Sessions) == 0 || c.replied(op, startTimeout-time.Since(found.Since)) {
		return nil
	}
	silent := op.silent(found.Sessions)
	if len(silent) == 0 || c.replied(op, 0) {
		return nil
	}
	places = slices.DeleteFunc(places, func(at supervise.ScriptTarget) bool { return !slices.Contains(silent, at.Session) })
	claimed, _ := askOwner(l, func() schedule.BusyCandidates { return l.scheduled.TakeTurns(c.ID, places) })
	return claimed.Sessions
}

// replied reports whether the reply to a call has arrived or arrives within a time. It leaves the reply in the channel.
func (c *Call) replied(op *Operation, wait time.Duration) bool {
	timer := time.NewTimer(max(wait, 0))
	defer timer.Stop()
	select {
	case r := <-c.reply:
		c.reply <- r
		return true
	case <-op.task.Link.done:
		return true
	case <-timer.C:
		return len(c.reply) > 0
	}
}

// silent returns the sessions whose main threads do not answer within a moment.
func (op *Operation) silent(sessions []target.SessionID) []target.SessionID {
	return op.silentFor(context.Background(), startTimeout, sessions)
}

// silentFor returns the sessions whose main threads do not answer within a time limit.
func (op *Operation) silentFor(ctx context.Context, limit time.Duration, sessions []target.SessionID) []target.SessionID {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answers := make([]error, len(sessions))
	var all sync.WaitGroup
	for i, session := range sessions {
		all.Go(func() { answers[i] = op.task.Link.command(ctx, session, pageFence.method, nil, nil) })
	}
	all.Wait()
	var list []target.SessionID
	for i, session := range sessions {
		if errors.Is(answers[i], context.DeadlineExceeded) {
			list = append(list, session)
		}
	}
	return list
}

// BeforeInput is called before input is sent to a frame of a tab; an empty frame is unknown. It takes the turn of the
// frame, so that no other operation sends script there meanwhile: whatever has to be terminated later was then set off
// by the input.
func (op *Operation) BeforeInput(tab target.ID, frame cdproto.FrameID) error {
	s := &op.threads
	if !s.turn {
		place, err := op.Locate(supervise.FrameSelector{Target: tab, Frame: frame, Any: true})
		if err == nil {
			err = op.TakeTurn(&place)
		}
		switch {
		case err == nil:
			s.turn = true
		case errors.Is(err, fault.ErrFrameGone), errors.Is(err, fault.ErrUnknownFrame):
			// The first of several inputs removed the frame; the next ones go to whatever is there instead.
		default:
			return err
		}
	}
	if !s.inputSent() {
		op.probeOtherThreads(tab, frame)
		s.mu.Lock()
		s.sent = true
		s.mu.Unlock()
	}
	return nil
}

// HasInputTurn reports whether the operation holds the turn for its input.
func (op *Operation) HasInputTurn() bool { return op.threads.turn }

// WaitForThreads makes the operation wait for main threads until the end of its budget.
func (op *Operation) WaitForThreads() { op.threads.waitFully() }

// probeOtherThreads asks the other main threads of the tab for an answer, as handlers may run there as well: those of
// the element that loses the focus, or of the focused one if no element is named. Only in the latter case does it wait
// for the answers.
func (op *Operation) probeOtherThreads(tab target.ID, frame cdproto.FrameID) {
	tree := op.task.Snapshot().Target(string(tab))
	if tree == nil || tree.RawFrameTree == nil {
		return
	}
	asked := map[string]bool{}
	for _, at := range op.threads.locations() {
		asked[string(at.Session)] = true
	}
	ctx, cancel := context.WithTimeout(op.ctx, startTimeout)
	var all sync.WaitGroup
	for _, f := range append([]view.Frame{tree.RawFrameTree.Top}, tree.RawFrameTree.Children...) {
		if f.SessionID == "" || asked[f.SessionID] {
			continue
		}
		asked[f.SessionID] = true
		place := supervise.ScriptTarget{Page: tab, Session: target.SessionID(f.SessionID), Frame: cdproto.FrameID(f.FrameID)}
		all.Go(func() {
			if answered(op.task.Link.command(ctx, place.Session, pageFence.method, nil, nil)) {
				op.threads.note(place)
			}
		})
	}
	if frame == "" {
		all.Wait()
		cancel()
		return
	}
	op.task.operations.wait.Go(func() {
		all.Wait()
		cancel()
	})
}
