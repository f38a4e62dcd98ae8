package devloop_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/devloop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestEachChangeStartsARound(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "policy.c")
	put(t, source, "wrong")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()

	errWrong := errors.New("it does not compile")
	var did []string
	rounds := make(chan error)
	steps := devloop.Steps{
		Build: func(context.Context) error {
			text, err := os.ReadFile(source)
			if err != nil || string(text) == "wrong" {
				return errors.Join(err, errWrong)
			}
			did = append(did, "build")
			return os.WriteFile(filepath.Join(dir, "mine.wasm"), text, 0o600) // no round of its own
		},
		Test: func(context.Context) error { did = append(did, "test"); return nil },
		Swap: func(context.Context) error { did = append(did, "swap"); return nil },
		Tell: func(err error) { rounds <- err },
	}
	ended := make(chan error, 1)
	go func() { ended <- devloop.Run(ctx, dir, steps) }()

	if err := <-rounds; !errors.Is(err, errWrong) || len(did) > 0 {
		t.Errorf("the first round did %v (%v)", did, err)
	}
	put(t, source, "right")
	if err := <-rounds; err != nil || !slices.Equal(did, []string{"build", "test", "swap"}) {
		t.Errorf("the second round did %v (%v)", did, err)
	}
	put(t, filepath.Join(dir, "testdata", "golden.json"), "{}")
	put(t, source, "right again")
	if err := <-rounds; err != nil || len(did) != 6 {
		t.Errorf("the third round did %v (%v)", did, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
}

func TestSourcesAreWhatAnAuthorChanges(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"main.go", "manifest.json", "testdata/golden.json", "mine.wasm", ".git/config", ".gitignore", "node_modules/x/index.js",
		"target/debug/x", "Cargo.lock", "main.go~",
	} {
		put(t, filepath.Join(dir, filepath.FromSlash(name)), "")
	}
	files, err := devloop.Sources(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		rel, err := filepath.Rel(dir, files[i])
		if err != nil {
			t.Fatal(err)
		}
		files[i] = filepath.ToSlash(rel)
	}
	if want := []string{"main.go", "manifest.json", "testdata/golden.json"}; !slices.Equal(files, want) {
		t.Errorf("they are %v, want %v", files, want)
	}
}
