package engine

import (
	"context"
	"errors"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/loading"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// From the start of a navigation until its document commits, Chromium holds back every command to the page that is
// still there. If the server never answers, neither does that page, until the load is stopped.

// load returns the navigation of a tab whose document has not committed; zero: there is none, or a dialog holds it.
func (t *Task) load(tab target.ID) loading.Navigation {
	load, _ := askOwner(t.Link, func() loading.Navigation {
		if len(t.Link.state.BlockingDialogs(t.id, tab)) > 0 {
			return loading.Navigation{}
		}
		return t.Link.loads.Of(tab)
	})
	return load
}

// Loading is the error that says which page a tab is loading; nil: none.
func (t *Task) Loading(tab target.ID) *fault.LoadingError {
	load := t.load(tab)
	if !load.Started {
		return nil
	}
	return &fault.LoadingError{URL: load.URL, For: time.Since(load.Since)}
}

// LoadPatience is how long after the start of a navigation calls wait for its document.
const LoadPatience = 5 * time.Second

// AwaitLoad waits until a place answers commands although its tab is loading another page. If it does not, the error is
// a [*fault.LoadingError]: after LoadPatience, at once if that is over, or when the time of the context ends.
func (t *Task) AwaitLoad(ctx context.Context, at supervise.ScriptTarget) error {
	for {
		load := t.load(at.Page)
		if load.Session != at.Session || t.stuckSession(ctx, string(at.Page)) == "" {
			return nil // the place is in another process, or another call runs script there
		}
		silent := t.isSilent(ctx, load.Session, max(LoadPatience-time.Since(load.Since), probeTimeout))
		switch {
		case t.load(at.Page) != load: // it ended, or another one began
		case load.Started && (silent || errors.Is(context.Cause(ctx), fault.ErrTimeout)):
			return &fault.LoadingError{URL: load.URL, For: time.Since(load.Since)}
		case load.Started || silent || ctx.Err() != nil:
			return context.Cause(ctx)
		default: // nothing came of what the page asked for
			t.forgetLoad(at.Page, load)
		}
	}
}

// parsePatience is how long after its commit a document that is still being parsed is awaited.
const parsePatience = 2 * time.Second

// AwaitParsed waits until the document that a frame of a tab got a moment ago has been parsed, because half a document
// looks like a whole one; without a frame, those of all. It leaves an operation half of its budget.
func (op *Operation) AwaitParsed(tab target.ID, frame cdproto.FrameID) {
	ctx := op.Context()
	if left := op.Remaining(); left >= 0 {
		bounded, cancel := context.WithTimeout(ctx, left/2)
		defer cancel()
		ctx = bounded
	}
	op.task.Link.milestones.AwaitParsed(ctx, tab, frame, parsePatience, func() bool {
		held, _ := askOwner(op.task.Link, func() bool {
			state := op.task.Link.state
			return len(state.BlockingDialogs(op.task.id, tab)) > 0 || state.MustWait(op.task.id, tab)
		})
		return held
	})
}

// HasDocument reports whether scripts can run in a frame: not until it has a document, or a script of another frame has
// used the empty one that stands for it (https://html.spec.whatwg.org/#is-initial-about:blank).
func (t *Task) HasDocument(frame cdproto.FrameID) bool {
	how, _ := askOwner(t.Link, func() supervise.LocateResult {
		_, how := t.Link.state.Locate(t.id, supervise.FrameSelector{Frame: frame, Any: true})
		return how
	})
	return how != supervise.LocateNotYet
}

// IsParsed reports whether the documents of a tab have been parsed, as far as is known.
func (l *Link) IsParsed(tab target.ID) bool { return l.milestones.IsParsed(tab) }

// Reached reports whether a document of a frame of a tab has loaded, and whether its network has been idle since.
func (l *Link) Reached(tab target.ID, frame cdproto.FrameID, document cdproto.LoaderID) (loaded, idle bool) {
	return l.milestones.Reached(tab, frame, document)
}

// forgetLoad forgets a navigation, unless another one has begun.
func (t *Task) forgetLoad(tab target.ID, load loading.Navigation) {
	t.Link.inbox.put(onOwner(func() { t.Link.loads.Forget(tab, load) }))
}

// StopLoad stops a navigation of a tab whose document has not committed, so that the page that is still there answers
// again. The browser does that before what it is asked next.
func (t *Task) StopLoad(tab target.ID) {
	if load := t.load(tab); load.Started {
		t.Tell(load.Session, cdppage.CommandStopLoading, nil)
	}
}

// Leaves returns the URL of the document that a tab is about to have: one that the browser loads, or that the page has
// asked for a moment ago, of which nothing may come. It is empty if the tab stays.
func (t *Task) Leaves(tab target.ID) string {
	load := t.load(tab)
	if load.Started || time.Since(load.Since) < askedPatience {
		return load.URL
	}
	return ""
}

// askedPatience is how long after a page asked for a document the browser has surely announced that it loads it.
const askedPatience = time.Second
