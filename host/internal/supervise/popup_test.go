package supervise_test

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// A page that goes on opening windows would take all memory of the machine. Its own script waits for each of them, so
// those that are closed are resumed first.
func TestPagesOpenOnlySoManyTabs(t *testing.T) {
	s := newStoryWith(t, supervise.Config{MaxPopups: 2})
	s.on(popup("one", "first", "tab")).wantSent(prepared("first")...)
	s.on(popup("two", "second", "one")).wantSent(prepared("second")...)
	s.on(popup("three", "third", "tab")).wantSent(prepared("third")...)
	s.on(navigated("third", document("three", "", "https://top/window"))).wantSent("browser close three")
	v, _ := s.state.View("task")
	if n := len(v.Denials); n != 1 || v.Denials[0].Target != "three" || !strings.Contains(v.Denials[0].Reason, "opened 2 that are still open") {
		t.Fatalf("the denials are %+v", v.Denials)
	}
	s.on(supervise.TargetDestroyed{Target: "three"}, supervise.TargetDestroyed{Target: "one"})
	s.on(popup("four", "fourth", "tab")).wantSent(prepared("fourth")...)
}

// A script can also click with Control on a link. The tab that Chromium opens for it names no opener. Those that the
// host opens do not count.
func TestTabsThatNameNoOpenerAreOpenedByPages(t *testing.T) {
	own := supervise.TaskSettings{Scope: supervise.ScopeContext, BrowserContextID: "own", OpenURL: "https://start/"}
	s := newScriptWith(t, supervise.Config{MaxPopups: 1}).on(add(own))
	aside := func(id target.ID, session target.SessionID) supervise.Attached {
		e := popup(id, session, "")
		e.Info.BrowserContextID = "own"
		return e
	}
	s.on(aside("tab", "page")).reply("browser create about:blank own", supervise.CommandReply{Target: "tab"}).wantSent(
		append([]string{"browser create about:blank own"}, append(prepared("page"), "page navigate https://start/")...)...)
	s.on(aside("one", "first")).wantSent(prepared("first")...)
	s.on(aside("two", "second")).wantSent(prepared("second")...)
	s.pass(2 * time.Second).wantSent("browser close two") // it was opened for no document
	s.on(supervise.OpenTab{Task: "task", Request: 7}, aside("agents", "third")).wantSent(append([]string{"browser create about:blank own"}, prepared("third")...)...)
}

// Chromium continues the requests of a tab that closes. So that of a tab too many fails before.
func TestWhatATabTooManyLoadsFailsBeforeItIsClosed(t *testing.T) {
	s := newStoryWith(t, supervise.Config{MaxPopups: 1}).on(supervise.HooksChanged{Navigate: true}).quiet()
	s.on(popup("one", "first", "tab"), popup("two", "second", "tab")).quiet()
	s.on(supervise.RequestPaused{Session: "second", Request: "r", Frame: "two", URL: "https://top/window", Method: "GET", Document: true})
	s.wantSent("second Fetch.failRequest", "browser close two")
}
