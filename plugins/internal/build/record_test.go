package build_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
)

func TestDifferencesNameTheToolsThatDiffer(t *testing.T) {
	record := build.Record{Tools: map[string]string{"go": "go1.26.8", "tinygo": "0.41.1"}}
	if got := record.Differences(map[string]string{"go": "go1.26.8", "tinygo": "0.41.1"}); got != "" {
		t.Errorf("the same tools differ: %s", got)
	}
	got := record.Differences(map[string]string{"go": "go1.27.0", "tinygo": "0.41.1", "wasi-libc": "1"})
	want := `go is "go1.27.0", the modules were built with "go1.26.8"; wasi-libc is "1", the modules were built with ""`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestARecordIsReadAsItWasWritten(t *testing.T) {
	root := t.TempDir()
	if _, err := build.ReadRecord(root, build.RecordPath); err == nil {
		t.Error("a missing record was read")
	}
	if err := os.Mkdir(filepath.Join(root, "plugins"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := build.Record{Tools: map[string]string{"go": "1"}, Modules: map[string]string{"a.wasm": "00"}}
	if err := want.Write(root, build.RecordPath); err != nil {
		t.Fatal(err)
	}
	if got, err := build.ReadRecord(root, build.RecordPath); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v (%v)", got, err)
	}
}
