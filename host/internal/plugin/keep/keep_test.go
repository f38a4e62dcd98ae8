package keep

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

func open(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestAModuleIsKeptUnderItsHash(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "state"))
	wasm, signature := []byte("module"), []byte("signature")
	digest := hashOf(wasm)
	if err := s.AddModule(digest, wasm, signature); err != nil {
		t.Fatal(err)
	}
	if got, signed, err := s.Module(digest, signer.MinisignSuffix); err != nil || string(got) != "module" || string(signed) != "signature" {
		t.Errorf("got %q, %q, %v", got, signed, err)
	}
	if err := os.WriteFile(s.file(digest, moduleSuffix), []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, _, err := s.Module(digest, signer.MinisignSuffix); err == nil {
		t.Errorf("a changed module is given: %q", got)
	}
	if err := s.AddModule(digest, wasm, nil); err != nil {
		t.Fatal(err)
	}
	if _, signed, err := s.Module(digest, signer.MinisignSuffix); err != nil || string(signed) != "signature" {
		t.Errorf("it was not repaired with its signature: %q, %v", signed, err)
	}
	if err := s.Sweep(map[string]bool{digest: true}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Module(digest, signer.MinisignSuffix); err != nil {
		t.Errorf("one that is in use was removed: %v", err)
	}
	if err := s.Sweep(nil); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(s.dir, "*.wasm*")); err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}

func TestRecords(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "state"))
	if text, err := s.Record("mine"); text != nil || err != nil {
		t.Errorf("got %q, %v", text, err)
	}
	for _, text := range []string{"one", "two"} {
		if err := s.SetRecord("mine", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Record("mine"); string(got) != text || err != nil {
			t.Errorf("got %q, %v, want %s", got, err, text)
		}
	}
	if names, err := s.Names(); !slices.Equal(names, []string{"mine"}) || err != nil {
		t.Errorf("the names are %q, %v", names, err)
	}
	if err := s.SetRecord("mine", nil); err != nil {
		t.Fatal(err)
	}
	if names, err := s.Names(); len(names) > 0 || err != nil {
		t.Errorf("the names are %q, %v", names, err)
	}
}

func TestOneProcessHasADirectoryThatNobodyElseCanWriteTo(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("a directory that others can write to is taken")
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
	if _, err := Open(dir); err == nil {
		t.Error("it is taken twice")
	}
}
