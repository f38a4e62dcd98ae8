package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolresult"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func TestTheToolsOfTheCommandLine(t *testing.T) {
	for name, c := range map[string]struct {
		options callOptions
		config  config.Config
		want    []string
	}{
		"nothing is configured":      {callOptions{}, config.Config{}, []string{"all"}},
		"toolsets are configured":    {callOptions{}, config.Config{Toolsets: []string{"browser-read"}}, nil},
		"for this client":            {callOptions{}, config.Config{PlatformToolsets: map[string][]string{clientName: {"browser"}}}, nil},
		"for another client":         {callOptions{}, config.Config{PlatformToolsets: map[string][]string{"hermes-acp": {"browser"}}}, []string{"all"}},
		"the command line is strong": {callOptions{toolsets: []string{"x"}}, config.Config{Toolsets: []string{"browser-read"}}, []string{"x"}},
	} {
		if got := c.options.view(&c.config); !reflect.DeepEqual(got.Toolsets, c.want) || got.Client != clientName {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestWhatToTypeNext(t *testing.T) {
	dialogs := []any{map[string]any{"id": "d-1", "type": "confirm", "message": "Sure?"}}
	for name, c := range map[string]struct {
		failed toolresult.Failure
		exit   int
		want   string
	}{
		"a call that can be resumed": {toolresult.Failure{Tool: "browser_click", Result: agent.Result{Structured: map[string]any{
			"error": "blocked by a dialog", "kind": "blocked_by_dialog", "call_id": "c-1", "pending_dialogs": dialogs,
		}}}, exitBlocked, "hermes-cdp: browser_click: blocked by a dialog\n  d-1 confirm, the page says \"Sure?\"\n" +
			"  answer it: hermes-cdp dialog accept d-1, or dismiss\n  the result, once answered: hermes-cdp browser resume c-1\n"},
		"a call that was not begun, in a task": {toolresult.Failure{Tool: "browser_click", Task: "my task", Result: agent.Result{Structured: map[string]any{
			"error": "blocked by a dialog", "kind": "blocked_by_dialog", "pending_dialogs": dialogs,
		}}}, exitBlocked, "hermes-cdp: browser_click: blocked by a dialog\n  d-1 confirm, the page says \"Sure?\"\n" +
			"  answer it: hermes-cdp dialog accept d-1 --task 'my task', or dismiss\n  nothing was begun: type the command again once it is answered\n"},
		"a list of actions": {toolresult.Failure{Tool: "browser_interact", Result: agent.Result{Text: "1 click failed: \x1b[31mno\nthe tab is at x", Structured: map[string]any{"success": false}}},
			exitFailed, "hermes-cdp: browser_interact did not do what was asked\n  1 click failed: \\x1b[31mno\n  the tab is at x\n"},
		"an error of two lines is told once": {toolresult.Failure{Tool: "browser_cdp", Result: agent.Result{
			Text: "error: one\ntwo\nprotocol: https://x/", Structured: map[string]any{"error": "one\ntwo", "kind": "cdp_protocol"},
		}}, exitFailed, "hermes-cdp: browser_cdp: one two\n  protocol: https://x/\n"},
		"bad arguments": {toolresult.Failure{Tool: "t", Result: agent.Result{Text: "error: bad", Structured: map[string]any{"error": "bad", "kind": "bad_arguments"}}}, exitUsage, "hermes-cdp: t: bad\n"},
		"a timeout":     {toolresult.Failure{Tool: "t", Result: agent.Result{Structured: map[string]any{"error": "late", "kind": "timeout"}}}, exitTimeout, "hermes-cdp: t: late\n"},
		"no connection": {toolresult.Failure{Tool: "t", Result: agent.Result{Structured: map[string]any{"error": "gone", "kind": "cdp_transport"}}}, exitUnreachable, "hermes-cdp: t: gone\n"},
		"a tool from elsewhere that says nothing": {toolresult.Failure{Tool: "t", Result: agent.Result{Structured: map[string]any{"error": 5, "pending_dialogs": "x"}}}, exitFailed, "hermes-cdp: t did not do what was asked\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			exit, e := classify(c.failed)
			(&app{App: cli.App{Stderr: &out}}).PrintError(e, nextOf(c.failed)...)
			if out.String() != c.want || exit != c.exit {
				t.Errorf("exit %d, want %d; got\n%swant\n%s", exit, c.exit, out.String(), c.want)
			}
		})
	}
}
