package scaffold_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/scaffold"
)

func TestAnUpgradeChangesWhatIsNotTheAuthors(t *testing.T) {
	for language, own := range map[builder.Language]string{
		builder.Go: "main.go", builder.C: "policy.c", builder.Rust: "src/lib.rs", builder.AssemblyScript: "policy.ts", builder.Zig: "main.zig",
	} {
		written := write(t, scaffold.Options{Name: "my-policy", Language: language})
		generated := map[builder.Language]string{
			builder.Go: "hermes-cdp/abi/hooks.go", builder.C: "hermes.h", builder.Rust: "src/hermes.rs", builder.AssemblyScript: "hermes.ts", builder.Zig: "hermes.zig",
		}[language]
		fresh, err := os.ReadFile(filepath.Join(written.Dir, generated))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{generated}
		old := []string{own, generated}
		if language == builder.Go {
			want = append(want, "hermes-cdp/sdk/gone/gone.go")
			old = append(old, "hermes-cdp/sdk/gone/gone.go")
		}
		for _, name := range old {
			at := filepath.Join(written.Dir, name)
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		done, err := scaffold.Upgrade(t.Context(), written.Dir)
		if err != nil || !slices.Equal(done.Changed, want) {
			t.Errorf("%s: it changed %v (%v), want %v", language, done.Changed, err, want)
		}
		if got, err := os.ReadFile(filepath.Join(written.Dir, generated)); err != nil || string(got) != string(fresh) {
			t.Errorf("%s: %s is not upgraded (%v)", language, generated, err)
		}
		if got, err := os.ReadFile(filepath.Join(written.Dir, own)); err != nil || string(got) != "old" {
			t.Errorf("%s: %s was changed (%v)", language, own, err)
		}
		if again, err := scaffold.Upgrade(t.Context(), written.Dir); err != nil || len(again.Changed) > 0 {
			t.Errorf("%s: again it changed %v (%v)", language, again.Changed, err)
		}
	}
	if _, err := scaffold.Upgrade(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "hermes-cdp plugin new") {
		t.Errorf("a directory without any: error is %v", err)
	}
}
