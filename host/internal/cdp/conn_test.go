package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	cdppage "github.com/chromedp/cdproto/page"
)

// call runs a Call in the background.
func call(c *Conn, ctx context.Context, session, method string, result any) <-chan error {
	done := make(chan error, 1)
	go func() { done <- c.Call(ctx, session, method, nil, result) }()
	return done
}

func TestCallReturnsTheDecodedResult(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		conn, browser := open(Options{})
		var result struct{ Product string }
		done := call(conn, t.Context(), "S1", "Browser.getVersion", &result)
		got := browser.next(t)
		if got.Method != "Browser.getVersion" || got.SessionID != "S1" || got.Params != nil {
			t.Errorf("the browser got %+v", got)
		}
		browser.say(t, fmt.Sprintf(`{"id":%d,"result":{"Product":"Chrome/156"},"sessionId":"S1"}`, got.ID))
		if err := within(t, done, "the reply"); err != nil || result.Product != "Chrome/156" {
			t.Errorf("got %q, error %v", result.Product, err)
		}
	})
}

func TestCallReturnsTheErrorOfTheBrowser(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		conn, browser := open(Options{})
		done := call(conn, t.Context(), "", "Page.handleJavaScriptDialog", nil)
		got := browser.next(t)
		browser.say(t, fmt.Sprintf(`{"error":{"code":-32602,"message":"No dialog is showing","data":"x"},"id":%d}`, got.ID))
		err := within(t, done, "the reply")
		var fromBrowser *Error
		if !errors.As(err, &fromBrowser) || *fromBrowser != (Error{-32602, "No dialog is showing", "x"}) {
			t.Fatalf("got %v", err)
		}
		if want := "Page.handleJavaScriptDialog: No dialog is showing: x (code -32602)"; err.Error() != want {
			t.Errorf("the text is %q, want %q", err, want)
		}
	})
}

