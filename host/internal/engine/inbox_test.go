package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
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
	b.putMessage(logged(strings.Repeat("x", 10<<20)))
	m := b.take()[0].(cdp.Message)
	if len(m.Params) > decode.MaxText+200 {
		t.Errorf("%d bytes are queued", len(m.Params))
	}
	event, err := decode.Event("s", m.Method, m.Params)
	if err != nil {
		t.Fatal(err)
	}
	entry := event.(supervise.ConsoleMessage).Entry
	want := fmt.Sprintf("x… (%d bytes more)", 10<<20-maxConsoleString)
	if !strings.HasSuffix(entry.Text, want) || len(entry.Text) != maxConsoleString+len(want)-1 || entry.Type != "log" || !entry.At.Equal(time.UnixMicro(1795258312739500)) {
		t.Errorf("%d bytes of %s at %v that end in %q", len(entry.Text), entry.Type, entry.At, entry.Text[len(entry.Text)-60:])
	}
}

// A shortened text is still JSON; each string is the beginning of the original, and says how much is missing.
func TestShortenedStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.String()).Draw(t, "texts")
		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		raw, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if err := json.Unmarshal(shortenStrings(raw, limit), &got); err != nil || len(got) != len(texts) {
			t.Fatalf("%v, %q", err, got)
		}
		for i, text := range texts {
			if got[i] == text {
				continue
			}
			head, tail, ok := strings.Cut(got[i], "… (")
			if !ok || !strings.HasPrefix(text, head) || tail != fmt.Sprintf("%d bytes more)", len(text)-len(head)) {
				t.Fatalf("%q became %q", text, got[i])
			}
		}
	})
	for _, malformed := range []string{`{"a":"no end of it`, `{"a":"an escape at the end\`, `"\u12`, strings.Repeat("x", 30)} {
		if got := shortenStrings([]byte(malformed), 4); string(got) != malformed {
			t.Errorf("%q became %q", malformed, got)
		}
	}
}
