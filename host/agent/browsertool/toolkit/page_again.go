package toolkit

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// After a restart of the browser the tab in use is empty, and acting on or reading an empty page helps nobody. So the
// last good page is opened first, or the call fails.

// PageAgain is the key "returned_to" of a result: the browser had been restarted, so the last good page was opened
// again for the call.
type PageAgain struct {
	URL string `json:"url"`
	// HTTPStatus is that of the response; 0 if there was none.
	HTTPStatus int               `json:"http_status,omitempty"`
	Untrusted  *result.Untrusted `json:"untrusted"`
}

// text is what a model reads.
func (p PageAgain) text() string {
	text := "there was no page after the restart, so the last one was opened again"
	if p.HTTPStatus >= 400 {
		text += fmt.Sprintf(" (the server answered %d)", p.HTTPStatus)
	}
	return text + "\n" + result.Fence("returned to "+p.URL)
}

// OnPage is [Kit.Tab] for tools that work on a page: if a restart left the tab empty, it first returns to the last good
// page. Of concurrent calls, one does so and the others wait for it.
func (k *Kit) OnPage(ctx context.Context, handle string) (string, error) {
	id, err := k.Tab(handle)
	if err != nil || !k.pageless(id) {
		return id, err
	}
	select {
	case k.returning <- struct{}{}:
		defer func() { <-k.returning }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if !k.pageless(id) {
		return id, nil
	}
	last := k.Task.LastURL()
	if last == "" {
		return "", fmt.Errorf("%w: the browser was restarted and no last page is known: %s", fault.ErrNoPage, result.OfferedIn(ctx).Advice(
			"call browser_navigate with a URL", "open one with browser_tabs", "open one with goto of browser_interact", "nothing here opens one"))
	}
	loaded, err := k.Load(ctx, last, id, "", Timeout{})
	var blocked *host.BlockedError
	if errors.As(err, &blocked) { // a dialog of the page: the page is there, but the requested call has not begun
		k.again.Store(&PageAgain{URL: result.Visible(last), Untrusted: &result.Untrusted{Fields: []string{"url"}}})
		return "", &host.BlockedError{Dialogs: blocked.Dialogs}
	}
	if err != nil {
		return "", fmt.Errorf("the browser was restarted, and the last page could not be opened again, %s: %w", result.Visible(last), err)
	}
	k.again.Store(&PageAgain{URL: loaded.URL, HTTPStatus: loaded.HTTPStatus, Untrusted: &result.Untrusted{Fields: []string{"url"}}})
	return id, nil
}

// pageless reports whether a tab is the one in use and has had no page since the browser was restarted.
func (k *Kit) pageless(id string) bool {
	if k.Task.Restarted() == nil || k.landed.Load() {
		return false
	}
	s := k.Task.Snapshot()
	tab := s.Page()
	return tab != nil && id == s.TabInUse && (tab.URL == "" || tab.URL == "about:blank")
}

// tellAgain adds to one result that the last good page was opened again.
func (k *Kit) tellAgain(r result.Result) result.Result {
	again := k.again.Swap(nil)
	if again == nil {
		return r
	}
	r = r.With("returned_to", *again)
	r.Text = again.text() + "\n" + r.Text
	return r
}
