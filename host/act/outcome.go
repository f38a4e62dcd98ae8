package act

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// commitLimit is how long an action waits for the document that it made the tab load.
const commitLimit = engine.LoadPatience

// handlersDone ends when the page has run what its handlers deferred to timers of 0 ms, and returns whether the page is
// closing its tab, and which field the browser has refused since the input, if it still would; see package input.
const handlersDone = `() => after(0).then(() => {
	const e = own.refused;
	own.refused = null;
	if (!e || e.validity?.valid) return {closed};
	const name = e.labels?.[0]?.innerText || ask(Element, "getAttribute", e, "aria-label") || e.placeholder || e.name || of(Element, "localName", e);
	return {closed, refused: name.trim(), why: e.validationMessage ?? ""};
})`

// settle determines what came of an action. Chromium's reply to an input event can precede the events of what the input
// caused, but a reply of the page that was asked for afterwards cannot. What a handler deferred for a moment also
// precedes it.
func (a *action) settle() error {
	frames := []cdproto.FrameID{a.frame, cdproto.FrameID(a.d.tab)}
	if a.frame == "" || a.frame == cdproto.FrameID(a.d.tab) {
		frames = frames[1:]
	}
	for _, frame := range frames {
		if a.isNavigating() {
			break
		}
		if done, err := a.awaitHandlers(frame); done || err != nil {
			return err
		}
	}
	if !a.d.hangs {
		if err := a.awaitNavigation(commitLimit); err != nil {
			return a.closedIsSuccess(err)
		}
	}
	if err := a.awaitOpened(); err != nil {
		return a.closedIsSuccess(err)
	}
	if err := a.awaitDownloads(); err != nil {
		return a.closedIsSuccess(err)
	}
	a.collect()
	return nil
}

// awaitHandlers waits until a frame has run what its handlers deferred for a moment; done says that this closed the
// tab.
func (a *action) awaitHandlers(frame cdproto.FrameID) (done bool, err error) {
	var page struct {
		Closed  bool   `json:"closed"`
		Refused string `json:"refused"`
		Why     string `json:"why"`
	}
	left, err := a.d.RunUnlessLeft(frame, 0, handlersDone, nil, &page)
	if err == nil && page.Refused != "" {
		a.noteRefused(page.Refused, page.Why)
	}
	switch {
	case left:
	case err == nil && page.Closed:
		return true, a.closedIsSuccess(a.waitUntil(commitLimit, func(*pageWatch) bool { return a.tabGone() }))
	case err == nil, a.isNavigating():
	case a.tabGone():
		return true, a.closedIsSuccess(err)
	case errors.Is(err, fault.ErrTimeout), errors.Is(err, fault.ErrRendererBusy):
		return false, fmt.Errorf("the %s was done, but the page has not answered since: %w", a.name, err)
	case errors.Is(err, fault.ErrAborted), errors.Is(err, fault.ErrDisconnected), errors.Is(err, fault.ErrTargetCrashed), errors.Is(err, fault.ErrBlockedByDialog):
		return false, err
	}
	return false, nil
}

// maxRefused caps the name of a field and the reason, in bytes each.
const maxRefused = 200

// noteRefused notes a field that the browser did not accept, as when a form was to be sent.
func (a *action) noteRefused(field, why string) {
	note := "the browser did not accept the field " + pagetext.QuoteShown(pagetext.Shorten(pagetext.Line(field), maxRefused))
	if why != "" {
		note += ": " + pagetext.QuoteShown(pagetext.Shorten(pagetext.Line(why), maxRefused))
	}
	a.note(note)
}

// note adds to what the result says of how the page treated the action.
func (a *action) note(text string) { a.out.Note = strings.TrimPrefix(a.out.Note+"; "+text, "; ") }

// isNavigating reports whether the tab is about to have another document.
func (a *action) isNavigating() (navigating bool) {
	a.d.watch.inspect(func(w *pageWatch) { navigating = w.navigating })
	return navigating
}

// awaitNavigation waits until the tab has the document that it is loading, or loading ended without one.
func (a *action) awaitNavigation(limit time.Duration) error {
	return a.waitUntil(limit, func(w *pageWatch) bool { return !w.navigating || w.stopped || a.dismissedBeforeUnload() != "" })
}

