package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/keep"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// machine is where one engine after another runs, with what they keep.
type machine struct {
	t     *testing.T
	state string
	store *keep.Store
	*world
}

func newMachine(t *testing.T) *machine {
	return &machine{t: t, state: filepath.Join(t.TempDir(), "state")}
}

// boot ends the engine as a killed process does, which saves nothing, and begins another.
func (m *machine) boot(configure ...func(*Options)) {
	m.t.Helper()
	m.kill()
	var err error
	if m.store, err = keep.Open(m.state); err != nil {
		m.t.Fatal(err)
	}
	m.world = newWorld(m.t, append([]func(*Options){proving, func(o *Options) { o.Keep, o.VerifySigstore = m.store, verifyTestBundle }}, configure...)...)
}

func (m *machine) kill() {
	if m.store == nil {
		return
	}
	m.options.Keep = nil
	m.Close()
	if err := m.store.Close(); err != nil {
		m.t.Fatal(err)
	}
}

// start starts the plugin mine in a tolerant way, and checks who decides and which problem is shown.
func (m *machine) start(s Spec, says, problem string) {
	m.t.Helper()
	if err := m.Start(ctx0, "mine", s, true); err != nil {
		m.t.Fatal(err)
	}
	if got := m.says(); !strings.HasPrefix(got, says) {
		m.t.Errorf("the plugin says %q, want %q", got, says)
	}
	if got := m.plugin("mine").Unlike; (got == "") != (problem == "") || !strings.Contains(got, problem) {
		m.t.Errorf("the problem is %q, want %q", got, problem)
	}
}

func (m *machine) from(path string) Spec {
	return Spec{Source: Source{Path: path}, Hooks: abi.Hooks(), Limits: patient, Capabilities: abi.Capabilities()}
}

func (m *machine) write(path string, wasm []byte) string {
	m.t.Helper()
	if err := os.WriteFile(path, wasm, 0o600); err != nil {
		m.t.Fatal(err)
	}
	return path
}

func TestAStartFallsBackToTheLastGoodModule(t *testing.T) {
	m := newMachine(t)
	file := m.write(filepath.Join(t.TempDir(), "mine.wasm"), stamped(t, "answer", "stamp--A"))
	m.boot()
	m.start(m.from(file), "stamp--A", "")
	for name, spoil := range map[string]func(){
		"a bad module": func() { m.write(file, []byte("bad")) },
		"no file":      func() { _ = os.Remove(file) },
	} {
		spoil()
		for range 2 { // the fallback does not become what the next start falls back to
			m.boot()
			m.start(m.from(file), "stamp--A", "in its place serves the module from "+file)
			if got := m.plugin("mine"); got.Serving.Trigger != triggerFallback || got.Outage != "" {
				t.Errorf("%s: in service is %+v", name, got.Serving)
			}
		}
		if err := New(m.options).Start(ctx0, "mine", m.from(file), false); err == nil {
			t.Errorf("%s: a start that is not tolerant works", name)
		}
	}
	m.write(file, stamped(t, "answer", "stamp--B"))
	m.boot()
	m.start(m.from(file), "stamp--B", "")
}

func TestWithoutAGoodModuleTheHostDecides(t *testing.T) {
	m := newMachine(t)
	m.boot()
	s := m.from(filepath.Join(t.TempDir(), "none.wasm"))
	s.Hooks = []abi.Hook{abi.HookDialog, abi.HookNavigate}
	m.start(s, "fault: plugin \"mine\" is out of service", "no other module can serve, so the host decides on dialog, navigate")
	for _, hook := range s.Hooks {
		if !m.Serves(hook) {
			t.Errorf("nobody decides on %s", hook)
		}
	}
	if _, err := m.Hold("mine", "task"); !errors.Is(err, fault.ErrOutOfService) {
		t.Errorf("it can be held: %v", err)
	}
}

// A hook that is granted to a module that cannot start is closed, whoever serves in its place.
func TestAFallbackLeavesNoNewGuardOff(t *testing.T) {
	m := newMachine(t)
	file := m.write(filepath.Join(t.TempDir(), "mine.wasm"), stamped(t, "answer", "stamp--A"))
	s := m.from(file)
	s.Hooks = []abi.Hook{abi.HookDialog}
	s.IgnoreExtraHooks = true
	m.boot()
	m.start(s, "stamp--A", "")
	s.Hooks = append(s.Hooks, abi.HookNavigate)
	s.Source.Path += ".2"
	m.boot()
	m.start(s, "stamp--A", "in its place")
	if !m.Serves(abi.HookNavigate) || m.plugin("mine").Outage == "" {
		t.Errorf("navigations are decided by nobody: %+v", m.plugin("mine"))
	}
}

