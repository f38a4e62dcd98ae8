package act

import (
	"context"
	"errors"
	"fmt"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Isolated calls a function of the host's own with texts, in an isolated world of the tab's top frame, which the page
// cannot reach into. It must not run handlers of the page.
func (p *Pages) Isolated(ctx context.Context, tab, function string, arguments []any, result any) error {
	_, err := p.onPage(ctx, tab, func(d *driver) (any, error) {
		return nil, d.Run(cdproto.FrameID(tab), 0, function, arguments, result)
	})
	if blocked := (*view.BlockedError)(nil); errors.As(err, &blocked) {
		return &view.BlockedError{Dialogs: blocked.Dialogs} // what it returns is for the host alone: nobody resumes it
	}
	if thrown := (*fault.EvaluateError)(nil); errors.As(err, &thrown) {
		says, _, _ := strings.Cut(thrown.Exception, "\n")
		return fmt.Errorf("%w: %s", fault.ErrFailed, says)
	}
	return err
}
