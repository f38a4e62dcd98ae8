package supervise_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// reporting says on which sessions Network.enable was sent since the last look, in order.
func (s *script) reporting() (list []string) {
	for _, line := range s.sent() {
		if session, ok := strings.CutSuffix(line, " Network.enable"); ok {
			list = append(list, session)
		}
	}
	s.quiet()
	return list
}

// Requests are reported by the sessions that are there when somebody wants to know, once, and by those that come.
func TestEverySessionOfATaskReportsItsRequests(t *testing.T) {
	s := newStory(t)
	if got := s.reporting(); len(got) > 0 {
		t.Errorf("nobody asked, but %v report", got)
	}
	s.on(oopif("frame", "tab", "below", "page")).quiet()
	s.on(supervise.WatchNetwork{Task: "task"}, supervise.WatchNetwork{Task: "task"}, supervise.WatchNetwork{Task: "nobody"})
	if got := s.reporting(); !slices.Equal(got, []string{"page", "below"}) {
		t.Errorf("%v report", got)
	}
	s.drop().back()
	s.settle()
	if got := s.reporting(); !slices.Equal(got, []string{"again"}) {
		t.Errorf("after the loss %v report", got)
	}
	if task, place := s.state.RequestsOf("again"); task != "task" || place.Page != "tab" {
		t.Errorf("the requests are those of %q in %+v", task, place)
	}
}
