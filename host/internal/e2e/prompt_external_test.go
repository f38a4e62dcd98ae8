package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// newWorldAsking is newWorldAlone in a browser that asks about the addresses of other programs.
func newWorldAsking(t *testing.T, pages map[string]string) *world {
	t.Helper()
	t.Parallel()
	address, _ := shared.OwnAsking(t)
	return newWorldOn(t, address, host.Options{}, pages, host.TaskOptions{})
}

// outwaitAsking waits as long as a browser takes to ask about the address of another program.
func outwaitAsking(t *testing.T, w *world) {
	t.Helper()
	address, _ := shared.OwnAsking(t)
	newRawClient(w.ctx, t, address).outwait(w.url("localhost", "/empty"))
}

// elsewhere are the ways in which a page asks for the address of another program.
var elsewhere = map[string]struct{ does, address string }{
	"link":      {`Object.assign(document.createElement("a"), {href: "tel:123"}).click()`, "tel:123"},
	"mail":      {`location = "mailto:a@example.com"`, "mailto:a@example.com"},
	"location":  {`location = "app://here/x?y=1"`, "app://here/x?y=1"},
	"later":     {`setTimeout(() => { location = "app://later" })`, "app://later"},
	"frame":     {`document.body.append(Object.assign(document.createElement("iframe"), {src: "app://frame"}))`, "app://frame"},
	"form":      {`f.submit()`, "app://form?"},
	"window":    {`open("zoommtg://join")`, "zoommtg://join"},
	"no opener": {`open("zoommtg://join", "", "noopener")`, "zoommtg://join"},
	"redirect":  {`location = "/redirect"`, ""}, // Chromium announces only where it began
}

func TestALinkToAnotherProgramLeavesATabItsInput(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<form id=f action="app://form"></form><button id=b>go</button>`}, host.TaskOptions{})
	w.server.Handle("/redirect", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "zoommtg://redirected", http.StatusFound)
	})
	tabs := map[string]host.Tab{}
	for name, way := range elsewhere {
		tab, err := w.OpenTab(w.ctx, w.url("localhost", "/page"))
		if err != nil {
			t.Fatal(err)
		}
		tabs[name] = tab
		if _, err := tab.Evaluate(w.ctx, "globalThis.clicks = 0; b.onclick = () => { if (clicks++ === 0) { "+way.does+" } }; 0", nil); err != nil {
			t.Fatal(err)
		}
		acted, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil)
		if err != nil || acted.ExternalProtocol != way.address {
			t.Errorf("%s: %s, %v", name, shared.Dump(acted), err)
		}
	}
	outwaitAsking(t, w)
	for name, tab := range tabs {
		if _, err := tab.Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
			t.Errorf("the next click after %s: %v", name, err)
		}
		clicks, err := tab.Evaluate(w.ctx, "clicks", nil)
		if err != nil || string(clicks.Value) != "2" {
			t.Errorf("after %s, the page counted %s clicks, %v", name, clicks.Value, err)
		}
	}
}

// Chromium opens mail addresses without asking anyone.
func TestAPageStartsNoOtherProgram(t *testing.T) {
	programs, started := t.TempDir(), filepath.Join(t.TempDir(), "started")
	for name, script := range map[string]string{"xdg-open": "echo $@ > " + started, "xdg-email": "echo $@ > " + started, "xdg-settings": "echo no"} {
		if err := os.WriteFile(filepath.Join(programs, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil { //nolint:gosec // a script
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, host.Options{}, map[string]string{"/page": `<a id=mail href="mailto:a@example.com">mail</a>`}, host.TaskOptions{})
	w.open("/page")
	want(t, "the address", w.click("#mail").ExternalProtocol, "mailto:a@example.com")
	outwaitAsking(t, w)
	if what, err := os.ReadFile(started); err == nil {
		t.Errorf("started: %s", what)
	}
}

func TestALinkToAnotherProgramInABrowserThatAsksIsAnErrorAtTheNextClick(t *testing.T) {
	w := newWorldAsking(t, map[string]string{"/page": `<a id=link href="app://` + strings.Repeat("long", 5000) + `">call</a><button id=b>press me</button>`})
	w.open("/page")
	w.evaluate("globalThis.clicks = 0; b.onclick = () => { clicks++ }; 0")
	acted := w.click("#link")
	if got := acted.ExternalProtocol; !strings.HasPrefix(got, "app://longlong") || len(got) > 3000 {
		t.Errorf("the address has %d bytes: %.100s", len(got), got)
	}
	delivered := 0
	for { // it takes the browser a moment to ask
		if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
			wantError(t, err, host.ErrNotDelivered)
			if !strings.Contains(err.Error(), "(app:)") {
				t.Errorf("it does not say why: %v", err)
			}
			break
		}
		delivered++
	}
	want(t, "clicks", w.evaluate("clicks"), shared.Dump(delivered)) // each that was said to be done
}

// The dialog comes while the page is busy with the press, so that the page gets no release, and no click.
func TestAPressWithoutItsReleaseIsNoClick(t *testing.T) {
	for name, o := range map[string]host.ClickOptions{"once": {}, "twice": {Double: true}, "by force": {ActionOptions: host.ActionOptions{Force: true}}} {
		t.Run(name, func(t *testing.T) {
			w := newWorldAsking(t, map[string]string{"/page": `<button id=b>press me</button>`})
			w.open("/page")
			w.evaluate(`globalThis.clicks = 0; b.onclick = () => { clicks++ }
				b.onpointerdown = () => { location = "app://call"; for (const end = Date.now() + 1000; Date.now() < end;); }; 0`)
			done := 0
			_, err := w.Tab("").Click(w.unhurried(), host.BySelector("#b"), &o)
			for ; err == nil; _, err = w.Tab("").Click(w.unhurried(), host.BySelector("#b"), &o) { // until the browser asks
				if done++; o.Double {
					done++
				}
			}
			wantError(t, err, host.ErrNotDelivered)
			if !strings.Contains(err.Error(), "(app:)") || done == 0 && !strings.Contains(err.Error(), "the release") {
				t.Errorf("it does not say what was lost, or why: %v", err)
			}
			if clicks := w.evaluate("clicks"); clicks != shared.Dump(done) && !(o.Double && clicks == shared.Dump(done+1)) {
				t.Errorf("%s clicks, though %d were done", clicks, done)
			}
		})
	}
}
