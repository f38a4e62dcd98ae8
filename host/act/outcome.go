package act

import (
	"errors"
	"fmt"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// commitLimit is how long an action waits for the document that it made the tab load.
const commitLimit = 5 * time.Second

// afterwards ends when the page has done what its handlers left for a moment later, and tells whether it closes its tab. In a
// frame whose scripts are switched off, as in a sandbox, timers never fire, not even ours; but promises are kept. Those of so
// many blobs are so many turns of the event loop, in which a timer that is late had its chance.
const handlersDone = `() => new Promise(done => {
	let over = false;
	const end = () => { over = true; done(closed) };
	setTimeout(end);
	(async () => {
		const limit = performance.now() + 100;
		for (let i = 0; !over && (i < 20 || performance.now() < limit); i++) await new Blob([""]).arrayBuffer();
		end();
	})();
})`

// settle sees what came of an action: Chromium's reply to an input event can come before the news of what the event caused,
// but what the page says afterwards can not. What a handler leaves for a moment later comes before that, too.
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
	if err := a.awaitNavigation(commitLimit); err != nil {
		return a.closedIsSuccess(err)
	}
	if err := a.awaitOpened(); err != nil {
		return a.closedIsSuccess(err)
	}
	a.collect()
	return nil
}

// hear waits until a frame has run what its handlers left for a moment later; done says that the tab was closed by it.
func (a *action) awaitHandlers(frame cdproto.FrameID) (done bool, err error) {
	var closes bool
	switch err := a.d.Run(frame, 0, handlersDone, nil, &closes); {
	case err == nil && closes:
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

// going tells whether the tab is about to have another document.
func (a *action) isNavigating() (going bool) {
	a.d.watch.inspect(func(w *pageWatch) { going = w.navigating })
	return going
}

// arrive waits until the tab has the document that it is about to have, or until nothing comes of it.
func (a *action) awaitNavigation(limit time.Duration) error {
	return a.waitUntil(limit, func(w *pageWatch) bool { return !w.navigating || w.stopped || a.dismissedBeforeUnload() != "" })
}

// until waits for a condition on what is noted of the tab, and on the snapshot, at most for a limit. A dialog that holds the
// tab meanwhile blocks the operation, and its time does not count.
func (a *action) waitUntil(limit time.Duration, condition func(*pageWatch) bool) error {
	a.d.op.ReleaseTurn()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		newest, superseded := a.task.Current()
		var met bool
		changed := a.d.watch.inspect(func(w *pageWatch) { met = condition(w) })
		switch {
		case newest.Gone():
			return a.task.goneError()
		case a.tabGone():
			return fault.ErrTargetGone
		case met:
			return a.roundTrip()
		}
		if a.hasDialog() {
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
		case <-a.task.Done():
			return a.task.goneError()
		case <-a.d.op.Context().Done():
			return a.stoppedError()
		}
	}
}

// ended says why the operation is over that waited for what came of its action.
func (a *action) stoppedError() error {
	out := *a.d.op.Cause()
	out.Sent = out.Sent || a.d.op.HasBegun()
	return &out
}

// roundTrip asks the browser process, which tells of what it did before; and it waits for dialogs that hold the tab.
func (a *action) roundTrip() error {
	err := a.d.Act("", cdppage.CommandGetNavigationHistory, nil, nil)
	if errors.Is(err, fault.ErrProtocol) || errors.Is(err, fault.ErrFrameGone) {
		return nil // refused while a page is being replaced
	}
	return err
}

// held tells whether a dialog is open in the tab.
func (a *action) hasDialog() bool {
	return slices.ContainsFunc(a.task.Snapshot().PendingDialogs, func(d view.Dialog) bool { return d.TargetID == string(a.d.tab) })
}

// tabGone tells whether the tab was closed, and not its browser.
func (a *action) tabGone() bool {
	s := a.task.Snapshot()
	return !s.Gone() && s.Target(string(a.d.tab)) == nil
}

// goneError says why nothing more comes of a task.
func (t *Task) goneError() error {
	if s := t.Snapshot(); s.Gone() {
		return fmt.Errorf("%w: %s", fault.ErrBrowserGone, s.Disconnected)
	}
	return fault.ErrTargetGone
}

// stayed says why the tab has its document still: a dialog asked before it was left, and was dismissed.
func (a *action) dismissedBeforeUnload() string {
	for _, d := range a.newDialogs() {
		if d.Type == abi.DialogTypeBeforeUnload.String() && !d.Accepted && d.TargetID == string(a.d.tab) {
			return "the beforeunload dialog " + d.ID + " was dismissed (by " + d.ClosedBy + "), so the page stays"
		}
	}
	return ""
}

// newDialogs are those that opened and closed since the action began.
func (a *action) newDialogs() []view.Dialog {
	old := map[string]bool{}
	for _, d := range a.before.RecentDialogs {
		old[d.ID] = true
	}
	var list []view.Dialog
	for _, d := range a.task.Snapshot().RecentDialogs {
		if !old[d.ID] {
			list = append(list, d)
		}
	}
	return list
}

// collect writes down what came of the action.
func (a *action) collect() {
	a.out.Dialogs = a.newDialogs()
	a.out.NewTabs = a.newTabs()
	var asked string
	delivered := false
	a.d.watch.inspect(func(w *pageWatch) {
		delivered = w.delivered
		a.out.Navigated = w.committedURL
		a.out.FileChooser = w.newest[engine.EventChooser] != nil
		for _, d := range w.downloads {
			a.out.Downloads = append(a.out.Downloads, d.Download)
		}
		if w.navigating && !w.stopped {
			a.out.Navigating = w.pendingURL
		}
		asked = w.external
	})
	if a.out.Navigated == "" {
		a.out.Stayed = a.dismissedBeforeUnload()
	}
	if delivered {
		a.task.blocked.noteDelivered(a.d.tab, a.before.Document(string(a.d.tab)))
	}
	if asked != "" {
		a.task.blocked.noteRequest(a.d.tab, a.task.Snapshot().Document(string(a.d.tab)), asked)
		a.out.Stayed = "the address is for another program (" + asked + ":); the browser may ask about it in a dialog of its own, " +
			"under which the tab gets no input until it loads an address"
	}
	if a.out.Stayed != "" {
		a.out.Navigating = ""
	}
}
