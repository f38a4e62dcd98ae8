package trace

import (
	"maps"
	"time"
)

// Line is a message of the console or an uncaught exception.
type Line struct {
	Type, From, Text, Source string
}

// Dialog is a JavaScript dialog; ClosedBy is empty while it is open.
type Dialog struct {
	ID, Type, Message, URL, Tab string
	ClosedBy                    string
	Accepted                    bool
	Text                        string // what an accepted prompt returned
}

// Request is a request of a page, in short.
type Request struct {
	Number                     uint64
	Method, URL, Type, Failure string
	Status                     int
	Pending                    bool
	Took                       time.Duration
	Size                       int64
}

// Seen is what is known of a task at one time: the latest of each kind.
type Seen struct {
	// Lines are the last of Total since the task began.
	Lines    []Line
	Total    int
	Dialogs  []Dialog // the closed ones and the open ones
	Requests []Request
}

// sighting is what has been seen already.
type sighting struct {
	begun    bool
	lines    int
	dialogs  map[string]*Dialog // nil: it was closed before the trace began
	requests map[uint64]*Request
	last     uint64 // number of a request
}

func newSighting() sighting {
	return sighting{dialogs: map[string]*Dialog{}, requests: map[uint64]*Request{}}
}

// Observe adds what is new since the last time to the call that began last. The first time only tells what is old.
func (t *Trace) Observe(s Seen) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.prelude
	if len(t.calls) > 0 {
		now = t.calls[len(t.calls)-1]
	}
	t.observeLines(now, s)
	known := map[string]bool{}
	for _, d := range s.Dialogs {
		t.observeDialog(now, d)
		known[d.ID] = true
	}
	maps.DeleteFunc(t.seen.dialogs, func(id string, _ *Dialog) bool { return !known[id] }) // it stays as it was
	for _, r := range s.Requests {
		t.observeRequest(now, r)
	}
	t.seen.begun = true
	t.makeRoom()
}

func (t *Trace) observeLines(now *call, s Seen) {
	fresh := max(0, s.Total-t.seen.lines)
	t.seen.lines = s.Total
	if !t.seen.begun {
		return
	}
	there := min(fresh, len(s.Lines))
	now.more.lines += fresh - there
	for _, l := range s.Lines[len(s.Lines)-there:] {
		if len(now.lines) == maxLines {
			now.more.lines++
			continue
		}
		l.Text, l.Source = clip(l.Text, maxShort), clip(l.Source, maxShort)
		now.lines = append(now.lines, l)
		t.grow(now, len(l.Text)+len(l.Source)+len(l.Type)+len(l.From))
	}
}

func (t *Trace) observeDialog(now *call, d Dialog) {
	d.Message, d.URL, d.Text = clip(d.Message, maxShort), clip(d.URL, maxShort), clip(d.Text, maxShort)
	known, there := t.seen.dialogs[d.ID]
	switch {
	case known != nil:
		*known = d
	case there:
	case !t.seen.begun && d.ClosedBy != "":
		t.seen.dialogs[d.ID] = nil
	case len(now.dialogs) == maxLines:
		t.seen.dialogs[d.ID] = nil
		now.more.dialogs++
	default:
		t.seen.dialogs[d.ID] = &d
		now.dialogs = append(now.dialogs, &d)
		t.grow(now, len(d.Message)+len(d.URL)+len(d.Text))
	}
}

func (t *Trace) observeRequest(now *call, r Request) {
	r.URL, r.Failure = clip(r.URL, maxShort), clip(r.Failure, maxShort)
	if known := t.seen.requests[r.Number]; known != nil {
		*known = r
		return
	}
	if r.Number <= t.seen.last {
		return
	}
	t.seen.last = r.Number
	switch {
	case !t.seen.begun:
	case len(now.requests) == maxLines:
		now.more.requests++
	default:
		t.seen.requests[r.Number] = &r
		now.requests = append(now.requests, &r)
		t.grow(now, len(r.URL)+len(r.Failure)+len(r.Method))
	}
}
