package supervise

import (
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func (s *State) clearConsole(e ClearConsole) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, noTask(e.Task))
		return
	}
	t.console.clear()
	t.dirty = true
	s.do(Reply{Request: e.Request})
}

// console is what the pages of a task logged last. Exceptions have a ring of their own, so log messages cannot push
// them out.
type console struct {
	messages, exceptions ring[numberedEntry]
	deprecations         int
}

// numberedEntry is an entry with its number among the entries of both kinds.
type numberedEntry struct {
	ConsoleEntry
	n int
}

func newConsole() console {
	return console{messages: ring[numberedEntry]{limit: consoleEntries}, exceptions: ring[numberedEntry]{limit: consoleEntries}}
}

func (c *console) total() int { return c.messages.total + c.exceptions.total }

func (c *console) add(e ConsoleEntry) {
	to := &c.messages
	if e.Type == TypeException {
		to = &c.exceptions
	}
	to.add(numberedEntry{e, c.total()})
}

// clear forgets the entries but not their total count.
func (c *console) clear() { c.messages.values, c.exceptions.values, c.deprecations = nil, nil, 0 }

// list returns the entries of both kinds in the order in which they arrived.
func (c *console) list() []ConsoleEntry {
	all := slices.Concat(c.messages.values, c.exceptions.values)
	slices.SortFunc(all, func(a, b numberedEntry) int { return a.n - b.n })
	list := make([]ConsoleEntry, len(all))
	for i, e := range all {
		list[i] = e.ConsoleEntry
	}
	return list
}

// consoleMessage stores a console message, an uncaught exception or what the browser logged of any session of a task.
func (s *State) consoleMessage(e ConsoleMessage) {
	ss := s.sessions[e.Session]
	if ss == nil || ss.task == nil {
		s.counters.EventsIgnored++
		return
	}
	ss.task.dirty = true
	switch {
	case e.Entry.From == FromDeprecation:
		ss.task.console.deprecations++
		return
	case e.Entry.From == fromWorker:
		return // what its page repeats of a worker, whose own session says it, too
	case e.Entry.From == fromNetwork && strings.HasSuffix(e.Entry.Source, "/favicon.ico"):
		return // the browser asks each site for it, and most have none
	}
	entry := e.Entry
	entry.Target = ss.info.TargetID
	if ss.tab != nil {
		entry.Target = ss.tab.id
	}
	if !s.consoleHook {
		s.noteConsole(ss.task, entry)
		return
	}
	event := abi.ConsoleEvent{
		Header: abi.Header{TaskID: ss.task.ID}, Type: entry.Type, From: entry.From, Text: entry.Text, Source: entry.Source,
		TargetID: string(entry.Target), TargetType: ss.info.Type,
	}
	if tb := ss.ownTab(); tb != nil {
		event.TopOrigin = tb.root.origin
	}
	s.do(AskConsole{Task: ss.task.ID, Entry: entry, Event: event})
}

// noteConsole remembers an entry and tells those who follow the task.
func (s *State) noteConsole(t *task, entry ConsoleEntry) {
	t.console.add(entry)
	t.dirty = true
	s.do(Notify{Task: t.ID, Kind: NotifyConsole, Entry: entry})
}

// consoleVerdict notes what the modules leave of an entry.
func (s *State) consoleVerdict(v ConsoleVerdict) {
	t := s.tasks[v.Task]
	if t == nil {
		s.counters.VerdictsDropped++
		return
	}
	if v.Fault != "" && s.now.Sub(t.faulted) >= faultNotice {
		t.faulted = s.now
		s.do(Notify{Task: t.ID, Kind: NotifyFault, Fault: v.Fault})
	}
	if !v.Dropped {
		s.noteConsole(t, v.Entry)
	}
}

// How many closed dialogs, console entries of each kind and denied navigations a task remembers.
const (
	recentDialogs  = 20
	consoleEntries = 50
	recentDenials  = 20
)

// ring keeps the last limit values.
type ring[T any] struct {
	values []T
	limit  int
	total  int // how many values were ever added
}

func (r *ring[T]) add(v T) {
	r.total++
	if len(r.values) == r.limit {
		copy(r.values, r.values[1:])
		r.values[r.limit-1] = v
		return
	}
	r.values = append(r.values, v)
}

// list returns a copy, oldest first.
func (r *ring[T]) list() []T { return append([]T(nil), r.values...) }
