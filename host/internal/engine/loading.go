package engine

import (
	"context"
	"fmt"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// From the start of a navigation until its document commits, Chromium holds back every command to the page that is
// still there (package facts has the proof). If the server never answers, so does that page, until the load is stopped.

// loading is a navigation of a tab whose document has not committed.
type loading struct {
	session target.SessionID
	url     string
	since   time.Time
}

// eventStarted announces a navigation before its first request.
const eventStarted = "Page.frameStartedNavigating"

// noteLoading keeps the record of the navigations of all tabs up to date.
func (l *Link) noteLoading(e Event, session target.SessionID) {
	switch e.Method {
	case eventStarted:
		var started cdppage.EventFrameStartedNavigating
		tab := l.state.PageOf(session)
		if cdp.Unmarshal(e.Params, &started) != nil || tab == "" || started.FrameID != cdproto.FrameID(tab) {
			return
		}
		switch started.NavigationType {
		case cdppage.FrameStartedNavigatingNavigationTypeSameDocument, cdppage.FrameStartedNavigatingNavigationTypeHistorySameDocument:
		default:
			l.loads[tab] = loading{session, started.URL, time.Now()}
		}
	case EventNavigated:
		if navigated, ok := e.Decoded.(supervise.FrameNavigated); ok {
			delete(l.loads, target.ID(navigated.Frame.ID))
		}
	case EventStopped:
		var stopped cdppage.EventFrameStoppedLoading
		if cdp.Unmarshal(e.Params, &stopped) == nil {
			delete(l.loads, target.ID(stopped.FrameID))
		}
	}
}

// loading returns the navigation of a tab whose document has not committed; zero: there is none.
func (t *Task) loading(tab string) loading {
	load, _ := askOwner(t.Link, func() loading { return t.Link.loads[target.ID(tab)] })
	return load
}

// loaded forgets a navigation that is over without a document, unless another one has begun.
func (t *Task) loaded(tab string, load loading) {
	askOwner(t.Link, func() bool {
		if t.Link.loads[target.ID(tab)] == load {
			delete(t.Link.loads, target.ID(tab))
		}
		return true
	})
}

// LoadPatience is how long after the start of a navigation calls wait for its document.
const LoadPatience = 5 * time.Second

// AwaitLoad waits until the page of a tab answers commands although the tab is loading another one. If it does not, the
// error wraps a [*fault.LoadingError]: after LoadPatience, at once if that is over, or at the end of the context.
func (t *Task) AwaitLoad(ctx context.Context, tab string) error {
	load := t.loading(tab)
	if load == (loading{}) || t.stuckSession(ctx, tab) == "" { // a dialog, or another call, holds the page
		return nil
	}
	patience := max(LoadPatience-time.Since(load.since), probeTimeout)
	if !t.isSilent(ctx, load.session, patience) && ctx.Err() == nil {
		t.loaded(tab, load)
	}
	if t.loading(tab) != load {
		return nil
	}
	var err error = &fault.LoadingError{URL: load.url, For: time.Since(load.since)}
	if ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
	}
	return err
}

// stopLimit bounds the wait until the browser has stopped a load.
const stopLimit = 2 * time.Second

// StopLoad stops a navigation of a tab whose document has not committed, so that the page that is still there answers
// again.
func (t *Task) StopLoad(tab string) {
	load := t.loading(tab)
	if load == (loading{}) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	if t.Link.command(ctx, load.session, cdppage.CommandStopLoading, nil, nil) == nil {
		t.loaded(tab, load)
	}
}
