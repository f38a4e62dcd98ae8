package host

import (
	"encoding/base64"
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/recording"
)

func TestASlotKeepsTheNewestFrameAndCountsTheOthers(t *testing.T) {
	var routes frameRoutes
	slot := newFrameSlot()
	routes.route("A", slot)
	frame := func(session, params string) bool {
		return routes.take(cdp.Message{SessionID: session, Method: eventFrame, Params: []byte(params)})
	}
	for _, params := range []string{"1", "2", "3"} {
		if !frame("A", params) {
			t.Error("a frame goes to the state machine")
		}
	}
	if !frame("B", "an agent's own") {
		t.Error("a frame that nobody records goes to the state machine")
	}
	<-slot.ready
	got, ok := slot.take()
	if !ok || string(got.params) != "3" || got.before != 2 || got.session != "A" {
		t.Errorf("the slot has %+v", got)
	}
	if _, ok := slot.take(); ok || len(slot.ready) > 0 {
		t.Error("the slot is not empty")
	}

	// Frames of an earlier session of the tab can not be acknowledged any more.
	routes.route("C", slot)
	frame("A", "4")
	frame("C", "5")
	if got, _ := slot.take(); got.before != 0 || got.session != "C" {
		t.Errorf("after a change of the session the slot has %+v", got)
	}
	routes.route("C", nil)
	frame("C", "6")
	if _, ok := slot.take(); ok {
		t.Error("a frame came after the end of its route")
	}
	for _, m := range []cdp.Message{{Method: "Page.frameNavigated", SessionID: "A"}, {Method: eventFrame, ID: 1, SessionID: "A"}} {
		if routes.take(m) {
			t.Errorf("%+v is taken for a frame", m)
		}
	}
}

func TestAPictureThatCanNotBeRecordedIsStillAcknowledged(t *testing.T) {
	jpeg := base64.StdEncoding.EncodeToString([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"))
	_, number, err := decodeFrame(shownFrame{params: []byte(`{"data": "` + jpeg + `", "sessionId": 7}`)})
	if !errors.Is(err, recording.ErrPicture) || number != 7 {
		t.Errorf("got the number %d, %v", number, err)
	}
	for _, params := range [][]byte{[]byte("{"), make([]byte, maxPicture+1)} {
		if _, _, err := decodeFrame(shownFrame{params: params}); err == nil {
			t.Errorf("%d bytes are taken for a picture", len(params))
		}
	}
}
