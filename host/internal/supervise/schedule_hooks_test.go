package supervise_test

import (
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/sim"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// pluginActs gives a verdict on any ask in flight, so verdicts overtake each other, or a second verdict on an old one.
func (w *world) pluginActs() {
	if w.chance(6) {
		if token, ok := pick(w, w.used); ok {
			before := w.state.Counters().VerdictsDropped
			if w.choose(2) == 1 {
				w.apply(supervise.DialogVerdict{Token: token, Verdict: abi.DialogVerdict{Action: abi.DialogActionAccept}})
			} else {
				w.apply(supervise.FramesVerdict{Token: token, Verdict: abi.FramesVerdict{Kept: []uint32{0}}})
			}
			if w.state.Counters().VerdictsDropped != before+1 {
				w.fail("a verdict that came a second time was not dropped and counted")
			}
		}
		return
	}
	if len(w.bridgeAsks) > 0 && w.choose(2) == 1 {
		w.bridgeVerdict()
	} else if len(w.dialogAsks) > 0 && w.choose(2) == 1 {
		w.answerDialogAsk(w.choose(len(w.dialogAsks)))
	} else if len(w.framesAsks) > 0 {
		w.answerFramesAsk(w.choose(len(w.framesAsks)))
	}
}

func (w *world) answerDialogAsk(i int) {
	ask := w.dialogAsks[i]
	w.dialogAsks = append(w.dialogAsks[:i:i], w.dialogAsks[i+1:]...)
	w.used = append(w.used, ask.Token)
	v := supervise.DialogVerdict{Token: ask.Token}
	switch w.choose(7) {
	case 0:
		v.Fault = "it trapped"
	case 1:
		v.Abstained = true
	case 2:
		v.Verdict.Action = abi.DialogAction(9)
	case 3:
		v.Verdict.Action, v.Verdict.TimeoutMs = abi.DialogActionHold, []int64{0, -5, 1, 20_000, 1 << 62}[w.choose(5)]
	case 4:
		v.Verdict.Action = abi.DialogActionDismiss
	default:
		v.Verdict.Action, v.Verdict.HasText, v.Verdict.Text = abi.DialogActionAccept, w.choose(2) == 1, "the plugin's text"
	}
	dialog, wasOpen := w.pendingDialog(ask.Task, ask.Event.DialogID)
	before := w.state.Counters()
	w.apply(v)
	if after := w.state.Counters(); !wasOpen && after.VerdictsDropped != before.VerdictsDropped+1 {
		w.fail("the verdict on %s, which is closed or being answered, was not dropped and counted: %+v", ask.Event.DialogID, dialog)
	}
}

func (w *world) pendingDialog(task, id string) (supervise.Dialog, bool) {
	v, _ := w.state.View(task)
	for _, d := range v.Pending {
		if d.ID == id {
			return d, d.Phase == supervise.PhasePending
		}
	}
	return supervise.Dialog{}, false
}

func (w *world) answerFramesAsk(i int) {
	ask := w.framesAsks[i]
	w.framesAsks = append(w.framesAsks[:i:i], w.framesAsks[i+1:]...)
	w.used = append(w.used, ask.Token)
	v := supervise.FramesVerdict{Token: ask.Token, Provenance: supervise.Provenance{Module: "filter"}}
	n := uint32(len(ask.Event.Frames))
	switch w.choose(6) {
	case 0:
		v.Fault = "it trapped"
	case 1:
		v.Abstained = true
	case 2:
		v.Verdict.Kept = []uint32{n}
	case 3:
		v.Verdict.Kept = []uint32{0, 0}
	default:
		for k := range n {
			if w.choose(2) == 1 {
				v.Verdict.Kept = append(v.Verdict.Kept, k)
			}
		}
	}
	w.apply(v)
}

// The tokens of every task of a schedule.
const (
	pauseToken   = "the pause token"
	requestToken = "the request token"
)

// bridgeOf gives a task the settings of the dialog bridge.
func (w *world) bridgeOf(settings *supervise.TaskSettings) {
	settings.Bridge = supervise.BridgeMode(w.choose(3))
	settings.PauseToken, settings.RequestToken = pauseToken, requestToken
}

// bridgeActs stops a document for the bridge: usually the script does, sometimes the page forges a stop, and sometimes
// another client resumes it.
func (w *world) bridgeActs() {
	t, ok := pick(w, w.browser.Tabs())
	if !ok || w.browser.Dead() != "" {
		return
	}
	f, _ := pick(w, t.Frames())
	via := abi.BridgeVia(1 + w.choose(2))
	switch {
	case w.chance(6):
		w.browser.ResumeElsewhere()
	case w.chance(6):
		f.Sandboxed = !f.Sandboxed
	case w.browser.CanAsk(f, via):
		w.nextKey++
		key := strconv.Itoa(w.nextKey - w.choose(2)) // sometimes the one that asked last asks again
		w.browser.Ask(f, via, abi.DialogType(1+w.choose(3)), key, w.chance(4))
	}
}

// bridgeVerdict answers one of the asks of the bridge in flight.
func (w *world) bridgeVerdict() {
	i := w.choose(len(w.bridgeAsks))
	v := w.bridgeAsks[i]
	w.bridgeAsks = append(w.bridgeAsks[:i:i], w.bridgeAsks[i+1:]...)
	switch w.choose(10) {
	case 0:
		v = supervise.BridgeVerdict{Token: v.Token, Fault: "it trapped"}
	case 1:
		v = supervise.BridgeVerdict{Token: v.Token, Abstained: true}
	}
	w.used = append(w.used, v.Token)
	w.apply(v)
}

// bridgeAsked stores what the bridge's module will answer.
func (w *world) bridgeAsked(effect supervise.Effect) {
	w.t.Helper()
	v := supervise.BridgeVerdict{}
	switch e := effect.(type) {
	case supervise.AskBridgeScript:
		w.asked(e.Token, e.Until)
		if e.Event.PauseToken != pauseToken || e.Event.RequestToken != requestToken {
			w.fail("the script was asked for with the tokens %q and %q", e.Event.PauseToken, e.Event.RequestToken)
		}
		v.Token = e.Token
		v.Script = abi.BridgeScript{Source: "script", SourceURL: "shim.js", PauseExpression: sim.PauseExpression, RequestPatterns: []string{"*"}}
	case supervise.AskBridgeRequest:
		w.asked(e.Token, e.Until)
		v.Token, v.Request = e.Token, readBridge(e.Event)
	case supervise.AskBridgeReply:
		w.asked(e.Token, e.Until)
		if !strings.HasPrefix(e.Event.Payload, sim.Genuine) {
			w.fail("the words of an answer to %q were asked for", e.Event.Payload)
		}
		v.Token, v.Reply = e.Token, abi.BridgeReply{Expression: "the answer", Status: 200}
	}
	w.bridgeAsks = append(w.bridgeAsks, v)
}

// readBridge is the module's parser. A forged stop looks right except for its token.
func readBridge(e abi.BridgeRequestEvent) abi.BridgeRequest {
	rest, genuine := strings.CutPrefix(e.Payload, sim.Genuine)
	if !genuine {
		return abi.BridgeRequest{Token: "guessed", Type: abi.DialogTypeAlert, Message: sim.Forged}
	}
	kind, key, _ := strings.Cut(rest, " ")
	r := abi.BridgeRequest{Token: pauseToken, Message: rest, Key: key}
	if e.Via == abi.BridgeViaRequest {
		r.Token = requestToken
	}
	for t := abi.DialogTypeAlert; t <= abi.DialogTypePrompt; t++ {
		if t.String() == kind {
			r.Type = t
		}
	}
	return r
}

// checkBridged checks that a dialog matches the stop that it came from.
func (w *world) checkBridged(d supervise.Dialog) {
	w.t.Helper()
	if bridged := strings.HasPrefix(d.Message, "message of"); bridged == (d.Via != "native") || d.Message == sim.Forged {
		w.fail("a dialog that came by %s says %q", d.Via, d.Message)
	}
}

// navigationActs starts a navigation that is intercepted, gives a verdict, or adds or removes the module.
func (w *world) navigationActs() {
	w.t.Helper()
	switch {
	case w.chance(8):
		w.guarding = w.choose(2) == 1
		w.sifting = w.choose(2) == 1
		w.apply(supervise.HooksChanged{Navigate: w.guarding, Request: w.sifting})
	case len(w.requestAsks) > 0 && w.choose(2) == 1:
		w.requestVerdict(w.choose(len(w.requestAsks)))
	case len(w.navigateAsks) > 0 && w.choose(2) == 1:
		w.navigateVerdict(w.choose(len(w.navigateAsks)))
	default:
		t, ok := pick(w, w.browser.Tabs())
		if !ok || w.browser.Dead() != "" {
			return
		}
		f, _ := pick(w, t.Frames())
		site, _ := pick(w, sites)
		if w.browser.CanRequest(f) {
			w.browser.Request(f, site)
		}
	}
}

// navigateVerdict answers one of the asks in flight.
func (w *world) navigateVerdict(i int) {
	w.t.Helper()
	ask := w.navigateAsks[i]
	w.navigateAsks = append(w.navigateAsks[:i:i], w.navigateAsks[i+1:]...)
	w.used = append(w.used, ask.Token)
	v := supervise.NavigateVerdict{Token: ask.Token}
	decided := abi.NavigateActionUnspecified
	switch w.choose(8) {
	case 0:
		v.Fault = "it trapped"
	case 1:
		v.Abstained = true
		decided = abi.NavigateActionAllow
	case 2:
		v.Verdict.Action = abi.NavigateAction(9)
	case 3:
		v.Verdict.Action, v.Verdict.URL = abi.NavigateActionRewrite, "not an address"
	case 4:
		v.Verdict.Action, v.Verdict.URL = abi.NavigateActionRewrite, "https://elsewhere/"
		decided = abi.NavigateActionRewrite
	case 5, 6:
		v.Verdict.Action = abi.NavigateActionDeny
		decided = abi.NavigateActionDeny
	default:
		v.Verdict.Action = abi.NavigateActionAllow
		decided = abi.NavigateActionAllow
	}
	if w.awaited[ask.Token] { // what was withdrawn decides nothing
		w.decided[ask.Event.URL] = decided
	}
	w.apply(v)
}

// requestVerdict answers one of the asks in flight.
func (w *world) requestVerdict(i int) {
	w.t.Helper()
	ask := w.requestAsks[i]
	w.requestAsks = append(w.requestAsks[:i:i], w.requestAsks[i+1:]...)
	w.used = append(w.used, ask.Token)
	v := supervise.RequestVerdict{Token: ask.Token}
	decided := abi.RequestActionUnspecified
	switch w.choose(6) {
	case 0:
		v.Fault = "it trapped"
	case 1:
		v.Abstained = true
		decided = abi.RequestActionAllow
	case 2:
		v.Verdict.Action = abi.RequestAction(9)
	case 3:
		v.Verdict.Action = abi.RequestActionBlock
		decided = abi.RequestActionBlock
	case 4:
		v.Verdict.Action = abi.RequestActionAbort
		decided = abi.RequestActionAbort
	default:
		v.Verdict.Action = abi.RequestActionAllow
		decided = abi.RequestActionAllow
	}
	if w.awaited[ask.Token] {
		w.sifted[ask.Event.URL] = decided
	}
	w.apply(v)
}

// checkRequest checks that no request continues against its verdict, or without one if the host blocks those.
func (w *world) checkRequest(e supervise.SendCommand) {
	w.t.Helper()
	p, ok := e.Params.(*fetch.ContinueRequestParams)
	if !ok {
		return
	}
	address, ok := w.browser.Document(p.RequestID)
	if !ok {
		return
	}
	switch verdict := w.sifted[address]; {
	case verdict == abi.RequestActionBlock || verdict == abi.RequestActionAbort:
		w.fail("the request for %s goes on against its verdict %v", address, verdict)
	case w.sifting && w.config.RequestFailClosed && verdict != abi.RequestActionAllow:
		w.fail("the request for %s goes on without a verdict", address)
	}
}

// checkNavigation checks that no navigation continues against its verdict, or without one if the host denies those.
func (w *world) checkNavigation(e supervise.SendCommand) {
	w.t.Helper()
	p, ok := e.Params.(*fetch.ContinueRequestParams)
	if !ok {
		return
	}
	address, ok := w.browser.Document(p.RequestID)
	if !ok {
		return
	}
	verdict, decided := w.decided[address]
	switch {
	case verdict == abi.NavigateActionDeny || verdict == abi.NavigateActionRewrite:
		w.fail("the navigation to %s goes on against its verdict %v", address, verdict)
	case w.guarding && w.config.NavigateFailClosed && verdict != abi.NavigateActionAllow:
		w.fail("the navigation to %s goes on without a verdict (asked and answered: %t)", address, decided)
	}
}
