package engine

import (
	"errors"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// hooksChanged is an item of a link's inbox: other modules may be in service. Its owner looks for itself, so that the last
// of several changes counts whatever their order.
type hooksChanged struct{}

// HooksChanged tells every connection that other modules are in service. It is called after they are.
func (g *Group) HooksChanged() {
	_, live := g.tallies.now()
	for _, l := range live {
		l.inbox.put(hooksChanged{})
	}
}

// learnHooks has navigations intercepted while a module serves the hook.
func (l *Link) learnHooks() {
	l.apply(supervise.HooksChanged{Navigate: l.group.plugins.Serves(abi.HookNavigate)})
}

var errUnknownNavigateAction = errors.New("the verdict's action is none of allow, deny, rewrite")

// askNavigate asks the navigate hook.
func (l *Link) askNavigate(e supervise.AskNavigate) {
	v := supervise.NavigateVerdict{Token: e.Token}
	decode := func(b []byte) error {
		if err := v.Verdict.Unmarshal(b); err != nil {
			return err
		}
		if a := v.Verdict.Action; a < abi.NavigateActionAllow || a > abi.NavigateActionRewrite {
			return errUnknownNavigateAction
		}
		return nil
	}
	q := lifecycle.Question{Hook: abi.HookNavigate, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decode}
	l.ask(e.Token, e.Until, q, func(out Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = !out.Decided && out.Fault == "", out.Fault, out.provenance
		return v
	})
}

// logDenial names no address and no reason: both may repeat what a page said.
func (l *Link) logDenial(e supervise.Notify) {
	d, by := e.Denial, e.Denial.Decision
	l.Log.Info("navigation denied", "task", e.Task, "target", d.Target, "frame", d.Frame, "module", by.Module, "sha256", by.SHA256,
		"call", by.Sequence, "rule", by.Rule, "failed_closed", d.FailedClosed)
}
