package move

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/look"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// NavigateParams are the parameters of browser_navigate.
type NavigateParams struct {
	// URL is the page to load; empty: the last good one, see [host.Task.LastURL].
	URL string `json:"url,omitempty" doc:"default: the last good page"`
	// WaitUntil is the state to wait for: commit, domcontentloaded, load or networkidle; empty: load, but not for long.
	WaitUntil string `json:"wait_until,omitempty" enum:"commit,domcontentloaded,load,networkidle"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Timeout
}

// NavigateResult is the result of browser_navigate.
type NavigateResult struct {
	look.Reading
	// HTTPStatus is that of the response; 0 if there was none.
	HTTPStatus int `json:"http_status,omitempty"`
	// PendingDialogs hold the page.
	PendingDialogs []result.DialogInfo `json:"pending_dialogs,omitempty" schema:"-"`
	// Warnings say what is unusual about the page.
	Warnings  []string          `json:"warnings,omitempty"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Navigate loads a URL and reads the page. Errors are those of [host.Tab.Navigate] and [host.Tab.Read].
func (k *Kit) Navigate(ctx context.Context, p NavigateParams) (NavigateResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, err := k.Tab(p.Tab)
	if err != nil {
		return NavigateResult{}, err
	}
	url, err := k.Address(ctx, p.URL)
	if err != nil {
		return NavigateResult{}, err
	}
	loaded, err := k.Open(ctx, tab, url, toolkit.NavigateOptions(p.WaitUntil))
	return toolkit.Then(ctx, k.Kit, loaded, err, func(ctx context.Context, loaded host.Document) (NavigateResult, error) {
		within, cancel := context.WithTimeout(ctx, k.Options.Timeout)
		defer cancel()
		r, err := k.Task.Tab(tab).Read(within, &host.ReadOptions{AwaitContent: maxBlank})
		if err != nil {
			return NavigateResult{}, err
		}
		return navigated(loaded, r), nil
	})
}

// maxBlank is how long a new page may be blank before it is read: those that scripts make are when they have loaded.
const maxBlank = 2 * time.Second

func navigated(loaded host.Document, r *host.Reading) NavigateResult {
	out := NavigateResult{
		Reading: look.ReadingOf(r), HTTPStatus: loaded.HTTPStatus,
		Untrusted: &result.Untrusted{Origin: r.Origin, Fields: []string{"snapshot", "title", "url"}},
	}
	if loaded.Title != "" { // the browser reports it later
		out.Title = result.Visible(loaded.Title)
	}
	if loaded.HTTPStatus >= 400 {
		out.Warnings = append(out.Warnings, fmt.Sprintf("the server answered %d", loaded.HTTPStatus))
	}
	if unfinished := toolkit.Unfinished(loaded); unfinished != "" {
		out.Warnings = append(out.Warnings, unfinished)
	}
	if note := loaded.Note(); note != "" {
		out.Warnings = append(out.Warnings, note)
	}
	out.Warnings = append(out.Warnings, look.FilteredLines(r.Frames)...) // of the others the snapshot says what they are
	switch {
	case len(r.PendingDialogs) > 0:
		out.PendingDialogs = result.Dialogs(r.PendingDialogs)
		out.Untrusted.Fields = append(out.Untrusted.Fields, "pending_dialogs")
	case r.Stale:
		out.Warnings = append(out.Warnings, "the page does not answer now; this is the last known state")
	}
	return out
}

func (r NavigateResult) Counted() result.Counted {
	return result.CountFallbacks(r.Stale, look.Unread(r.Frames))
}

// Guidance says what to do about a dialog.
func (r NavigateResult) Guidance(tools result.Offered) []string {
	if len(r.PendingDialogs) == 0 {
		return nil
	}
	return []string{tools.Advice("answer with browser_dialog", "the page waits until somebody has answered")}
}

// Text returns the dialogs that hold the page and the warnings, then the page.
func (r NavigateResult) Text() string {
	lines := result.InfoLines(r.PendingDialogs)
	for _, w := range r.Warnings {
		lines = append(lines, "warning: "+w)
	}
	return strings.Join(append(lines, r.Reading.Lines()...), "\n")
}

// HistoryParams are the parameters of browser_back, browser_forward and browser_reload.
type HistoryParams struct {
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Observing
	toolkit.Timeout `list:"no"`
}

// HistoryResult is the result of browser_back, browser_forward and browser_reload.
type HistoryResult struct {
	// URL and Title are those of the tab afterwards.
	URL   string `json:"url"`
	Title string `json:"title" schema:"-"`
	toolkit.Outcome
}

// Back goes back in the history of a tab. Errors are those of [host.Tab.Back].
func (k *Kit) Back(ctx context.Context, p HistoryParams) (HistoryResult, error) {
	return k.history(ctx, p, host.Tab.Back)
}

// Forward goes forward in the history of a tab. Errors are those of [host.Tab.Forward].
func (k *Kit) Forward(ctx context.Context, p HistoryParams) (HistoryResult, error) {
	return k.history(ctx, p, host.Tab.Forward)
}

// Reload reloads the page of a tab. Errors are those of [host.Tab.Reload].
func (k *Kit) Reload(ctx context.Context, p HistoryParams) (HistoryResult, error) {
	within, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	if _, err := k.OnPage(within, p.Tab); err != nil { // reloading the empty page makes no sense
		return HistoryResult{}, err
	}
	return k.history(within, p, host.Tab.Reload)
}

func (k *Kit) history(ctx context.Context, p HistoryParams, move func(host.Tab, context.Context) (host.ActionResult, error)) (HistoryResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, err := k.Tab(p.Tab)
	if err != nil {
		return HistoryResult{}, err
	}
	acted, err := move(k.Task.Tab(tab), ctx)
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (HistoryResult, error) {
		out := HistoryResult{Outcome: k.Outcome(ctx, toolkit.Target{Tab: p.Tab}, p.Observing, a, "url", "title")}
		out.URL, out.Title = k.whereabouts(tab)
		if l := a.Document; l != nil {
			out.URL, out.Title = result.Visible(l.URL), result.Visible(l.Title)
		}
		return out, nil
	})
}

// whereabouts returns the URL and the title of a tab; an empty id is the tab in use.
func (k *Kit) whereabouts(tab string) (url, title string) {
	s := k.Task.Snapshot()
	t := s.Page()
	if tab != "" {
		t = s.Target(tab)
	}
	if t == nil {
		return "", ""
	}
	return result.Visible(t.URL), result.Visible(t.Title)
}

// Text returns the URL and the title, then what the navigation caused.
func (r HistoryResult) Text() string {
	o := r.Outcome
	o.Navigated = "" // the URL says it
	return o.TextAfter("now at " + r.URL + " " + pagetext.QuoteShown(r.Title))
}