func TestTheShippedModuleIsTheLastButOne(t *testing.T) {
	m := newMachine(t)
	shipped := func(o *Options) {
		o.Shipped = func(string) ([]byte, bool) { return stamped(t, "answer", "shipped_"), true }
		fetch := o.Fetch
		o.Fetch = shippedBy(fetch, stamped(t, "answer", "shipped_"))
	}
	m.boot(shipped)
	s := m.from(filepath.Join(t.TempDir(), "none.wasm"))
	s.Hooks = []abi.Hook{abi.HookDialog}
	s.IgnoreExtraHooks = true
	m.start(s, "shipped_", "in its place serves the module from shipped")
	m.boot(shipped, func(o *Options) { o.DialogFailClosed = true })
	m.start(s, "fault: ", "no other module can serve")
}

func TestWhatACommandPutIntoServiceServesAgain(t *testing.T) {
	m := newMachine(t)
	file := m.write(filepath.Join(t.TempDir(), "mine.wasm"), stamped(t, "answer", "stamp--A"))
	s := m.from(file)
	m.boot()
	m.start(s, "stamp--A", "")
	m.swap("mine", stamped(t, "answer", "stamp--B"))
	m.swap("mine", stamped(t, "answer", "stamp--C"))
	m.shadowed("mine", stamped(t, "answer", "stamp--D"), "shop")
	m.boot()
	m.start(s, "stamp--C", "")
	if v, _ := m.dialog("shop"); v.Rule != "stamp--D" || m.plugin("mine").Candidate == nil {
		t.Errorf("the candidate decides %q", v.Rule)
	}
	if got := m.states("mine"); got != "[6 candidate restore 5 serving restore 4 retired api 3 retired api 2 retired api 1 retired start]" {
		t.Errorf("the history is %s", got)
	}
	if _, err := m.Drop(ctx0, "mine"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Rollback(ctx0, "mine", "", abi.Hooks()...); err != nil {
		t.Fatal(err)
	}
	m.boot()
	m.start(s, "stamp--B", "")
	if m.plugin("mine").Candidate != nil {
		t.Error("the dropped candidate is back")
	}

	for name, change := range map[string]func(*Spec){
		"keep: config":  func(s *Spec) { s.ConfigWins = true },
		"a new key":     func(s *Spec) { s.Priority = 7 },
		"a new content": func(*Spec) { m.write(file, stamped(t, "answer", "stamp--E")) },
	} {
		m.boot()
		m.start(s, "stamp--", "")
		m.swap("mine", stamped(t, "answer", "stamp--B"))
		next := s
		change(&next)
		m.boot()
		m.start(next, "stamp--", "")
		if got := m.says(); got == "stamp--B" {
			t.Errorf("%s: the swap still serves", name)
		}
		if _, err := m.Rollback(ctx0, "mine", ""); err != nil || m.says() != "stamp--B" {
			t.Errorf("%s: a rollback does not lead to it: %v, %s", name, err, m.says())
		}
	}
}

// Whoever can write to what is kept cannot have a module serve that the configuration does not allow.
func TestAKeptModuleProvesWhatTheConfigurationRequires(t *testing.T) {
	v := newVault(t)
	for _, by := range []signer.Signer{{PublicKey: v.key}, acme} {
		t.Run(by.Key(), func(t *testing.T) { proveKept(newMachine(t), newVault(t), by) })
	}
}

func proveKept(m *machine, v *vault, by signer.Signer) {
	first, _ := v.put("stamp--A")
	second, wasm := v.put("stamp--B")
	s := m.from(first)
	if s.Source.Signer = by; by.PublicKey != "" {
		s.Source.PublicKey = v.key
	}
	m.boot()
	m.start(s, "stamp--A", "")
	if _, err := m.Swap(ctx0, "mine", Change{Source: Source{Path: second}}); err != nil {
		m.t.Fatal(err)
	}
	_, _ = os.Remove(second), os.Remove(second+by.Suffix())
	m.boot()
	m.start(s, "stamp--B", "")

	m.kill()
	m.store = nil
	v.write(filepath.Join(m.state, hashOf(wasm)+".wasm"+by.Suffix()), []byte("forged"))
	m.boot()
	m.start(s, "stamp--A", "what a command had put into service cannot be restored")

	pinned := s
	pinned.Source.SHA256, pinned.Source.Path = strings.Repeat("0", 64), "/none"
	m.boot()
	m.start(pinned, "fault: ", "no other module can serve")
	elsewhere := s
	elsewhere.Sources, elsewhere.Source.Path = []string{"/none"}, "/none/x"
	m.boot()
	m.start(elsewhere, "fault: ", "no other module can serve")
}

func TestAChangedRecordOrModuleIsNotTrusted(t *testing.T) {
	m := newMachine(t)
	file := m.write(filepath.Join(t.TempDir(), "mine.wasm"), stamped(t, "answer", "stamp--A"))
	wasm := stamped(t, "answer", "stamp--B")
	m.boot()
	m.start(m.from(file), "stamp--A", "")
	m.swap("mine", wasm)
	m.write(filepath.Join(m.state, hashOf(wasm)+".wasm"), stamped(t, "answer", "evil____"))
	m.boot()
	m.start(m.from(file), "stamp--A", "it was changed")
	m.write(filepath.Join(m.state, "mine.json"), []byte("{"))
	m.boot()
	m.start(m.from(file), "stamp--A", "cannot be read")
}

func TestWhatCannotBeKeptIsSaid(t *testing.T) {
	m := newMachine(t)
	m.boot(func(o *Options) { o.Keep, o.KeepProblem = nil, errors.New("the disk is full") })
	m.start(m.from(m.write(filepath.Join(t.TempDir(), "mine.wasm"), stamped(t, "answer", "stamp--A"))), "stamp--A", "")
	g := m.swap("mine", stamped(t, "answer", "stamp--B"))
	if !strings.Contains(g.Unkept, "the disk is full") || m.plugin("mine").Unkept != g.Unkept {
		t.Errorf("said is %q", g.Unkept)
	}
}

// shippedBy adds a shipped module to a fetch.
func shippedBy(fetch Fetch, wasm []byte) Fetch {
	return func(ctx context.Context, name string, s Source, sources []string, limit int64) (Fetched, error) {
		if s.shipped() {
			return Fetched{Wasm: wasm, Source: "shipped"}, nil
		}
		return fetch(ctx, name, s, sources, limit)
	}
}

// The digest in a reference stands for the sha256 of the module, which nobody knows before the manifest: for swaps,
// after a restart, and when the registry is down.
func TestTheManifestThatAReferenceNamesIsSticky(t *testing.T) {
	m := newMachine(t)
	down := errors.New("the registry is down")
	stored, manifests := map[string][]byte{}, map[string][]byte{}
	put := func(tags []string, stamp string) (references []string) {
		wasm := stamped(t, "answer", stamp)
		manifest := fmt.Appendf(nil, `{"layers": [{"mediaType": "application/wasm", "digest": "sha256:%s", "size": %d}]}`, hashOf(wasm), len(wasm))
		for _, tag := range tags {
			reference := "oci://registry.example/mine:" + tag + "@sha256:" + hashOf(manifest)
			stored[reference], manifests[reference] = wasm, manifest
			references = append(references, reference)
		}
		return references
	}
	first, second := put([]string{"1", "2"}, "stamp--A"), put([]string{"1"}, "stamp--B")[0]
	registry := func(o *Options) {
		files := o.Fetch
		o.Fetch = func(ctx context.Context, name string, s Source, sources []string, limit int64) (Fetched, error) {
			switch wasm, has := stored[s.URL]; {
			case s.URL == "":
				return files(ctx, name, s, sources, limit)
			case !has:
				return Fetched{}, down
			default:
				return Fetched{Wasm: wasm, Source: s.URL, Manifest: manifests[s.URL]}, nil
			}
		}
	}
	configured := m.from("")
	configured.Source.URL = first[0]
	m.boot(registry)
	m.start(configured, "stamp--A", "")
	same := stored[first[0]]
	for name, c := range map[string]Change{
		"another manifest":             {Source: Source{URL: second}},
		"another manifest with a hash": {Source: Source{URL: second, SHA256: hashOf(stored[second])}},
		"bytes":                        {Source: Source{Wasm: same}},
		"a file":                       {Source: Source{Path: m.write(filepath.Join(t.TempDir(), "mine.wasm"), same)}},
		"the same, otherwise":          {Source: configured.Source, Config: map[string]any{"k": "v"}},
	} {
		if _, err := m.Swap(ctx0, "mine", c); err == nil {
			t.Errorf("a swap to %s is taken", name)
		} else {
			refusedAt(t, err)
		}
	}
	if _, err := m.Swap(ctx0, "mine", Change{Source: Source{URL: first[1]}}); err != nil {
		t.Errorf("the same manifest by another tag: %v", err)
	}

	delete(stored, first[0])
	delete(stored, second)
	m.boot(registry)
	m.start(configured, "stamp--A", "")
	configured.Priority = 1 // the configuration has changed, so it decides again, and its registry is down
	m.boot(registry)
	m.start(configured, "stamp--A", down.Error()+"; in its place serves the module from "+first[1])
	other := configured
	other.Source.URL = second
	m.boot(registry)
	m.start(other, "fault", "no other module can serve")
}
