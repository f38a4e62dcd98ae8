package screencast

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

func TestASlotKeepsTheNewestPictureAndCountsTheOthers(t *testing.T) {
	var routes Routes
	slot := NewSlot()
	routes.Route("A", slot)
	frame := func(session, params string) bool {
		return routes.Take(cdp.Message{SessionID: session, Method: Event, Params: []byte(params)})
	}
	for _, params := range []string{"1", "2", "3"} {
		if !frame("A", params) {
			t.Error("a picture goes to the state machine")
		}
	}
	if !frame("B", "an agent's own") {
		t.Error("a picture that nobody records goes to the state machine")
	}
	<-slot.Ready
	got, ok := slot.Take()
	if !ok || string(got.Params) != "3" || got.Before != 2 || got.Session != "A" {
		t.Errorf("the slot has %+v", got)
	}
	if _, ok := slot.Take(); ok || len(slot.Ready) > 0 {
		t.Error("the slot is not empty")
	}

	// Pictures of an earlier session of the tab can no longer be acknowledged.
	routes.Route("C", slot)
	frame("A", "4")
	frame("C", "5")
	if got, _ := slot.Take(); got.Before != 0 || got.Session != "C" {
		t.Errorf("after a change of the session the slot has %+v", got)
	}
	routes.Route("C", nil)
	frame("C", "6")
	if _, ok := slot.Take(); ok {
		t.Error("a picture came after the end of its route")
	}
	for _, m := range []cdp.Message{{Method: "Page.frameNavigated", SessionID: "A"}, {Method: Event, ID: 1, SessionID: "A"}} {
		if routes.Take(m) {
			t.Errorf("%+v is taken for a picture", m)
		}
	}
}
