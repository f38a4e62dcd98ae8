package supervise

import (
	"slices"
	"strings"
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
	ss.task.console.add(entry)
	s.do(Notify{Task: ss.task.ID, Kind: NotifyConsole, Entry: entry})
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
