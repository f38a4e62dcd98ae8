package trial_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/trial"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// patient gives a module more time than a busy machine takes.
var patient = module.Limits{InitTimeout: time.Minute, HookTimeout: time.Minute}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("../../../../host/internal/plugin/testdata", name+".wasm"))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func policy(t *testing.T) []byte {
	t.Helper()
	wasm, _ := plugins.Module(plugins.DialogPolicy)
	return wasm
}

func TestARunShowsTheVerdict(t *testing.T) {
	for _, c := range []struct{ event, want string }{
		{``, `{"action":"hold","timeout_ms":300000,"rule":"policy must_respond"}`},
		{`{"policy":"auto_accept"}`, `{"action":"accept","rule":"policy auto_accept"}`},
	} {
		got, err := trial.Run(t.Context(), policy(t), module.Options{Limits: patient}, trial.Request{Event: []byte(c.event)})
		if err != nil || got.Status != "decided" || string(got.Verdict) != c.want || got.Fuel <= 0 || got.Duration <= 0 || got.Hook != abi.HookDialog {
			t.Errorf("%s: %+v (%v)", c.event, got, err)
		}
	}
	got, err := trial.Run(t.Context(), policy(t), module.Options{Limits: patient}, trial.Request{Event: []byte(`{"policy":"no"}`)})
	if err != nil || got.Status != "error" || !strings.Contains(got.Summary(), `could not decide: unknown policy "no"`) {
		t.Errorf("a refusal: %+v (%v)", got, err)
	}
}

func TestARunShowsAFault(t *testing.T) {
	got, err := trial.Run(t.Context(), fixture(t, "trap"), module.Options{Limits: patient}, trial.Request{Hook: "dialog"})
	if err != nil || got.Status != "fault" || got.Fault == nil || got.Fault.Kind != "trap" || len(got.Fault.Trace) == 0 {
		t.Fatalf("got %+v (%v)", got, err)
	}
	if !strings.HasPrefix(got.Summary(), "hermes_on_dialog: trap: ") {
		t.Errorf("the summary is %s", got.Summary())
	}
}

func TestWhatIsWrongWithARequestIsNamed(t *testing.T) {
	var event *trial.EventError
	for _, text := range []string{`{"typ":"alert"}`, `[]`, `{`} {
		if _, err := trial.Run(t.Context(), policy(t), module.Options{Limits: patient}, trial.Request{Event: []byte(text)}); !errors.As(err, &event) {
			t.Errorf("%s gives %v", text, err)
		}
	}
	var hook *trial.HookError
	bridge, _ := plugins.Module(plugins.BridgeScript)
	_, err := trial.Run(t.Context(), bridge, module.Options{Limits: patient}, trial.Request{})
	if !errors.As(err, &hook) || !strings.Contains(err.Error(), "serves several hooks; name one with --hook: bridge-") {
		t.Errorf("no hook gives %v", err)
	}
	_, err = trial.Run(t.Context(), bridge, module.Options{Limits: patient}, trial.Request{Hook: "dialog"})
	if !errors.As(err, &hook) || !strings.Contains(err.Error(), `--hook "dialog" is not possible; want one of bridge-`) {
		t.Errorf("a hook that is not served gives %v", err)
	}
}

func TestStoreAndStateAreReadStrictly(t *testing.T) {
	if store, err := trial.ParseKV(`{"a":"1"}`); err != nil || store["a"] != "1" {
		t.Errorf("the store is %v (%v)", store, err)
	}
	if state, err := trial.ParseState(`{"url":"https://example.com/","frames":[]}`); err != nil || string(state["frames"]) != "[]" {
		t.Errorf("the state is %v (%v)", state, err)
	}
	for _, text := range []string{`{"a":1}`, `[]`, `null`, `{`} {
		if _, err := trial.ParseKV(text); err == nil {
			t.Errorf("a store of %s", text)
		}
	}
	for _, text := range []string{`[]`, `null`, `{`} {
		if _, err := trial.ParseState(text); err == nil {
			t.Errorf("a state of %s", text)
		}
	}
}

