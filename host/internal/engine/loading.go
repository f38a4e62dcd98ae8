package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// From the start of a navigation until its document commits, Chromium holds back every command to the page that is
// still there. If the server never answers, neither does that page, until the load is stopped. Chromium announces the
// start, and the end of each: a document, or that loading has stopped (package facts has the proof).

// loading is a navigation of a tab whose document has not committed.
type loading struct {
	session target.SessionID
	url     string
	since   time.Time
	started bool // false: the page has asked for it, and the browser has not announced it
}

// eventStarted announces a navigation before its first request. What a page's script asked for is announced after the
// reply to the command that ran the script, EventRequested before it.
const eventStarted = "Page.frameStartedNavigating"

// withinDocument are the navigations that load no document.
var withinDocument = []cdppage.FrameStartedNavigatingNavigationType{
	cdppage.FrameStartedNavigatingNavigationTypeSameDocument, cdppage.FrameStartedNavigatingNavigationTypeHistorySameDocument,
}

// noteLoading keeps the record of the navigations of all tabs up to date.
func (l *Link) noteLoading(e Event, session target.SessionID) {
	tab := l.state.PageOf(session)
	l.milestones.note(tab, e)
	isTop := func(frame cdproto.FrameID) bool { return tab != "" && frame == cdproto.FrameID(tab) }
	switch e.Method {
	case EventRequested:
		var requested cdppage.EventFrameRequestedNavigation
		if cdp.Unmarshal(e.Params, &requested) == nil && isTop(requested.FrameID) && requested.Disposition == cdppage.ClientNavigationDispositionCurrentTab {
			l.loads[tab] = loading{session, requested.URL, time.Now(), false}
		}
	case eventStarted:
		var started cdppage.EventFrameStartedNavigating
		if cdp.Unmarshal(e.Params, &started) == nil && isTop(started.FrameID) && !slices.Contains(withinDocument, started.NavigationType) {
			l.loads[tab] = loading{session, started.URL, time.Now(), true}
		}
	case EventNavigated:
		if navigated, ok := e.Decoded.(supervise.FrameNavigated); ok {
			delete(l.loads, target.ID(navigated.Frame.ID))
		}
	case EventWithin:
		if within, ok := e.Decoded.(supervise.NavigatedWithinDocument); ok && !l.loads[target.ID(within.Frame)].started {
			delete(l.loads, target.ID(within.Frame))
		}
	case EventStopped:
		var stopped cdppage.EventFrameStoppedLoading
		if cdp.Unmarshal(e.Params, &stopped) == nil {
			delete(l.loads, target.ID(stopped.FrameID))
		}
	}
	if detached, ok := e.Decoded.(supervise.Detached); ok {
		maps.DeleteFunc(l.loads, func(_ target.ID, load loading) bool { return load.session == detached.Session })
	}
}

// load returns the navigation of a tab whose document has not committed; zero: there is none, or a dialog holds it.
func (t *Task) load(tab target.ID) loading {
	load, _ := askOwner(t.Link, func() loading {
		if len(t.Link.state.BlockingDialogs(t.id, tab)) > 0 {
			return loading{}
		}
		return t.Link.loads[tab]
	})
	return load
}

// Loading is the error that says which page a tab is loading; nil: none.
func (t *Task) Loading(tab target.ID) *fault.LoadingError {
	load := t.load(tab)
	if !load.started {
		return nil
	}
	return &fault.LoadingError{URL: load.url, For: time.Since(load.since)}
}

// LoadPatience is how long after the start of a navigation calls wait for its document.
const LoadPatience = 5 * time.Second

// AwaitLoad waits until a place answers commands although its tab is loading another page. If it does not, the error is
// a [*fault.LoadingError]: after LoadPatience, at once if that is over, or when the time of the context ends.
func (t *Task) AwaitLoad(ctx context.Context, at supervise.ScriptTarget) error {
	for {
		load := t.load(at.Page)
		if load.session != at.Session || t.stuckSession(ctx, string(at.Page)) == "" {
			return nil // the place is in another process, or another call runs script there
		}
		silent := t.isSilent(ctx, load.session, max(LoadPatience-time.Since(load.since), probeTimeout))
		switch {
		case t.load(at.Page) != load: // it ended, or another one began
		case load.started && (silent || errors.Is(context.Cause(ctx), fault.ErrTimeout)):
			return &fault.LoadingError{URL: load.url, For: time.Since(load.since)}
		case load.started || silent || ctx.Err() != nil:
			return context.Cause(ctx)
		default: // nothing came of what the page asked for
			t.forgetLoad(at.Page, load)
		}
	}
}

// forgetLoad forgets a navigation, unless another one has begun.
func (t *Task) forgetLoad(tab target.ID, load loading) {
	t.Link.inbox.put(onOwner(func() {
		if t.Link.loads[tab] == load {
			delete(t.Link.loads, tab)
		}
	}))
}

// StopLoad stops a navigation of a tab whose document has not committed, so that the page that is still there answers
// again. The browser does that before what it is asked next.
func (t *Task) StopLoad(tab target.ID) {
	if load := t.load(tab); load.started {
		t.Tell(load.session, cdppage.CommandStopLoading, nil)
	}
}

// Leaves returns the URL of the document that a tab is about to have: one that the browser loads, or that the page has
// asked for a moment ago, of which nothing may come. It is empty if the tab stays.
func (t *Task) Leaves(tab target.ID) string {
	load := t.load(tab)
	if load.started || time.Since(load.since) < askedPatience {
		return load.url
	}
	return ""
}

// askedPatience is how long after a page asked for a document the browser has surely announced that it loads it.
const askedPatience = time.Second
