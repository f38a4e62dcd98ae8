package host

import (
	"fmt"
	"sync"
	"testing"
)

func TestASlowSubscriberLosesEventsAndIsTold(t *testing.T) {
	var h hub
	slow, quick := h.subscribe(2), h.subscribe(10)
	for i := range 5 {
		h.Publish(Event{Reason: fmt.Sprint(i)})
	}
	h.Close()
	for name, c := range map[string]struct {
		sub     *Subscription
		got     int
		dropped uint64
	}{"slow": {slow, 2, 3}, "quick": {quick, 5, 0}} {
		n := 0
		for e := range c.sub.C {
			if e.Reason != fmt.Sprint(n) {
				t.Errorf("%s: event %d is %q: the order was lost", name, n, e.Reason)
			}
			n++
		}
		if n != c.got || c.sub.Dropped() != c.dropped {
			t.Errorf("%s got %d events and lost %d, want %d and %d", name, n, c.sub.Dropped(), c.got, c.dropped)
		}
	}
}

func TestSubscriptionsEndOnce(t *testing.T) {
	var h hub
	s := h.subscribe(0)
	s.Close()
	s.Close()
	h.Publish(Event{})
	h.Close()
	if _, open := <-s.C; open {
		t.Error("a closed subscription received an event")
	}
	if _, open := <-h.subscribe(1).C; open {
		t.Error("a subscription to a task that has ended is open")
	}
}

func TestHammerSubscriptionsComeAndGoUnderLoad(t *testing.T) {
	var h hub
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 200 {
				s := h.subscribe(1)
				h.Publish(Event{})
				s.Close()
			}
		})
	}
	wait.Wait()
	if len(h.subs) != 0 {
		t.Errorf("%d subscriptions are left", len(h.subs))
	}
}
