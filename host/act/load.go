package act

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

// Load loads an address in a tab and waits until the document is as far as LoadOptions.WaitUntil says. Errors: those of
// [Task.Navigate]; where a beforeunload dialog was dismissed, or the address is a download, the ErrNavigate says so. A
// [*fault.BlockedError] has the CallID by which [Task.Resume] gives the [Loaded] later.
func (t *Task) Load(ctx context.Context, url string, o LoadOptions) (Loaded, error) {
	if err := t.Rules.MayLoad(url); err != nil {
		return Loaded{}, err
	}
	if !slices.Contains([]WaitUntil{"", WaitCommit, WaitDOMContentLoaded, WaitLoad, WaitNetworkIdle}, o.WaitUntil) {
		return Loaded{}, fmt.Errorf("%w: there is no wait_until %q: commit, domcontentloaded, load or networkidle", fault.ErrBadCall, o.WaitUntil)
	}
	tab, err := t.targetOf(o.TargetID)
	if err != nil {
		return Loaded{}, err
	}
	value, err := t.onPage(ctx, o.Timeout, tab, func(d *driver) (any, error) {
		a := &action{task: t, d: d, name: "navigation", before: t.Snapshot()}
		loaded, err := a.load(url, o.WaitUntil)
		if err == nil && !o.Unnoted {
			t.lastURL.note(loaded)
		}
		return loaded, err
	})
	loaded, _ := value.(Loaded)
	return loaded, err
}

func (a *action) load(url string, until WaitUntil) (Loaded, error) {
	var stop func()
	a.d.watch, stop = a.task.watchTab(a.d.tab)
	defer stop()
	result, err := a.navigateWatched(url, until)
	if err != nil {
		return Loaded{}, err
	}
	a.d.op.WaitForThreads() // a new document may run its scripts for a while
	err = a.awaitDocument(until, result)
	if until == WaitNetworkIdle {
		err = errors.Join(err, a.setLifecycleEvents(false))
	}
	if err != nil {
		return Loaded{}, err
	}
	loaded, err := a.loaded()
	return loaded, err
}

// leaveAndTell navigates, with the browser telling what the wait needs.
func (a *action) navigateWatched(url string, until WaitUntil) (result *cdppage.NavigateResult, err error) {
	defer a.task.PrepareToLeave(a.d.op.Context(), string(a.d.tab), a.d.op.Left())()
	tells := until == WaitNetworkIdle
	if tells && !a.task.crashed(string(a.d.tab)) { // a renderer that crashed has no document that it could take for the next
		if err := a.setLifecycleEvents(true); err != nil {
			return nil, err
		}
		tells = false
	}
	result, err = a.recoverAndNavigate(url)
	if err == nil && tells {
		err = a.setLifecycleEvents(true)
	}
	return result, err
}

// navigate is [Task.Navigate] within an operation.
func (a *action) navigate(url string) (*cdppage.NavigateResult, error) {
	if err := a.task.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
		return nil, err
	}
	denied := a.task.Snapshot().LastDenial()
	var result cdppage.NavigateResult
	navigate := &engine.Call{
		Method: cdppage.CommandNavigate, Params: &cdppage.NavigateParams{URL: url},
		Call: schedule.Call{Tab: a.d.tab, Commits: true, Revives: true, Begins: true},
	}
	if err := a.d.op.Do(navigate, &result); err != nil {
		return nil, urlError(err)
	}
	if d := a.task.Snapshot().DenialSince(denied, string(result.FrameID)); d != nil && result.ErrorText == engine.ErrorBlockedByClient {
		return nil, &fault.NavigationDeniedError{Navigation: *d}
	}
	if result.ErrorText != "" {
		return nil, a.loadFailure(&result)
	}
	return &result, nil
}

// errInvalidURL is how Chromium refuses to load what is no address.
const errInvalidURL = "Cannot navigate to invalid URL"

// addressError says what the browser's refusal of an address means.
func urlError(err error) error {
	if refusedWith(err, errInvalidURL) {
		return fmt.Errorf("%w: invalid URL: want a whole one, such as https://example.com/; %w", fault.ErrNavigate, err)
	}
	return err
}

// notLoaded says why an address was not loaded, where more is known than the browser's error.
func (a *action) loadFailure(result *cdppage.NavigateResult) error {
	if err := a.roundTrip(); err != nil { // what led to it is told after it
		return err
	}
	reason := result.ErrorText
	if why := a.dismissedBeforeUnload(); why != "" {
		return fmt.Errorf("%w: %s: %s", fault.ErrNavigate, reason, why)
	}
	var name string
	named := func(w *pageWatch) bool {
		if len(w.downloads) > 0 {
			name = w.downloads[0].Name
		}
		return name != ""
	}
	a.d.watch.inspect(func(w *pageWatch) { named(w) }) // browsers that do not say that it is one tell of it all the same
	if name == "" && result.IsDownload {
		if err := a.waitUntil(downloadNameLimit, named); err != nil { // it is told of on its own time
			return err
		}
	}
	switch {
	case name != "":
		return fmt.Errorf("%w: %s: the address is a download of %q, and no page", fault.ErrNavigate, reason, name)
	case result.IsDownload:
		return fmt.Errorf("%w: %s: the address is a download, and no page", fault.ErrNavigate, reason)
	}
	return fmt.Errorf("%w: %s", fault.ErrNavigate, reason)
}

