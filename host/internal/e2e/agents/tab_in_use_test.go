package agents

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// inUse is the handle of the tab that the list marks; it marks exactly one.
func (u *user) inUse() (handle string) {
	u.t.Helper()
	for _, tab := range u.Tabs() {
		if !tab.Info().InUse {
			continue
		}
		if handle != "" {
			u.t.Errorf("both %s and %s are marked", handle, tab.ID())
		}
		handle = tab.ID()
	}
	for line := range strings.SplitSeq(u.good("browser_tabs", nil).Text, "\n") {
		if marked, its := strings.HasSuffix(line, " in use"), strings.HasPrefix(line, handle+" "); marked != its {
			u.t.Errorf("%s is in use, and the list says %s", handle, line)
		}
	}
	return handle
}

// shows checks that calls without a tab meet a page with a text, whatever tool makes them.
func (u *user) shows(text, path string) {
	u.t.Helper()
	url := shared.Dump(u.URL("localhost", path))
	u.good("browser_wait_for", arguments{"text": text})
	want(u.t, u.good("browser_snapshot", nil), "url", url)
	want(u.t, u.good("browser_extract_text", nil), "text", shared.Dump(text))
	want(u.t, u.good("browser_evaluate", arguments{"expression": "document.body.innerText"}), "result", shared.Dump(text))
	want(u.t, u.good("browser_console", arguments{"expression": "location.href"}), "result", url)
	want(u.t, u.good("browser_interact", arguments{"actions": []arguments{{"action": "extract_text"}}}), "url", url)
	is(u.t, "the page of the snapshot", u.Snapshot().Page().URL, u.URL("localhost", path))
}

func TestFocusAndOpenSetTheTabThatOtherCallsUse(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/after"})
	is(t, "at first", u.inUse(), "t1")
	u.good("browser_tabs", arguments{"action": "open", "url": "{{localhost}}/two"})
	is(t, "after open", u.inUse(), "t2")
	u.shows("two", "/two")
	u.good("browser_tabs", arguments{"action": "focus", "tab": "t1"})
	is(t, "after focus", u.inUse(), "t1")
	u.shows("after", "/after")
	u.bad("browser_tabs", arguments{"action": "open", "url": nowhere}, "navigation_failed", "t3")
	is(t, "after an open whose address cannot be loaded", u.inUse(), "t3")
	closed := u.good("browser_tabs", arguments{"action": "close", "tab": "t3"})
	want(t, closed, "tab_in_use.tab", `"t1"`)
	want(t, closed, "tab_in_use.closed", `"t3"`)
	if !strings.Contains(closed.Text, "calls without tab now use t1") {
		t.Errorf("the text says nothing of it: %s", show(closed))
	}
	closed = u.good("browser_tabs", arguments{"action": "close", "tab": "t2"})
	want(t, closed, "tab_in_use", "null") // it was not in use
	u.shows("after", "/after")
	u.bad("browser_tabs", arguments{"action": "focus", "tab": "t2"}, "unknown_tab")
	is(t, "after a focus that failed", u.inUse(), "t1")
}

// openerPage opens a popup, which has what closes it.
const openerPage = `<button id=pop onclick="open('/closer', '', 'width=500,height=400')">pop</button>`

func TestAPopupIsNamedAndNeverTakesTheTabInUse(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/opener"})
	u.good("browser_tabs", arguments{"action": "open", "url": "{{localhost}}/opener"})
	r := u.good("browser_click", arguments{"selector": "#pop"})
	want(t, r, "new_tabs.0.handle", `"t3"`)
	want(t, r, "new_tabs.0.popup", "true")
	want(t, r, "tab_in_use", "null")
	is(t, "beside the popup", u.inUse(), "t2")
	want(t, u.good("browser_snapshot", nil), "url", shared.Dump(u.URL("localhost", "/opener")))

	// The popup is chosen, the opener's neighbour is used before it closes itself: its opener follows, and not that one.
	u.good("browser_tabs", arguments{"action": "focus", "tab": "t1"})
	u.good("browser_tabs", arguments{"action": "focus", "tab": "t3"})
	r = u.good("browser_click", arguments{"selector": "#close"})
	want(t, r, "tab_closed", "true")
	want(t, r, "tab_in_use", `{"closed":"t3","tab":"t2"}`)
	is(t, "after the popup", u.inUse(), "t2")
	want(t, u.good("browser_tabs", nil), "tab_in_use", "null") // it is said once

	// Without an opener the one that was used last follows, though it is not the first.
	u.good("browser_tabs", arguments{"action": "open"})
	r = u.good("browser_tabs", arguments{"action": "close", "tab": "t4"})
	want(t, r, "tab_in_use", `{"closed":"t4","tab":"t2"}`)
}

// A tab that closes between two calls is told of by the next one, which works on what follows.
func TestATabThatClosesBetweenCallsIsTold(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/after"})
	opened := text(t, u.good("browser_tabs", arguments{"action": "open", "url": "{{localhost}}/two"}), "tab.target_id")
	if err := u.Tab(opened).Close(u.ctx); err != nil {
		t.Fatal(err)
	}
	r := u.good("browser_extract_text", nil)
	want(t, r, "text", `"after"`)
	want(t, r, "tab_in_use", `{"closed":"t2","tab":"t1"}`)
	last := text(t, u.good("browser_tabs", arguments{"action": "close", "tab": "t1"}), "tab_in_use.closed")
	is(t, "the last", last, "t1")
	u.bad("browser_extract_text", nil, "session_lost", "no tab")
}