// waitUntil waits for a condition on what was recorded of the tab and on the snapshot, for at most limit. A dialog that
// opens in the tab meanwhile blocks the operation; that time does not count.
func (a *action) waitUntil(limit time.Duration, condition func(*pageWatch) bool) error {
	a.d.op.ReleaseTurn()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		newest, superseded := a.pages.Current()
		var met bool
		changed := a.d.watch.inspect(func(w *pageWatch) { met = condition(w) })
		switch {
		case newest.Gone():
			return a.pages.goneError()
		case a.tabGone():
			return fault.ErrTargetGone
		case met:
			return a.roundTrip()
		}
		if a.d.hasDialog() {
			if err := a.roundTrip(); err != nil {
				return err
			}
			timer.Reset(limit)
			continue
		}
		select {
		case <-changed:
		case <-superseded:
		case <-timer.C:
			return nil
		case <-a.pages.Done():
			return a.pages.goneError()
		case <-a.d.op.Context().Done():
			return a.stoppedError()
		}
	}
}

// stoppedError says why the operation ended while it waited for the outcome of its action.
func (a *action) stoppedError() error {
	out := *a.d.op.Cause()
	out.Sent = out.Sent || a.d.op.HasBegun()
	return &out
}

// roundTrip waits for a reply of the browser process, which announces what it did before that. It also waits for
// dialogs that hold the tab.
func (a *action) roundTrip() error {
	err := a.d.Act("", cdppage.CommandGetNavigationHistory, nil, nil)
	if errors.Is(err, fault.ErrProtocol) || errors.Is(err, fault.ErrFrameGone) {
		return nil // refused while a page is being replaced
	}
	return err
}

// tabGone reports whether the tab was closed while its browser lives on.
func (a *action) tabGone() bool {
	s := a.pages.Snapshot()
	return !s.Gone() && s.Target(string(a.d.tab)) == nil
}

// goneError says why a task can do nothing more.
func (p *Pages) goneError() error {
	if s := p.Snapshot(); s.Gone() {
		return p.Link.GoneError(s.Disconnected)
	}
	return fault.ErrTargetGone
}

// dismissedBeforeUnload says that the tab kept its document because a beforeunload dialog was dismissed; empty if none
// was.
func (a *action) dismissedBeforeUnload() string {
	for _, d := range a.newDialogs() {
		if d.Type == view.DialogBeforeUnload && !d.Accepted && d.TargetID == string(a.d.tab) {
			return "the beforeunload dialog " + d.ID + " was dismissed (by " + string(d.ClosedBy) + "), so the page stays"
		}
	}
	return ""
}

// newDialogs are the dialogs that opened and closed since the action began.
func (a *action) newDialogs() []view.Dialog {
	old := map[string]bool{}
	for _, d := range a.before.RecentDialogs {
		old[d.ID] = true
	}
	var list []view.Dialog
	for _, d := range a.pages.Snapshot().RecentDialogs {
		if !old[d.ID] {
			list = append(list, d)
		}
	}
	return list
}

// noteExternalRequest records what may keep input from the tab from now on, also that of an action that fails.
func (a *action) noteExternalRequest() {
	var external string
	a.d.watch.inspect(func(w *pageWatch) { external = externalScheme(w.external) })
	if external != "" {
		a.pages.blocked.noteRequest(a.d.tab, a.pages.Snapshot().Document(string(a.d.tab)), external)
	}
}

// collect records what came of the action.
func (a *action) collect() {
	a.out.Dialogs = a.newDialogs()
	a.out.NewTabs = a.newTabs()
	delivered, failed := false, false
	a.d.watch.inspect(func(w *pageWatch) {
		delivered, failed = w.delivered, w.failed
		a.out.Navigated = w.committedURL
		a.out.FileChooser = w.newest[engine.EventChooser] != nil
		a.out.Downloads = a.newDownloads(w)
		if a.elsewhere != "" {
			a.out.Downloads[0].Path = a.elsewhere
		}
		if w.navigating && !w.stopped {
			a.out.Navigating = w.pendingURL
		}
		a.out.ExternalProtocol = w.external
	})
	switch why := a.whyFailed(string(a.d.tab), a.out.Navigated, failed); {
	case a.out.Navigated != "":
		a.out.NavigationFailed = why
	default:
		a.out.NotNavigated = cmp.Or(a.dismissedBeforeUnload(), why)
	}
	if a.returned != "" {
		a.out.Navigated, a.out.NotNavigated = "", a.returned
	}
	if delivered {
		a.pages.blocked.noteDelivered(a.d.tab, a.before.Document(string(a.d.tab)))
	}
	if external := externalScheme(a.out.ExternalProtocol); external != "" {
		a.out.NotNavigated = "the URL is for another program (" + external + ":), which no agent can use; if the browser asks about it " +
			"in a dialog of its own, the tab receives no input until it loads a URL"
	}
	if a.out.NotNavigated != "" {
		a.out.Navigating = ""
	}
}
