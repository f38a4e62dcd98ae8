package host

import (
	"context"
	"fmt"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

// Navigate loads an address in a tab of the task; an empty targetID means its first. It returns when the browser has
// committed the navigation, so that what follows meets the new document, not when the page has loaded. Errors:
// [ErrNavigate] with the browser's net error (a dismissed beforeunload gives net::ERR_ABORTED), [*NavigationDeniedError]
// where a plugin denied the address, or one that it redirects to, ErrRefused where its scheme is not allowed (see
// [Options.AllowSchemes]), [*BlockedError] as soon as a dialog holds the tab, ErrTargetCrashed, ErrTargetGone, ErrDisconnected,
// and the context's.
func (t *actTask) Navigate(ctx context.Context, targetID, url string) error {
	if err := t.rules.mayLoad(url); err != nil {
		return err
	}
	if err := t.noted(ctx, targetID, func(c *call, result any) error { return t.do(ctx, c, result) }); err != nil {
		return err
	}
	denied := t.Snapshot().lastDenial()
	defer t.freeToLeave(ctx, targetID, timeLeft(ctx, 0))()
	var result cdppage.NavigateResult
	navigate := &call{method: cdppage.CommandNavigate, params: &cdppage.NavigateParams{URL: url}, Call: schedule.Call{Tab: target.ID(targetID), Commits: true, Revives: true}}
	if err := t.do(ctx, navigate, &result); err != nil {
		return addressError(err)
	}
	if d := t.Snapshot().denialSince(denied, string(result.FrameID)); d != nil && result.ErrorText == errBlockedByClient {
		return &NavigationDeniedError{Navigation: *d}
	}
	if result.ErrorText != "" {
		return fmt.Errorf("%w: %s", ErrNavigate, result.ErrorText)
	}
	return nil
}
