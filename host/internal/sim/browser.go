package sim

import (
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Browser is a running Chromium with one connection.
type Browser struct {
	tabs     []*Tab
	sessions []*session // attached ones, in the order in which they were attached
	known    map[target.SessionID]bool

	inbox     []command // sent by the client, not yet executed
	outbox    []message // not yet delivered to the client
	delivered uint64    // how many messages were delivered
	queued    uint64    // how many messages there were
	later     []*task   // what the browser finishes later
	held      []*Frame  // whose move waits for the end of a dialog
	stops     []*stop   // for the dialog bridge
	documents []*pausedDocument
	gate      bool // the browser's own session pauses requests for documents

	line      line
	newest    supervise.Token // of a command
	forgotten supervise.Token // of the newest command on a lost connection

	ids        map[string]int
	dead       string
	violations []string
}

// command is a command, and how many messages the client knew when it sent it.
type command struct {
	supervise.SendCommand
	knew uint64
}

// message is an event or a reply; ends are the sessions that end with it.
type message struct {
	event supervise.Event
	ends  []target.SessionID
}

type task struct {
	do       func()
	canceled bool
}

// New returns a browser without tabs.
func New() *Browser {
	return &Browser{known: map[target.SessionID]bool{}, ids: map[string]int{}}
}

// Send queues a command. [Browser.Execute] executes it.
func (b *Browser) Send(c supervise.SendCommand) {
	if b.dead != "" {
		return
	}
	b.newest = max(b.newest, c.Token)
	switch b.line {
	case lineDown:
		b.violate("%s was sent while there is no connection", c.Method)
		return
	case lineLost:
		return
	}
	if c.Session != "" && !b.known[c.Session] {
		b.violate("%s was sent to the session %s, which the client knew to be gone", c.Method, c.Session)
	}
	b.inbox = append(b.inbox, command{c, b.delivered})
}

// Execute runs the oldest command; it returns false if there is none.
func (b *Browser) Execute() bool {
	if len(b.inbox) == 0 || b.dead != "" {
		return false
	}
	c := b.inbox[0]
	b.inbox = b.inbox[1:]
	b.dropStops()
	b.execute(c)
	return true
}

// Deliver returns the oldest event or reply; ok is false if there is none.
func (b *Browser) Deliver() (event supervise.Event, ok bool) {
	if len(b.outbox) == 0 {
		return nil, false
	}
	m := b.outbox[0]
	b.outbox = b.outbox[1:]
	b.delivered++
	switch e := m.event.(type) {
	case supervise.Attached:
		b.known[e.Session] = true
	case supervise.ConnectionLost:
		if b.line == lineLost {
			b.line = lineDown
		}
	}
	for _, id := range m.ends {
		delete(b.known, id)
	}
	return m.event, true
}

// Later returns how many things the browser will finish later: navigations, and what follows them.
func (b *Browser) Later() int { return len(b.later) }

// Finish finishes one of them; 0 is the oldest.
func (b *Browser) Finish(i int) {
	t := b.later[i]
	b.later = append(b.later[:i:i], b.later[i+1:]...)
	if !t.canceled && b.dead == "" {
		t.do()
	}
}

// Waiting reports whether the browser has something to execute, to finish or to deliver.
func (b *Browser) Waiting() bool {
	return len(b.outbox) > 0 || b.dead == "" && (len(b.inbox) > 0 || len(b.later) > 0)
}

// Dead returns why the browser crashed or the connection ended; it is empty while the browser lives.
func (b *Browser) Dead() string { return b.dead }

// Kill ends the connection. Queued messages are still delivered, then [supervise.ConnectionLost].
func (b *Browser) Kill(reason string) {
	if b.dead == "" {
		b.dead = reason
		b.push(message{event: supervise.ConnectionLost{Reason: reason}})
	}
}

// Violations lists what the client did although it could have known better.
func (b *Browser) Violations() []string { return b.violations }

func (b *Browser) violate(format string, args ...any) {
	b.violations = append(b.violations, fmt.Sprintf(format, args...))
}

// crash ends the browser. It is the client's fault if the message that reveals the danger was delivered before it sent
// the command.
func (b *Browser) crash(c command, telling uint64, why string) {
	if c.told(telling) {
		b.violate("%s crashed the browser: %s", c.Method, why)
	}
	b.Kill("the browser crashed: " + why)
}

// told reports whether a message was delivered before the command was sent.
func (c command) told(message uint64) bool { return message != 0 && message <= c.knew }

// emit queues a message and returns its number. Without a connection the message is lost.
func (b *Browser) emit(e supervise.Event, ends ...target.SessionID) uint64 {
	if b.line == lineLost || b.line == lineDown {
		return b.queued
	}
	return b.push(message{e, ends})
}

func (b *Browser) push(m message) uint64 {
	b.outbox = append(b.outbox, m)
	b.queued++
	return b.queued
}

// soon schedules what the browser does later.
func (b *Browser) soon(do func()) *task {
	t := &task{do: do}
	b.later = append(b.later, t)
	return t
}

func (b *Browser) newID(prefix string) string {
	b.ids[prefix]++
	return prefix + strconv.Itoa(b.ids[prefix])
}
