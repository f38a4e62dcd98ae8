package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
)

func logged(text string) cdp.Message {
	value, _ := json.Marshal(text) // a string can always be encoded
	return cdp.Message{SessionID: "s", Method: "Runtime.consoleAPICalled",
		Params: fmt.Appendf(nil, `{"type":"log","args":[{"type":"string","value":%s}],"executionContextId":1,"timestamp":1795258312739.5}`, value)}
}

func TestAnInboxIsBoundedInBytes(t *testing.T) {
	b := newInbox()
	line := logged(strings.Repeat("x", 4<<10))
	const flood = 2*maxConsoleBytes/(4<<10) + 1
	for range flood {
		b.putMessage(line)
	}
	kept := b.len()
	if dropped, _ := b.droppedEvents(); b.console.bytes > maxConsoleBytes || kept == 0 || dropped != uint64(flood-kept) {
		t.Errorf("%d bytes are queued, %d events were kept and %d dropped of %d", b.console.bytes, kept, dropped, flood)
	}
	huge := strings.Repeat("y", maxConsoleBytes)
	for _, m := range []cdp.Message{
		{ID: 7, Method: "Runtime.consoleAPICalled", Result: []byte(huge)}, // a reply, whatever its method
		{SessionID: "s", Method: "Page.javascriptDialogOpening", Params: []byte(huge)},
		{SessionID: "s", Method: "Page.frameNavigated", Params: []byte(huge)},
		{SessionID: "s", Method: "Page.frameDetached", Params: []byte(huge)},
		{Method: "Target.attachedToTarget", Params: []byte(huge)},
	} {
		b.putMessage(m)
	}
	b.put(lost{})
	items := b.take()
	if len(items) != kept+6 {
		t.Errorf("besides %d lines there are %d items, want 6", kept, len(items)-kept)
	}
	for method := range decode.Methods() {
		if logs := method == "Runtime.consoleAPICalled" || method == "Runtime.exceptionThrown" || method == "Log.entryAdded"; logs != consoleEvents[method] {
			t.Errorf("%s can be dropped: %v", method, consoleEvents[method])
		}
	}
	b.putMessage(line)
	if b.len() != 1 {
		t.Error("after the owner took everything, the inbox accepts nothing")
	}
}

func TestAFloodOfRequestsCostsNoOtherEvent(t *testing.T) {
	b := newInbox()
	params := fmt.Appendf(nil, `{"requestId":"%s"}`, strings.Repeat("x", 1000))
	const flood = maxNetworkBytes/1000 + 100
	for range flood {
		b.putMessage(cdp.Message{SessionID: "s", Method: "Network.requestWillBeSent", Params: params})
	}
	b.putMessage(logged("still heard"))
	console, requests := b.droppedEvents()
	if console != 0 || requests == 0 || uint64(b.len()) != flood-requests+1 {
		t.Errorf("%d and %d are dropped of %d; %d are queued", console, requests, flood, b.len())
	}
}

func TestConsoleEventsAreCutBeforeTheyAreQueued(t *testing.T) {
	b := newInbox()
	long := logged(strings.Repeat("x", 10<<20))
	b.putMessage(long)
	m := b.take()[0].(cdp.Message)
	if len(m.Params) > decode.MaxText+200 || !bytes.Equal(m.Params, decode.Shorten(long.Params)) {
		t.Errorf("%d bytes are queued", len(m.Params))
	}
}
