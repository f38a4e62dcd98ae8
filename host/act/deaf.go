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
type deafTabs struct {
	mu      sync.Mutex
	deaf    map[target.ID]bool
	foreign map[target.ID]asked
	detours map[int64]bool // the entries of histories by whose way tabs were mended
}

// asked is the scheme of the address for another program that a tab asked for last, and the document that it had then.
type asked struct {
	scheme   string
	document cdproto.LoaderID
}

// ask notes an address for another program. Chromium asks people about it in a dialog of its own, unless it refuses or knows
// what to do.
func (t *deafTabs) ask(tab target.ID, document cdproto.LoaderID, scheme string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.foreign == nil {
		t.foreign = map[target.ID]asked{}
	}
	t.foreign[tab] = asked{scheme, document}
}

// note notes a tab whose page got nothing of an input, and tells the error what is known of why.
func (t *deafTabs) note(tab target.ID, err error) {
	var lost *NotDeliveredError
	if !errors.As(err, &lost) || lost.Met != "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.deaf == nil {
		t.deaf = map[target.ID]bool{}
	}
	t.deaf[tab] = true
	lost.Asked = t.foreign[tab].scheme
}

// has tells whether a tab gets no input.
func (t *deafTabs) has(tab target.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.deaf[tab]
}

// hears notes a tab whose document got input. What that asked for may still bring a dialog, unlike what one before it did.
func (t *deafTabs) hears(tab target.ID, document cdproto.LoaderID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.deaf, tab)
	if t.foreign[tab].document != document {
		delete(t.foreign, tab)
	}
}

// detour notes an entry of a tab's history that is nobody's.
func (t *deafTabs) detour(entry int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.detours == nil {
		t.detours = map[int64]bool{}
	}
	t.detours[entry] = true
}

// isDetour tells whether an entry of a tab's history is nobody's.
func (t *deafTabs) isDetour(entry int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.detours[entry]
}

// forget forgets a tab that has its input again.
func (t *deafTabs) forget(tab target.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.deaf, tab)
	delete(t.foreign, tab)
}

// elsewhere is an address of no site.
const elsewhere = "about:blank"

// mend leaves the page of a tab that got no input for another site: only then does Chromium close a dialog of its own over a
// tab (WebContentsModalDialogManager::DidFinishNavigation). The page that was there is lost by it.
func (a *action) mend() error {
	if !a.task.deaf.has(a.d.tab) {
		return nil
	}
	if _, err := a.navigate(elsewhere); err != nil {
		return err
	}
	a.mended = true
	a.task.deaf.forget(a.d.tab)
	return a.noteDetour()
}

// afterMending tells an error where the tab is that was mended before.
func (a *action) afterMending(err error) error {
	if err != nil && a.mended {
		return fmt.Errorf("%w; the tab shows %s now: it got no input, and was mended by leaving its page", err, elsewhere)
	}
	return err
}

// leaveFor navigates, and mends the tab before.
func (a *action) leaveFor(url string) (*cdppage.NavigateResult, error) {
	if err := a.mend(); err != nil {
		return nil, err
	}
	result, err := a.navigate(url)
	return result, a.afterMending(err)
}

// noteDetour keeps [Task.Back] and [Task.Forward] from going to what the tab shows now.
func (a *action) noteDetour() error {
	history, err := a.history()
	if err == nil {
		a.task.deaf.detour(history.Entries[history.CurrentIndex].ID)
	}
	return err
}

// maxScheme caps a scheme, which a page chooses, in characters.
const maxScheme = 40

// foreign is the scheme of an address that is for another program; empty for those that Chromium has itself.
func foreign(address string) string {
	switch name := scheme.Of(address); name {
	case "", "about", "blob", "chrome", "chrome-error", "chrome-extension", "chrome-untrusted", "data", "devtools", "file", "filesystem",
		"http", "https", "javascript", "view-source":
		return ""
	default:
		return name[:min(len(name), maxScheme)]
	}
}
