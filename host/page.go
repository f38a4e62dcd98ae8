package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Navigate loads an address in a tab of the task; an empty targetID means its first. It returns when the browser has
// committed the navigation, so that what follows meets the new document, not when the page has loaded. Errors:
// [ErrNavigate] with the browser's net error (a dismissed beforeunload gives net::ERR_ABORTED), [*BlockedError] as soon as
// a dialog holds the tab, ErrTargetCrashed, ErrTargetGone, ErrDisconnected, and the context's.
func (t *Task) Navigate(ctx context.Context, targetID, url string) error {
	// A renderer announces its new document before the browser process has taken note of it, and a navigation that starts
	// in between is aborted. One round trip to the browser process is long enough; that it refuses the command while a page
	// is being replaced is of no interest.
	roundTrip := &call{target: targetID, method: page.CommandGetNavigationHistory, revives: true}
	if err := t.do(ctx, roundTrip, nil); err != nil && !errors.Is(err, ErrProtocol) {
		return err
	}
	var result page.NavigateResult
	navigate := &call{target: targetID, method: page.CommandNavigate, params: &page.NavigateParams{URL: url}, awaitsCommit: true, revives: true}
	if err := t.do(ctx, navigate, &result); err != nil {
		return err
	}
	if result.ErrorText != "" {
		return fmt.Errorf("%w: %s", ErrNavigate, result.ErrorText)
	}
	return nil
}

// EvaluateOptions says how an expression is evaluated. The zero value works.
type EvaluateOptions struct {
	// TargetID is the tab; empty: the task's first.
	TargetID string
	// UserGesture makes the page believe that a person acted, which beforeunload dialogs and popups need.
	UserGesture bool
	// AwaitPromise waits for a promise that the expression returns.
	AwaitPromise bool
}

// Evaluate runs a JavaScript expression in the top frame of a tab and returns its value as JSON; nil for undefined. It
// ends at once with a [*BlockedError] when a dialog holds the tab: the expression goes on in the page and is not run again.
// Other errors: [*EvaluateError] for an exception, ErrProtocol, ErrTargetCrashed, ErrTargetGone, ErrDisconnected, and the
// context's.
func (t *Task) Evaluate(ctx context.Context, expression string, o EvaluateOptions) ([]byte, error) {
	var result runtime.EvaluateResult
	byValue := true
	err := t.call(ctx, o.TargetID, runtime.CommandEvaluate, &runtime.EvaluateParams{
		Expression: expression, ReturnByValue: &byValue, UserGesture: &o.UserGesture, AwaitPromise: &o.AwaitPromise,
	}, &result)
	if err != nil {
		return nil, err
	}
	if result.ExceptionDetails != nil {
		return nil, &EvaluateError{Exception: cut(exceptionText(result.ExceptionDetails))}
	}
	if result.Result == nil {
		return nil, nil
	}
	return result.Result.Value, nil
}
