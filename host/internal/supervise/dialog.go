package supervise

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// dialog is one JavaScript dialog, from opening to closing.
//
// https://html.spec.whatwg.org/multipage/timers-and-user-prompts.html#simple-dialogs
type dialog struct {
	Dialog
	tab        *tab
	watchdog   Token // closes the dialog at its deadline
	asked      Token // the ask in flight; 0: none
	askTimer   Token
	early      *answer // an agent's answer that waits for the verdict
	failClosed bool    // a plugin failed, so the host dismisses it until that succeeds; see [State.fallBack]

	// While it is being answered:
	answer      answer
	answerTimer Token
	forceReason string        // why it can only be dismissed by force; see release.go
	confirmed   *DialogClosed // the browser's closed event, which precedes the reply to our answer

	stop *bridgeStop // where its page is stopped; nil: it is native

	// After a lost connection; see reconnect.go:
	process     dialogProcess // the process of its frame when the connection was lost
	maybeClosed bool          // it may be closed; an answer waits until this is known
	dismissOnly bool          // it is still open, and can only be dismissed; also after a healing

	retriesUntil time.Time // until then the bridge's script may ask for it again
}

// dialogProcess says which process the frame of a dialog is in.
type dialogProcess int

const (
	processUnknown dialogProcess = iota
	processOfPage                // the process of its page
	processOther
)

// answer is what is sent to the browser, and for whom.
type answer struct {
	by      abi.ClosedBy
	accept  bool
	text    string
	request RequestID // an agent's request; 0: no agent waits
	command Token
	waits   bool // nothing was sent yet; see [State.afterRemovals]
}

// dialogOpening starts the life of a dialog. The watchdog is armed before anyone is asked.
func (s *State) dialogOpening(e DialogOpening) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	tb := ss.tab
	if d := s.dialogFallenBack(ss, e); d != nil {
		s.moveToNative(d, ss)
		return
	}
	s.closeSuperseded(tb, s.frameOf(ss, e.Frame))
	second := tb.showsDialog()
	d := &dialog{tab: tb, Dialog: Dialog{
		ID: s.nextDialogID(), Type: e.Type, Message: e.Message, DefaultPrompt: e.DefaultPrompt, URL: e.URL,
		Frame: e.Frame, FrameKind: abi.FrameKindTop, Session: ss.id, Target: tb.id, Popup: tb.info.OpenerID != "", OpenedAt: s.now,
		Via: viaNative,
	}}
	if f := s.frameOf(ss, e.Frame); f != nil {
		d.FrameKind, d.Origin = f.kind(), s.askingOrigin(f)
	}
	if d.Frame == "" {
		d.Frame = tb.root.id
	}
	// It opened just before the Page domain was disabled: it takes no answer any more, and keeps navigations waiting.
	d.dismissOnly = tb.healing == healingLost && d.Type == abi.DialogTypeBeforeUnload
	s.opened(d)
	switch {
	case second:
		s.forceDismiss(d, "it opened while another frame's dialog was open, so it could only be dismissed")
	case tb.task.removal != nil:
		s.answerDialog(d, answer{by: abi.ClosedByDisconnected})
	default:
		s.askDialog(d)
	}
}

// closeSuperseded closes the earlier dialogs of a reattached tab when one of its frames opens a dialog: a process that
// is blocked by a dialog cannot open another.
func (s *State) closeSuperseded(tb *tab, f *frame) {
	for _, d := range tb.task.openIn(tb) {
		if d.maybeClosed && (f == nil || f.session == tb.session) {
			s.closeDialog(d, abi.ClosedByDisconnected, "it was closed while the connection was lost")
		}
	}
}

// opened adds a new dialog to its task.
func (s *State) opened(d *dialog) {
	count(&s.counters.Dialogs, d.Type.String())
	count(&s.counters.Policies, cmp.Or(d.tab.task.Policy, "default"))
	d.tab.task.open = append(d.tab.task.open, d)
	s.treeChanged(d.tab)
	s.setDeadline(d, s.taskTimeout(d.tab.task))
	s.do(Notify{Task: d.tab.task.ID, Kind: NotifyDialogOpened, Dialog: d.Dialog})
}

// showsDialog reports whether the browser still shows a native dialog of the tab.
func (tb *tab) showsDialog() bool {
	return slices.ContainsFunc(tb.task.nativeIn(tb), func(d *dialog) bool { return d.confirmed == nil })
}

func (s *State) nextDialogID() string {
	s.dialogs++
	return "d-" + strconv.Itoa(s.dialogs)
}

// openIn returns the open dialogs of a tab, oldest first.
func (t *task) openIn(tb *tab) []*dialog {
	var list []*dialog
	for _, d := range t.open {
		if d.tab == tb {
			list = append(list, d)
		}
	}
	return list
}

