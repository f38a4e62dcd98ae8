package supervise_test

import (
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/sim"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

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

// bridgeActs stops a document for the bridge: mostly the script does, sometimes the page pretends, and sometimes somebody
// else resumes it.
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
		key := strconv.Itoa(w.nextKey - w.choose(2)) // sometimes the one that asked last asks once more
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

// bridgeAsked keeps what the bridge's module will say.
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

// readBridge is the module's parser. What is forged looks right but for its token.
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

// checkBridged holds a dialog to how it came.
func (w *world) checkBridged(d supervise.Dialog) {
	w.t.Helper()
	if bridged := strings.HasPrefix(d.Message, "message of"); bridged == (d.Via != "native") || d.Message == sim.Forged {
		w.fail("a dialog that came by %s says %q", d.Via, d.Message)
	}
}
