package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Navigate loads a URL in the tab and waits until the document has reached NavigateOptions.WaitUntil. A URL without a
// scheme, such as localhost:8080/x, is completed: with http for loopback and private hosts and port 80, else with
// https. Without a tab in use, because the last one was closed, it opens one. Errors:
// [fault.ErrNavigate] with the browser's net error, which also says if a beforeunload dialog was dismissed or the URL
// is a download; [*fault.NetworkRefusedError] if the browser may not reach the address; [*view.NavigationDeniedError]
// if a plugin denied the URL or one that it redirects to; ErrRefused if its scheme is not allowed (see
// Options.AllowSchemes of package host); and those of [Tab.Evaluate]. A [*view.BlockedError], as soon as a dialog holds
// the tab, has the CallID with which Task.Resume (package host) returns the [Document] later.
//
// If its time ends before the server has answered, the load is stopped and the page before it stays; a document that is
// there goes on loading. The error, a [*fault.StoppedError], says which, and names the URL.
func (t Tab) Navigate(ctx context.Context, url string, options *NavigateOptions) (_ Document, err error) {
	defer fault.During("navigate", &err)
	o, p := optional.Or(options), t.pages
	url = scheme.Complete(url)
	if err := p.Rules.MayLoad(url); err != nil {
		return Document{}, err
	}
	if !slices.Contains([]WaitUntil{"", WaitCommit, WaitDOMContentLoaded, WaitLoad, WaitNetworkIdle}, o.WaitUntil) {
		return Document{}, fmt.Errorf("%w: there is no wait_until %q: commit, domcontentloaded, load or networkidle", fault.ErrBadArguments, o.WaitUntil)
	}
	tab, err := t.targetToLoad(ctx)
	if err != nil {
		return Document{}, err
	}
	tab = cmp.Or(tab, p.Snapshot().TabInUse)
	before := p.Snapshot().Document(tab)
	ended := p.traced(ctx, Action{Name: "navigate", Tab: tab, What: "url", At: url})
	defer func() { ended(ActionResult{}, err) }()
	value, err := p.onTab(ctx, tab, func(d *driver) (any, error) {
		a := &action{pages: p, d: d, name: "navigation", before: p.Snapshot()}
		loaded, err := a.load(url, o)
		if err == nil && !o.KeepLastURL {
			p.lastURL.Note(loaded.URL, loaded.HTTPStatus)
		}
		return loaded, err
	})
	loaded, _ := value.(Document)
	err = p.checkCredentials(url, loaded, err)
	var stopped *fault.StoppedError
	var busy *fault.RendererBusyError
	switch committed := p.Snapshot().Document(tab) != before; {
	case committed && errors.As(err, &busy):
		busy.Acted = true // the page before it was left
		err = fmt.Errorf("%s is there, but has not reached %s: %w", namedURL(url), cmp.Or(o.WaitUntil, WaitLoad), err)
	case !errors.As(err, &stopped):
	case committed:
		err = fmt.Errorf("%s is there, but has not reached %s, and goes on loading: %w", namedURL(url), cmp.Or(o.WaitUntil, WaitLoad), err)
	case stopped.Sent:
		err = fmt.Errorf("%s has not answered, so its load was stopped and the page before it stays: %w", namedURL(url), err)
	default:
		err = fmt.Errorf("%s was not loaded, and the page before it stays: %w", namedURL(url), err)
	}
	return loaded, err
}

// targetToLoad returns the target id of the tab. If there is no tab in use, because the last one was closed, it is a
// new one.
func (t Tab) targetToLoad(ctx context.Context) (string, error) {
	if s := t.pages.Snapshot(); t.id != "" || s.Page() != nil || s.Disconnected != "" || t.pages.IsClosed() {
		return t.target()
	}
	opened, err := t.pages.OpenTab(ctx, "")
	if err != nil {
		return "", err
	}
	return opened.target()
}

func (a *action) load(url string, o NavigateOptions) (Document, error) {
	defer a.d.startWatch()()
	defer a.leave()()
	result, err := a.leaveFor(url)
	if err != nil {
		return Document{}, err
	}
	if o.WaitUntil == WaitCommit {
		return Document{URL: a.committedURL(url), InputRecovered: a.recovered}, nil
	}
	a.d.op.WaitForThreads() // a new document may run its scripts for a while
	for range maxDocuments {
		var loaded Document
		var far readiness
		if far, err = a.awaitDocument(o, result); err == nil {
			loaded, err = a.loaded()
			loaded.BrokenOff, loaded.Loading = far == brokenOff, far == unready
		}
		if !errors.Is(err, fault.ErrFrameGone) || errors.Is(err, errReplaced) {
			return loaded, err
		}
	}
	return Document{}, errReplaced // its scripts sent it on each time
}