// nativeIn returns the open native dialogs of a tab, oldest first.
func (t *task) nativeIn(tb *tab) []*dialog {
	return slices.DeleteFunc(t.openIn(tb), func(d *dialog) bool { return d.stop != nil })
}

func (s *State) taskTimeout(t *task) time.Duration {
	if t.DialogTimeout > 0 {
		return t.DialogTimeout
	}
	return s.config.DialogTimeout
}

// setDeadline arms the watchdog. The timeout counts from the opening.
func (s *State) setDeadline(d *dialog, timeout time.Duration) {
	s.disarm(&d.watchdog)
	d.Deadline = d.OpenedAt.Add(min(timeout, s.config.MaxDialogTimeout))
	d.watchdog = s.after(d.Deadline.Sub(s.now), func() { s.watchdogFired(d) })
}

func (s *State) watchdogFired(d *dialog) {
	d.watchdog = 0
	if d.maybeClosed {
		s.closeDialog(d, abi.ClosedByDisconnected, "its time ran out while the connection was lost")
		return
	}
	by := abi.ClosedByWatchdog
	if d.Decision.Fault != "" {
		by = abi.ClosedByPluginFault
	}
	s.answerDialog(d, answer{by: by})
}

// askDialog calls the dialog hook, even if an agent has already answered, because the verdict may be final. If the
// plugin runtime misses its own deadline too, the fallback decides.
func (s *State) askDialog(d *dialog) {
	t := d.tab.task
	d.early = s.takeArmed(d)
	d.note(func(r *DialogRecord) { r.AskedAt = s.now })
	d.asked = s.nextToken()
	s.asks[d.asked] = ask{dialog: d}
	s.do(AskDialog{Token: d.asked, Until: s.askUntil(), Task: t.ID, Event: abi.DialogEvent{
		Header:   abi.Header{TaskID: t.ID, Revision: uint64(d.asked)},
		DialogID: d.ID, Type: d.Type, Origin: d.Origin, URL: pagetext.Shorten(d.URL, abi.MaxFrameURLBytes),
		Message: pagetext.Shorten(d.Message, abi.MaxDialogTextBytes), DefaultPrompt: pagetext.Shorten(d.DefaultPrompt, abi.MaxDialogTextBytes),
		FrameID: string(d.Frame), FrameKind: d.FrameKind, TargetID: string(d.Target), Popup: d.Popup,
		Policy: t.Policy, TimeoutMs: t.DialogTimeout.Milliseconds(),
	}})
	d.askTimer = s.after(s.config.AskTimeout, func() {
		s.dialogVerdict(DialogVerdict{Token: d.asked, Fault: "the plugin did not answer in time"})
	})
}

// dialogVerdict applies the verdict, unless the dialog was answered first.
func (s *State) dialogVerdict(e DialogVerdict) {
	a, ok := s.asks[e.Token]
	if !ok || a.dialog == nil {
		s.counters.VerdictsDropped++
		return
	}
	d := a.dialog
	s.forgetAsk(d)
	d.noteVerdict(e, s.now)
	d.Decision, d.Action = e.Provenance, abi.DialogActionHold
	d.tab.task.dirty = true
	v := e.Verdict
	decided := e.Fault == "" && !e.Abstained
	if decided && (v.Action < abi.DialogActionHold || v.Action > abi.DialogActionDismiss) {
		decided, e.Fault = false, "unknown action "+v.Action.String()+" in the verdict"
	}
	if decided {
		d.Decision.Rule = v.Rule
	} else {
		s.fallBack(d, e.Fault)
	}
	if d.failClosed {
		s.refuseEarlyAnswer(d, "no plugin decided, so the host dismissed it: "+e.Fault)
		s.answerDialog(d, answer{by: abi.ClosedByPluginFault})
		return
	}
	if decided && v.Final && !d.finallyHeld(v) {
		s.refuseEarlyAnswer(d, finalReason(v.Rule))
	}
	if s.giveEarlyAnswer(d) {
		s.counters.VerdictsDropped++
		return
	}
	if !decided {
		s.interruptBlocked(d)
		return
	}
	s.counters.VerdictsApplied++
	d.Action = v.Action
	if v.Action == abi.DialogActionHold {
		if v.TimeoutMs > 0 {
			s.setDeadline(d, time.Duration(min(v.TimeoutMs, s.config.MaxDialogTimeout.Milliseconds()))*time.Millisecond)
		}
		s.interruptBlocked(d)
		return
	}
	text := d.DefaultPrompt
	if v.HasText {
		text = v.Text
	}
	s.answerDialog(d, answer{by: abi.ClosedByAutoPolicy, accept: v.Action == abi.DialogActionAccept, text: text})
}

