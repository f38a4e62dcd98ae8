package act

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// blockedTabs records the tabs whose input the browser drops, and what may make it do so.
type blockedTabs struct {
	mu       sync.Mutex
	blocked  map[target.ID]bool
	requests map[target.ID]externalRequest
	skipped  map[int64]bool // the history entries of the blank pages that unblocked tabs
}

func newBlockedTabs() *blockedTabs {
	return &blockedTabs{blocked: map[target.ID]bool{}, requests: map[target.ID]externalRequest{}, skipped: map[int64]bool{}}
}

// externalRequest is the last URL of an external protocol that a tab asked for: its scheme, and the document that the
// tab showed.
type externalRequest struct {
	scheme   string
	document cdproto.LoaderID
}

// noteRequest records a request for a URL of an external protocol. Chromium asks the user about it in a dialog of its
// own, unless it refuses or already knows what to do.
func (t *blockedTabs) noteRequest(tab target.ID, document cdproto.LoaderID, scheme string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests[tab] = externalRequest{scheme, document}
}

// noteLost records a tab whose page received nothing of an input, and adds what is known of the cause to the error:
// stopped says that the tab stopped loading, which did not help, windows is how many windows came in front of it, and
// signIn the dialog to sign in that is open over it.
func (t *blockedTabs) noteLost(tab target.ID, stopped bool, windows int, signIn *view.SignIn, err error) {
	var lost *NotDeliveredError
	if !errors.As(err, &lost) || lost.Met != "" {
		return
	}
	if lost.Windows = windows; windows > 0 {
		return // they are the cause, and leaving the page would end none of them
	}
	if signIn != nil {
		lost.SignIn = cmp.Or(signIn.Title, string(signIn.Kind))
		return // an answer closes it
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.blocked[tab] = true
	lost.Asked, lost.Stopped = t.requests[tab].scheme, stopped
}

// isBlocked reports whether a tab receives no input.
func (t *blockedTabs) isBlocked(tab target.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.blocked[tab]
}

// noteDelivered records that the document of a tab received input. What this document asked for may still open a
// dialog; requests of earlier documents cannot.
func (t *blockedTabs) noteDelivered(tab target.ID, document cdproto.LoaderID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.blocked, tab)
	if t.requests[tab].document != document {
		delete(t.requests, tab)
	}
}

// skip makes Back and Forward pass over a history entry that only the recovery of a tab created.
func (t *blockedTabs) skip(entry int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.skipped[entry] = true
}

// isSkipped reports whether Back and Forward pass over a history entry.
func (t *blockedTabs) isSkipped(entry int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.skipped[entry]
}

// unblock forgets a tab that receives input again.
func (t *blockedTabs) unblock(tab target.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.blocked, tab)
	delete(t.requests, tab)
}

// closing is how long the browser may take to close a dialog when the request is gone that it is about.
const closing = 500 * time.Millisecond

// Unreceived implements [input.Actor]. A request of a script, or of an image, that the server wants a login for makes
// Chromium ask for it in a dialog of its own. It is closed when the request ends, as it does if the tab stops loading.
// The waits grow: a page that does receive the input, and only seems not to, gets it some five times, and not with each
// frame that is drawn.
func (d *driver) Unreceived() (again bool, err error) {
	if d.hadDialog() {
		return d.Unreleased()
	}
	if !d.pages.Windowless || d.signIn() != nil {
		return false, nil
	}
	stopped := d.watch.whenLoadsStopped()
	if stopped.IsZero() {
		stopped = time.Now()
		d.watch.inspect(func(w *pageWatch) { w.loadsStopped = stopped })
		err = d.act("", &engine.Call{Method: cdppage.CommandStopLoading}, nil)
	} else {
		err = query.Sleep(d, max(query.FirstLook, time.Since(stopped)))
	}
	return time.Since(stopped) < closing, err
}

// Unreleased implements [input.Actor].
func (d *driver) Unreleased() (again bool, err error) {
	if !d.hadDialog() || d.op.Remaining() <= reserve {
		return false, nil
	}
	return true, query.Sleep(d, query.FirstLook)
}

// signIn is the dialog to sign in that is open over the tab; nil: there is none.
func (d *driver) signIn() *view.SignIn {
	if t := d.pages.Snapshot().Target(string(d.tab)); t != nil {
		return t.SignIn
	}
	return nil
}

// hadDialog reports whether a dialog of the tab took its input a moment ago, as those do that a page opens one after
// the other.
func (d *driver) hadDialog() bool {
	s, since := d.pages.Snapshot(), time.Now().Add(-closing)
	return d.hasDialog() || slices.ContainsFunc(s.RecentDialogs, func(r view.Dialog) bool { return r.TargetID == string(d.tab) && r.ClosedAt.After(since) })
}

// loginNote says in words that a dialog for a login was closed, and what that cost.
const loginNote = "the tab received no input, because of a dialog of the browser's own, most likely for a login (HTTP authentication), " +
	"until the host stopped what the page was loading; requests that waited have failed"

// windowsNote says in words that windows took the input for a while, and what that cost.
const windowsNote = "the tab received no input at first, because the page opened windows in front of it; " +
	"the host stopped what the page was loading meanwhile, and requests that waited have failed"

// blankURL belongs to no site.
const blankURL = "about:blank"

// recoverInput leaves the page of a blocked tab for another site. Only then does Chromium close a dialog of its own
// over a tab (WebContentsModalDialogManager::DidFinishNavigation). The page is lost.
func (a *action) recoverInput() error {
	if !a.pages.blocked.isBlocked(a.d.tab) {
		return nil
	}
	if _, err := a.navigate(blankURL); err != nil {
		return err
	}
	a.recovered = true
	a.pages.blocked.unblock(a.d.tab)
	return a.skipCurrentEntry()
}

// afterRecovery adds to an error that the tab was unblocked before and shows a blank page.
func (a *action) afterRecovery(err error) error {
	if err != nil && a.recovered {
		return fmt.Errorf("%w; the tab shows %s now: it received no input, and leaving its page was the only way to restore that", err, blankURL)
	}
	return err
}

// recoverAndNavigate navigates, after unblocking the tab if necessary.
func (a *action) recoverAndNavigate(url string) (*cdppage.NavigateResult, error) {
	if err := a.recoverInput(); err != nil {
		return nil, err
	}
	result, err := a.navigate(url)
	return result, a.afterRecovery(err)
}

// skipCurrentEntry keeps [Tab.Back] and [Tab.Forward] from going to what the tab shows now.
func (a *action) skipCurrentEntry() error {
	history, err := a.history()
	if err == nil {
		a.pages.blocked.skip(history.Entries[history.CurrentIndex].ID)
	}
	return err
}

// maxScheme caps a scheme, which a page chooses, in characters.
const maxScheme = 40

// externalScheme is the scheme of a URL of an external protocol; empty for the schemes that Chromium handles itself.
func externalScheme(url string) string {
	switch name := scheme.Of(url); name {
	case "", "about", "blob", "chrome", "chrome-error", "chrome-extension", "chrome-untrusted", "data", "devtools", "file", "filesystem",
		"http", "https", "javascript", "view-source":
		return ""
	default:
		return name[:min(len(name), maxScheme)]
	}
}
