package lifecycle

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/origin"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// proving is an engine whose modules come from files, and are proven as those of a host.
func proving(o *Options) {
	o.Fetch = func(ctx context.Context, name string, s Source, sources []string, limit int64) (Fetched, error) {
		m, err := origin.Fetch(ctx, origin.Spec{
			Path: s.Path, URL: s.URL, Bytes: s.Wasm, SHA256: s.SHA256, Signer: s.Signer, Signature: s.Signature, Sources: sources, Limit: limit,
		}, origin.Options{VerifySigstore: verifyTestBundle})
		var failed *origin.Error
		if errors.As(err, &failed) {
			return Fetched{}, &plugin.LoadError{Step: plugin.Step(failed.Step), Module: name, Detail: failed.Detail, Err: err}
		}
		return Fetched{Wasm: m.Wasm, Source: m.Source, Signature: m.Signature}, err
	}
}

// acme signs modules with Sigstore.
var acme = signer.Signer{Sigstore: signer.Sigstore{Identity: "release@acme.example"}}

// testBundle is what stands for a bundle with a signature by acme.
func testBundle(wasm []byte) []byte {
	return []byte(`{"release@acme.example": "` + hashOf(wasm) + `"}`)
}

func verifyTestBundle(by signer.Sigstore, bundle []byte, contents ...[]byte) error {
	var signed map[string]string
	if err := json.Unmarshal(bundle, &signed); err != nil || signed[by.Identity] != hashOf(contents[0]) {
		return errors.New("the bundle does not prove who made the module")
	}
	return nil
}

// vault is a directory with modules that a key and acme have signed, and one elsewhere that no one has.
type vault struct {
	t       *testing.T
	dir     string
	key     string
	private minisign.PrivateKey
	foreign string // a path
}

func newVault(t *testing.T) *vault {
	t.Helper()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	v := &vault{t: t, dir: t.TempDir(), key: public.String(), private: private}
	v.foreign = filepath.Join(t.TempDir(), "foreign.wasm")
	v.write(v.foreign, stamped(t, "answer", "foreign_"))
	return v
}

func (v *vault) write(path string, content []byte) {
	v.t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		v.t.Fatal(err)
	}
}

// put writes a signed module that answers with the stamp.
func (v *vault) put(stamp string) (path string, wasm []byte) {
	v.t.Helper()
	path, wasm = filepath.Join(v.dir, stamp+".wasm"), stamped(v.t, "answer", stamp)
	v.write(path, wasm)
	v.write(path+".minisig", minisign.Sign(v.private, wasm))
	v.write(path+".sigstore.json", testBundle(wasm))
	return path, wasm
}

// Whoever asks, and however: what a plugin is configured with counts for every module.
func TestTrustIsSticky(t *testing.T) {
	v := newVault(t)
	first, wasm := v.put("stamp--A")
	for kind, trusted := range map[string]Spec{
		"sha256":     {Source: Source{Path: first, SHA256: "sha256:" + hashOf(wasm)}},
		"public_key": {Source: Source{Path: first, Signer: signer.Signer{PublicKey: v.key}}},
		"sigstore":   {Source: Source{Path: first, Signer: acme}},
		"sources":    {Source: Source{Path: first}, Sources: []string{v.dir}},
	} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t, proving)
			configure := func(s *Spec) {
				s.Source, s.Sources, s.Config = trusted.Source, trusted.Sources, map[string]any{"k": "v"}
			}
			w.add("policy", nil, configure)
			foreign, err := os.ReadFile(v.foreign)
			if err != nil {
				t.Fatal(err)
			}
			other, _, err := minisign.GenerateKey(rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			changes := map[string]Change{
				"another file":                {Source: Source{Path: v.foreign}},
				"bytes":                       {Source: Source{Wasm: foreign}},
				"a proof of the asker's own":  {Source: Source{Path: v.foreign, SHA256: hashOf(foreign)}},
				"a key of the asker's own":    {Source: Source{Path: v.foreign, Signer: signer.Signer{PublicKey: other.String()}}},
				"another's signature":         {Source: Source{Path: v.foreign, Signature: first + ".minisig"}},
				"another's bundle":            {Source: Source{Path: v.foreign, Signature: first + ".sigstore.json"}},
				"the same with other wishes":  {Source: Source{Path: first}, Config: map[string]any{"k": "other"}},
				"the same without its wishes": {Source: Source{Path: first}, Config: map[string]any{}},
			}
			for name, c := range changes {
				if _, err := w.Swap(ctx0, "policy", c); err == nil {
					t.Errorf("a swap to %s is taken", name)
				} else {
					refusedAt(t, err)
				}
				for _, tasks := range [][]string{nil, {"task"}} {
					c.Tasks = tasks
					if _, err := w.Shadow(ctx0, "policy", c); err == nil {
						t.Errorf("a candidate from %s is taken", name)
					}
				}
			}
			if _, err := w.Promote(ctx0, "policy", ""); !errors.Is(err, fault.ErrNoCandidate) {
				t.Errorf("there is a candidate: %v", err)
			}
			w.wantSays("stamp--A")
			if _, err := w.Swap(ctx0, "policy", Change{Source: Source{Path: first}, Config: map[string]any{"k": "v"}}); err != nil {
				t.Errorf("what proves itself is refused: %v", err)
			}
			// Without it any module is taken, as the operator wishes, but none that this would have refused comes back
			// with it.
			free := func(s *Spec) { configure(s); s.Source, s.Sources = Source{Path: v.foreign}, nil }
			w.reconfigure("policy", free)
			w.wantSays("foreign_")
			w.reconfigure("policy", configure)
			if g, err := w.Rollback(ctx0, "policy", ""); err == nil {
				t.Errorf("rolled back to %+v, which proved nothing", g)
			} else if load := refusedAt(t, err); load.Step != plugin.StepTrust {
				t.Errorf("refused at %s, want %s", load.Step, plugin.StepTrust)
			}
			w.wantSays("stamp--A")
		})
	}
}

