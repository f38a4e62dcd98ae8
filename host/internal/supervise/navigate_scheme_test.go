package supervise_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

const (
	local     = "file:///home/me/page.html"
	resetting = "page Page.resetNavigationHistory"
)

// newRefusedStory is a story whose tab shows a file.
func newRefusedStory(t *testing.T) *script {
	t.Helper()
	return newStory(t).on(navigated("page", document("tab", "", local))).wantSent("page navigate about:blank")
}

func (s *script) wantDenied(targets ...target.ID) *script {
	s.t.Helper()
	v, _ := s.state.View("task")
	var got []target.ID
	for _, d := range v.Denials {
		got = append(got, d.Target)
		if !strings.Contains(d.Reason, `"file"`) || d.Target != "tab" && !strings.Contains(d.Reason, "closed") {
			s.t.Errorf("the denial of %s does not say what happened, and why: %s", d.Target, d.Reason)
		}
	}
	if len(got) != len(targets) || s.state.Counters().Navigations[supervise.NavigationRefused] != uint64(len(targets)) {
		s.t.Fatalf("denied to %q, want %q", got, targets)
	}
	for i := range got {
		if got[i] != targets[i] {
			s.t.Fatalf("denied to %q, want %q", got, targets)
		}
	}
	return s
}

func TestWhatARefusedDocumentOpensIsClosedBeforeItRuns(t *testing.T) {
	s := newRefusedStory(t)
	s.on(popup("popup", "opened", "tab")).wantSent("browser close popup").wantDenied("tab", "popup")
	s.on(popup("second", "below", "popup")).wantSent("browser close second").wantDenied("tab", "popup", "second")
	s.on(supervise.TargetDestroyed{Target: "second"}, supervise.TargetDestroyed{Target: "popup"})
	s.on(navigated("page", document("tab", "", "about:blank"))).wantSent(resetting)
	s.on(popup("third", "later", "tab")).wantSent(prepared("later")...)
}

// The opener's session may be slow, or already gone, when the browser announces the target.
func TestTheBrowserTellsWhoIsRefusedBeforeItsDocumentDoes(t *testing.T) {
	s := newStory(t).on(supervise.TargetChanged{Info: target.Info{TargetID: "tab", Type: "page", URL: local}}).quiet()
	s.on(popup("popup", "opened", "tab")).wantSent("browser close popup").wantDenied("popup")
}

func TestATabThatAnEarlierDocumentOpenedStays(t *testing.T) {
	s := newStory(t).on(popup("popup", "opened", "tab")).wantSent(prepared("opened")...)
	s.on(navigated("page", document("tab", "", local))).wantSent("page navigate about:blank")
	s.on(navigated("opened", document("popup", "", "https://top/next"))).wantSent()
	s.wantDenied("tab")
}

// Such a tab existed before the connection. What it shows now may come from another document.
func TestATabThatRanBeforeIsJudgedByItsDocument(t *testing.T) {
	s := newRefusedStory(t)
	older := popup("popup", "opened", "tab")
	older.Waiting = false
	s.on(older).wantSent(prepared("opened")...)
	s.wantDenied("tab")
}

func TestAnEmptyDocumentWithARefusedOriginIsLeft(t *testing.T) {
	world := func(origin string) supervise.ContextCreated {
		c := contextCreated("page", "tab", "unique")
		c.Context.Origin = origin
		return c
	}
	s := newStory(t).on(navigated("page", document("tab", "", "about:blank")), world("https://top")).wantSent()
	s.on(world("null")).wantSent()
	s.on(world("file://")).wantSent("page navigate about:blank").wantDenied("tab")
	s.on(popup("popup", "opened", "tab")).wantSent("browser close popup").wantDenied("tab", "popup")
	again := document("tab", "", "about:blank")
	again.Loader = "another"
	s.on(navigated("page", again), world("null")).wantSent(resetting)
}

func TestOneDocumentIsRefusedOnce(t *testing.T) {
	c := contextCreated("page", "tab", "unique")
	c.Context.Origin = "file://"
	newRefusedStory(t).on(c).wantSent().wantDenied("tab")
}

func TestAnotherWorldAndAFrameTellNothingOfTheOriginOfATab(t *testing.T) {
	s := newStory(t).on(supervise.FrameAttached{Session: "page", Frame: "child", Parent: "tab"}).quiet()
	for _, c := range []supervise.ExecutionContext{
		{Unique: "isolated", Frame: "tab", Origin: "file://"}, {Unique: "below", Frame: "child", Main: true, Origin: "file://"},
		{Unique: "unknown", Frame: "nobody", Main: true, Origin: "file://"},
	} {
		s.on(supervise.ContextCreated{Session: "page", Context: c})
	}
	s.wantSent().wantDenied()
}
