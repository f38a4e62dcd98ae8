package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	protocol "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// Load loads an address in a tab and waits until the document is as far as LoadOptions.WaitUntil says. Errors: those of
// [Task.Navigate]; where a beforeunload dialog was dismissed, or the address is a download, the ErrNavigate says so. A
// [*BlockedError] has the CallID by which [Task.Resume] gives the [Loaded] later.
func (t *Task) Load(ctx context.Context, url string, o LoadOptions) (Loaded, error) {
	if t.link.host.options.EvaluateDisabled && !plainAddress(url) {
		return Loaded{}, fmt.Errorf("%w: the address is neither http:, https:, file: nor about:blank", ErrEvaluateDisabled)
	}
	if !slices.Contains([]WaitUntil{"", WaitCommit, WaitDOMContentLoaded, WaitLoad, WaitNetworkIdle}, o.WaitUntil) {
		return Loaded{}, fmt.Errorf("%w: there is no wait_until %q: commit, domcontentloaded, load or networkidle", ErrBadCall, o.WaitUntil)
	}
	tab, err := t.targetOf(o.TargetID)
	if err != nil {
		return Loaded{}, err
	}
	value, err := t.onPage(ctx, o.Timeout, tab, func(d page.Driver) (any, error) {
		a := &action{task: t, d: d.(*tabDriver), name: "navigation", before: t.Snapshot()}
		return a.load(url, o.WaitUntil)
	})
	loaded, _ := value.(Loaded)
	return loaded, err
}

func (a *action) load(url string, until WaitUntil) (Loaded, error) {
	var stop func()
	a.d.watch, stop = a.task.watchTab(a.d.tab)
	defer stop()
	result, err := a.navigate(url)
	if err != nil {
		return Loaded{}, err
	}
	if err := a.awaitDocument(until, result); err != nil {
		return Loaded{}, err
	}
	return a.loaded()
}

// navigate is [Task.Navigate] within an operation.
func (a *action) navigate(url string) (*protocol.NavigateResult, error) {
	// See Task.Navigate for the round trip.
	ready := &call{target: string(a.d.tab), method: protocol.CommandGetNavigationHistory, revives: true}
	if err := a.d.op.do(ready, nil); err != nil && !errors.Is(err, ErrProtocol) {
		return nil, err
	}
	denied := a.task.Snapshot().lastDenial()
	var result protocol.NavigateResult
	navigate := &call{
		target: string(a.d.tab), method: protocol.CommandNavigate, params: &protocol.NavigateParams{URL: url},
		awaitsCommit: true, revives: true, begins: true,
	}
	if err := a.d.op.do(navigate, &result); err != nil {
		return nil, err
	}
	if d := a.task.Snapshot().denialSince(denied, string(result.FrameID)); d != nil && result.ErrorText == errBlockedByClient {
		return nil, &NavigationDeniedError{Navigation: *d}
	}
	if result.ErrorText != "" {
		return nil, a.notLoaded(result.ErrorText)
	}
	return &result, nil
}

// notLoaded says why an address was not loaded, where more is known than the browser's error.
func (a *action) notLoaded(reason string) error {
	if err := a.roundTrip(); err != nil { // what led to it is told after it
		return err
	}
	if why := a.stayed(); why != "" {
		return fmt.Errorf("%w: %s: %s", ErrNavigate, reason, why)
	}
	var began []watchedDownload
	a.d.watch.look(func(w *pageWatch) { began = slices.Clone(w.downloads) })
	if len(began) > 0 {
		return fmt.Errorf("%w: %s: the address is a download of %q, and no page", ErrNavigate, reason, began[0].Name)
	}
	return fmt.Errorf("%w: %s", ErrNavigate, reason)
}

// awaitState waits until a document is complete, or with interactive until its tree is.
const awaitState = `(interactive) => new Promise(done => {
	const look = () => {
		if (document.readyState === "complete" || interactive && document.readyState === "interactive") done(null);
	};
	document.addEventListener("readystatechange", look);
	look();
})`

// awaitDocument waits until a document is as far as it should be.
func (a *action) awaitDocument(until WaitUntil, result *protocol.NavigateResult) error {
	switch {
	case until == WaitCommit || result.LoaderID == "": // of a navigation within the document
		return nil
	case until == WaitNetworkIdle:
		return a.awaitIdle(result)
	}
	return a.d.Run("", 0, awaitState, []any{until == WaitDOMContentLoaded}, nil)
}

// awaitIdle waits until the document has asked the network for nothing for half a second. The browser tells what has been
// reached already when it is asked to tell.
func (a *action) awaitIdle(result *protocol.NavigateResult) error {
	if err := a.d.Read("", protocol.CommandSetLifecycleEventsEnabled, &protocol.SetLifecycleEventsEnabledParams{Enabled: true}, nil); err != nil {
		return err
	}
	err := a.until(noLimit, func(w *pageWatch) bool {
		return w.idle[result.LoaderID] || w.loader != "" && w.loader != result.LoaderID
	})
	off := a.d.Read("", protocol.CommandSetLifecycleEventsEnabled, &protocol.SetLifecycleEventsEnabledParams{}, nil)
	return errors.Join(err, off)
}

// noLimit is longer than any operation.
const noLimit = 24 * time.Hour

// documentSays is what a document knows of itself.
const documentSays = `() => ({
	url: location.href, title: document.title, status: performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0,
})`

// loaded describes the document of the tab.
func (a *action) loaded() (Loaded, error) {
	var says struct {
		URL    string `json:"url"`
		Title  string `json:"title"`
		Status int    `json:"status"`
	}
	err := a.d.Run("", 0, documentSays, nil, &says)
	return Loaded{URL: says.URL, Title: says.Title, HTTPStatus: says.Status}, err
}

// Back goes to the page before the one that a tab shows; targetID may be a handle, and is empty for the first tab. Errors: as
// [Task.Click]; ErrNavigate where there is no such page.
func (t *Task) Back(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.travel(ctx, "back", targetID, o, -1)
}

// Forward goes to the page after the one that a tab shows, likewise.
func (t *Task) Forward(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.travel(ctx, "forward", targetID, o, 1)
}

func (t *Task) travel(ctx context.Context, name, targetID string, o ActOptions, step int64) (Acted, error) {
	return t.act(ctx, name, Locator{TargetID: targetID}, o, func(a *action) error {
		var history protocol.GetNavigationHistoryResult
		if err := a.d.Read("", protocol.CommandGetNavigationHistory, nil, &history); err != nil {
			return err
		}
		at := history.CurrentIndex + step
		if at < 0 || at >= int64(len(history.Entries)) {
			return fmt.Errorf("%w: the tab has no page to go %s to", ErrNavigate, name)
		}
		return a.leave(protocol.CommandNavigateToHistoryEntry, &protocol.NavigateToHistoryEntryParams{EntryID: history.Entries[at].ID})
	})
}

// Reload loads the page of a tab again, likewise.
func (t *Task) Reload(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.act(ctx, "reload", Locator{TargetID: targetID}, o, func(a *action) error {
		return a.leave(protocol.CommandReload, &protocol.ReloadParams{})
	})
}

// leave sends a command that makes the tab load a document.
func (a *action) leave(method string, params any) error {
	// A document that comes back from the back/forward cache is announced after the end of its loading.
	a.d.watch.look(func(w *pageWatch) { w.going, w.sure = true, true })
	return a.d.Act("", method, params, nil)
}
