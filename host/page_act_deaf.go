package host

import (
	"errors"
	"fmt"
	"sync"

	protocol "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/scheme"
)

// deafTabs are what is known of tabs whose input the browser drops, or soon may. The zero value is ready.
type deafTabs struct {
	mu      sync.Mutex
	deaf    map[target.ID]bool
	foreign map[target.ID]string // the scheme of the address for another program that a tab asked for last
	detours map[int64]bool       // the entries of histories by whose way tabs were mended
}

// ask notes an address for another program. Chromium asks people about it in a dialog of its own, unless it refuses or knows
// what to do.
func (t *deafTabs) ask(tab target.ID, scheme string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.foreign == nil {
		t.foreign = map[target.ID]string{}
	}
	t.foreign[tab] = scheme
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
	lost.Asked = t.foreign[tab]
}

// has tells whether a tab gets no input.
func (t *deafTabs) has(tab target.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.deaf[tab]
}

// hears notes a tab whose page got input. What it asked for may still bring a dialog.
func (t *deafTabs) hears(tab target.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.deaf, tab)
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

// leaveFor navigates, by way of another site where the tab got no input: only then does Chromium close a dialog of its own
// over a tab (WebContentsModalDialogManager::DidFinishNavigation). It tells whether it did, as the page that was there is lost.
func (a *action) leaveFor(url string) (result *protocol.NavigateResult, mended bool, err error) {
	if !a.task.deaf.has(a.d.tab) {
		result, err = a.navigate(url)
		return result, false, err
	}
	if result, err = a.navigate(elsewhere); err != nil {
		return result, false, err
	}
	a.task.deaf.forget(a.d.tab)
	if err := a.noteDetour(); err != nil {
		return nil, true, err
	}
	if result, err = a.navigate(url); err != nil {
		err = fmt.Errorf("%w; the tab shows %s now: it got no input, and was mended by leaving its page", err, elsewhere)
	}
	return result, true, err
}

// noteDetour keeps [Task.Back] and [Task.Forward] from going to what the tab shows now.
func (a *action) noteDetour() error {
	var history protocol.GetNavigationHistoryResult
	if err := a.task.noted(a.d.op.ctx, string(a.d.tab), a.d.op.do); err != nil {
		return err
	}
	if err := a.d.Read("", protocol.CommandGetNavigationHistory, nil, &history); err != nil {
		return err
	}
	a.task.deaf.detour(history.Entries[history.CurrentIndex].ID)
	return nil
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
