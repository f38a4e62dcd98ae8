package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// What an action sets off may never end: a handler that loops, or what a handler leaves for a moment later. When the time of
// the action is over, a main thread that answered it before its first input, and does not any more, is stuck in script that
// began after that: it is ended as an evaluation is. A thread that was busy before is never touched, nor one on which another
// operation runs script, nor one that a dialog holds.

// MayRunHandlers tells whether a command may make the page's handlers run.
func MayRunHandlers(method string) bool {
	return strings.HasPrefix(method, "Input.") || method == dom.CommandSetFileInputFiles
}

// inputThreads is what an operation knows of the main threads that its input may keep busy.
type inputThreads struct {
	mu       sync.Mutex
	sent     bool // input was sent, or is about to be
	turn     bool // the operation has the turn for its input
	patient  bool // it waits for a main thread's first word as long as there is time
	answered map[target.SessionID]supervise.Place
}

// note notes that the main thread of a place answered the operation.
func (s *inputThreads) note(at supervise.Place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered == nil {
		s.answered = map[target.SessionID]supervise.Place{}
	}
	s.answered[at.Session] = at
}

// known tells whether the operation needs no first word of a main thread any more.
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

// inputSent tells whether input was sent.
func (s *inputThreads) inputSent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// locations are those that answered.
func (s *inputThreads) locations() []supervise.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]supervise.Place, 0, len(s.answered))
	for _, at := range s.answered {
		list = append(list, at)
	}
	return list
}

// ReleaseTurn gives the turn back once the input is through.
func (op *Operation) ReleaseTurn() {
	op.threads.turn = false
	op.ReturnTurn()
}

// stuck gives the sessions of the main threads that are stuck in what the input of an operation set off, while a call of it
// waits for an answer.
func (op *Operation) stuck(c *Call) []target.SessionID {
	l := op.task.Link
	places := op.threads.locations()
	found, _ := ask(l, func() schedule.Suspects { return l.scheduled.Suspects(c.ID, places) })
	if len(found.Sessions) == 0 || c.replied(op, startTimeout-time.Since(found.Since)) {
		return nil
	}
	silent := op.silent(found.Sessions)
	if len(silent) == 0 || c.replied(op, 0) {
		return nil
	}
	places = slices.DeleteFunc(places, func(at supervise.Place) bool { return !slices.Contains(silent, at.Session) })
	claimed, _ := ask(l, func() schedule.Suspects { return l.scheduled.Claim(c.ID, places) })
	return claimed.Sessions
}

// replied waits a moment for the reply of a call, and leaves it where it was.
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

// silent are the sessions whose main thread does not answer within a moment.
func (op *Operation) silent(sessions []target.SessionID) []target.SessionID {
	return op.silentFor(context.Background(), startTimeout, sessions)
}

// silentFor are the sessions whose main thread does not answer within a time.
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

// BeforeInput is called before input for a frame of a tab; an empty frame is not known. It takes the turn of the frame, so that no
// script of another operation is sent there meanwhile: what has to be ended later is then what the input set off.
func (op *Operation) BeforeInput(tab target.ID, frame cdproto.FrameID) error {
	s := &op.threads
	if s.turn {
		return nil
	}
	place, err := op.Locate(supervise.Where{Target: tab, Frame: frame})
	if err == nil {
		err = op.TakeTurn(&place)
	}
	switch {
	case err == nil:
		s.turn = true
	case errors.Is(err, fault.ErrFrameGone), errors.Is(err, fault.ErrUnknownFrame):
		// The first input of several took the frame away; the next ones go to what is there instead.
	default:
		return err
	}
	if !s.inputSent() {
		op.probeOtherThreads(tab, frame)
		s.mu.Lock()
		s.sent = true
		s.mu.Unlock()
	}
	return nil
}

// HasInputTurn tells whether the operation has the turn for its input.
func (op *Operation) HasInputTurn() bool { return op.threads.turn }

// WaitForThreads makes the operation wait for main threads until the end of its budget.
func (op *Operation) WaitForThreads() { op.threads.waitFully() }

// probeOtherThreads asks the other main threads of the tab for a word, as handlers may run there, too: of what loses the focus, or
// of what has it where no element is named. It is then waited for a moment.
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
		place := supervise.Place{Page: tab, Session: target.SessionID(f.SessionID), Frame: cdproto.FrameID(f.FrameID)}
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
