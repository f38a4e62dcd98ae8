package host

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/hooks"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// answering is a module that answers every dialog with a text of eight bytes.
func answering(t *testing.T, text string) PluginSource {
	t.Helper()
	wasm, err := os.ReadFile("internal/plugin/lifecycle/testdata/answer.wasm")
	if err != nil {
		t.Fatal(err)
	}
	return PluginSource{Wasm: bytes.ReplaceAll(wasm, []byte("stamp000"), []byte(text))}
}

// The module answers with a secret from its own configuration; the page knows another one, from the task's settings.
func TestAnExplanationHoldsNoSecret(t *testing.T) {
	var log strings.Builder
	h, err := New(t.Context(), &Options{
		PluginCacheDir: compiled, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Plugins: map[string]PluginOptions{"mine": {
			PluginSource: answering(t, "hunter-A"), Hooks: []abi.Hook{abi.HookDialog}, Config: map[string]any{"password": "hunter-A"},
			Limits: module.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.configs.Store("t", taskConfigs{"mine": {{Key: "password", Value: abi.StringValue("hunter-B")}}})
	event := abi.DialogEvent{Header: abi.Header{TaskID: "t"}, DialogID: "d-1", Type: abi.DialogTypePrompt, Message: "Is it hunter-B?"}
	ask := hooks.Dialog(supervise.AskDialog{Task: "t", Event: event})
	out := ask.Verdict(h.plugins.Ask(t.Context(), ask.Question)).(supervise.DialogVerdict)
	if out.Abstained || out.Fault != "" || out.Verdict.Text != "hunter-A" {
		t.Fatalf("%+v", out)
	}
	task := &Task{host: h, engine: engine.NewTask("t", nil, &hub{})}
	e, err := task.explainDialog(view.DialogOf(supervise.Dialog{
		ID: "d-1", Message: event.Message, Text: out.Verdict.Text, Decision: supervise.Provenance{Module: "mine", Rule: out.Verdict.Rule},
		Phase: supervise.PhaseClosed, Record: &supervise.DialogRecord{Event: out.Event, Verdict: &out.Verdict, Calls: out.Calls},
	}))
	if err != nil {
		t.Fatal(err)
	}
	explained, err := json.Marshal(e)
	if err != nil || !strings.Contains(string(e.Verdict), "redacted") || !strings.Contains(string(e.Event), "Is it [redacted]?") ||
		len(e.Calls) != 1 || e.Calls[0].Module != "mine" || e.Dialog.DecidedBy.Module != "mine" {
		t.Errorf("%v: %s", err, explained)
	}

	change := PluginChange{PluginSource: answering(t, "hunter-B"), Config: map[string]any{"password": "hunter-C"}, RequireSame: true}
	_, refused := h.SwapPlugin(t.Context(), "mine", change)
	history, err := h.PluginHistory("mine")
	if refused == nil || err != nil || len(history) != 2 || history[0].Error == "" {
		t.Errorf("refused with %v; the history is %+v, %v", refused, history, err)
	}
	if err := h.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, text := range []string{string(explained), fmt.Sprint(refused), fmt.Sprintf("%+v", history), log.String()} {
		if strings.Contains(text, "hunter-") {
			t.Errorf("it shows a secret: %s", text)
		}
	}
}
