package supervise_test

import (
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// asked says on which sessions Network.enable was sent, in order.
func (s *script) asked() (list []string) {
	for _, line := range s.sentLines() {
		if session, ok := cutSuffix(line, " Network.enable"); ok {
			list = append(list, session)
		}
	}
	return list
}

// Requests are reported by the sessions that are there when somebody wants to know, once, and by those that come.
func TestEverySessionOfATaskReportsItsRequests(t *testing.T) {
	s := newStory(t)
	if got := s.asked(); len(got) > 0 {
		t.Errorf("nobody asked, but %v report", got)
	}
	s.on(oopif("frame", "tab", "below", "page")).quiet()
	s.on(supervise.WatchNetwork{Task: "task"}, supervise.WatchNetwork{Task: "task"}, supervise.WatchNetwork{Task: "nobody"})
	if got := s.asked(); !slices.Equal(got, []string{"page", "below"}) {
		t.Errorf("%v report", got)
	}
	s.drop().back()
	if got := s.asked(); !slices.Equal(got, []string{"again"}) {
		t.Errorf("after the loss %v report", got)
	}
	if task, place := s.state.RequestsOf("again"); task != "task" || place.Page != "tab" {
		t.Errorf("the requests are those of %q in %+v", task, place)
	}
}