// downloadNamed is how long it is waited for the name of a download that an address turned out to be.
const downloadNameLimit = 2 * time.Second

// awaitState waits until a document is complete, or with interactive until its tree is. It tells whether it is: where the
// scripts of a document are switched off, as in a sandbox, listeners and timers never fire, and it gives up after a moment.
const documentReady = `(interactive) => new Promise(done => {
	const is = () => document.readyState === "complete" || interactive && document.readyState === "interactive";
	if (is()) return done(true);
	document.addEventListener("readystatechange", () => { if (is()) done(true) });
	let fires = false;
	setTimeout(() => { fires = true });
	(async () => {
		const limit = performance.now() + 100;
		for (let i = 0; !fires && (i < 20 || performance.now() < limit); i++) await new Blob([""]).arrayBuffer();
		if (!fires) done(is());
	})();
})`

// statePause is the pause between two looks at a document whose scripts are switched off.
const statePause = 50 * time.Millisecond

// awaitReady waits for a state of the tab's document.
func (a *action) awaitReady(interactive bool) error {
	for {
		var ready bool
		if err := a.d.Run("", 0, documentReady, []any{interactive}, &ready); err != nil || ready {
			return err
		}
		if err := a.waitUntil(statePause, func(*pageWatch) bool { return false }); err != nil {
			return err
		}
	}
}

// awaitDocument waits until a document is as far as it should be.
func (a *action) awaitDocument(until WaitUntil, result *cdppage.NavigateResult) error {
	switch {
	case until == WaitCommit || result.LoaderID == "": // of a navigation within the document
		return nil
	case until == WaitNetworkIdle:
		return a.awaitIdle(result)
	}
	return a.awaitReady(until == WaitDOMContentLoaded)
}

// awaitIdle waits until the document has asked the network for nothing for half a second.
func (a *action) awaitIdle(result *cdppage.NavigateResult) error {
	return a.waitUntil(noLimit, func(w *pageWatch) bool {
		return w.idle[result.LoaderID] || w.loader != "" && w.loader != result.LoaderID
	})
}

// tellIdle has the browser tell when the network of a document is idle. It has to be asked before it navigates: when it is
// asked it also tells what has been reached already, and of a new document it then tells what the one before it had
// reached. See https://chromedevtools.github.io/devtools-protocol/tot/Page/#method-setLifecycleEventsEnabled.
func (a *action) setLifecycleEvents(on bool) error {
	return a.d.Read("", cdppage.CommandSetLifecycleEventsEnabled, &cdppage.SetLifecycleEventsEnabledParams{Enabled: on}, nil)
}

// noLimit is longer than any operation.
const noLimit = 24 * time.Hour

// documentSays is what a document knows of itself.
const documentInfo = `() => ({
	url: location.href, title: document.title, status: performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0,
})`

// loaded describes the document of the tab.
func (a *action) loaded() (Loaded, error) {
	var says struct {
		URL    string `json:"url"`
		Title  string `json:"title"`
		Status int    `json:"status"`
	}
	err := a.d.Run("", 0, documentInfo, nil, &says)
	return Loaded{URL: says.URL, Title: says.Title, HTTPStatus: says.Status, Mended: a.recovered}, err
}

// Back goes to the page before the one that a tab shows, and mends a tab that got no input; targetID may be a handle, and is empty for the tab in use. Errors: as
// [Task.Click]; ErrNavigate where there is no such page.
func (t *Task) Back(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.traverse(ctx, "back", targetID, o, -1)
}

// Forward goes to the page after the one that a tab shows, likewise, but mends none: to leave the page for another would lose
// the one after it.
func (t *Task) Forward(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	return t.traverse(ctx, "forward", targetID, o, 1)
}

func (t *Task) traverse(ctx context.Context, name, targetID string, o ActOptions, step int64) (Acted, error) {
	return t.leavePage(ctx, name, targetID, o, func(a *action) error {
		history, err := a.history()
		if err != nil {
			return err
		}
		at := history.CurrentIndex + step
		for at >= 0 && at < int64(len(history.Entries)) && a.task.blocked.isSkipped(history.Entries[at].ID) {
			at += step
		}
		if at < 0 || at >= int64(len(history.Entries)) {
			return fmt.Errorf("%w: the tab has no page to go %s to", fault.ErrNavigate, name)
		}
		if err := a.task.Rules.MayShow(history.Entries[at].URL); err != nil {
			return err
		}
		if step < 0 {
			if err := a.recoverInput(); err != nil {
				return err
			}
		}
		// Of two entries of one address, one may be that of a frame below.
		a.d.watch.inspect(func(w *pageWatch) { w.maybeSubframe = history.Entries[at].URL == history.Entries[history.CurrentIndex].URL })
		return a.traverseTo(history.Entries[at])
	})
}

