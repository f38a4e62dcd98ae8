package supervise_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// surplus are the commands for a tab that is one too many: it is prepared like any other, and closed once it runs.
func surplus(session string) []string {
	return append(prepared(session), session+" Runtime.runIfWaitingForDebugger")
}

// A page that goes on opening windows would take all memory of the machine. Its own script waits for each of them, so
// those that are closed are resumed first.
func TestPagesOpenOnlySoManyTabs(t *testing.T) {
	s := newStoryWith(t, supervise.Config{MaxPopups: 2})
	s.on(popup("one", "first", "tab")).wantSent(prepared("first")...)
	s.on(popup("two", "second", "one")).wantSent(prepared("second")...)
	s.on(popup("three", "third", "tab")).wantSent(surplus("third")...)
	s.ok("third Runtime.runIfWaitingForDebugger").ok("third Runtime.runIfWaitingForDebugger").wantSent("browser close three")
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
	s.on(aside("two", "second")).wantSent(surplus("second")...)
	s.ok("second Runtime.runIfWaitingForDebugger").ok("second Runtime.runIfWaitingForDebugger").wantSent("browser close two")
	s.on(supervise.OpenTab{Task: "task", Request: 7}, aside("agents", "third")).wantSent(append([]string{"browser create about:blank own"}, prepared("third")...)...)
}
