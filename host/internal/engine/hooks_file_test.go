package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// clerks is a link without a browser on a host with contrary.Files, and behind it with other plugins.
func clerks(t *testing.T, others map[string][]byte) *Link {
	t.Helper()
	specs := map[string]lifecycle.Spec{}
	add := func(name string, wasm []byte, priority int) {
		specs[name] = lifecycle.Spec{
			Source: lifecycle.Source{Wasm: wasm}, Hooks: []abi.Hook{abi.HookDownload, abi.HookUpload, abi.HookConsole}, IgnoreExtraHooks: true,
			Priority: priority, Limits: plugin.Limits{HookTimeout: time.Minute, InitTimeout: time.Minute},
		}
	}
	add("clerk", contrary.Files(), 2)
	for name, wasm := range others {
		add(name, wasm, 1)
	}
	g := groupOf(t, specs)
	l := &Link{group: g, Log: g.log, inbox: newInbox()}
	l.ctx, l.stop = t.Context(), func() {}
	return l
}

func TestAllModulesMustAllowAFile(t *testing.T) {
	always, err := os.ReadFile("../plugin/testdata/ok.wasm") // it denies whatever it is asked about
	if err != nil {
		t.Fatal(err)
	}
	l := clerks(t, map[string][]byte{"wall": always})
	task := &Task{id: "task", Link: l}
	dir := t.TempDir()
	for name, plugin := range map[string]string{"late.txt": "clerk", "fine.txt": "wall"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		var denied *fault.FileDeniedError
		if err := task.AskUpload(t.Context(), Receiver{URL: "https://a.test/?secret"}, []string{path}); !errors.As(err, &denied) || denied.Plugin != plugin {
			t.Errorf("%s: %v, want it denied by %s", name, err, plugin)
		}
	}
}

// A raw command of an agent may have chosen another directory than that of the context.
func TestAFileIsLookedIntoAndRemovedWhereverItIs(t *testing.T) {
	for _, c := range []struct {
		name         string
		held, beside bool // whether there is a file in the directory of the context, and where the browser says
		open         bool
		says         string
	}{
		{"late.pdf", true, false, false, "denied: application/pdf of 8 bytes"},
		{"late.pdf", false, true, false, "denied: application/pdf of 8 bytes"},
		{"fine.pdf", false, true, false, ""},
		{"fine.pdf", false, false, false, "no plugin could decide on it: the host does not find the file"},
		{"fine.pdf", false, false, true, ""},
		{"late.pdf", false, false, true, "the host could not remove it"},
	} {
		l := clerks(t, nil)
		l.group.options.FileFailOpen = c.open
		dir := t.TempDir()
		folder, err := l.Downloads.Enter("context", dir)
		if err != nil {
			t.Fatal(err)
		}
		held, beside := filepath.Join(folder.Dir, "guid"), filepath.Join(dir, c.name)
		for path, there := range map[string]bool{held: c.held, beside: c.beside} {
			if !there {
				continue
			}
			if err := os.WriteFile(path, []byte("%PDF-1.7"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		e := supervise.KeepDownload{Task: "task", ID: "guid", Name: c.name, Path: beside, File: supervise.Download{ID: "guid", Name: c.name, Bytes: 8}}
		got := l.denied(l.Downloads.Hold("context", "guid"), e, nil)
		if c.says == "" && got != "" || !strings.Contains(got, c.says) {
			t.Errorf("%+v: %q", c, got)
		}
		for _, path := range []string{held, beside} {
			if _, err := os.Stat(path); c.says != "" && err == nil {
				t.Errorf("%+v: %s is still there", c, path)
			}
		}
	}
}

func TestEachModuleSeesTheMessageAsTheOneBeforeLeftIt(t *testing.T) {
	l := clerks(t, map[string][]byte{"second": contrary.Files()})
	ask := func(text string) supervise.ConsoleVerdict {
		return l.judgeConsole(supervise.AskConsole{
			Task: "task", Entry: supervise.ConsoleEntry{Text: text}, Event: abi.ConsoleEvent{Text: text, TopOrigin: "SECRET"},
		})
	}
	if v := ask("a SECRET"); v.Dropped || v.Fault != "" || v.Entry.Text != "a [masked] on [masked] on SECRET" {
		t.Errorf("masked twice: %+v", v)
	}
	if v := ask("DROP this"); !v.Dropped || v.Fault != "" {
		t.Errorf("dropped: %+v", v)
	}
	if v := ask("FAIL here"); !v.Dropped || v.Fault == "" {
		t.Errorf("a failure: %+v", v)
	}
}

// A page can log faster than any module decides.
func TestNoMoreThanAThousandMessagesWait(t *testing.T) {
	l := &Link{}
	l.consoleAsks.asking = true // somebody is busy with one
	for range maxConsoleAsks + 3 {
		l.askConsole(supervise.AskConsole{})
	}
	batch, dropped := l.consoleAsks.take()
	if len(batch) != maxConsoleAsks || dropped != 3 {
		t.Errorf("%d wait and %d were dropped", len(batch), dropped)
	}
	if batch, dropped := l.consoleAsks.take(); len(batch) != 0 || dropped != 0 || l.consoleAsks.asking {
		t.Errorf("then %d wait, and %d were dropped", len(batch), dropped)
	}
}

// What nobody asks about costs nothing.
func TestWithoutAModuleAFileCostsNothing(t *testing.T) {
	g := groupOf(t, nil)
	l := &Link{group: g, Log: g.log}
	task, paths := &Task{id: "task", Link: l}, []string{"/no/such/file"}
	d := supervise.Download{ID: "a", State: supervise.DownloadRunning}
	if n := testing.AllocsPerRun(100, func() {
		if err := task.AskUpload(t.Context(), Receiver{}, paths); err != nil {
			t.Fatal(err)
		}
		l.followDownload("task", d)
	}); n != 0 {
		t.Errorf("an upload and a download allocate %v times", n)
	}
}
