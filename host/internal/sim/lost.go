package sim

import (
	"math"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// line is the state of the connection.
type line int

const (
	lineUp      line = iota
	lineLost         // and the client does not know
	lineDown         // and the client knows
	lineTargets      // a new one, on which nothing is attached yet
)

// Drop ends the connection, and the client will try to reconnect: messages in transit are lost in both directions, and
// all sessions end. A native dialog still blocks its page, but nobody can answer it any more; a dialog that opened
// while its page was being left crashes the browser.
func (b *Browser) Drop(reason string) {
	if b.dead != "" || b.line == lineLost || b.line == lineDown {
		return
	}
	for _, t := range b.tabs {
		if t.native != nil && t.native.trap && b.pageEnabled(t) {
			b.Kill("the browser crashed: the connection dropped while a dialog of a page that is being left is open")
			return
		}
	}
	for _, t := range b.tabs {
		if d := t.native; d != nil {
			b.survive(d)
		}
		t.Root.walk(func(f *Frame) {
			if f.moving != nil {
				f.moving.sessions = nil
			}
		})
	}
	gone := b.sessions
	b.inbox, b.outbox, b.sessions, b.gate = nil, nil, nil, false
	clear(b.known)
	b.forgotten = b.newest
	b.line = lineLost
	b.push(message{event: supervise.ConnectionLost{Reason: reason, Reconnecting: true}})
	for _, s := range gone {
		s.release()
	}
}

// survive is what the end of the connection does to a dialog.
func (b *Browser) survive(d *dialog) {
	d.blind, d.on, d.releasing, d.outlived = true, nil, false, true
	if d.told > b.delivered {
		d.told = 0
	}
	switch {
	case !d.lost || d.losing <= b.delivered:
	case d.told != 0:
		d.losing = 1 // a client that knows about the dialog must expect it
	default:
		d.losing = math.MaxUint64 // a client that was never told cannot know
	}
}

// Down reports whether the connection is lost and the client knows.
func (b *Browser) Down() bool { return b.line == lineDown }

// Returning reports whether there is a new connection on which nothing is attached yet.
func (b *Browser) Returning() bool { return b.line == lineTargets }

// Return makes a new connection, which first reports all targets.
func (b *Browser) Return() {
	b.line = lineTargets
	for _, t := range b.tabs {
		b.emit(supervise.TargetChanged{Info: t.info()})
	}
	b.emit(supervise.Discovered{})
}

// AttachAll attaches to all targets on the new connection.
func (b *Browser) AttachAll() {
	b.line = lineUp
	for _, t := range b.tabs {
		b.attachTab(t, false, t.Root.URL)
	}
	b.emit(supervise.Reconnected{})
}
