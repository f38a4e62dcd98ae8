package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// clientOf serves tools and returns a client.
func clientOf(t *testing.T, tools agent.Tools) *Client {
	t.Helper()
	daemon := control.NewClient(strings.TrimPrefix(serve(t, Options{Tools: tools}), "http://"), "")
	t.Cleanup(daemon.Close)
	return NewClient(daemon)
}

func TestACallCrossesTheWire(t *testing.T) {
	tools := newFakeTools()
	client := clientOf(t, tools)
	call := agent.Call{Task: "a b&", Client: "hermes-cli", Toolsets: []string{"one", "two"}, Name: "act", Arguments: json.RawMessage(`{"ref":"<e1>"}`)}
	got, err := client.Call(t.Context(), call)
	want, _ := newFakeTools().Call(t.Context(), call)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v (%v), want %+v", got, err, want)
	}
	if arrived := <-tools.calls; !reflect.DeepEqual(arrived, call) {
		t.Errorf("the call is %+v", arrived)
	}
	if got, err := client.Call(t.Context(), agent.Call{Name: "look"}); err != nil || !got.IsError {
		t.Errorf("got %+v, %v", got, err)
	}
	if list, err := client.Tools(t.Context(), agent.View{}); err != nil || !reflect.DeepEqual(list, tools.list) {
		t.Errorf("got %+v, %v", list, err)
	}
	if _, err := client.Call(t.Context(), agent.Call{Name: "fly/../look"}); !errors.Is(err, host.ErrUnknownTool) {
		t.Errorf("a tool that there is not: %v", err)
	}
}

func TestAClientThatLeavesEndsItsCall(t *testing.T) {
	tools := newFakeTools()
	client := clientOf(t, tools)
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := client.Call(ctx, agent.Call{Name: "wait"})
		gone <- err
	}()
	<-tools.calls
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the client has %v", err)
	}
	if err := <-tools.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call has %v", err)
	}
}

func TestNumbersStayAsTheyWereWritten(t *testing.T) {
	client := clientOf(t, bigNumber{newFakeTools()})
	got, err := client.Call(t.Context(), agent.Call{Name: "look"})
	if err != nil || got.Structured["n"] != json.Number("12345678901234567890") {
		t.Errorf("got %+v, %v", got, err)
	}
}

type bigNumber struct{ *fakeTools }

func (bigNumber) Call(context.Context, agent.Call) (agent.Result, error) {
	return agent.Result{Structured: map[string]any{"n": json.Number("12345678901234567890")}}, nil
}
