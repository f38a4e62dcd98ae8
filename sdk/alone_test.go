package sdk_test

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	path    = "github.com/hermes-cdp/hermes-cdp"
	version = "v0.1.0"
)

// A plugin elsewhere that requires this module and imports the SDK, sdktest in its tests, downloads this module and no
// other: what its host needs is none of its concern. The proxy has nothing else, so anything else would be an error.
func TestAPluginElsewhereNeedsThisModuleAlone(t *testing.T) {
	proxy := t.TempDir()
	versions := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(versions, "list"), []byte(version+"\n"))
	write(t, filepath.Join(versions, version+".info"), []byte(`{"Version": "`+version+`"}`))
	write(t, filepath.Join(versions, version+".mod"), mod)
	write(t, filepath.Join(versions, version+".zip"), archive(t, mod))

	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.test/mine\n\ngo 1.25.0\n\nrequire "+path+" "+version+"\n"))
	write(t, filepath.Join(dir, "main.go"), []byte(`package main

import (
	"`+path+`/abi"
	"`+path+`/sdk"
	_ "`+path+`/sdk/aftertool"
	_ "`+path+`/sdk/beforetool"
	_ "`+path+`/sdk/bridge"
	"`+path+`/sdk/config"
	_ "`+path+`/sdk/dialog"
	_ "`+path+`/sdk/dialogclosed"
	_ "`+path+`/sdk/frames"
	_ "`+path+`/sdk/glob"
	_ "`+path+`/sdk/json"
	_ "`+path+`/sdk/kv"
	_ "`+path+`/sdk/navigate"
	_ "`+path+`/sdk/request"
	_ "`+path+`/sdk/state"
	_ "`+path+`/sdk/tool"
)

func init() {
	sdk.OnInit(func(object abi.Struct) error { return config.Read("configuration", object).Err() })
}

func main() {}
`))
	write(t, filepath.Join(dir, "main_test.go"), []byte(`package main

import (
	"testing"

	"`+path+`/sdk/sdktest"
)

func TestTable(t *testing.T) { sdktest.Run(t, "table.json", sdktest.Native) }
`))
	write(t, filepath.Join(dir, "table.json"), []byte(`{"hook": "hermes_on_dialog", "cases": [{"name": "a wrong key", "config": {"x": 1}, "init_error": "x"}]}`))
	// Files of a module in the cache are read-only, which t.TempDir could not remove.
	environ := append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(proxy), "GONOSUMDB=*", "GOFLAGS=-modcacherw", "GOWORK=off",
		"GOMODCACHE="+t.TempDir(), "GOTOOLCHAIN=local")
	wasm := []string{"GOOS=wasip1", "GOARCH=wasm"}
	for _, run := range []struct{ arguments, environ []string }{
		{[]string{"mod", "download", path}, nil}, {[]string{"build", "-buildmode=c-shared", "-o", "mine.wasm", "."}, wasm}, {[]string{"test", "."}, nil},
	} {
		arguments := run.arguments
		cmd := exec.CommandContext(t.Context(), "go", arguments...)
		cmd.Dir, cmd.Env = dir, append(environ, run.environ...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
	}
	sum, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sum)) {
		if !strings.HasPrefix(line, path+" ") {
			t.Errorf("go.sum has another module: %s", line)
		}
	}
	if len(sum) == 0 {
		t.Error("go.sum is empty")
	}
}

// archive is the module as a proxy serves it, as far as a guest needs it.
func archive(t *testing.T, mod []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	add := func(name string, data []byte) {
		file, err := w.Create(path + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	add("go.mod", mod)
	root := os.DirFS("..")
	for _, folder := range []string{"abi", "sdk", "internal/strictjson"} {
		err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") {
				return err
			}
			data, err := fs.ReadFile(root, name)
			add(name, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
