package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// What modules answer here is the text of a secret: that of the configuration of the first, of the second, and of the
// task's for both.
const serving, swapped, ofTask = "hunter-A", "hunter-B", "hunter-C"

func secretly(value string) map[string]any { return map[string]any{"password": value} }

func TestNothingThatTheEngineShowsHoldsASecret(t *testing.T) {
	var log strings.Builder
	w := newWorld(t, func(o *Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		o.TaskConfig = func(string, string) abi.Struct { return abi.Struct{{Key: "password", Value: abi.StringValue(ofTask)}} }
	})
	w.add("policy", stamped(t, "answer", serving), func(s *Spec) { s.Config = secretly(serving) })
	w.wantSays(serving)

	var shown []string
	for _, answers := range []string{swapped, ofTask} {
		change := Change{Source: Source{Wasm: stamped(t, "answer", answers)}, Config: secretly(swapped), RequireSame: true}
		_, err := w.Swap(ctx0, "policy", change)
		load := refusedAt(t, err)
		if load.Step != plugin.StepReplay || !strings.Contains(load.Detail, `call 1 of hermes_on_dialog about "d-1"`) ||
			!strings.Contains(load.Detail, "hermes-cdp plugin shadow") || !strings.Contains(load.Detail, "hermes-cdp plugin replay") {
			t.Errorf("refused at %s: %s", load.Step, load.Detail)
		}
		shown = append(shown, err.Error())
		change.RequireSame = false
		if _, err := w.Shadow(ctx0, "policy", change); err != nil {
			t.Fatal(err)
		}
		w.wantSays(serving)
		s := w.compared("policy")
		if len(s.Differences) == 0 || !strings.Contains(s.Differences[0].Candidate, "redacted") {
			t.Errorf("the differences are %+v", s.Differences)
		}
		shown = append(shown, fmt.Sprintf("%+v", s))
	}
	list, err := w.History("policy")
	if err != nil || len(list) != 5 {
		t.Errorf("the history is %+v, %v", list, err)
	}
	shown = append(shown, fmt.Sprintf("%+v", list))
	w.Close()
	wantNoSecret(t, append(shown, log.String())...)
}

func wantNoSecret(t *testing.T, shown ...string) {
	t.Helper()
	for _, text := range shown {
		if strings.Contains(text, "hunter-") {
			t.Errorf("it shows a secret: %s", text)
		}
	}
}

func TestAVeiledErrorIsWhatItWas(t *testing.T) {
	v := journal.NewMasker().Veil(journal.Entry{Config: abi.Struct{{Key: "password", Value: abi.StringValue(serving)}}.Append(nil)})
	fault := &plugin.Fault{Kind: plugin.FaultDeadline, Detail: "got " + serving, Trace: serving, Output: serving, Err: context.DeadlineExceeded}
	load := &plugin.LoadError{Step: plugin.StepReplay, Detail: "with " + serving, Err: fmt.Errorf("%s: %w", serving, fault)}
	err := veiled(v, errors.Join(load, errors.New(serving)))

	var gotLoad *plugin.LoadError
	var gotFault *plugin.Fault
	if !errors.As(err, &gotLoad) || !errors.As(err, &gotFault) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%v is something else now", err)
	}
	if gotLoad.Step != plugin.StepReplay || gotFault.Kind != plugin.FaultDeadline {
		t.Errorf("they are %+v and %+v", gotLoad, gotFault)
	}
	wantNoSecret(t, err.Error(), gotLoad.Detail, gotLoad.Err.Error(), gotFault.Error(), gotFault.Trace)
	if fault.Trace != serving || load.Detail != "with "+serving {
		t.Error("what was veiled changed itself")
	}
	if veiled(v, nil) != nil || !errors.Is(veiled(v, plugin.ErrBusy), plugin.ErrBusy) {
		t.Error("errors without a secret do not stay")
	}
}

func TestTheLogOfAModuleHoldsNoSecretOfItsConfiguration(t *testing.T) {
	var log strings.Builder
	w := newWorld(t, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	config := abi.Struct{{Key: "password", Value: abi.StringValue(serving)}}.Append(nil)
	w.moduleLog(newMember("policy", Spec{}), attempt{phase: newPhase()}, recipe{encoded: config}, &entry{}).With("plugin", "policy").WithGroup("guest").Warn("plugin says", "text", "it is "+serving, "lines", 2)
	wantNoSecret(t, log.String())
	if !strings.Contains(log.String(), "plugin=policy") || !strings.Contains(log.String(), "guest.lines=2") || !strings.Contains(log.String(), "redacted") {
		t.Errorf("the log is %s", log.String())
	}
}