// fallBack is the host's own rule if no plugin decided: the dialog waits for an agent until the task's timeout. With
// [Config.DialogFailClosed], a fault dismisses the dialog instead, and no agent's answer counts, before or after.
func (s *State) fallBack(d *dialog, fault string) {
	d.Decision.Fault, d.Decision.Rule = fault, "fallback must_respond"
	if fault == "" {
		return
	}
	if s.config.DialogFailClosed {
		d.Decision.Rule, d.Action, d.failClosed = "fallback dismiss", abi.DialogActionDismiss, true
	}
	s.do(Notify{Task: d.tab.task.ID, Kind: NotifyFault, Dialog: d.Dialog, Fault: fault})
}

// finalReason tells an agent why its answer has no effect.
func finalReason(rule string) string {
	return "the operator's policy decided it with a final verdict: rule " + strconv.Quote(rule)
}

func (s *State) forgetAsk(d *dialog) {
	s.withdraw(d.asked)
	d.asked = 0
	s.disarm(&d.askTimer)
}

// dialogClosed handles the closed event. The event names the session and, in newer versions, the frame, but not the
// dialog, so the oldest that matches is meant. If our answer is in flight, the reply to it says whether our answer
// closed the dialog.
func (s *State) dialogClosed(e DialogClosed) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	for _, d := range ss.tab.task.nativeIn(ss.tab) {
		if d.confirmed != nil || e.Frame != "" && d.Frame != e.Frame {
			continue
		}
		switch {
		case d.Phase == PhasePending || d.maybeClosed:
			d.Accepted, d.Text = e.Accepted, e.UserInput
			s.closeDialog(d, abi.ClosedByRemote, "another client closed it, or its page ended")
			s.suspectBackend(d)
		case d.forceReason != "":
			s.dismissed(d, e)
		default:
			d.confirmed = &e
		}
		return
	}
	s.counters.EventsIgnored++
}

// closeDialog closes a dialog. Nothing else does.
func (s *State) closeDialog(d *dialog, by abi.ClosedBy, reason string) {
	t := d.tab.task
	s.forgetAsk(d)
	s.disarm(&d.watchdog)
	s.disarm(&d.answerTimer)
	s.forgetCommand(d.answer.command)
	if d.stop != nil {
		s.forgetStop(d.stop)
	}
	s.refuseEarlyAnswer(d, "it was closed before the policy decided")
	d.Phase, d.ClosedAt, d.ClosedBy, d.CloseReason = PhaseClosed, s.now, by, reason
	t.open = removeFrom(t.open, d)
	t.recent.add(d.Dialog)
	count(&s.counters.Closed, by.String())
	s.counters.countOpen(by.String(), d.ClosedAt.Sub(d.OpenedAt))
	s.treeChanged(d.tab)
	if d.Type == abi.DialogTypeBeforeUnload && s.owns(d.tab.session) && s.lost == "" {
		s.settle(d.tab.session)
	}
	s.replyToAgent(d)
	s.do(Notify{Task: t.ID, Kind: NotifyDialogClosed, Dialog: d.Dialog})
	s.do(TellClosed{Until: s.askUntil(), Task: t.ID, Event: abi.DialogClosedEvent{
		Header:   abi.Header{TaskID: t.ID},
		DialogID: d.ID, Type: d.Type, ClosedBy: by, Accepted: d.Accepted, Text: d.Text,
		OpenNanos: d.ClosedAt.Sub(d.OpenedAt).Nanoseconds(),
	}})
	s.continueRemoval(t)
}

// handleParams encodes the answer for the browser. Without promptText an accepted prompt would return "".
func handleParams(d *dialog) *cdppage.HandleJavaScriptDialogParams {
	p := &cdppage.HandleJavaScriptDialogParams{Accept: d.answer.accept}
	if d.answer.accept && d.Type == abi.DialogTypePrompt {
		p.PromptText = d.answer.text
	}
	return p
}

// note changes the record of a dialog, in a copy.
func (d *dialog) note(change func(*DialogRecord)) {
	record := DialogRecord{}
	if d.Record != nil {
		record = *d.Record
	}
	change(&record)
	d.Record = &record
}

// noteVerdict records the outcome of an ask.
func (d *dialog) noteVerdict(e DialogVerdict, now time.Time) {
	d.note(func(r *DialogRecord) {
		r.DecidedAt, r.Calls = now, e.Calls
		if e.Event != nil {
			r.Event = e.Event
		}
		if e.Fault == "" && !e.Abstained {
			r.Verdict = &e.Verdict
		}
	})
}
