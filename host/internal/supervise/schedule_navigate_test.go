package supervise_test

import (
	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// navigationActs begins a navigation that is intercepted, gives a verdict, or takes the module in or out of service.
func (w *world) navigationActs() {
	w.t.Helper()
	switch {
	case w.chance(8):
		w.guarding = !w.guarding
		w.apply(supervise.HooksChanged{Navigate: w.guarding})
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
	w.decided[ask.Event.URL] = abi.NavigateActionUnspecified
	switch w.choose(8) {
	case 0:
		v.Fault = "it trapped"
	case 1:
		v.Abstained = true
		w.decided[ask.Event.URL] = abi.NavigateActionAllow
	case 2:
		v.Verdict.Action = abi.NavigateAction(9)
	case 3:
		v.Verdict.Action, v.Verdict.URL = abi.NavigateActionRewrite, "not an address"
	case 4:
		v.Verdict.Action, v.Verdict.URL = abi.NavigateActionRewrite, "https://elsewhere/"
		w.decided[ask.Event.URL] = abi.NavigateActionRewrite
	case 5, 6:
		v.Verdict.Action = abi.NavigateActionDeny
		w.decided[ask.Event.URL] = abi.NavigateActionDeny
	default:
		v.Verdict.Action = abi.NavigateActionAllow
		w.decided[ask.Event.URL] = abi.NavigateActionAllow
	}
	w.apply(v)
}

// checkNavigation holds the rule that no navigation goes on against its verdict, or without one where the host denies then.
func (w *world) checkNavigation(e supervise.Send) {
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