// leave makes the action the one that leaves the tab's page. If its time is over in the end, the load that hangs is
// stopped, unless another call has left the page since.
func (a *action) leave() (done func()) {
	a.pages.leaving.Store(a.d.tab, a)
	return func() {
		if a.pages.leaving.CompareAndDelete(a.d.tab, a) && a.d.op.Context().Err() != nil {
			a.pages.StopLoad(a.d.tab)
		}
	}
}

// committedURL is the URL of the document that has just been committed.
func (a *action) committedURL(requested string) string {
	tab := a.pages.lookup(string(a.d.tab))
	if tab == nil || tab.RawFrameTree == nil {
		return requested
	}
	return tab.RawFrameTree.Top.URL
}

// Document asks the tab's document for its URL, its title and the status of the response. Errors: as [Tab.Evaluate].
func (t Tab) Document(ctx context.Context) (_ Document, err error) {
	defer fault.During("document", &err)
	tab, err := t.target()
	if err != nil {
		return Document{}, err
	}
	value, err := t.pages.onPage(ctx, tab, func(d *driver) (any, error) {
		return (&action{pages: t.pages, d: d}).loaded()
	})
	document, _ := value.(Document)
	return document, err
}

// leaveFor leaves the tab's page for another.
func (a *action) leaveFor(url string) (*cdppage.NavigateResult, error) {
	defer a.pages.PrepareToLeave(a.d.op.Context(), string(a.d.tab), a.d.op.Remaining())()
	return a.recoverAndNavigate(url)
}

// navigate makes the tab navigate.
func (a *action) navigate(url string) (*cdppage.NavigateResult, error) {
	if err := a.pages.awaitHistory(a.d.op.Context(), string(a.d.tab), a.d.op.Do); err != nil {
		return nil, err
	}
	mark := a.pages.guardMark()
	result, err := a.pages.commitNavigation(schedule.Call{Tab: a.d.tab, HasEffect: true}, url, a.d.op.Do)
	if err == nil && result.ErrorText != "" {
		err = a.loadFailure(mark, url, result)
	}
	return result, err
}

