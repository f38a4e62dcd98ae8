package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http/httptest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// started is a task whose tab shows a page.
type started struct {
	*host.Task
	ctx  context.Context
	host *host.Host
	site *httptest.Server
	stop context.CancelFunc
}

// start launches a browser for a task that shows a page of this HTML.
func start(html string) *started {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	s := &started{ctx: ctx, stop: stop, site: serve(html)}
	var err error
	if s.host, err = host.New(ctx, nil); err != nil {
		log.Fatal(err)
	}
	if s.Task, err = s.host.Launch(ctx, "example", nil, nil); err != nil {
		log.Fatal(err)
	}
	if _, err := s.Tab("").Navigate(ctx, s.site.URL, nil); err != nil {
		log.Fatal(err)
	}
	return s
}

// end ends the browser.
func (s *started) end() {
	_ = s.host.Close(s.ctx)
	s.site.Close()
	s.stop()
}

// An answer given before its dialog opens: the script that asks does not have to wait.
func ExampleTask_ArmDialog() {
	s := start("an empty page")
	defer s.end()
	text := "Grace"
	if _, err := s.ArmDialog(s.ctx, host.ArmedAnswer{Accept: true, PromptText: &text, Type: "prompt"}); err != nil {
		log.Fatal(err)
	}
	got, err := s.Tab("").Evaluate(s.ctx, `prompt("Your name?")`, nil)
	fmt.Println(string(got.Value), err)
	// Output:
	// "Grace" <nil>
}

// A call that a dialog blocks is not lost: its result is available once the dialog is answered.
func ExampleTask_Resume() {
	s := start("an empty page")
	defer s.end()
	_, err := s.Tab("").Evaluate(s.ctx, `confirm("Go on?") ? "went on" : "stayed"`, nil)
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) {
		log.Fatal(err)
	}
	fmt.Println(blocked.Dialogs[0].Message)
	if _, err := s.RespondDialog(s.ctx, host.DialogResponse{Accept: true}); err != nil {
		log.Fatal(err)
	}
	result, err := s.Resume(s.ctx, blocked.CallID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(result.Evaluation.Value))
	// Output:
	// Go on?
	// "went on"
}

// Which module decided on a dialog, and by which rule.
func ExampleTask_ExplainDialog() {
	s := start("an empty page")
	defer s.end()
	_, _ = s.Tab("").Evaluate(s.ctx, `alert("Hello")`, nil) // blocked by the dialog
	closed, err := s.RespondDialog(s.ctx, host.DialogResponse{})
	if err != nil {
		log.Fatal(err)
	}
	explained, err := s.ExplainDialog(closed.ID)
	if err != nil {
		log.Fatal(err)
	}
	for _, call := range explained.Calls {
		fmt.Println(call.Module, call.Outcome, explained.Dialog.DecidedBy.Rule)
	}
	// Output:
	// dialog-policy decided policy must_respond
}

// Why each frame of a page is in the filtered tree.
func ExampleTask_ExplainFrames() {
	s := start(`<title>alone</title>`)
	defer s.end()
	s.SettledSnapshot(s.ctx)
	trees, err := s.ExplainFrames()
	if err != nil {
		log.Fatal(err)
	}
	for _, tree := range trees {
		fmt.Println(tree.DecidedBy.Module, len(tree.Frames), tree.Frames[0].Kept)
	}
	// Output:
	// frame-filter 1 true
}

// A CDP command without a method of its own here. Commands that reach beyond the task are refused.
func ExampleTask_CDP() {
	s := start("an empty page")
	defer s.end()
	got, err := s.CDP(s.ctx, host.CDPCall{Method: "Page.getLayoutMetrics"})
	if err != nil {
		log.Fatal(err)
	}
	var metrics map[string]any
	fmt.Println(json.Unmarshal(got.Result, &metrics), metrics["cssContentSize"] != nil)
	_, err = s.CDP(s.ctx, host.CDPCall{Method: "Browser.close"})
	fmt.Println(errors.Is(err, host.ErrRefused))
	// Output:
	// <nil> true
	// true
}

// The calls of plugins: what they were asked and what they decided, without secrets.
func ExampleHost_Journal() {
	s := start("an empty page")
	defer s.end()
	_, _ = s.Tab("").Evaluate(s.ctx, `alert("Hello")`, nil) // blocked by the dialog
	if _, err := s.RespondDialog(s.ctx, host.DialogResponse{}); err != nil {
		log.Fatal(err)
	}
	for _, call := range s.host.Journal(host.JournalFilter{Hook: abi.HookDialog}) {
		fmt.Println(call.Plugin, call.Subject, call.Outcome)
	}
	// Output:
	// dialog-policy d-1 decided
}

// What the host counted since it was made.
func ExampleHost_Counters() {
	s := start("an empty page")
	defer s.end()
	_, _ = s.Tab("").Evaluate(s.ctx, `alert("Hello")`, nil) // blocked by the dialog
	if _, err := s.RespondDialog(s.ctx, host.DialogResponse{}); err != nil {
		log.Fatal(err)
	}
	c := s.host.Counters()
	fmt.Println(c.Dialogs.ByType["alert"], c.Dialogs.ByClosedBy["agent"], c.Evaluate.Calls)
	// Output:
	// 1 1 1
}

// A task goes by its id: whoever starts it again gets the one that runs.
func ExampleHost_Task() {
	s := start("an empty page")
	defer s.end()
	again, err := s.host.Launch(s.ctx, "example", nil, nil)
	fmt.Println(again == s.Task, err)
	fmt.Println(s.host.Task("example") == s.Task, s.host.Task("another"))
	// Output:
	// true <nil>
	// true <nil>
}
