package host

import (
	"errors"
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

// forget forgets a tab that was mended.
func (t *deafTabs) forget(tab target.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.deaf, tab)
	delete(t.foreign, tab)
}

// elsewhere is an address of no site.
const elsewhere = "about:blank"

// leaveFor navigates, by way of another site where the tab got no input: only then does Chromium close a dialog of its own
// over a tab (WebContentsModalDialogManager::DidFinishNavigation).
func (a *action) leaveFor(url string) (*protocol.NavigateResult, error) {
	if a.task.deaf.has(a.d.tab) {
		if result, err := a.navigate(elsewhere); err != nil {
			return result, err
		}
		a.task.deaf.forget(a.d.tab)
	}
	return a.navigate(url)
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
