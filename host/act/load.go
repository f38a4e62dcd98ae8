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

// Load loads a URL in a tab and waits until the document has reached NavigateOptions.WaitUntil. Errors: those of
// [Task.Navigate]; ErrNavigate also says if a beforeunload dialog was dismissed or the URL is a download. A
// [*fault.BlockedError] has the CallID with which Task.Resume (package host) returns the [Document] later.
func (t *Task) Load(ctx context.Context, url string, o NavigateOptions) (Document, error) {
	if err := t.Rules.MayLoad(url); err != nil {
		return Document{}, err
	}
	if !slices.Contains([]WaitUntil{"", WaitCommit, WaitDOMContentLoaded, WaitLoad, WaitNetworkIdle}, o.WaitUntil) {
		return Document{}, fmt.Errorf("%w: there is no wait_until %q: commit, domcontentloaded, load or networkidle", fault.ErrBadCall, o.WaitUntil)
	}
	tab, err := t.targetOf(o.TargetID)
	if err != nil {
		return Document{}, err
	}
	value, err := t.onPage(ctx, o.Timeout, tab, func(d *driver) (any, error) {
		a := &action{task: t, d: d, name: "navigation", before: t.Snapshot()}
		loaded, err := a.load(url, o.WaitUntil)
		if err == nil && !o.KeepLastURL {
			t.lastURL.note(loaded)
		}
		return loaded, err
	})
	loaded, _ := value.(Document)
	return loaded, err
}

func (a *action) load(url string, until WaitUntil) (Document, error) {
	defer a.d.startWatch()()
	result, err := a.navigateWatched(url, until)
	if err != nil {
		return Document{}, err
	}
	a.d.op.WaitForThreads() // a new document may run its scripts for a while
	err = a.awaitDocument(until, result)
	if until == WaitNetworkIdle {
		err = errors.Join(err, a.setLifecycleEvents(false))
	}
	if err != nil {
		return Document{}, err
	}
	return a.loaded()
}

// navigateWatched navigates, with the events enabled that the wait needs.
func (a *action) navigateWatched(url string, until WaitUntil) (result *cdppage.NavigateResult, err error) {
	defer a.task.PrepareToLeave(a.d.op.Context(), string(a.d.tab), a.d.op.Remaining())()
	enable := until == WaitNetworkIdle
	if enable && !a.task.crashed(string(a.d.tab)) { // a crashed renderer has no old document to report
		if err := a.setLifecycleEvents(true); err != nil {
			return nil, err
		}
		enable = false
	}
	result, err = a.recoverAndNavigate(url)
	if err == nil && enable {
		err = a.setLifecycleEvents(true)
	}
	return result, err
}

// navigate is [Task.Navigate] within an operation.
func (a *action) navigate(url string) (*cdppage.NavigateResult, error) {
	if err := a.task.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
		return nil, err
	}
	result, err := a.task.commitNavigation(schedule.Call{Tab: a.d.tab, HasEffect: true}, url, a.d.op.Do)
	if err == nil && result.ErrorText != "" {
		err = a.loadFailure(result)
	}
	return result, err
}

// commitNavigation makes a tab navigate, and returns the browser's reply, unless the browser refused the URL or a
// plugin denied it.
func (t *Task) commitNavigation(c schedule.Call, url string, do func(*engine.Call, any) error) (*cdppage.NavigateResult, error) {
	c.Commits, c.Revives = true, true
	denied := t.Snapshot().LastDenial()
	var result cdppage.NavigateResult
	err := do(&engine.Call{Method: cdppage.CommandNavigate, Params: &cdppage.NavigateParams{URL: url}, Call: c}, &result)
	if err != nil {
		return nil, urlError(err)
	}
	if d := t.Snapshot().DenialSince(denied, string(result.FrameID)); d != nil && result.ErrorText == engine.ErrorBlockedByClient {
		return nil, &fault.NavigationDeniedError{Navigation: *d}
	}
	return &result, nil
}

// errInvalidURL is how Chromium refuses an invalid URL.
const errInvalidURL = "Cannot navigate to invalid URL"

// urlError translates the browser's refusal of a URL.
func urlError(err error) error {
	if refusedWith(err, errInvalidURL) {
		return fmt.Errorf("%w: invalid URL: want an absolute one, such as https://example.com/; %w", fault.ErrNavigate, err)
	}
	return err
}

