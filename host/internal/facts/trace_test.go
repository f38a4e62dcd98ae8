package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// mark is a place in the trace.
type mark int

// mark gives the end of the trace.
func (l *lab) mark() mark {
	l.mu.Lock()
	defer l.mu.Unlock()
	return mark(len(l.trace))
}

// pattern says what an entry of the trace looks like.
type pattern struct {
	name  string
	match func(entry) bool
}

// event is an event of a session with these parameters: pairs of a path ("frame.id") and a value.
func event(session, method string, pairs ...any) pattern {
	return pattern{fmt.Sprint("event ", session, " ", method, " ", pairs), func(e entry) bool {
		if e.ID != 0 || e.Method != method || e.SessionID != session {
			return false
		}
		for i := 0; i < len(pairs); i += 2 {
			if fmt.Sprint(e.get(strings.Split(pairs[i].(string), ".")...)) != fmt.Sprint(pairs[i+1]) {
				return false
			}
		}
		return true
	}}
}

// reply is the reply to a command that was sent with lab.send.
func reply(id int64) pattern {
	return pattern{fmt.Sprint("reply ", id), func(e entry) bool { return e.ID == id }}
}

// ready is the last reply of the commands that prepare a session. A navigation must not be sent before it: it can
// commit before Page.enable has reached the renderer, and its frameNavigated is then never sent.
func ready(session string) pattern {
	return pattern{"readiness of " + session, func(e entry) bool {
		return e.ID != 0 && e.SessionID == session && e.Method == "Runtime.runIfWaitingForDebugger"
	}}
}

// expect waits until all patterns have come in this order, with anything between them, and gives the entries.
func (l *lab) expect(from mark, patterns ...pattern) []entry {
	l.t.Helper()
	timeout := time.After(patience)
	for {
		l.mu.Lock()
		found := match(l.trace[from:], patterns)
		changed := l.changed
		l.mu.Unlock()
		if len(found) == len(patterns) {
			return found
		}
		select {
		case <-changed:
		case <-l.conn.Done():
			l.t.Fatalf("the browser is gone before %s\n%s", patterns[len(found)].name, l.dump(from))
		case <-timeout:
			l.t.Fatalf("never came: %s (number %d)\n%s", patterns[len(found)].name, len(found), l.dump(from))
		}
	}
}

// match gives the first entries that match the patterns in order.
func match(trace []entry, patterns []pattern) (found []entry) {
	for _, e := range trace {
		if len(found) < len(patterns) && patterns[len(found)].match(e) {
			found = append(found, e)
		}
	}
	return found
}

// never checks that nothing matches of what had happened in the browser when it was called. Answering are the sessions
// whose main threads answer: what they had to tell has come before their answers. Of the others only what the browser's
// own process had to tell is known to have come.
func (l *lab) never(from mark, p pattern, answering ...string) {
	l.t.Helper()
	if l.happened(from, p, answering...) {
		l.t.Fatalf("came: %s\n%s", p.name, l.dump(from))
	}
}

// happened tells whether something matched that had happened when it was called.
func (l *lab) happened(from mark, p pattern, answering ...string) bool {
	l.t.Helper()
	for _, session := range answering {
		l.eval(session, `new Promise(done => setTimeout(done))`) // behind what the page had left for a moment later
	}
	l.call("", "Target.getTargets", nil)
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.ContainsFunc(l.trace[from:], p.match)
}

// count gives how many entries match so far.
func (l *lab) count(from mark, p pattern) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.trace[from:] {
		if p.match(e) {
			n++
		}
	}
	return n
}

// dump shows the end of the trace.
func (l *lab) dump(from mark) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var b strings.Builder
	for _, e := range l.trace[max(int(from), len(l.trace)-40):] {
		raw := e.Params
		if e.ID != 0 {
			raw = e.Result
		}
		fmt.Fprintf(&b, "%.6s %d %s %.300s %v\n", e.SessionID, e.ID, e.Method, raw, e.Err)
	}
	return b.String()
}

// get follows a path of members.
func (e entry) get(path ...string) any {
	var v any = e.body
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

// str is get for a string.
func (e entry) str(path ...string) string {
	s, _ := e.get(path...).(string)
	return s
}