// reconfigure makes a plugin be as an operator's new configuration says.
func (w *world) reconfigure(name string, configure func(*Spec)) {
	w.t.Helper()
	s := w.spec(nil)
	configure(&s)
	if _, err := w.Configure(ctx0, name, s, "reload"); err != nil {
		w.t.Fatal(err)
	}
}

func TestARollbackGoesToWhatWasInServiceAndProven(t *testing.T) {
	v := newVault(t)
	a, wasmA := v.put("stamp--A")
	b, wasmB := v.put("stamp--B")
	for kind, specs := range map[string][2]func(*Spec){
		"signed": {
			func(s *Spec) { s.Source = Source{Path: a, Signer: signer.Signer{PublicKey: v.key}} },
			func(s *Spec) { s.Source = Source{Path: b, Signer: signer.Signer{PublicKey: v.key}} },
		},
		"signed with Sigstore": {
			func(s *Spec) { s.Source = Source{Path: a, Signer: acme} },
			func(s *Spec) { s.Source = Source{Path: b, Signer: acme} },
		},
		"each pinned in its turn": {
			func(s *Spec) { s.Source = Source{Path: a, SHA256: hashOf(wasmA)} },
			func(s *Spec) { s.Source = Source{Path: b, SHA256: hashOf(wasmB)} },
		},
		"from the same places": {
			func(s *Spec) { s.Source, s.Sources = Source{Path: a}, []string{v.dir} },
			func(s *Spec) { s.Source, s.Sources = Source{Path: b}, []string{v.dir} },
		},
	} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t, proving)
			w.add("policy", nil, specs[0])
			w.reconfigure("policy", specs[1])
			w.wantSays("stamp--B")
			if _, err := w.Rollback(ctx0, "policy", ""); err != nil {
				t.Fatal(err)
			}
			w.wantSays("stamp--A")
		})
	}
}

// A swap that a signature allows can be shadowed and promoted, and a file that is changed after that cannot get in by
// it.
func TestASignedCandidateIsPromotedAsItWasVerified(t *testing.T) {
	v := newVault(t)
	a, _ := v.put("stamp--A")
	b, _ := v.put("stamp--B")
	w := newWorld(t, proving)
	w.add("policy", nil, func(s *Spec) { s.Source = Source{Path: a, Signer: signer.Signer{PublicKey: v.key}} })
	if _, err := w.Shadow(ctx0, "policy", Change{Source: Source{Path: b}}); err != nil {
		t.Fatal(err)
	}
	v.write(b, stamped(t, "answer", "foreign_"))
	if _, err := w.Promote(ctx0, "policy", ""); err != nil {
		t.Fatal(err)
	}
	w.wantSays("stamp--B")
	if _, err := w.Swap(ctx0, "policy", Change{Source: Source{Path: b}}); err == nil || refusedAt(t, err).Step != plugin.StepSignature {
		t.Errorf("the changed file: %v", err)
	}
	w.wantSays("stamp--B")
}

func TestAnOperatorGivesUpAProofAloud(t *testing.T) {
	var log bytes.Buffer
	v := newVault(t)
	a, _ := v.put("stamp--A")
	w := newWorld(t, proving, func(o *Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	w.add("policy", nil, func(s *Spec) {
		s.Source, s.Sources = Source{Path: a, Signer: signer.Signer{PublicKey: v.key}}, []string{v.dir}
	})
	w.reconfigure("policy", func(s *Spec) { s.Source, s.Sources = Source{Path: a}, []string{v.dir} })
	if got := log.String(); !strings.Contains(got, "level=WARN") || !strings.Contains(got, "no_longer_configured=[public_key]") {
		t.Errorf("the log is %s", got)
	}
}
