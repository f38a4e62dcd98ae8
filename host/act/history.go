package act

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
)

// How long the browser process may take to record a document in its history, and how often it is asked. There is no
// event for it.
const (
	historyLimit = time.Second
	historyPause = 5 * time.Millisecond
)

// awaitHistory waits until the browser process has recorded the document that a tab shows in the tab's history. A
// renderer announces its document before that, and a navigation that starts in between is aborted.
//
// If the two cannot be compared, as on error pages, one round trip must do. Its errors are those of do, and the
// context's.
func (p *Pages) awaitHistory(ctx context.Context, targetID string, do func(*engine.Call, any) error) error {
	limit, cancel := context.WithTimeout(ctx, historyLimit)
	defer cancel()
	for {
		var history cdppage.GetNavigationHistoryResult
		err := do(&engine.Call{Method: cdppage.CommandGetNavigationHistory, Call: schedule.Call{Tab: target.ID(targetID), Revives: true}}, &history)
		switch {
		case err != nil && !errors.Is(err, fault.ErrProtocol): // the browser refuses while a page is being replaced
			return err
		case err == nil && p.historyShows(targetID, &history):
			return nil
		}
		select {
		case <-time.After(historyPause):
		case <-limit.Done():
			return context.Cause(ctx)
		}
	}
}

// historyShows reports whether the current entry of a tab's history may be the document of its top frame.
func (p *Pages) historyShows(targetID string, history *cdppage.GetNavigationHistoryResult) bool {
	tab := p.lookup(targetID)
	if tab == nil || tab.RawFrameTree == nil || history.CurrentIndex < 0 || history.CurrentIndex >= int64(len(history.Entries)) {
		return true
	}
	document := tab.RawFrameTree.Top.URL
	return !strings.HasPrefix(document, "http") || withoutFragment(document) == withoutFragment(history.Entries[history.CurrentIndex].URL)
}

// withoutFragment removes the fragment of a URL: the frame tree and the history are updated with it at different times.
func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// Back goes to the previous page in the tab's history, and unblocks a tab that receives no input. Errors: as
// [Tab.Click]; ErrNavigate if there is no such page.
func (t Tab) Back(ctx context.Context) (_ ActionResult, err error) {
	defer fault.During("back", &err)
	return t.traverse(ctx, "back", -1)
}

// Forward goes to the next page in the tab's history. It does not unblock the tab: that takes a navigation, which would
// delete the next page from the history. Otherwise it is as [Tab.Back].
func (t Tab) Forward(ctx context.Context) (_ ActionResult, err error) {
	defer fault.During("forward", &err)
	return t.traverse(ctx, "forward", 1)
}

func (t Tab) traverse(ctx context.Context, name string, step int64) (ActionResult, error) {
	return t.leavePage(ctx, name, func(a *action) error {
		history, err := a.history()
		if err != nil {
			return err
		}
		at := history.CurrentIndex + step
		for at >= 0 && at < int64(len(history.Entries)) && a.pages.blocked.isSkipped(history.Entries[at].ID) {
			at += step
		}
		if at < 0 || at >= int64(len(history.Entries)) {
			return fmt.Errorf("%w: the tab has no page to go %s to", fault.ErrNavigate, name)
		}
		if err := a.pages.Rules.MayShow(history.Entries[at].URL); err != nil {
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
		if step > 0 {
			return a.traverseTo(history.Entries[at])
		}
		return a.goBackTo(history.Entries[:at+1])
	})
}

// returnTime is how long a page may take to put itself in front again.
const returnTime = 30 * time.Millisecond

// goBackTo goes to the last of some entries. A page may answer that by adding an entry of its own again, to ask about
// what was not saved or to keep its visitors. It is not left then: that is for its user to decide.
func (a *action) goBackTo(entries []*cdppage.NavigationEntry) error {
	last := entries[len(entries)-1]
	if err := a.traverseTo(last); err != nil || !a.hasReturned() {
		return err
	}
	a.returned = "the page put itself in front again, as pages do that ask about unsaved changes or keep their visitors"
	for _, e := range slices.Backward(entries) {
		if withoutFragment(e.URL) != withoutFragment(last.URL) && a.pages.Rules.MayShow(e.URL) == nil {
			a.returned += "; to leave it, navigate to " + namedURL(e.URL)
			break
		}
	}
	return nil
}

// hasReturned reports whether a page that was left for an earlier entry of its own has added one after that, so that
// there is none to go forward to any more. The page itself knows that at once, the browser process a moment later. Of
// the entries of frames below it knows nothing.
// https://html.spec.whatwg.org/multipage/nav-history-apis.html#dom-navigation-cangoforward
func (a *action) hasReturned() (returned bool) {
	var moved bool
	a.d.watch.inspect(func(w *pageWatch) { moved = !w.navigating && w.committedURL != "" })
	if tab := string(a.d.tab); !moved || a.pages.Snapshot().Document(tab) != a.before.Document(tab) {
		return false
	}
	const ask = "(_, ms) => new Promise(done => setTimeout(() => done(!navigation.canGoForward), ms))"
	_ = a.d.Run("", 0, ask, []any{returnTime.Milliseconds()}, &returned) // else it is not known
	return returned
}

// history returns the navigation history of the tab.
func (a *action) history() (history cdppage.GetNavigationHistoryResult, err error) {
	if err := a.pages.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
		return history, err
	}
	return history, a.d.Read("", cdppage.CommandGetNavigationHistory, nil, &history)
}