func TestAGoldenTableTellsEachCase(t *testing.T) {
	table := filepath.Join(t.TempDir(), "golden.json")
	text := `{"hook":"hermes_on_dialog","cases":[
		{"name":"right","config":{"policy":"auto_dismiss"},"verdict":{"action":"dismiss","rule":"policy auto_dismiss"}},
		{"name":"wrong","config":{"policy":"auto_dismiss"},"verdict":{"action":"accept"}}]}`
	if err := os.WriteFile(table, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := trial.Golden(t.Context(), policy(t), module.Options{}, table, host.LaunchOptions{})
	if err != nil || report.OK || len(report.Cases) != 2 || !report.Cases[0].OK || report.Cases[1].OK {
		t.Fatalf("got %+v (%v)", report, err)
	}
	if detail := report.Cases[1].Detail; !strings.Contains(detail, `verdict is {"action":"dismiss","rule":"policy auto_dismiss"}`) {
		t.Errorf("the detail is %s", detail)
	}
}

// What a host refuses, a module never sees: a case with it proves nothing.
func TestArgumentsThatAHostRefusesFailTheirCase(t *testing.T) {
	headings, err := os.ReadFile("../../../../plugins/examples/dist/page-headings.wasm")
	if err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(t.TempDir(), "golden.json")
	text := `{"hook":"hermes_tool_call","cases":[
		{"name":"fits","event":{"tool":"page_headings","arguments":{},"page":"{\"headings\":[],\"total\":0}"},
		 "verdict":{"text":"The page has no headings.","structured":{"levels":{},"shown":0,"total":0}}},
		{"name":"does not","event":{"tool":"page_headings","arguments":{"max":"many"},"page":"{\"headings\":[],\"total\":0}"},
		 "verdict":{"text":"The page has no headings.","structured":{"levels":{},"shown":0,"total":0}}}]}`
	if err := os.WriteFile(table, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := trial.Golden(t.Context(), headings, module.Options{}, table, host.LaunchOptions{})
	if err != nil || len(report.Cases) != 2 || !report.Cases[0].OK || report.Cases[1].OK {
		t.Fatalf("got %+v (%v)", report, err)
	}
	if detail := report.Cases[1].Detail; !strings.Contains(detail, "a host refuses the arguments") || !strings.Contains(detail, "page_headings") {
		t.Errorf("the detail is %s", detail)
	}
}

func TestAMeasurementHasARowForEachEvent(t *testing.T) {
	got, err := trial.Bench(t.Context(), policy(t), module.Options{Limits: patient}, trial.BenchOptions{Time: time.Millisecond})
	if err != nil || len(got.Hooks) != 2 || got.ColdLoad <= 0 || got.WarmLoad <= 0 || got.InstanceMemory <= 0 || len(got.SHA256) != 64 {
		t.Fatalf("got %+v (%v)", got, err)
	}
	small, large := got.Hooks[0], got.Hooks[1]
	if small.Payload != "small" || large.Payload != "large" || small.Calls == 0 || small.PerCall <= 0 || large.Fuel <= small.Fuel {
		t.Errorf("the rows are %+v", got.Hooks)
	}
	given, err := trial.Bench(t.Context(), policy(t), module.Options{Limits: patient}, trial.BenchOptions{Time: time.Millisecond, Event: []byte(`{"policy":"no"}`)})
	if err != nil || len(given.Hooks) != 1 || given.Hooks[0].Payload != "given" || given.Hooks[0].Outcome != "error" {
		t.Errorf("a given event: %+v (%v)", given, err)
	}
	faulty, err := trial.Bench(t.Context(), fixture(t, "trap"), module.Options{Limits: patient}, trial.BenchOptions{Time: time.Millisecond, Hook: "dialog"})
	if err != nil || faulty.Hooks[0].Outcome != "trap" || faulty.Hooks[0].Calls != 0 {
		t.Errorf("a fault: %+v (%v)", faulty, err)
	}
}

func TestEveryHookHasAWordAndASmallEvent(t *testing.T) {
	for _, hook := range abi.Hooks() {
		word := hook.Word()
		if word == string(hook) {
			t.Errorf("%s has no word", hook)
		}
		if chosen, err := trial.ChooseHook(word, abi.Hooks()); err != nil || chosen != hook {
			t.Errorf("%s gives %s (%v)", word, chosen, err)
		}
		if _, ok := module.MadeUpEvent(hook); !ok {
			t.Errorf("%s has no event", word)
		}
	}
}
