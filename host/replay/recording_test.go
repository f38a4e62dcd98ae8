package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal/journaltest"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recording is a journal that is being written, by modules that are called as by a host.
type recording struct {
	t        testing.TB
	dir      string
	writer   *journal.Writer
	sequence uint64
	outcomes map[string]int // how often each outcome occurred
}

func newRecording(t testing.TB) *recording {
	t.Helper()
	dir := t.TempDir()
	w, err := journal.OpenWriter(journal.WriterOptions{Dir: dir, QueueBytes: 1 << 30, QueueEntries: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	return &recording{t: t, dir: dir, writer: w, outcomes: map[string]int{}}
}

// done returns the directory of the journal.
func (r *recording) done() string {
	r.t.Helper()
	if err := r.writer.Close(); err != nil || r.writer.Lost() > 0 {
		r.t.Fatalf("%d lost, %v", r.writer.Lost(), err)
	}
	return r.dir
}

// recorded is a module in service.
type recordedModule struct {
	*recording
	name   string
	module *plugin.Module
	config []byte
	store  *module.Environment // of the task
	// functions are the embedder's functions that are recorded as granted.
	functions []plugin.Grant
}

// functions are those of an embedder that it offers to every module.
var functions = []plugin.Grant{{Name: "lookup_v1"}}

var everything = []abi.Capability{abi.CapabilityKV, abi.CapabilityState}

// serve loads a module until the test ends.
func (r *recording) serve(name string, wasm []byte, config string) *recordedModule {
	r.t.Helper()
	settings, err := abijson.ParseStruct([]byte(config))
	if err != nil {
		r.t.Fatal(err)
	}
	m, err := plugin.Load(r.t.Context(), plugin.Source{
		Name: name, Bytes: wasm, Config: settings.Append(nil), Capabilities: everything, Functions: functions,
		Limits: plugin.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute},
	}, plugin.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		if err := m.Close(); err != nil {
			r.t.Error(err)
		}
	})
	return &recordedModule{r, name, m, settings.Append(nil), &module.Environment{
		Capabilities: everything, KV: map[string][]byte{}, State: map[string][]byte{"task": []byte(`{"id":"t"}`)},
	}, functions}
}

// call calls a hook on an event and records it.
func (m *recordedModule) call(hook abi.Hook, event []byte) {
	m.t.Helper()
	m.sequence++
	var verdict []byte
	var recorder guestio.Recorder
	recorder.Reset(m.store)
	res, err := m.module.CallIn(m.t.Context(), &recorder, hook, event, func(b []byte) error {
		verdict = bytes.Clone(b)
		return usable(hook, event, b)
	})
	d, err := decisionOf(hook, res, verdict, err)
	if err != nil {
		m.t.Fatal(err)
	}
	e := journal.Entry{
		Sequence: m.sequence, Time: time.Unix(1_700_000_000, int64(m.sequence)).UTC(), Task: "t", Hook: hook, Plugin: m.name,
		Generation: 1, SHA256: m.module.Info().SHA256, ConfigHash: hash(m.config), Config: m.config, Capabilities: everything, Functions: m.functions,
		Event: event, Exchanges: recorder.Exchanges(), Outcome: journal.Outcome(d.Outcome), Reason: d.Reason, Fault: d.Fault,
		Detail: d.Detail, Duration: res.Duration, Fuel: res.Fuel,
	}
	if e.Outcome == journal.OutcomeDecided {
		e.Verdict = verdict
	}
	m.outcomes[d.Outcome+d.Fault]++
	m.writer.Add(e)
}

// random calls every hook of the module on random events.
func (m *recordedModule) random(each int) {
	m.t.Helper()
	for _, hook := range m.module.Info().Hooks {
		events := rapid.Custom(func(t *rapid.T) []byte { return journaltest.Event(t, hook) })
		for n := range each {
			event := events.Example(n)
			if hook == abi.HookBridgeScript {
				event = withTokens(m.t, event, n)
			}
			m.call(hook, event)
		}
	}
}

// withTokens puts tokens into a bridge's event as a host makes them.
func withTokens(t testing.TB, event []byte, n int) []byte {
	t.Helper()
	var e abi.BridgeScriptEvent
	if err := e.Unmarshal(event); err != nil {
		t.Fatal(err)
	}
	e.PauseToken, e.RequestToken = fmt.Sprintf("%032x", 2*n+0xaabbcc), fmt.Sprintf("%032x", 2*n+0xaabbcd)
	return e.Append(nil)
}

// dialogs calls the dialog hook with these messages.
func (m *recordedModule) dialogs(messages ...string) {
	m.t.Helper()
	for _, message := range messages {
		m.call(abi.HookDialog, (&abi.DialogEvent{Message: message}).Append(nil))
	}
}

func hash(config []byte) string {
	sum := sha256.Sum256(config)
	return hex.EncodeToString(sum[:])
}

// fixture is a module of the runtime's tests.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	return read(t, filepath.Join("..", "internal", "plugin", "testdata", name+".wasm"))
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// goBuild builds a plugin with the Go toolchain.
func goBuild(t testing.TB, source string) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "module.wasm")
	cmd := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", out, source)
	cmd.Dir = filepath.Join("..", "..")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", source, err, text)
	}
	return read(t, out)
}
