package engine

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// checkAddress looks at the address that a request leads to. What is known needs no look, and so no goroutine.
func (l *Link) checkAddress(e supervise.CheckAddress) {
	t := l.tasks[e.Task]
	if t == nil || t.Checker == nil {
		return
	}
	if refusal, known := t.Checker.Known(e.URL); known {
		l.inbox.put(addressChecked(e.Token, refusal))
		return
	}
	ctx, cancel := context.WithDeadline(l.ctx, e.Until)
	l.asks[e.Token] = cancel
	l.work.Go(func() {
		defer cancel()
		l.inbox.put(addressChecked(e.Token, t.Checker.Check(ctx, e.URL)))
	})
}

func addressChecked(token supervise.Token, refusal *fault.NetworkRefusedError) supervise.AddressChecked {
	if refusal == nil {
		return supervise.AddressChecked{Token: token}
	}
	return supervise.AddressChecked{
		Token: token, Text: refusal.Error(), Refused: &supervise.Refusal{Host: refusal.Host, Address: refusal.Address, Class: refusal.Class},
	}
}
