package module_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patient is for busy machines.
var patient = module.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute}

func path(name string) string {
	return filepath.Join("..", "internal", "plugin", "testdata", name+".wasm")
}

func fixture(t *testing.T, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(path(name))
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

func TestCallsOfAnOpenedModule(t *testing.T) {
	ctx := context.Background()
	config := abi.Struct{{Key: "policy", Value: abi.StringValue("dismiss")}}
	m, err := module.OpenFile(ctx, path("config"), module.Options{Config: config, Limits: patient})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	res, err := m.Call(ctx, abi.HookDialog, nil)
	if err != nil || res.Status != abi.StatusDecided || !bytes.Equal(res.Verdict, config.Append(nil)) {
		t.Errorf("%+v, %v; want the configuration as the verdict", res, err)
	}
	if _, err := m.Call(ctx, "hermes_on_nothing", nil); !errors.Is(err, module.ErrNoHook) {
		t.Errorf("an unknown hook gives %v", err)
	}
	if len(m.Hooks()) != len(abi.Hooks()) || len(m.SHA256()) != 64 {
		t.Errorf("hooks %v, hash %s", m.Hooks(), m.SHA256())
	}
}

func TestFailuresAreTyped(t *testing.T) {
	ctx := context.Background()
	var load *module.LoadError
	if _, err := module.Open(ctx, nil, module.Options{}); !errors.As(err, &load) {
		t.Errorf("no bytes give %v", err)
	}
	if _, err := module.OpenFile(ctx, path("load_no_marker"), module.Options{}); !errors.As(err, &load) || load.Module != "load_no_marker" {
		t.Errorf("a module without the marker gives %v", err)
	}
	m, err := module.Open(ctx, fixture(t, "spin"), module.Options{Limits: module.Limits{HookTimeout: 10 * time.Millisecond, Fuel: 1 << 60}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	var fault *module.Fault
	if _, err := m.Call(ctx, abi.HookDialog, nil); !errors.As(err, &fault) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a module that spins gives %v", err)
	}
}

func withManifest(wasm []byte, m abi.Manifest) []byte {
	section := append([]byte{byte(len(abi.ManifestSection))}, abi.ManifestSection...)
	section = m.Append(section)
	return append(append(append([]byte{}, wasm...), 0, byte(len(section))), section...)
}

func TestInspectReadsWithoutRunning(t *testing.T) {
	wasm := withManifest(fixture(t, "init_spin"), abi.Manifest{Name: "spinner", Version: "1.2.0"})
	report, err := module.Inspect(wasm)
	if err != nil {
		t.Fatal(err)
	}
	if !report.ABI || len(report.Hooks) != len(abi.Hooks()) || report.Bytes != len(wasm) || len(report.SHA256) != 64 ||
		report.Memory == nil || report.Memory.MinBytes != 64<<10 || report.Functions != 3 {
		t.Errorf("report is %+v", report)
	}
	if report.Manifest == nil || report.Manifest.Name != "spinner" || report.Manifest.Version != "1.2.0" {
		t.Errorf("manifest is %+v", report.Manifest)
	}
	last := report.Sections[len(report.Sections)-1]
	if last.Name != abi.ManifestSection || !last.Custom || last.Offset+last.Bytes != len(wasm) {
		t.Errorf("the last section is %+v", last)
	}
	text, err := json.Marshal(report)
	if err != nil || !strings.Contains(string(text), `{"name":"hermes_on_dialog","kind":"function","signature":"(i32) -\u003e i32"}`) {
		t.Errorf("as JSON it is %s, %v", text, err)
	}
	if _, err := module.Inspect([]byte("(module)")); err == nil {
		t.Error("a text file has a report")
	}
	if report, err := module.Inspect(fixture(t, "bad_pointers")); err != nil || len(report.Imports) != 12 ||
		report.Imports[0].Signature != "(i32, i32) -> i32" {
		t.Errorf("imports are %+v, %v", report.Imports, err)
	}
}

func TestCheckReportsEveryStep(t *testing.T) {
	cases := []struct {
		fixture string
		ok      bool
		step    string // one of the steps, its outcome, and what its detail says
		outcome module.Outcome
		detail  string
	}{
		{"abstain", true, "manifest", module.OutcomeOK, "it has no manifest"},
		{"abstain", true, "self-test hermes_on_dialog", module.OutcomeOK, "it abstained"},
		{"error", true, "self-test hermes_on_dialog", module.OutcomeOK, `it could not decide: no rule`},
		{"dialog_only", true, "self-test hermes_on_dialog", module.OutcomeOK, "it decided in"},
		{"garbage", false, "self-test hermes_on_dialog", module.OutcomeFailed, "bad_verdict"},
		{"unknown_verdict", false, "self-test hermes_on_dialog", module.OutcomeFailed, "action 99; it must be 1 (hold)"},
		{"unknown_verdict", false, "self-test hermes_filter_frames", module.OutcomeFailed, "names frame 99 of 3"},
		{"trap", false, "self-test hermes_on_dialog_closed", module.OutcomeFailed, "trap"},
		{"load_unknown_import", false, "imports", module.OutcomeFailed, "did you mean result_write?"},
		{"load_unknown_import", false, "exports", module.OutcomeOK, ""},
		{"load_unknown_import", false, "init", module.OutcomeSkipped, ""},
		{"init_error", false, "compile", module.OutcomeOK, ""},
		{"init_error", false, "init", module.OutcomeFailed, "rule 3 has no action"},
		{"load_far_data", false, "instantiate", module.OutcomeFailed, "out of bounds"},
	}
	for _, c := range cases {
		t.Run(c.fixture+" "+c.step, func(t *testing.T) {
			report, err := module.CheckFile(context.Background(), path(c.fixture), module.Options{Limits: patient})
			if err != nil || report.OK != c.ok || len(report.SHA256) != 64 {
				t.Errorf("ok is %v, hash %s, %v", report.OK, report.SHA256, err)
			}
			for _, s := range report.Steps {
				if s.Name == c.step {
					if s.Outcome != c.outcome || !strings.Contains(s.Detail, c.detail) {
						t.Errorf("step is %+v, want %s with %q", s, c.outcome, c.detail)
					}
					return
				}
			}
			t.Errorf("no step %s in %+v", c.step, report.Steps)
		})
	}
}

func TestCheckOfAFileThatCannotBeRead(t *testing.T) {
	report, err := module.CheckFile(context.Background(), path("no_such_file"), module.Options{})
	if err != nil || report.OK || report.Steps[0].Outcome != module.OutcomeFailed {
		t.Errorf("%+v, %v", report, err)
	}
	for _, s := range report.Steps[1:] {
		if s.Outcome != module.OutcomeSkipped {
			t.Errorf("step %+v was not skipped", s)
		}
	}
	report, err = module.Check(context.Background(), []byte("text"), module.Options{})
	if err != nil || report.OK || report.Steps[2].Name != "parse" || report.Steps[2].Outcome != module.OutcomeFailed {
		t.Errorf("%+v, %v", report, err)
	}
}

// A module that counts in its store decides in its self-test, too.
func TestASelfTestHasAStore(t *testing.T) {
	report, err := module.CheckFile(t.Context(), "../../plugins/examples/dist/agent-rate.wasm", module.Options{Limits: patient})
	if err != nil || !report.OK {
		t.Fatalf("%+v, %v", report, err)
	}
	if got := report.Steps[len(report.Steps)-1].Detail; strings.Contains(got, "could not decide") {
		t.Errorf("it says %q", got)
	}
}

// What a check says of the capabilities is what the operator granted, or nothing where nobody has said that yet.
func TestACheckComparesWhatIsAskedForWithWhatIsGranted(t *testing.T) {
	const denied = "its manifest asks for kv, which is not granted"
	for name, c := range map[string]struct {
		granted []abi.Capability
		remark  string
	}{
		"nobody has said":  {nil, ""},
		"nothing":          {[]abi.Capability{}, denied},
		"what it asks for": {[]abi.Capability{abi.CapabilityKV}, ""},
		"something else":   {[]abi.Capability{abi.CapabilityState}, denied},
	} {
		report, err := module.CheckFile(t.Context(), "../../plugins/examples/dist/dialog-memory.wasm", module.Options{Limits: patient, Granted: c.granted})
		if err != nil || !report.OK {
			t.Fatalf("%s: %+v, %v", name, report, err)
		}
		if got := report.Remark(); (got == "") != (c.remark == "") || !strings.Contains(got, c.remark) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
