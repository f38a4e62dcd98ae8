package e2e

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// What a page repeats without end, and what the browser has to be asked for, neither wedges its tab nor takes the
// memory of the machine.
func TestAPageThatRepeatsItselfWithoutEndStaysUsable(t *testing.T) {
	for name, does := range map[string]string{
		"states":    `let n = 0; setInterval(() => { for (let i = 0; i < 50; i++) history.pushState(null, "", "?" + n++) }, 1)`,
		"fragments": `let n = 0; setInterval(() => { for (let i = 0; i < 50; i++) location.hash = n++ }, 1)`,
		"prints":    `setInterval(print, 1)`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"/page": `<button onclick="done = true">Go</button>`}, host.TaskOptions{})
			tab := w.Tab("")
			if _, err := tab.Navigate(w.unhurried(), w.url("localhost", "/page"), nil); err != nil {
				t.Fatal(err)
			}
			if _, err := tab.Evaluate(w.unhurried(), does+"; 0", nil); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if _, err := tab.Click(w.unhurried(), host.BySelector("button"), nil); err != nil {
					t.Fatal(err)
				}
			}
			if done, err := tab.Evaluate(w.unhurried(), "done", nil); err != nil || string(done.Value) != "true" {
				t.Errorf("%s, %v", done.Value, err)
			}
		})
	}
}

func TestAPageThatScriptsSendOnIsFollowed(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/chain":   `<title></title><script>const n = +location.search.slice(1); document.title = "at " + n; if (n) location.replace("?" + (n - 1))</script>`,
		"/endless": `<script>location.replace("?" + Math.random())</script>`,
	}, host.TaskOptions{})
	loaded, err := w.Tab("").Navigate(w.unhurried(), w.url("localhost", "/chain?12"), nil)
	if err != nil || loaded.Title != "at 0" {
		t.Errorf("%+v, %v", loaded, err)
	}
	for range 5 { // on a busy machine the page may have no time to answer between two of its documents
		if _, err = w.Tab("").Navigate(w.unhurried(), w.url("localhost", "/endless"), nil); !errors.Is(err, host.ErrRendererBusy) {
			break
		}
	}
	if !errors.Is(err, host.ErrFrameGone) || !strings.Contains(err.Error(), "sends itself on") {
		t.Errorf("of a page that never ends: %v", err)
	}
	for range 10 { // the page's own navigation may come after that of the call, and replaces it
		if loaded, err = w.Tab("").Navigate(w.unhurried(), w.url("localhost", "/chain?0"), nil); err == nil {
			break
		}
	}
	if err != nil || loaded.Title != "at 0" {
		t.Errorf("after it: %+v, %v", loaded, err)
	}
}

func TestAPageOpensOnlySoManyWindows(t *testing.T) {
	const most = 50
	w := newWorldAlone(t, map[string]string{"/page": `<button onclick="for (let i = 0; i < 55; i++) window.open('/window')">Go</button>
		<a href="/window" target=_blank rel=noopener>More</a>`, "/window": `a window`}, host.TaskOptions{})
	tab := w.Tab("")
	if _, err := tab.Navigate(w.unhurried(), w.url("localhost", "/page"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Click(w.unhurried(), host.BySelector("button"), nil); err != nil {
		t.Fatal(err)
	}
	w.await("those that are one too many are closed", func(s *host.Snapshot) bool { return len(s.Targets) == 1+most })
	acted, err := tab.Click(w.unhurried(), host.BySelector("a"), nil)
	if err != nil || len(acted.NewTabs) != 1 || !acted.NewTabs[0].Closed || !strings.Contains(acted.NewTabs[0].Failed, "opened 50 that are still open") {
		t.Fatalf("%+v, %v", acted.NewTabs, err)
	}
	for _, popup := range w.Tabs() {
		if popup.Info().Popup {
			if err := popup.Close(w.unhurried()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if acted, err = tab.Click(w.unhurried(), host.BySelector("a"), nil); err != nil || len(acted.NewTabs) != 1 || acted.NewTabs[0].Closed {
		t.Errorf("after the others were closed: %+v, %v", acted.NewTabs, err)
	}
}

// A click with Control that a script makes opens a tab beside, which names no opener.
func TestAPageOpensOnlySoManyTabsBeside(t *testing.T) {
	const most = 50
	w := newWorldAlone(t, map[string]string{"/page": `<a href="/beside">x</a>`, "/beside": `beside`}, host.TaskOptions{})
	tab := w.Tab("")
	if _, err := tab.Navigate(w.unhurried(), w.url("localhost", "/page"), nil); err != nil {
		t.Fatal(err)
	}
	const clicks = `for (let i = 0; i < 55; i++) document.querySelector("a").dispatchEvent(new MouseEvent("click", {ctrlKey: true, bubbles: true, cancelable: true})); 0`
	if _, err := tab.Evaluate(w.unhurried(), clicks, nil); err != nil {
		t.Fatal(err)
	}
	w.await("five are closed", func(s *host.Snapshot) bool { return len(s.RecentNavigations) == 5 && len(s.Targets) == 1+most })
}