// loadFailure makes the error of a URL that was not loaded, with what is known beyond the browser's error.
func (a *action) loadFailure(result *cdppage.NavigateResult) error {
	if err := a.roundTrip(); err != nil { // its cause is announced after the reply
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
	a.d.watch.inspect(func(w *pageWatch) { named(w) }) // some browsers announce a download but do not set IsDownload
	if name == "" && result.IsDownload {
		if err := a.waitUntil(downloadNameLimit, named); err != nil { // it is announced asynchronously
			return err
		}
	}
	switch {
	case name != "":
		return fmt.Errorf("%w: %s: the URL is a download of %q, not a page", fault.ErrNavigate, reason, name)
	case result.IsDownload:
		return fmt.Errorf("%w: %s: the URL is a download, not a page", fault.ErrNavigate, reason)
	}
	return fmt.Errorf("%w: %s", fault.ErrNavigate, reason)
}

// downloadNameLimit bounds the wait for the name of a download that a URL turned out to be.
const downloadNameLimit = 2 * time.Second

// documentReady waits until a document is complete, or with interactive until it is parsed, and returns whether it is.
// If the document's scripts are disabled, as in a sandbox, listeners and timers never fire, and it gives up after a
// moment.
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

// statePause is the interval between two checks of a document whose scripts are disabled.
const statePause = 50 * time.Millisecond

// awaitReady waits until the tab's document is complete, or with interactive until it is parsed.
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

// awaitDocument waits until a document has reached a state.
func (a *action) awaitDocument(until WaitUntil, result *cdppage.NavigateResult) error {
	switch {
	case until == WaitCommit || result.LoaderID == "": // without a loader it was a same-document navigation
		return nil
	case until == WaitNetworkIdle:
		return a.awaitIdle(result)
	}
	return a.awaitReady(until == WaitDOMContentLoaded)
}

// awaitIdle waits until the document has made no network request for half a second.
func (a *action) awaitIdle(result *cdppage.NavigateResult) error {
	return a.waitUntil(noLimit, func(w *pageWatch) bool {
		return w.idle[result.LoaderID] || w.loader != "" && w.loader != result.LoaderID
	})
}

// setLifecycleEvents makes the browser announce, or no longer announce, when the network of a document is idle. It must
// be enabled before navigating: enabling it also replays the events so far, which for a new document would be those of
// the document before it. See
// https://chromedevtools.github.io/devtools-protocol/tot/Page/#method-setLifecycleEventsEnabled.
func (a *action) setLifecycleEvents(on bool) error {
	return a.d.Read("", cdppage.CommandSetLifecycleEventsEnabled, &cdppage.SetLifecycleEventsEnabledParams{Enabled: on}, nil)
}

// noLimit is longer than any operation.
const noLimit = 24 * time.Hour

// documentInfo returns what a document knows about itself.
const documentInfo = `() => ({
	url: location.href, title: document.title, status: performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0,
})`

// loaded describes the document of the tab.
func (a *action) loaded() (Document, error) {
	var info struct {
		URL    string `json:"url"`
		Title  string `json:"title"`
		Status int    `json:"status"`
	}
	err := a.d.Run("", 0, documentInfo, nil, &info)
	return Document{URL: info.URL, Title: info.Title, HTTPStatus: info.Status, InputRecovered: a.recovered}, err
}

// Back goes to the previous page in the history of a tab, and unblocks a tab that receives no input. targetID may be a
// handle; empty: the tab in use. Errors: as [Task.Click]; ErrNavigate if there is no such page.
func (t *Task) Back(ctx context.Context, targetID string, o ActionOptions) (ActionResult, error) {
	return t.traverse(ctx, "back", targetID, o, -1)
}

// Forward goes to the next page in the history of a tab. It does not unblock the tab: that takes a navigation, which
// would delete the next page from the history. Otherwise it is as [Task.Back].
func (t *Task) Forward(ctx context.Context, targetID string, o ActionOptions) (ActionResult, error) {
	return t.traverse(ctx, "forward", targetID, o, 1)
}

func (t *Task) traverse(ctx context.Context, name, targetID string, o ActionOptions, step int64) (ActionResult, error) {
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
		// If two entries have the same URL, it may be a frame below the top one that navigates.
		a.d.watch.inspect(func(w *pageWatch) {
			w.maybeSubframe = history.Entries[at].URL == history.Entries[history.CurrentIndex].URL
		})
		return a.traverseTo(history.Entries[at])
	})
}

// history returns the navigation history of the tab.
func (a *action) history() (history cdppage.GetNavigationHistoryResult, err error) {
	if err := a.task.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
		return history, err
	}
	return history, a.d.Read("", cdppage.CommandGetNavigationHistory, nil, &history)
}

