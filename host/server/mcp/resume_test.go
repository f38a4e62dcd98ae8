package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// wire is a client that sees each message of a session over HTTP, and can lose a stream.
type wire struct {
	t       *testing.T
	client  *http.Client
	address string
	session string
}

// event is one server-sent event with data.
type event struct{ id, data string }

// stream is an answer that is read event by event.
type stream struct {
	t      *testing.T
	status int
	lines  *bufio.Reader
	lose   func()
}

func newWire(t *testing.T, tools agent.Tools) *wire {
	t.Helper()
	s := New(Options{Tools: tools, Tasks: newFakeTasks()})
	site := httptest.NewServer(s.Handler())
	t.Cleanup(site.Close)
	t.Cleanup(s.Close)
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	w := &wire{t: t, client: &http.Client{Transport: own}, address: site.URL}
	begun := w.send(http.MethodPost, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`)
	begun.last()
	w.send(http.MethodPost, "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`).lose()
	return w
}

func (w *wire) send(method, after, body string) *stream {
	w.t.Helper()
	ctx, lose := context.WithCancel(w.t.Context())
	w.t.Cleanup(lose)
	r, err := http.NewRequestWithContext(ctx, method, w.address, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	if w.session != "" {
		r.Header.Set("Mcp-Session-Id", w.session)
	}
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	answer, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = answer.Body.Close() })
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		w.session = id
	}
	return &stream{w.t, answer.StatusCode, bufio.NewReader(answer.Body), lose}
}

// next reads one event; ok is false at the end of the stream.
func (s *stream) next() (e event, ok bool) {
	s.t.Helper()
	for {
		line, err := s.lines.ReadString('\n')
		if err == io.EOF {
			return e, false
		}
		if err != nil {
			s.t.Fatal(err)
		}
		line = strings.TrimSpace(line)
		if id, found := strings.CutPrefix(line, "id: "); found {
			e.id = id
		}
		if data, found := strings.CutPrefix(line, "data: "); found {
			e.data = data
		}
		if line == "" && e != (event{}) {
			return e, true
		}
	}
}

// last reads to the end and returns the last message.
func (s *stream) last() (e event) {
	s.t.Helper()
	for {
		next, ok := s.next()
		if !ok {
			return e
		}
		e = next
	}
}

func TestAClientThatLosesItsStreamGetsWhatItMissed(t *testing.T) {
	tools := newFakeTools(nil)
	w := newWire(t, tools)
	w.send(http.MethodPost, "", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`).last()
	listening := w.send(http.MethodGet, "", "")
	tools.become(tools.list[:2])
	first, ok := listening.next()
	if !ok || first.id == "" || !strings.Contains(first.data, "tools/list_changed") {
		t.Fatalf("got %+v", first)
	}
	listening.lose()
	tools.become(tools.list[:1])
	w.send(http.MethodPost, "", `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`).last()
	for { // until the server has noticed that the stream is lost
		again := w.send(http.MethodGet, first.id, "")
		if again.status == http.StatusConflict {
			continue
		}
		missed, ok := again.next()
		if !ok || missed.id == first.id || !strings.Contains(missed.data, "tools/list_changed") {
			t.Errorf("after %+v it gets %+v", first, missed)
		}
		again.lose()
		return
	}
}

func TestTheResultOfACallThatFinishedIsNotLostWithItsStream(t *testing.T) {
	asked, answer := make(chan context.Context, 1), make(chan agent.Result)
	w := newWire(t, newFakeTools(func(ctx context.Context, _ agent.Call) agent.Result {
		asked <- ctx
		return <-answer
	}))
	calling := w.send(http.MethodPost, "", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"act"}}`)
	begun, ok := calling.next() // an event without a message, to come back with
	if !ok || begun.id == "" {
		t.Fatalf("the call begins with %+v", begun)
	}
	ctx := <-asked
	calling.lose()
	<-ctx.Done() // its result could not be delivered
	answer <- agent.Result{Text: "bought", Structured: map[string]any{"success": true}}
	for { // until the result is kept
		again := w.send(http.MethodGet, begun.id, "")
		if again.status == http.StatusConflict {
			continue
		}
		got := again.last()
		var message struct {
			ID     int `json:"id"`
			Result struct {
				StructuredContent map[string]any `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal([]byte(got.data), &message); err != nil || message.ID != 7 || message.Result.StructuredContent["success"] != true {
			t.Errorf("it gets %+v, %v", got, err)
		}
		return
	}
}