// commitNavigation makes a tab navigate, and returns the browser's reply, unless the browser refused the URL or a
// plugin denied it.
func (p *Pages) commitNavigation(c schedule.Call, url string, do func(*engine.Call, any) error) (*cdppage.NavigateResult, error) {
	c.Commits, c.Revives = true, true
	denied := p.Snapshot().LastDenial()
	var result cdppage.NavigateResult
	err := do(&engine.Call{Method: cdppage.CommandNavigate, Params: &cdppage.NavigateParams{URL: url}, Call: c}, &result)
	if err != nil {
		return nil, urlError(err)
	}
	if d := p.Snapshot().DenialSince(denied, string(result.FrameID)); d != nil && slices.Contains(engine.DeniedErrors, result.ErrorText) {
		return nil, d.Err()
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
func (a *action) loadFailure(mark uint64, url string, result *cdppage.NavigateResult) error {
	if err := a.roundTrip(); err != nil { // its cause is announced after the reply
		return err
	}
	if err := a.networkFailure(mark, url, result); err != nil {
		return err
	}
	reason := result.ErrorText
	if why := a.dismissedBeforeUnload(); why != "" {
		return fmt.Errorf("%w: %s: %s", fault.ErrNavigate, reason, why)
	}
	var name string
	named := func(w *pageWatch) bool {
		if list := a.newDownloads(w); len(list) > 0 {
			name = list[0].Name
		}
		return name != ""
	}
	a.d.watch.inspect(func(w *pageWatch) { named(w) }) // some browsers announce a download but do not set IsDownload
	if name == "" && result.IsDownload {
		if err := a.waitUntil(downloadNameLimit, named); err != nil { // it is announced asynchronously
			return err
		}
	}
	if err := a.awaitDownloads(); err != nil {
		return err
	}
	switch {
	case name != "":
		return fmt.Errorf("%w: %s: the URL is a download of %q, not a page", fault.ErrNavigate, reason, name)
	case result.IsDownload:
		return fmt.Errorf("%w: %s: the URL is a download, not a page", fault.ErrNavigate, reason)
	case reason == aborted:
		return fmt.Errorf("%w: %s: the server answered without a document (204 or 205), or another navigation took its place", fault.ErrNavigate, reason)
	}
	return fmt.Errorf("%w: %s", fault.ErrNavigate, reason)
}

// aborted is the browser's reason where a navigation ended without a document and without a failure.
const aborted = "net::ERR_ABORTED"

// downloadNameLimit bounds the wait for the name of a download that a URL turned out to be.
const downloadNameLimit = 2 * time.Second

// documentReady waits until a document is complete, or with interactive until it is parsed, and returns whether it is;
// without scripts at once, and otherwise after so many milliseconds.
const documentReady = `(interactive, limit) => new Promise(done => {
	const is = () => document.readyState === "complete" || interactive && document.readyState === "interactive";
	if (is() || !scripted()) return done(is());
	document.addEventListener("readystatechange", () => { if (is()) done(true) });
	setTimeout(() => done(is()), limit);
})`

const (
	// statePause is the interval between two checks of a document whose scripts are disabled.
	statePause = 50 * time.Millisecond
	// stateLimit is how long a document is awaited before it is looked whether it still comes.
	stateLimit = 500 * time.Millisecond
)

// readiness is how far a document has come that was awaited.
type readiness int

const (
	reached   readiness = iota // the state that was awaited
	brokenOff                  // not as far, and it is no longer loaded
	unready                    // not as far within its limit
)

// awaitReady waits until the tab's document is complete, or with interactive until it is parsed, at most for a limit,
// and for half of it once all that has come is parsed: what is missing then is a picture, or a frame whose server does
// not answer. 0: as long as the action may take. Of a response that breaks off, Chromium makes a document that never
// gets as far, and stops loading it.
func (a *action) awaitReady(interactive bool, limit time.Duration) (readiness, error) {
	parsed := false
	for end := time.Now().Add(limit); ; {
		halted, ready := false, false
		a.d.watch.inspect(func(w *pageWatch) { halted = w.halted })
		if err := a.d.Run("", 0, documentReady, []any{interactive, stateLimit.Milliseconds()}, &ready); err != nil || ready {
			return reached, err
		}
		switch {
		case halted:
			return brokenOff, nil
		case limit > 0 && time.Now().After(end):
			return unready, nil
		case !parsed && a.pages.Link.IsParsed(a.d.tab):
			parsed = true
			if half := time.Now().Add(limit / 2); half.Before(end) {
				end = half
			}
		}
		if err := a.waitUntil(statePause, func(*pageWatch) bool { return false }); err != nil {
			return reached, err
		}
	}
}

// awaitDocument waits until a document has reached a state.
func (a *action) awaitDocument(o NavigateOptions, result *cdppage.NavigateResult) (readiness, error) {
	switch {
	case result.LoaderID == "": // without a loader it was a same-document navigation
		return reached, nil
	case o.WaitUntil == WaitNetworkIdle:
		return reached, a.awaitIdle()
	}
	return a.awaitReady(o.WaitUntil == WaitDOMContentLoaded, o.LoadLimit)
}

// awaitIdle waits until the network is idle. A document that replaces itself at once does not count, only the next.
func (a *action) awaitIdle() error { return a.waitUntil(noLimit, a.isIdle) }

// isIdle reports whether the tab's document has loaded, and neither it nor a frame of its process has made a network
// request for half a second.
func (a *action) isIdle(w *pageWatch) bool {
	tab := a.pages.lookup(string(a.d.tab))
	if tab == nil || tab.RawFrameTree == nil || w.navigating && !w.stopped {
		return false
	}
	top := tab.RawFrameTree.Top
	loaded, _ := a.reached(top)
	return loaded && !slices.ContainsFunc(frames(tab.RawFrameTree), func(f view.Frame) bool {
		_, idle := a.reached(f)
		return f.SessionID == top.SessionID && f.Document() != "" && !idle
	})
}

// reached says whether the document of a frame has loaded, and whether its network has been idle.
func (a *action) reached(f view.Frame) (loaded, idle bool) {
	return a.pages.Link.Reached(a.d.tab, cdproto.FrameID(f.FrameID), f.Document())
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