// traverseTo goes to an entry of the tab's history.
func (a *action) traverseTo(entry *cdppage.NavigationEntry) error {
	return a.startLoading(entry.URL, cdppage.CommandNavigateToHistoryEntry, &cdppage.NavigateToHistoryEntryParams{EntryID: entry.ID})
}

// Reload reloads the tab's page. It revives a tab whose renderer crashed, and unblocks one that receives no input.
// Otherwise it is as [Tab.Back].
func (t Tab) Reload(ctx context.Context) (_ ActionResult, err error) {
	defer fault.During("reload", &err)
	tab, err := t.target()
	if err != nil {
		return ActionResult{}, err
	}
	if t.pages.crashed(tab) {
		return t.pages.revive(ctx, tab)
	}
	return t.leavePage(ctx, "reload", func(a *action) error {
		if a.pages.blocked.isBlocked(a.d.tab) {
			if err := a.leaveAndReturn(); err != nil {
				return err
			}
		}
		if err := a.pages.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
			return err
		}
		return a.startLoading(a.committedURL(""), cdppage.CommandReload, &cdppage.ReloadParams{})
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
func (p *Pages) crashed(tab string) bool {
	target := p.lookup(tab)
	return target != nil && target.Crashed
}

// revive gives a tab whose renderer crashed a new one by reloading its page. No preparation is possible: there is no
// page that could answer.
func (p *Pages) revive(ctx context.Context, tab string) (ActionResult, error) {
	value, err := p.onTab(ctx, tab, func(d *driver) (any, error) {
		a := &action{pages: p, d: d, name: "reload", before: p.Snapshot()}
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

// leavePage runs an action that makes the tab leave its page.
func (t Tab) leavePage(ctx context.Context, name string, work func(*action) error) (ActionResult, error) {
	tab, err := t.target()
	if err != nil {
		return ActionResult{}, err
	}
	return t.pages.perform(ctx, tab, action{name: name, leavesPage: true}, Locator{}, ActionOptions{}, work)
}

// startLoading sends a command that makes the tab load the document of a URL, and asks the document for its URL and
// title: the browser's own record of them is updated later.
func (a *action) startLoading(url, method string, params any) error {
	// A document from the back/forward cache is announced after loading has stopped, and the page before may have stopped
	// loading just now.
	a.d.watch.inspect(func(w *pageWatch) { w.navigating, w.stopped, w.ignoreStops, w.pendingURL = true, false, true, url })
	if err := a.d.Act("", method, params, nil); err != nil {
		return a.afterRecovery(err)
	}
	a.out.Note = Document{InputRecovered: a.recovered}.Note()
	if err := a.awaitNavigation(commitLimit); err != nil {
		return err
	}
	if a.isNavigating() {
		if a.d.hangs = a.pages.Loading(a.d.tab) != nil; a.d.hangs { // nothing would answer
			return nil
		}
		a.d.watch.inspect(func(w *pageWatch) { w.stopped = true })
	}
	if loaded, err := a.loaded(); err == nil { // on an error, the next command fails too
		a.out.Document = &loaded
	}
	return nil
}

// unanswered adds to the error of an action whose time is over the address that has not answered.
func (a *action) unanswered(err error) (named error) {
	a.d.watch.inspect(func(w *pageWatch) {
		if named = err; w.navigating && w.pendingURL != "" && errors.Is(err, fault.ErrTimeout) {
			named = fmt.Errorf("%s has not answered, so its load was stopped and the page before it stays: %w", namedURL(w.pendingURL), err)
		}
	})
	return named
}
