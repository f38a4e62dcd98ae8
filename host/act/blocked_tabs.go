package act

import (
	"errors"
	"fmt"
	"sync"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/scheme"
)

// deafTabs are what is known of tabs whose input the browser drops, or soon may. The zero value is ready.
type blockedTabs struct {
	mu      sync.Mutex
	blocked    map[target.ID]bool
	requests map[target.ID]externalRequest
	skipped map[int64]bool // the entries of histories by whose way tabs were mended
}

// asked is the scheme of the address for another program that a tab asked for last, and the document that it had then.
type externalRequest struct {
	scheme   string
	document cdproto.LoaderID
}

// ask notes an address for another program. Chromium asks people about it in a dialog of its own, unless it refuses or knows
// what to do.
func (t *blockedTabs) noteRequest(tab target.ID, document cdproto.LoaderID, scheme string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.requests == nil {
		t.requests = map[target.ID]externalRequest{}
	}
	t.requests[tab] = externalRequest{scheme, document}
}

// note notes a tab whose page got nothing of an input, and tells the error what is known of why.
func (t *blockedTabs) noteLost(tab target.ID, err error) {
	var lost *NotDeliveredError
	if !errors.As(err, &lost) || lost.Met != "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.blocked == nil {
		t.blocked = map[target.ID]bool{}
	}
	t.blocked[tab] = true
	lost.Asked = t.requests[tab].scheme
}

// has tells whether a tab gets no input.
func (t *blockedTabs) isBlocked(tab target.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.blocked[tab]
}

// hears notes a tab whose document got input. What that asked for may still bring a dialog, unlike what one before it did.
func (t *blockedTabs) noteDelivered(tab target.ID, document cdproto.LoaderID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.blocked, tab)
	if t.requests[tab].document != document {
		delete(t.requests, tab)
	}
}

// detour notes an entry of a tab's history that is nobody's.
func (t *blockedTabs) skip(entry int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.skipped == nil {
		t.skipped = map[int64]bool{}
	}
	t.skipped[entry] = true
}

// isDetour tells whether an entry of a tab's history is nobody's.
func (t *blockedTabs) isSkipped(entry int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.skipped[entry]
}

// forget forgets a tab that has its input again.
func (t *blockedTabs) unblock(tab target.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.blocked, tab)
	delete(t.requests, tab)
}

// elsewhere is an address of no site.
const blankURL = "about:blank"

// mend leaves the page of a tab that got no input for another site: only then does Chromium close a dialog of its own over a
// tab (WebContentsModalDialogManager::DidFinishNavigation). The page that was there is lost by it.
func (a *action) recoverInput() error {
	if !a.task.blocked.isBlocked(a.d.tab) {
		return nil
	}
	if _, err := a.navigate(blankURL); err != nil {
		return err
	}
	a.recovered = true
	a.task.blocked.unblock(a.d.tab)
	return a.skipCurrentEntry()
}

// afterMending tells an error where the tab is that was mended before.
func (a *action) afterRecovery(err error) error {
	if err != nil && a.recovered {
		return fmt.Errorf("%w; the tab shows %s now: it got no input, and was mended by leaving its page", err, blankURL)
	}
	return err
}

// leaveFor navigates, and mends the tab before.
func (a *action) recoverAndNavigate(url string) (*cdppage.NavigateResult, error) {
	if err := a.recoverInput(); err != nil {
		return nil, err
	}
	result, err := a.navigate(url)
	return result, a.afterRecovery(err)
}

// noteDetour keeps [Task.Back] and [Task.Forward] from going to what the tab shows now.
func (a *action) skipCurrentEntry() error {
	history, err := a.history()
	if err == nil {
		a.task.blocked.skip(history.Entries[history.CurrentIndex].ID)
	}
	return err
}

// maxScheme caps a scheme, which a page chooses, in characters.
const maxScheme = 40

// foreign is the scheme of an address that is for another program; empty for those that Chromium has itself.
func externalScheme(address string) string {
	switch name := scheme.Of(address); name {
	case "", "about", "blob", "chrome", "chrome-error", "chrome-extension", "chrome-untrusted", "data", "devtools", "file", "filesystem",
		"http", "https", "javascript", "view-source":
		return ""
	default:
		return name[:min(len(name), maxScheme)]
	}
}
