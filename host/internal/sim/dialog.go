package sim

import (
	"math"
	"slices"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// dialog is the native dialog that a tab shows.
type dialog struct {
	frame *Frame
	kind  abi.DialogType
	told  uint64   // the message that announced it; 0: it opened while nobody listened
	on    *session // on which it was announced
	trap  bool     // it opened while its page is being left
	// blind: it opened over another dialog; Chromium does not know it and rejects every answer.
	blind bool
	// secret: the other dialog opened while nobody listened, so the client takes this one for an ordinary one.
	secret   bool
	outlived bool   // the connection on which it opened was lost
	crashed  bool   // its frame's process crashed
	crashing uint64 // the message that reports the crash
	lost     bool   // its frame is gone: whatever closes it crashes the browser
	// losing is the message that reports the loss.
	losing uint64
	before uint64 // how many messages there were before the loss
	// releasing: the navigation that closes a lost dialog is in progress.
	releasing bool
}

// blocks reports whether the dialog blocks its frame's process.
func (d *dialog) blocks() bool { return d != nil && !d.lost && !d.crashed }

// blocked reports whether a frame's process is blocked by a dialog, native or a request of the bridge, so that it
// answers nothing. A pause of the bridge also stops scripts, but the process still answers.
func (b *Browser) blocked(f *Frame) bool {
	for _, t := range b.tabs {
		if t.group == f.Tab.group && t.native.blocks() && t.native.frame.Site == f.Site {
			return true
		}
	}
	return b.stopped(f, abi.BridgeViaRequest)
}

// Running reports whether a frame's scripts run, so that it can do something.
func (b *Browser) Running(f *Frame) bool {
	root := f.localRoot()
	if f.Tab.Closed || f.Tab.Crashed || f.Tab.frozen || root.crashed || b.blocked(f) || b.stopped(f, abi.BridgeViaPause) {
		return false
	}
	for _, s := range b.sessionsShowing(root) {
		if s.waiting {
			return false
		}
	}
	return true
}

// Poisoned reports whether a tab shows the dialog of a frame that is gone.
func (t *Tab) Poisoned() bool { return t.native != nil && t.native.lost }

// Native reports whether a tab shows a dialog.
func (t *Tab) Native() bool { return t.native != nil }

// Unanswered reports whether a navigation that was to free a tab got no reply, as the browser asked whether to leave.
func (t *Tab) Unanswered() bool { return t.unanswered }

// DialogFrame returns the frame whose dialog a tab shows: nil if it shows none, or that of a frame that is gone.
func (t *Tab) DialogFrame() *Frame {
	if t.native == nil || t.native.lost {
		return nil
	}
	return t.native.frame
}

// Held reports whether a dialog of this tab, or of one that shares a process with it, blocks a frame of the tab.
func (b *Browser) Held(t *Tab) bool {
	return t.native != nil || slices.ContainsFunc(t.Frames(), b.blocked)
}

// CanOpenDialog reports whether a frame can open a dialog without crashing the browser.
func (b *Browser) CanOpenDialog(f *Frame, kind abi.DialogType) bool {
	if !b.Running(f) || f.Tab.Poisoned() {
		return false
	}
	beforeunload := kind == abi.DialogTypeBeforeUnload
	if old := f.Tab.native; old != nil && (beforeunload || old.kind == abi.DialogTypeBeforeUnload) {
		return false
	}
	return !beforeunload || f.Parent == nil
}

// OpenDialog opens a dialog of a running frame; trap says that the page is being left.
func (b *Browser) OpenDialog(f *Frame, kind abi.DialogType, trap bool) {
	t, old := f.Tab, f.Tab.native
	d := &dialog{frame: f, kind: kind, trap: trap, blind: old != nil, secret: old != nil && (old.told == 0 || old.secret)}
	t.native = d
	for _, s := range b.sessionsShowing(t.Root) {
		if s.pageEnabled {
			d.on = s
			d.told = b.emit(supervise.DialogOpening{
				Session: s.id, Frame: f.ID, Type: kind, Message: "message of " + string(f.ID), DefaultPrompt: "default", URL: f.URL,
			})
			if old != nil {
				b.emit(supervise.DialogClosed{Session: s.id, Frame: old.frame.ID})
			}
		}
	}
	if d.told == 0 {
		d.blind = true
	}
	if old != nil {
		b.unblocked()
	}
}

// AnswerElsewhere answers a dialog as a second client; it returns false if the browser would not accept the answer.
func (b *Browser) AnswerElsewhere(t *Tab, accept bool) bool {
	if t.native == nil || t.native.trap || t.native.blind || t.native.lost || t.native.crashed {
		return false
	}
	b.closeNative(t, accept, "elsewhere")
	return true
}

// RepeatClosed emits another closed event for a tab that shows no dialog.
func (b *Browser) RepeatClosed(f *Frame) {
	if f.Tab.native != nil {
		return
	}
	b.tellTab(f.Tab, func(id target.SessionID) supervise.Event {
		return supervise.DialogClosed{Session: id, Frame: f.ID, Accepted: true}
	})
}

// tellTab emits an event on every session of the tab's page with the Page domain, which gets the dialogs of all frames.
func (b *Browser) tellTab(t *Tab, event func(target.SessionID) supervise.Event) {
	for _, s := range b.sessionsShowing(t.Root) {
		if s.pageEnabled {
			b.emit(event(s.id))
		}
	}
}

func (b *Browser) pageEnabled(t *Tab) bool {
	for _, s := range b.sessionsShowing(t.Root) {
		if s.pageEnabled {
			return true
		}
	}
	return false
}

// closeNative closes a tab's dialog and unblocks what it blocked.
func (b *Browser) closeNative(t *Tab, accept bool, input string) {
	d := t.native
	t.native = nil
	b.tellTab(t, func(id target.SessionID) supervise.Event {
		return supervise.DialogClosed{Session: id, Frame: d.frame.ID, Accepted: accept, UserInput: input}
	})
	if d.kind == abi.DialogTypeBeforeUnload && accept {
		b.soon(func() { b.leave(t, t.Root.Site) })
	}
	b.unblocked()
}

// dismissNative is what a navigation, a crash or the closing of a tab does to its dialog.
func (b *Browser) dismissNative(t *Tab) {
	if t.native != nil {
		b.closeNative(t, false, "")
	}
}

func (b *Browser) lose(d *dialog) {
	d.lost, d.blind, d.trap, d.crashed = true, false, false, false
	d.before = b.queued
}

// settleLoss sets when the client learns of the loss of a dialog's frame, after the operation that removed it emitted
// its events.
func (b *Browser) settleLoss(t *Tab) {
	if d := t.native; d != nil && d.lost && d.losing == 0 {
		d.losing = b.queued
		if d.told == 0 || !slices.Contains(b.sessions, d.on) || b.queued == d.before {
			d.losing = math.MaxUint64 // the client never knew about the dialog, or learns nothing about its frame
			if d.told != 0 && d.on == nil && !b.pageEnabled(t) {
				d.losing = 1 // it knew, and has not listened since: it must expect the loss
			}
		}
		b.unblocked()
	}
}

// unblocked sends the answers of renderers that are no longer blocked, and lets held frames move.
func (b *Browser) unblocked() {
	held := b.held
	b.held = nil
	for _, f := range held {
		if f.moving != nil {
			f.moving.commit()
		}
	}
	for _, s := range b.sessions {
		if s.root == nil || s.tab.Crashed || s.root.crashed || b.blocked(s.root) {
			continue
		}
		for _, token := range s.unanswered {
			b.reply(token, supervise.CommandReply{Frames: b.localFrames(s)})
		}
		s.unanswered = nil
		asked := s.asked
		s.asked = nil
		for _, answer := range asked {
			answer()
		}
	}
}