// history is that of the tab.
func (a *action) history() (history cdppage.GetNavigationHistoryResult, err error) {
	if err := a.task.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
		return history, err
	}
	return history, a.d.Read("", cdppage.CommandGetNavigationHistory, nil, &history)
}

// goTo goes to an entry of the tab's history.
func (a *action) traverseTo(entry *cdppage.NavigationEntry) error {
	return a.startLoading(cdppage.CommandNavigateToHistoryEntry, &cdppage.NavigateToHistoryEntryParams{EntryID: entry.ID})
}

// Reload loads the page of a tab again, likewise. It revives a tab whose renderer crashed, and mends one that got no input.
func (t *Task) Reload(ctx context.Context, targetID string, o ActOptions) (Acted, error) {
	tab, err := t.targetOf(targetID)
	if err != nil {
		return Acted{}, err
	}
	if t.crashed(tab) {
		return t.revive(ctx, tab, o)
	}
	return t.leavePage(ctx, "reload", targetID, o, func(a *action) error {
		if a.task.blocked.isBlocked(a.d.tab) {
			if err := a.leaveAndReturn(); err != nil {
				return err
			}
		}
		if err := a.task.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
			return err
		}
		return a.startLoading(cdppage.CommandReload, &cdppage.ReloadParams{})
	})
}

// leaveAndReturn mends the tab, and goes back to its page.
func (a *action) leaveAndReturn() error {
	history, err := a.history()
	if err != nil {
		return err
	}
	if err := a.recoverInput(); err != nil {
		return err
	}
	return a.traverseTo(history.Entries[history.CurrentIndex])
}

// crashed tells whether the renderer of a tab crashed; an empty id is the tab in use.
func (t *Task) crashed(tab string) bool {
	s := t.Snapshot()
	target := s.Page()
	if tab != "" {
		target = s.Target(tab)
	}
	return target != nil && target.Crashed
}

// revive gives a tab whose renderer crashed a new one, by loading its page again. Nothing is done before: there is no page
// that could answer.
func (t *Task) revive(ctx context.Context, tab string, o ActOptions) (Acted, error) {
	value, err := t.onPage(ctx, o.Timeout, tab, func(d *driver) (any, error) {
		a := &action{task: t, d: d, name: "reload", before: t.Snapshot()}
		var stop func()
		a.d.watch, stop = t.watchTab(a.d.tab)
		defer stop()
		a.d.watch.inspect(func(w *pageWatch) { w.navigating, w.ignoreStops = true, true })
		reload := &engine.Call{Method: cdppage.CommandReload, Params: &cdppage.ReloadParams{}, Call: schedule.Call{Begins: true, Revives: true}}
		if err := a.d.do("", reload, nil); err != nil {
			return nil, actError(a.closedIsSuccess(err))
		}
		if err := a.settle(); err != nil {
			return nil, actError(err)
		}
		return a.out, nil
	})
	acted, _ := value.(Acted)
	return acted, err
}

// departure runs an action by which a tab leaves its page.
func (t *Task) leavePage(ctx context.Context, name, targetID string, o ActOptions, work func(*action) error) (Acted, error) {
	tab, err := t.targetOf(targetID)
	if err != nil {
		return Acted{}, err
	}
	return t.perform(ctx, tab, action{name: name, leavesPage: true}, Locator{}, o, work)
}

// leave sends a command that makes the tab load a document, and asks that for its address and title: the browser's own note
// of them comes later.
func (a *action) startLoading(method string, params any) error {
	// A document that comes back from the back/forward cache is announced after the end of its loading.
	a.d.watch.inspect(func(w *pageWatch) { w.navigating, w.ignoreStops = true, true })
	if err := a.d.Act("", method, params, nil); err != nil {
		return a.afterRecovery(err)
	}
	if a.recovered {
		a.out.Note = "the tab got no input, because of a dialog of the browser's own; it gets it again, and the page that was there is lost"
	}
	if err := a.awaitNavigation(commitLimit); err != nil {
		return err
	}
	if loaded, err := a.loaded(); err == nil { // else what comes next meets the error, too
		a.out.Loaded = &loaded
	}
	return nil
}

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
	if err := t.awaitHistory(ctx, targetID, func(c *engine.Call, result any) error { return t.Do(ctx, c, result) }); err != nil {
		return err
	}
	denied := t.Snapshot().LastDenial()
	defer t.PrepareToLeave(ctx, targetID, timeLeft(ctx, 0))()
	var result cdppage.NavigateResult
	navigate := &engine.Call{Method: cdppage.CommandNavigate, Params: &cdppage.NavigateParams{URL: url}, Call: schedule.Call{Tab: target.ID(targetID), Commits: true, Revives: true}}
	if err := t.Do(ctx, navigate, &result); err != nil {
		return urlError(err)
	}
	if d := t.Snapshot().DenialSince(denied, string(result.FrameID)); d != nil && result.ErrorText == engine.ErrorBlockedByClient {
		return &fault.NavigationDeniedError{Navigation: *d}
	}
	if result.ErrorText != "" {
		return fmt.Errorf("%w: %s", fault.ErrNavigate, result.ErrorText)
	}
	return nil
}
