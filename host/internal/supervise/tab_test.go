package supervise_test

import (
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// wantInUse checks which tab is in use, in each place that tells.
func (s *script) wantInUse(want target.ID) *script {
	s.t.Helper()
	v, _ := s.state.View("task")
	page, _, _ := s.state.Page("task", "")
	if v.InUse != want || page != want {
		s.t.Fatalf("in use is %q, and a call without a tab goes to %q, want %q", v.InUse, page, want)
	}
	return s
}

func (s *script) use(tab target.ID) *script {
	return s.on(supervise.UseTab{Task: "task", Target: tab})
}

func (s *script) closed(tab target.ID, session target.SessionID) *script {
	return s.on(supervise.Detached{Session: session}, supervise.TargetDestroyed{Target: tab})
}

func TestTheTabInUse(t *testing.T) {
	s := newStory(t).wantInUse("tab")
	// A popup never takes it.
	s.on(popup("p1", "s1", "tab"), popup("p2", "s2", "p1"), popup("p3", "s3", "tab")).wantInUse("tab")
	s.use("p3").wantInUse("p3").use("p2").wantInUse("p2")
	s.use("nowhere").wantInUse("p2")
	s.closed("p2", "s2").wantInUse("p1") // its opener, although p3 was in use last
	s.closed("p3", "s3").wantInUse("p1") // it was not in use
	s.use("tab").use("p1").closed("tab", "page").wantInUse("p1")
	s.closed("p1", "s1").wantInUse("")
}

func TestTheTabThatWasUsedLastFollowsOneWhoseOpenerIsGone(t *testing.T) {
	s := newStory(t)
	s.on(popup("p1", "s1", "tab"), popup("p2", "s2", "p1"), popup("p3", "s3", "tab"))
	s.use("p3").use("p2").closed("p1", "s1").wantInUse("p2")
	s.closed("p2", "s2").wantInUse("p3")
	s.closed("p3", "s3").wantInUse("tab")
}

func TestATabOfAnotherTaskIsNotUsed(t *testing.T) {
	s := newStory(t)
	s.on(popup("p1", "s1", "tab"))
	s.on(supervise.UseTab{Task: "another", Target: "p1"}).wantInUse("tab")
}
