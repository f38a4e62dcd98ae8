package pack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/module"
)

const goodManifest = `{"name": "mine", "version": "1.2.3", "hooks": ["hermes_on_dialog"]}`

// directory has a module in m.wasm and a manifest in m.json.
func folder(t *testing.T, manifest string) string {
	t.Helper()
	dir := t.TempDir()
	wasm, err := os.ReadFile("../../../../host/internal/plugin/testdata/dialog_only.wasm")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"m.wasm": wasm, "m.json": []byte(manifest)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPackTwiceGivesTheSameModule(t *testing.T) {
	dir := folder(t, goodManifest)
	file := filepath.Join(dir, "m.wasm")
	first, err := Pack(file, filepath.Join(dir, "m.json"), "")
	if err != nil {
		t.Fatal(err)
	}
	second, err := Pack(file, filepath.Join(dir, "m.json"), "")
	if err != nil {
		t.Fatal(err)
	}
	if first != second {
		t.Errorf("first %+v, then %+v", first, second)
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	report, err := module.Inspect(wasm)
	if err != nil || report.SHA256 != first.SHA256 || report.Manifest == nil || report.Manifest.Version != "1.2.3" {
		t.Errorf("the file says %+v, %v", report, err)
	}
}

func TestAFailedPackLeavesTheFolderAsItWas(t *testing.T) {
	for _, test := range []struct{ name, manifest, file, out, want string }{
		{"a manifest that is wrong", `{"name": "X"}`, "m.wasm", "", "m.json: "},
		{"a module that is not there", goodManifest, "n.wasm", "", "n.wasm"},
		{"a file that is no module", goodManifest, "m.json", "", "m.json: "},
		{"a directory to write to that is not there", goodManifest, "m.wasm", "no/such/out.wasm", "no such file"},
		{"a directory in the place of the result", goodManifest, "m.wasm", ".", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := folder(t, test.manifest)
			before, err := os.ReadFile(filepath.Join(dir, "m.wasm"))
			if err != nil {
				t.Fatal(err)
			}
			out := test.out
			if out != "" {
				out = filepath.Join(dir, out)
			}
			if _, err := Pack(filepath.Join(dir, test.file), filepath.Join(dir, "m.json"), out); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("the error is %v", err)
			}
			after, err := os.ReadFile(filepath.Join(dir, "m.wasm"))
			if err != nil || string(after) != string(before) {
				t.Errorf("the module changed: %v", err)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
				t.Errorf("the directory has %v, %v", entries, err)
			}
		})
	}
}
