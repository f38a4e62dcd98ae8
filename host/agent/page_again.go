package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// After a restart of the browser the tab in use is empty. What a call would find there, or do, is nothing that anybody asked
// for: so the last good page is opened first, or the call fails.

// ErrNoPage says that the browser was restarted, that no page has been opened since, and that none is known to go back to.
var ErrNoPage = errors.New("there is no page")

// PageAgain is the key "returned_to" of a result: the browser had been restarted, and the last good page was opened again for
// the call.
type PageAgain struct {
	URL string `json:"url"`
	// HTTPStatus is that of the response; 0 where there was none.
	HTTPStatus int        `json:"http_status,omitempty"`
	Untrusted  *Untrusted `json:"untrusted"`
}

// text is what a model reads of it.
func (p PageAgain) text() string {
	text := "there was no page after the restart, so the last one was opened again first"
	if p.HTTPStatus >= 400 {
		text += fmt.Sprintf(" (the server answered %d)", p.HTTPStatus)
	}
	return text + "\n" + fence("returned to "+p.URL)
}

// onPage is tab for what works on a page: where a restart has left none, it goes back to the last good one. Of calls at the
// same time one does, and the others wait for it.
func (b *Browser) onPage(ctx context.Context, handle string) (string, error) {
	id, err := b.tab(handle)
	if err != nil || !b.pageless(id) {
		return id, err
	}
	select {
	case b.returning <- struct{}{}:
		defer func() { <-b.returning }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if !b.pageless(id) {
		return id, nil
	}
	last := b.task.LastAddress()
	if last == "" {
		return "", fmt.Errorf("%w: the browser was restarted, and no address is known to go back to: give one to browser_navigate", ErrNoPage)
	}
	loaded, err := b.load(ctx, last, id, "", Timeout{})
	var blocked *host.BlockedError
	if errors.As(err, &blocked) { // by a dialog of the page: that is there, and what was asked for has not begun
		b.again.Store(&PageAgain{URL: visible(last), Untrusted: &Untrusted{Fields: []string{"url"}}})
		return "", &host.BlockedError{Dialogs: blocked.Dialogs}
	}
	if err != nil {
		return "", fmt.Errorf("the browser was restarted, and on the way back to the last page, %s: %w", visible(last), err)
	}
	b.again.Store(&PageAgain{URL: loaded.URL, HTTPStatus: loaded.HTTPStatus, Untrusted: &Untrusted{Fields: []string{"url"}}})
	return id, nil
}

// pageless tells whether a tab is the one in use, and has had no page since the browser was restarted.
func (b *Browser) pageless(id string) bool {
	if b.task.Restarted() == nil || b.landed.Load() {
		return false
	}
	s := b.task.Snapshot()
	tab := s.Page()
	return tab != nil && id == s.TabInUse && (tab.URL == "" || tab.URL == "about:blank")
}

// open loads an address in a tab, where an agent then is.
func (b *Browser) open(ctx context.Context, url string, o host.LoadOptions) (host.Loaded, error) {
	loaded, err := b.task.Load(ctx, url, o)
	if err == nil || goesOn(err) != "" {
		b.landed.Store(true)
	}
	return loaded, err
}

// tellAgain adds to a result, once, that the last good page was opened again.
func (b *Browser) tellAgain(r Result) Result {
	again := b.again.Swap(nil)
	if again == nil {
		return r
	}
	r.Structured = maps.Clone(r.Structured) // it may be an embedder's own
	if r.Structured == nil {
		r.Structured = map[string]any{}
	}
	r.Structured["returned_to"] = *again
	r.Text = again.text() + "\n" + r.Text
	return r
}
