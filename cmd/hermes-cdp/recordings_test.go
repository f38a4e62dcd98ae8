package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestRecordingsAreListedWithoutADaemon(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".cache", "hermes-cdp", "recordings")
	video, err := os.ReadFile("../../host/internal/recording/testdata/finished.webm")
	if err != nil {
		t.Fatal(err)
	}
	const id = "abcdefghijklmnop"
	path := filepath.Join(dir, "hermes-cdp-20261121T120000Z-"+id+".webm")
	writeFile(t, path, video)
	command := func(args ...string) (exit int, stdout, stderr string) {
		var out, errs bytes.Buffer
		a := app{App: cli.App{Stdout: &out, Stderr: &errs, Environ: []string{"HOME=" + home, "XDG_RUNTIME_DIR=" + home}}}
		exit = a.run(t.Context(), args)
		return exit, out.String(), errs.String()
	}
	exit, stdout, stderr := command("recordings", "list")
	if exit != exitOK || !strings.Contains(stdout, id+"  default  2026-11-21") || !strings.Contains(stdout, "1m15s") || !strings.Contains(stdout, "finished") {
		t.Errorf("%d %s%s", exit, stdout, stderr)
	}
	var list recordingsJSON
	exit, stdout, _ = command("recordings", "list", "--task", "default", "--json")
	if err := json.Unmarshal([]byte(stdout), &list); exit != exitOK || err != nil || len(list.Recordings) != 1 {
		t.Fatalf("%d %s %v", exit, stdout, err)
	}
	began := time.Date(2026, 11, 21, 12, 0, 0, 123_456_000, time.UTC)
	if r := list.Recordings[0]; r.ID != id || r.Path != path || r.State != host.RecordingFinished || r.Frames != 4 || r.Dropped != 2 || !r.Began.Equal(began) {
		t.Errorf("the recording is %+v", r)
	}
	if exit, stdout, _ = command("recordings", "list", "--task", "another", "--json"); exit != exitOK || strings.Contains(stdout, id) {
		t.Errorf("%d %s", exit, stdout)
	}
	if exit, stdout, stderr = command("recordings", "path", id); exit != exitOK || stdout != path+"\n" {
		t.Errorf("%d %s%s", exit, stdout, stderr)
	}
	if exit, _, stderr = command("recordings", "path", "../secret"); exit != exitFailed || !strings.Contains(stderr, "recordings list") {
		t.Errorf("%d %s", exit, stderr)
	}
}
