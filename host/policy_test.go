package host

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// policyHost returns a host without a browser with a policy beside a module that accepts every dialog, at priority 5.
func policyHost(t *testing.T, p Policy) *Host {
	t.Helper()
	accepting := consulting()
	accepting.Wasm, accepting.Priority = contrary.Dialog(), 5
	h, err := New(t.Context(), &Options{PluginCacheDir: compiled, Policies: []Policy{p}, Plugins: map[string]PluginOptions{"accepting": accepting}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// askPolicies asks about a dialog with that message.
func askPolicies(t *testing.T, h *Host, message string) (abi.DialogVerdict, lifecycle.Outcome) {
	t.Helper()
	event := abi.DialogEvent{Header: abi.Header{TaskID: "t"}, DialogID: "d-1", Type: abi.DialogTypeConfirm, Message: message}
	var verdict abi.DialogVerdict
	return verdict, h.plugins.Ask(t.Context(), questionAbout("t", &event, verdict.Unmarshal))
}

func TestAPolicyInGoIsAskedInItsPlace(t *testing.T) {
	for name, c := range map[string]struct {
		priority int
		order    string
		by       string
	}{
		"before the module":               {6, "mine", "mine"},
		"before one of the same priority": {5, "mine", "mine"},
		"after it":                        {4, "accepting", "accepting"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			h := policyHost(t, Policy{Name: "mine", Priority: c.priority, Timeout: time.Minute, Dialog: func(_ context.Context, e *abi.DialogEvent) (*abi.DialogVerdict, error) {
				got = append(got, e.Message)
				return &abi.DialogVerdict{Action: abi.DialogActionDismiss, Rule: "in Go"}, nil
			}})
			_, out := askPolicies(t, h, "Sure?")
			if !out.Decided || len(out.Calls) != 1 || out.Calls[0].Module != c.by || (len(got) == 1) != (c.by == "mine") {
				t.Errorf("the outcome is %+v, the policy saw %q", out, got)
			}
			var order []string
			for _, p := range h.Plugins() {
				if p.Name == "mine" || p.Name == "accepting" {
					order = append(order, p.Name)
				}
			}
			if len(order) != 2 || order[0] != c.order {
				t.Errorf("the order is %v", order)
			}
		})
	}
}

func TestAPolicyInGoIsRecordedAndFailsAsAModuleDoes(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	h := policyHost(t, Policy{Name: "mine", Priority: 9, Timeout: time.Minute, Dialog: func(_ context.Context, e *abi.DialogEvent) (*abi.DialogVerdict, error) {
		switch e.Message {
		case "abstain":
			return nil, nil
		case "fail":
			return nil, errors.New("the rules cannot be read")
		case "panic":
			panic("a mistake")
		}
		return &abi.DialogVerdict{Action: abi.DialogActionDismiss, Rule: "in Go"}, nil
	}})
	for _, c := range []struct {
		message, outcome, fault, by string
	}{
		{"decide", "decided", "", "mine"},
		{"abstain", "abstained", "", "accepting"},
		{"fail", "error", "could not decide: the rules cannot be read", ""},
		{"panic", "fault", "panicked: a mistake", ""},
	} {
		_, out := askPolicies(t, h, c.message)
		if !strings.Contains(out.Fault, c.fault) || out.Decided != (c.by != "") || out.Calls[0].Module != "mine" || string(out.Calls[0].Outcome) != c.outcome {
			t.Errorf("%s: the outcome is %+v", c.message, out)
		}
		if c.by != "" && out.Calls[len(out.Calls)-1].Module != c.by {
			t.Errorf("%s: the calls are %+v", c.message, out.Calls)
		}
		calls := h.Journal(JournalFilter{Plugin: "mine"})
		e := calls[len(calls)-1]
		if e.Outcome != c.outcome || e.Hook != abi.HookDialog || !strings.Contains(string(e.Event), c.message) {
			t.Errorf("%s: the journal has %+v", c.message, e)
		}
		if c.outcome == "decided" && !strings.Contains(string(e.Verdict), "in Go") {
			t.Errorf("the recorded verdict is %s", e.Verdict)
		}
	}
	for _, p := range h.Plugins() {
		if p.Name == "mine" && (p.Source != "go" || p.State != "serving" || p.Calls != 4 || p.Faults != 1 || p.LastFault == nil || p.LastFault.Kind != "trap") {
			t.Errorf("it is listed as %+v", p)
		}
	}

	slow := policyHost(t, Policy{Name: "slow", Priority: 9, Timeout: time.Millisecond, Dialog: func(context.Context, *abi.DialogEvent) (*abi.DialogVerdict, error) {
		<-end // whatever its context says
		return nil, nil
	}})
	if _, out := askPolicies(t, slow, "Sure?"); out.Decided || !strings.Contains(out.Fault, "ran longer than its limit of 1ms") {
		t.Errorf("the outcome is %+v", out)
	}
}

func TestAPolicyServesTheHooksOfItsFunctions(t *testing.T) {
	var p Policy
	p.Name, p.Timeout = "mine", time.Minute
	served := map[abi.Hook]bool{}
	saw := func(hook abi.Hook) { served[hook] = true }
	p.Navigate = func(context.Context, *abi.NavigateEvent) (*abi.NavigateVerdict, error) {
		saw(abi.HookNavigate)
		return &abi.NavigateVerdict{Action: abi.NavigateActionDeny}, nil
	}
	p.Request = func(context.Context, *abi.RequestEvent) (*abi.RequestVerdict, error) {
		saw(abi.HookRequest)
		return &abi.RequestVerdict{Action: abi.RequestActionBlock}, nil
	}
	p.BeforeTool = func(context.Context, *abi.ToolUseEvent) (*abi.ToolVerdict, error) {
		saw(abi.HookBeforeTool)
		return &abi.ToolVerdict{Action: abi.ToolActionDeny}, nil
	}
	p.AfterTool = func(context.Context, *abi.ToolUseEvent) (*abi.ToolVerdict, error) {
		saw(abi.HookAfterTool)
		return &abi.ToolVerdict{Action: abi.ToolActionDeny}, nil
	}
	p.Console = func(context.Context, *abi.ConsoleEvent) (*abi.ConsoleVerdict, error) {
		saw(abi.HookConsole)
		return &abi.ConsoleVerdict{Action: abi.ConsoleActionDrop}, nil
	}
	p.Download = func(context.Context, *abi.FileEvent) (*abi.FileVerdict, error) {
		saw(abi.HookDownload)
		return &abi.FileVerdict{Action: abi.FileActionDeny}, nil
	}
	p.Upload = func(context.Context, *abi.FileEvent) (*abi.FileVerdict, error) {
		saw(abi.HookUpload)
		return &abi.FileVerdict{Action: abi.FileActionDeny}, nil
	}
	h := policyHost(t, p)
	for _, hook := range []abi.Hook{
		abi.HookNavigate, abi.HookRequest, abi.HookBeforeTool, abi.HookAfterTool, abi.HookConsole, abi.HookDownload, abi.HookUpload,
	} {
		event, _ := abi.NewMessages(hook)
		header := abi.Header{TaskID: "t"}
		out := h.plugins.Ask(t.Context(), lifecycle.Question{Hook: hook, Task: "t", Header: &header, Encode: event.Append})
		if !h.plugins.Serves(hook) || !out.Decided || !served[hook] {
			t.Errorf("%s: the outcome is %+v", hook, out)
		}
	}
}

func TestPoliciesThatCannotBeUsed(t *testing.T) {
	decide := func(context.Context, *abi.DialogEvent) (*abi.DialogVerdict, error) { return nil, nil }
	for want, list := range map[string][]Policy{
		"has no name":          {{Dialog: decide}},
		"name of a plugin":     {{Name: "dialog-policy", Dialog: decide}},
		"or of another policy": {{Name: "mine", Dialog: decide}, {Name: "mine", Dialog: decide}},
		"decides on nothing":   {{Name: "mine"}},
		"is negative":          {{Name: "mine", Dialog: decide, Timeout: -1}},
	} {
		h, err := New(t.Context(), &Options{PluginCacheDir: compiled, Policies: list})
		if err == nil {
			err = h.Close(t.Context())
			t.Errorf("it started (%v), want %q", err, want)
		} else if !errors.Is(err, ErrBadArguments) || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	h := policyHost(t, Policy{Name: "mine", Dialog: decide})
	accepting := consulting()
	accepting.Wasm = contrary.Dialog()
	if _, err := h.AddPlugin(t.Context(), "mine", accepting); !errors.Is(err, ErrKnownPlugin) {
		t.Errorf("a plugin of that name: %v", err)
	}
	if list, err := h.PluginHistory("mine"); err != nil || len(list) != 0 {
		t.Errorf("its history is %v, %v", list, err)
	}
}