func TestParams(t *testing.T) {
	var none *cdppage.NavigateParams
	for _, tc := range []struct {
		name   string
		params any
		want   string
	}{
		{"nil is left out", nil, ""},
		{"a nil pointer is left out", none, ""},
		{"empty raw JSON is left out", json.RawMessage{}, ""},
		{"a cdproto type is encoded", cdppage.NavigateParams{URL: "https://example.com"}, `{"url":"https://example.com"}`},
		{"a map is encoded", map[string]any{"a": 1}, `{"a":1}`},
		{"json.RawMessage passes through", json.RawMessage(`{"a": 1}`), `{"a": 1}`},
		{"jsontext.Value passes through", jsonv2.Value(`{"b":[]}`), `{"b":[]}`},
		{"bytes pass through", []byte(`{"c":null}`), `{"c":null}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			conn, browser := openPipe(t, Options{})
			if _, err := conn.Send("", "M", tc.params); err != nil {
				t.Fatal(err)
			}
			if got := browser.next(t); string(got.Params) != tc.want {
				t.Errorf("the browser got %s, want %s", got.Params, tc.want)
			}
		})
	}
}

func TestBadParamsFailBeforeAnythingIsSent(t *testing.T) {
	conn, browser := openPipe(t, Options{})
	for _, bad := range []any{[]byte(`{"a":`), json.RawMessage("{}\x00"), make(chan int)} {
		var failed *CallError
		if _, err := conn.Send("", "M", bad); !errors.As(err, &failed) {
			t.Errorf("%v: got %v, want a *CallError", bad, err)
		}
	}
	if _, err := conn.Send("s\"\n", "é", nil); err != nil {
		t.Fatal(err)
	}
	if got := browser.next(t); got.Method != "é" || got.SessionID != "s\"\n" {
		t.Errorf("the first command to arrive is %+v", got)
	}
}

func TestHandlerReceivesSubscribedEventsAndRepliesToSendInOrder(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		box := newMailbox()
		conn, browser := open(Options{Handler: box.handle})
		conn.Subscribe("Page.opened")
		conn.Subscribe("Page.closed", "Page.opened")
		id, err := conn.Send("S", "Page.enable", nil)
		if err != nil {
			t.Fatal(err)
		}
		browser.next(t)
		browser.say(t,
			`{"method":"Page.opened","params":{"n":1},"sessionId":"S"}`,
			`{"method":"Debugger.scriptParsed","params":{"n":2},"sessionId":"S"}`,
			fmt.Sprintf(`{"id":%d,"result":{"n":3},"sessionId":"S"}`, id),
			`{"id":999,"result":{}}`,
			`not JSON`,
			`{"params":{}}`,
			`{"method":"Page.closed"}`)
		for _, want := range []Message{
			{SessionID: "S", Method: "Page.opened", Params: []byte(`{"n":1}`)},
			{ID: id, SessionID: "S", Method: "Page.enable", Result: []byte(`{"n":3}`)},
			{Method: "Page.closed"},
		} {
			if got := box.next(t); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		}
		s := conn.Stats()
		if s.Events != 2 || s.Skipped != 1 || s.Replies != 1 || s.Discarded != 1 || s.Malformed != 2 || s.Pending != 0 {
			t.Errorf("the counters are %+v", s)
		}
		if s.BytesIn == 0 || s.BytesOut == 0 {
			t.Errorf("no bytes were counted: %+v", s)
		}
	})
}

func TestMessagesKeepTheirBytesWhileOthersFollow(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		box := newMailbox()
		conn, browser := open(Options{Handler: box.handle})
		conn.Subscribe("E")
		sizes := []int{1, 100, detachSize - 30, detachSize, detachSize + 1, 3 * detachSize, 5, 1 << 20, 7}
		go func() {
			for i, size := range sizes {
				_ = browser.write(fmt.Sprintf(`{"method":"E","params":"%s"}`, strings.Repeat(string(rune('a'+i)), size)))
			}
		}()
		var got []Message
		for range sizes {
			got = append(got, box.next(t))
		}
		for i, size := range sizes {
			if want := `"` + strings.Repeat(string(rune('a'+i)), size) + `"`; string(got[i].Params) != want {
				t.Errorf("message %d of %d bytes arrived damaged (%d bytes)", i, size, len(got[i].Params))
			}
		}
	})
}

func TestCallEndsWithItsContext(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		conn, browser := open(Options{})
		why := errors.New("the agent gave up")
		ctx, cancel := context.WithCancelCause(t.Context())
		done := call(conn, ctx, "", "Runtime.evaluate", nil)
		got := browser.next(t)
		cancel(why)
		err := within(t, done, "the call's end")
		if !errors.Is(err, why) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the cause of the context", err)
		}
		// The late reply is dropped, and the connection stays open.
		browser.say(t, fmt.Sprintf(`{"id":%d,"result":{}}`, got.ID))
		next := call(conn, t.Context(), "", "Page.enable", nil)
		browser.say(t, fmt.Sprintf(`{"id":%d,"result":{}}`, browser.next(t).ID))
		if err := within(t, next, "the next call"); err != nil {
			t.Error(err)
		}
		if s := conn.Stats(); s.Discarded != 1 {
			t.Errorf("%d discarded, want the late reply", s.Discarded)
		}
		if err := conn.Call(ctx, "", "Page.enable", nil, nil); !errors.Is(err, why) {
			t.Errorf("a call with an ended context gives %v", err)
		}
	})
}

func TestFailSessionEndsWhatWaitsOnThatSessionOnly(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		box := newMailbox()
		conn, browser := open(Options{Handler: box.handle})
		crashed := errors.New("target crashed")
		gone := call(conn, t.Context(), "gone", "Runtime.evaluate", nil)
		goneID := browser.next(t).ID
		stays := call(conn, t.Context(), "stays", "Runtime.evaluate", nil)
		staysID := browser.next(t).ID
		sent, err := conn.Send("gone", "Page.enable", nil)
		if err != nil {
			t.Fatal(err)
		}
		conn.FailSession("gone", crashed)
		if err := within(t, gone, "the failed call"); !errors.Is(err, crashed) {
			t.Errorf("the call gives %v", err)
		}
		if m := box.next(t); m.ID != sent || m.SessionID != "gone" || m.Method != "Page.enable" || !errors.Is(m.Err, crashed) {
			t.Errorf("the handler got %+v", m)
		}
		browser.say(t, fmt.Sprintf(`{"id":%d,"result":{}}`, goneID), fmt.Sprintf(`{"id":%d,"result":{}}`, staysID))
		if err := within(t, stays, "the other session's call"); err != nil {
			t.Error(err)
		}
		if s := conn.Stats(); s.Discarded != 1 {
			t.Errorf("%d discarded, want the late reply of the failed call", s.Discarded)
		}
	})
}

func TestHandlerMayUseTheConnection(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		box := newMailbox()
		closed := make(chan error, 1)
		var conn *Conn
		ready := make(chan struct{})
		opts := Options{
			Handler: func(m Message) {
				<-ready
				box.handle(m)
				if m.Method != "Target.detached" {
					return
				}
				if _, err := conn.Send("S", "Page.enable", nil); err != nil {
					t.Error(err)
				}
				conn.FailSession("S", errors.New("detached"))
				_ = conn.Close()
			},
			OnClose: func(err error) { closed <- err },
		}
		conn, browser := open(opts)
		close(ready)
		conn.Subscribe("Target.detached")
		browser.say(t, `{"method":"Target.detached","params":{}}`)
		box.next(t)
		if m := box.next(t); m.Method != "Page.enable" || m.Err == nil {
			t.Errorf("got %+v, want the failed command", m)
		}
		browser.close()
		if err := within(t, closed, "OnClose"); !errors.Is(err, ErrClosed) {
			t.Errorf("closed with %v", err)
		}
	})
}

func TestALostConnectionEndsEverythingAtOnce(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		box := newMailbox()
		closed := make(chan error, 1)
		conn, browser := open(Options{Handler: box.handle, OnClose: func(err error) { closed <- err }})
		waiting := call(conn, t.Context(), "S", "Runtime.evaluate", nil)
		browser.next(t)
		sent, err := conn.Send("S", "Page.enable", nil)
		if err != nil {
			t.Fatal(err)
		}
		browser.next(t)
		browser.close()

		err = within(t, waiting, "the pending call")
		var lost *LostError
		if !errors.Is(err, ErrConnectionLost) || !errors.As(err, &lost) || errors.Is(err, ErrClosed) {
			t.Errorf("the pending call gives %v", err)
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("the cause is %v, want io.EOF", err)
		}
		if strings.Contains(err.Error(), "127.0.0.1") {
			t.Errorf("the error contains an address: %v", err)
		}
		if m := box.next(t); m.ID != sent || !errors.Is(m.Err, ErrConnectionLost) {
			t.Errorf("the pending command gives %+v", m)
		}
		if err := within(t, closed, "OnClose"); !errors.Is(err, ErrConnectionLost) {
			t.Errorf("OnClose got %v", err)
		}
		within(t, conn.Done(), "Done")
		if !errors.Is(conn.Err(), ErrConnectionLost) {
			t.Errorf("Err gives %v", conn.Err())
		}
		if _, err := conn.Send("", "M", nil); !errors.Is(err, ErrConnectionLost) {
			t.Errorf("Send afterwards gives %v", err)
		}
		if err := conn.Call(t.Context(), "", "M", nil, nil); !errors.Is(err, ErrConnectionLost) {
			t.Errorf("Call afterwards gives %v", err)
		}
	})
}

func TestCloseEndsEverythingAndIsIdempotent(t *testing.T) {
	onEachTransport(t, func(t *testing.T, open func(Options) (*Conn, *fake)) {
		conn, browser := open(Options{})
		if conn.Err() != nil {
			t.Fatalf("a fresh connection has the error %v", conn.Err())
		}
		waiting := call(conn, t.Context(), "", "Runtime.evaluate", nil)
		browser.next(t)
		_ = conn.Close()
		_ = conn.Close()
		if err := within(t, waiting, "the pending call"); !errors.Is(err, ErrConnectionLost) || !errors.Is(err, ErrClosed) {
			t.Errorf("the pending call gives %v", err)
		}
		if _, err := browser.read(); err == nil {
			t.Error("the browser's end is still open")
		}
		within(t, conn.Done(), "Done")
	})
}

func TestTheReasonOfAWebSocketCloseIsReported(t *testing.T) {
	err := lossCause(fmt.Errorf("failed to read: %w", wsCloseError(4001, "session expired")))
	if want := "the peer closed the WebSocket with status 4001: session expired"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}
