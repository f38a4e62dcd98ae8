package host

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// What an action sets off may never end: a handler that loops, or what a handler leaves for a moment later. When the time of
// the action is over, a main thread that answered it before its first input, and does not any more, is stuck in script that
// began after that: it is ended as an evaluation is. A thread that was busy before is never touched, nor one on which another
// operation runs script, nor one that a dialog holds.

// stirs tells whether a command may make the page's handlers run.
func stirs(method string) bool {
	return strings.HasPrefix(method, "Input.") || method == dom.CommandSetFileInputFiles
}

// stirring is what an operation knows of the main threads that its input may keep busy.
type stirring struct {
	mu       sync.Mutex
	begun    bool // input was sent, or is about to be
	turn     bool // the operation has the turn for its input
	patient  bool // it waits for a main thread's first word as long as there is time
	answered map[target.SessionID]supervise.Place
}

// answer notes that the main thread of a place answered the operation.
func (s *stirring) answer(at supervise.Place) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.answered == nil {
		s.answered = map[target.SessionID]supervise.Place{}
	}
	s.answered[at.Session] = at
}

// met tells whether the operation needs no first word of a main thread any more.
func (s *stirring) met() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.patient || len(s.answered) > 0
}

// takeTime makes the operation wait for main threads until the end of its budget.
func (s *stirring) takeTime() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.patient = true
}

// has tells whether input was sent.
func (s *stirring) has() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun
}

// places are those that answered.
func (s *stirring) places() []supervise.Place {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]supervise.Place, 0, len(s.answered))
	for _, at := range s.answered {
		list = append(list, at)
	}
	return list
}

// settleTurn gives the turn back once the input is through.
func (op *operation) settleTurn() {
	op.stirring.turn = false
	op.returnTurn()
}

// stuck gives the sessions of the main threads that are stuck in what the input of an operation set off, while a call of it
// waits for an answer.
func (op *operation) stuck(c *call) []target.SessionID {
	l := op.task.link
	places := op.stirring.places()
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
func (c *call) replied(op *operation, wait time.Duration) bool {
	timer := time.NewTimer(max(wait, 0))
	defer timer.Stop()
	select {
	case r := <-c.reply:
		c.reply <- r
		return true
	case <-op.task.link.done:
		return true
	case <-timer.C:
		return len(c.reply) > 0
	}
}

// silent are the sessions whose main thread does not answer within a moment.
func (op *operation) silent(sessions []target.SessionID) []target.SessionID {
	return op.silentFor(context.Background(), startTimeout, sessions)
}

// silentFor are the sessions whose main thread does not answer within a time.
func (op *operation) silentFor(ctx context.Context, limit time.Duration, sessions []target.SessionID) []target.SessionID {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	answers := make([]error, len(sessions))
	var all sync.WaitGroup
	for i, session := range sessions {
		all.Go(func() { answers[i] = op.task.link.command(ctx, session, pageFence.method, nil, nil) })
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