// traverseTo goes to an entry of the tab's history.
func (a *action) traverseTo(entry *cdppage.NavigationEntry) error {
	return a.startLoading(cdppage.CommandNavigateToHistoryEntry, &cdppage.NavigateToHistoryEntryParams{EntryID: entry.ID})
}

// Reload reloads the page of a tab. It revives a tab whose renderer crashed, and unblocks one that receives no input.
// Otherwise it is as [Task.Back].
func (t *Task) Reload(ctx context.Context, targetID string, o ActionOptions) (ActionResult, error) {
	tab, err := t.targetOf(targetID)
	if err != nil {
		return ActionResult{}, err
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

// leaveAndReturn unblocks the tab and goes back to its page.
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

// crashed reports whether the renderer of a tab crashed; an empty id is the tab in use.
func (t *Task) crashed(tab string) bool {
	target := t.target(tab)
	return target != nil && target.Crashed
}

// revive gives a tab whose renderer crashed a new one by reloading its page. No preparation is possible: there is no
// page that could answer.
func (t *Task) revive(ctx context.Context, tab string, o ActionOptions) (ActionResult, error) {
	value, err := t.onPage(ctx, o.Timeout, tab, func(d *driver) (any, error) {
		a := &action{task: t, d: d, name: "reload", before: t.Snapshot()}
		defer d.startWatch()()
		a.d.watch.inspect(func(w *pageWatch) { w.navigating, w.ignoreStops = true, true })
		reload := &engine.Call{Method: cdppage.CommandReload, Params: &cdppage.ReloadParams{}, Call: schedule.Call{HasEffect: true, Revives: true}}
		if err := a.d.do("", reload, nil); err != nil {
			return nil, actError(a.closedIsSuccess(err))
		}
		if err := a.settle(); err != nil {
			return nil, actError(err)
		}
		return a.out, nil
	})
	acted, _ := value.(ActionResult)
	return acted, err
}

// leavePage runs an action that makes a tab leave its page.
func (t *Task) leavePage(ctx context.Context, name, targetID string, o ActionOptions, work func(*action) error) (ActionResult, error) {
	tab, err := t.targetOf(targetID)
	if err != nil {
		return ActionResult{}, err
	}
	return t.perform(ctx, tab, action{name: name, leavesPage: true}, Locator{}, o, work)
}

// startLoading sends a command that makes the tab load a document, and asks the document for its URL and title: the
// browser's own record of them is updated later.
func (a *action) startLoading(method string, params any) error {
	// A document from the back/forward cache is announced after loading has stopped.
	a.d.watch.inspect(func(w *pageWatch) { w.navigating, w.ignoreStops = true, true })
	if err := a.d.Act("", method, params, nil); err != nil {
		return a.afterRecovery(err)
	}
	if a.recovered {
		a.out.Note = "the tab received no input, because of a dialog of the browser's own; it receives input again, and the page that was there is lost"
	}
	if err := a.awaitNavigation(commitLimit); err != nil {
		return err
	}
	if loaded, err := a.loaded(); err == nil { // on an error, the next command fails too
		a.out.Document = &loaded
	}
	return nil
}

// Navigate loads a URL in a tab of the task; an empty targetID means its first. It returns when the browser has
// committed the navigation, so that subsequent calls reach the new document, not when the page has loaded. Errors:
// [fault.ErrNavigate] with the browser's net error (a dismissed beforeunload dialog gives net::ERR_ABORTED),
// [*fault.NavigationDeniedError] if a plugin denied the URL or one that it redirects to, ErrRefused if its scheme is
// not allowed (see Options.AllowSchemes of package host), [*fault.BlockedError] as soon as a dialog holds the tab,
// ErrTargetCrashed, ErrTargetGone, ErrDisconnected, and the context's.
func (t *Task) Navigate(ctx context.Context, targetID, url string) error {
	if err := t.Rules.MayLoad(url); err != nil {
		return err
	}
	do := func(c *engine.Call, result any) error { return t.Do(ctx, c, result) }
	if err := t.awaitHistory(ctx, targetID, do); err != nil {
		return err
	}
	defer t.PrepareToLeave(ctx, targetID, timeLeft(ctx, 0))()
	result, err := t.commitNavigation(schedule.Call{Tab: target.ID(targetID)}, url, do)
	if err == nil && result.ErrorText != "" {
		err = fmt.Errorf("%w: %s", fault.ErrNavigate, result.ErrorText)
	}
	return err
}
