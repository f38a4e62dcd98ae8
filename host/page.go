package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/page"
)

// Navigate loads an address in a tab of the task; an empty targetID means its first. It returns when the browser has
// committed the navigation, so that what follows meets the new document, not when the page has loaded. Errors:
// [ErrNavigate] with the browser's net error (a dismissed beforeunload gives net::ERR_ABORTED), [*NavigationDeniedError]
// where a plugin denied the address, or one that it redirects to, [*BlockedError] as soon as a dialog holds the tab, ErrTargetCrashed, ErrTargetGone, ErrDisconnected, and the context's.
func (t *Task) Navigate(ctx context.Context, targetID, url string) error {
	if t.link.host.options.EvaluateDisabled && !plainAddress(url) {
		return fmt.Errorf("%w: the address is neither http:, https:, file: nor about:blank", ErrEvaluateDisabled)
	}
	// A renderer announces its new document before the browser process has taken note of it, and a navigation that starts
	// in between is aborted. One round trip to the browser process is long enough; that it refuses the command while a page
	// is being replaced is of no interest.
	roundTrip := &call{target: targetID, method: page.CommandGetNavigationHistory, revives: true}
	if err := t.do(ctx, roundTrip, nil); err != nil && !errors.Is(err, ErrProtocol) {
		return err
	}
	denied := t.Snapshot().lastDenial()
	var result page.NavigateResult
	navigate := &call{target: targetID, method: page.CommandNavigate, params: &page.NavigateParams{URL: url}, awaitsCommit: true, revives: true}
	if err := t.do(ctx, navigate, &result); err != nil {
		return err
	}
	if d := t.Snapshot().denialSince(denied, string(result.FrameID)); d != nil && result.ErrorText == errBlockedByClient {
		return &NavigationDeniedError{Navigation: *d}
	}
	if result.ErrorText != "" {
		return fmt.Errorf("%w: %s", ErrNavigate, result.ErrorText)
	}
	return nil
}
