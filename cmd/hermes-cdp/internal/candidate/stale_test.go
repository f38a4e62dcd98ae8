package candidate

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestASourceThatIsNewerThanItsModuleIsFound(t *testing.T) {
	dir := t.TempDir()
	at := time.Now().Add(-time.Hour)
	put := func(name string, when time.Time) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600), os.Chtimes(path, when, when))
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	module := put("policy.wasm", at)
	put("main.go", at.Add(time.Minute))
	if got := NewerSource(module); got != "" {
		t.Errorf("a directory without a manifest has %s", got)
	}
	put("manifest.json", at)
	put("main.go", at.Add(time.Second))
	for _, name := range []string{"main_test.go", "README.md", "testdata/golden.go", ".cache/x.go", "node_modules/a/a.ts"} {
		put(name, at.Add(time.Minute))
	}
	if got := NewerSource(module); got != "" {
		t.Errorf("%s is no source that was changed", got)
	}
	changed := put("inner/rules.go", at.Add(time.Minute))
	if got := NewerSource(module); got != changed {
		t.Errorf("the source is %q", got)
	}
	if got := NewerSource(filepath.Join(dir, "none.wasm")); got != "" {
		t.Errorf("a module that is not there is older than %s", got)
	}
}
