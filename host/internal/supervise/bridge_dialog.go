package supervise

import (
	"cmp"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// A dialog of the bridge has the same life cycle as a native one, but the browser does not show it: nothing has to be
// dismissed by force or healed, other dialogs are not affected, and the answer goes to where its page is stopped.

// The ways of dialogs; keys of [Counters.BridgeProven] and values of [Dialog.Via].
const viaNative = "native"

var viaNames = map[abi.BridgeVia]string{abi.BridgeViaPause: "pause", abi.BridgeViaRequest: "request"}

// The rules that dismiss a dialog that a browser would not have shown.
//
// https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#cannot-show-simple-dialogs
var suppressedRules = map[abi.BridgeSuppressed]string{
	abi.BridgeSuppressedBeforeUnload: "suppressed by beforeunload",
	abi.BridgeSuppressedSandbox:      "suppressed by sandbox",
}

// openBridged opens a dialog for a proven stop, or gives the stop to the open dialog that it asks for again.
func (s *State) openBridged(h *bridgeStop) {
	if d := s.dialogAskedAgain(h); d != nil {
		s.moveToStop(d, h)
		return
	}
	ss, r := h.session, h.proven
	tb := ss.tab
	d := &dialog{tab: tb, stop: h, Dialog: Dialog{
		ID: s.nextDialogID(), Type: r.Type, Message: r.Message, DefaultPrompt: r.DefaultPrompt,
		Frame: cmp.Or(h.frame, tb.root.id), FrameKind: abi.FrameKindTop, Session: ss.id, Target: tb.id, Popup: tb.info.OpenerID != "",
		OpenedAt: s.now, Via: viaNames[h.via], Suppressed: r.Suppressed,
	}}
	if f := s.frameOf(ss, d.Frame); f != nil {
		d.FrameKind, d.Origin, d.URL = f.kind(), f.origin, f.url
	}
	h.dialog = d
	s.opened(d)
	switch rule := suppressedRules[r.Suppressed]; {
	case tb.task.removal != nil:
		s.answerDialog(d, answer{by: abi.ClosedByDisconnected})
	case rule != "":
		d.Decision.Rule, d.Action = rule, abi.DialogActionDismiss
		s.answerDialog(d, answer{by: abi.ClosedByAutoPolicy})
	default:
		s.askDialog(d)
	}
}

// dialogAskedAgain finds the open dialog that a script asks for again because its page went on without an answer when a
// connection was lost.
func (s *State) dialogAskedAgain(h *bridgeStop) *dialog {
	if h.proven.Key == "" {
		return nil
	}
	for _, d := range h.session.task.openIn(h.session.tab) {
		if d.stop != nil && d.Frame == h.frame && d.stop.proven.Key == h.proven.Key && d.Type == h.proven.Type {
			return d
		}
	}
	return nil
}

// moveToStop moves a dialog to where its page has stopped again. An answer in flight is given there.
func (s *State) moveToStop(d *dialog, h *bridgeStop) {
	d.maybeClosed, d.dismissOnly = false, false
	s.forgetStop(d.stop)
	d.stop.dialog = nil
	d.stop, h.dialog = h, d
	d.Session, d.Via = h.session.id, viaNames[h.via]
	d.tab.task.dirty = true
	if d.Phase == PhaseAnswering {
		s.forgetCommand(d.answer.command)
		s.disarm(&d.answerTimer)
		s.answerBridged(d)
	}
}

// answerBridged has the module encode the answer and gives it to the page.
func (s *State) answerBridged(d *dialog) {
	h, t := d.stop, d.tab.task
	d.answerTimer = s.after(s.config.AnswerTimeout, func() {
		s.abandonAnswer(d, abi.ClosedByRemote, "the browser did not confirm the answer in time")
	})
	e := abi.BridgeReplyEvent{
		Header: abi.Header{TaskID: t.ID}, Via: h.via, Type: d.Type, Accepted: d.answer.accept, Payload: h.event.Payload,
	}
	// The script knows the default text itself, in full.
	if d.answer.accept && d.Type == abi.DialogTypePrompt && d.answer.text != d.DefaultPrompt {
		e.Text, e.HasText = d.answer.text, true
	}
	s.forgetBridgeAsk(&h.asked)
	h.asked = s.askBridge(func(v BridgeVerdict) {
		h.asked = 0
		s.bridgeReply(d, v)
	})
	s.do(AskBridgeReply{Token: h.asked, Until: s.askUntil(), Task: t.ID, Event: e})
}

func (s *State) bridgeReply(d *dialog, v BridgeVerdict) {
	switch {
	case v.Abstained:
		v.Fault = "the bridge's module has no reply"
		fallthrough
	case v.Fault != "":
		s.do(Notify{Task: d.tab.task.ID, Kind: NotifyFault, Dialog: d.Dialog, Fault: v.Fault})
		s.abandonAnswer(d, abi.ClosedByPluginFault, "the page was resumed without an answer: "+v.Fault)
	case d.stop.via == abi.BridgeViaPause:
		d.answer.command = s.evaluateOnCallFrame(d.stop, v.Reply.Expression, func(r CommandReply) {
			if r.Err != nil {
				s.abandonAnswer(d, abi.ClosedByRemote, "the paused page rejected the answer: "+r.Err.Message)
				return
			}
			d.answer.command = s.sendThen(d.stop.session.id, debugger.CommandResume, nil, WantNothing, func(r CommandReply) {
				s.bridgeAnswered(d, r)
			})
		})
	default:
		params := fulfillment(d.stop, v.Reply)
		d.answer.command = s.sendThen(d.stop.session.id, fetch.CommandFulfillRequest, params, WantNothing, func(r CommandReply) {
			s.bridgeAnswered(d, r)
		})
	}
}

func fulfillment(h *bridgeStop, r abi.BridgeReply) *fetch.FulfillRequestParams {
	p := &fetch.FulfillRequestParams{RequestID: h.request, ResponseCode: int64(r.Status), Body: r.Body}
	for _, header := range r.Headers {
		p.ResponseHeaders = append(p.ResponseHeaders, &fetch.HeaderEntry{Name: header.Name, Value: header.Value})
	}
	return p
}

// bridgeAnswered closes a dialog when its page has been resumed.
func (s *State) bridgeAnswered(d *dialog, r CommandReply) {
	if r.Err != nil {
		s.closeDialog(d, abi.ClosedByRemote, "its page was resumed before the answer arrived: "+r.Err.Message)
		return
	}
	d.Accepted = d.answer.accept
	if d.Type == abi.DialogTypePrompt && d.Accepted {
		d.Text = d.answer.text
	}
	s.closeDialog(d, d.answer.by, "")
}

// abandonAnswer closes a dialog whose answer cannot be given, and resumes its page without one.
func (s *State) abandonAnswer(d *dialog, by abi.ClosedBy, reason string) {
	s.continueStop(d.stop)
	s.closeDialog(d, by, reason)
}

// closeBridged closes a dialog whose frame or document is gone.
func (s *State) closeBridged(d *dialog, reason string) {
	if d.stop.via == abi.BridgeViaRequest {
		s.continueStop(d.stop) // the previous document may still wait for the response
	}
	s.closeDialog(d, abi.ClosedByRemote, reason)
}

// Losing the connection resumes a page that stopped for the bridge. Its script knows that there was a supervisor and
// asks again for a while, with the same key, before it falls back to the native function. But Chromium accepts neither
// a debugger nor interception for a page whose main thread has been blocked since before the new connection. So usually
// the native dialog opens, and the agent's answer goes to that one.

// dialogFallenBack finds the bridge dialog that a native one replaces because its script found no supervisor.
func (s *State) dialogFallenBack(ss *session, e DialogOpening) *dialog {
	for _, d := range ss.tab.task.openIn(ss.tab) {
		if d.stop != nil && (d.maybeClosed || d.dismissOnly) && d.forceReason == "" &&
			d.Type == e.Type && d.Frame == cmp.Or(e.Frame, ss.tab.root.id) {
			return d
		}
	}
	return nil
}

// moveToNative turns a bridge dialog into a native one. An answer that waits for it is sent.
func (s *State) moveToNative(d *dialog, ss *session) {
	second := d.tab.showsDialog()
	d.stop.dialog, d.stop = nil, nil
	d.maybeClosed, d.dismissOnly = false, false
	d.Session, d.Via = ss.id, viaNative
	d.tab.task.dirty = true
	switch {
	case second:
		s.forceDismiss(d, "it opened while another frame's dialog was open, so it could only be dismissed")
	case d.Phase == PhaseAnswering:
		s.sendAnswer(d)
	case d.asked == 0:
		s.interruptBlocked(d)
	}
}
