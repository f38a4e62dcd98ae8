package act

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

// Navigate loads an address in a tab of the task; an empty targetID means its first. It returns when the browser has
// committed the navigation, so that what follows meets the new document, not when the page has loaded. Errors:
// [fault.ErrNavigate] with the browser's net error (a dismissed beforeunload gives net::ERR_ABORTED), [*fault.NavigationDeniedError]
// where a plugin denied the address, or one that it redirects to, ErrRefused where its scheme is not allowed (see
// [engine.Options.AllowSchemes]), [*fault.BlockedError] as soon as a dialog holds the tab, ErrTargetCrashed, ErrTargetGone, ErrDisconnected,
// and the context's.
func (t *Task) Navigate(ctx context.Context, targetID, url string) error {
	if err := t.Rules.MayLoad(url); err != nil {
		return err
	}
	if err := t.noted(ctx, targetID, func(c *engine.Call, result any) error { return t.Do(ctx, c, result) }); err != nil {
		return err
	}
	denied := t.Snapshot().LastDenial()
	defer t.FreeToLeave(ctx, targetID, timeLeft(ctx, 0))()
	var result cdppage.NavigateResult
	navigate := &engine.Call{Method: cdppage.CommandNavigate, Params: &cdppage.NavigateParams{URL: url}, Call: schedule.Call{Tab: target.ID(targetID), Commits: true, Revives: true}}
	if err := t.Do(ctx, navigate, &result); err != nil {
		return addressError(err)
	}
	if d := t.Snapshot().DenialSince(denied, string(result.FrameID)); d != nil && result.ErrorText == engine.ErrorBlockedByClient {
		return &fault.NavigationDeniedError{Navigation: *d}
	}
	if result.ErrorText != "" {
		return fmt.Errorf("%w: %s", fault.ErrNavigate, result.ErrorText)
	}
	return nil
}
