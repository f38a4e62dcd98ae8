package host

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
)

// journalHost returns a host for tests without a browser.
func journalHost(t *testing.T, o JournalOptions) *Host {
	t.Helper()
	h, err := New(t.Context(), &Options{PluginCacheDir: compiled, Journal: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// questionAbout asks about a dialog.
func questionAbout(task string, e *abi.DialogEvent, decode plugin.Decode) lifecycle.Question {
	return lifecycle.Question{Hook: abi.HookDialog, Task: task, Header: &e.Header, Encode: e.Append, Decode: decode}
}

// askAbout asks the dialog hook about a dialog of the task t.
func askAbout(t *testing.T, h *Host, id string) {
	t.Helper()
	event := abi.DialogEvent{Header: abi.Header{TaskID: "t"}, DialogID: id, Type: abi.DialogTypeConfirm, Message: "Sure?"}
	if out := h.plugins.Ask(t.Context(), questionAbout("t", &event, new(abi.DialogVerdict).Unmarshal)); !out.Decided && out.Fault == "" {
		t.Fatalf("it was not asked: %+v", out)
	}
}

func TestAHostListsItsCallsWithoutSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "calls")
	h := journalHost(t, JournalOptions{Dir: dir})
	askAbout(t, h, "d-1")
	h.configs.Store("t", taskConfigs{"dialog-policy": {{Key: "password", Value: abi.StringValue("hunter22")}}})
	askAbout(t, h, "d-2") // the policy does not know such a key

	list := h.Journal(JournalFilter{Hook: abi.HookDialog})
	if len(list) != 2 || list[0].Subject != "d-1" || list[0].Outcome != "decided" || list[0].Masked || list[1].Outcome != "error" || !list[1].Masked {
		t.Fatalf("the journal is %+v", list)
	}
	e := list[0]
	if e.Plugin != "dialog-policy" || e.Task != "t" || len(e.SHA256) != 64 || e.Generation != 1 || e.Sequence == 0 || e.Fuel == 0 || e.Duration == 0 {
		t.Errorf("a call is %+v", e)
	}
	if !strings.Contains(string(e.Event), `"message":"Sure?"`) || !strings.Contains(string(e.Verdict), `"action":"hold"`) {
		t.Errorf("event and verdict are %s and %s", e.Event, e.Verdict)
	}
	if text, err := json.Marshal(list); err != nil || strings.Contains(string(text), "hunter22") {
		t.Errorf("%v: %s", err, text)
	}
	if one := h.Journal(JournalFilter{Subject: "d-2", Max: 5}); len(one) != 1 || one[0].Sequence != list[1].Sequence {
		t.Errorf("the call about d-2 is %+v", one)
	}

	if err := h.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the files are %v, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil || strings.Count(string(text), `"kind":"call"`) != 2 || strings.Contains(string(text), "hunter22") {
		t.Errorf("%v: %s", err, text)
	}
}

func TestAJournalOfNothingKeepsNothing(t *testing.T) {
	h := journalHost(t, JournalOptions{Entries: -1})
	askAbout(t, h, "d-1")
	if list := h.Journal(JournalFilter{}); list == nil || len(list) != 0 {
		t.Errorf("the journal is %+v", list)
	}
}

func TestAJournalDirectoryThatCannotBeUsedStopsTheStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if h, err := New(t.Context(), &Options{PluginCacheDir: compiled, Journal: JournalOptions{Dir: file}}); err == nil || !strings.Contains(err.Error(), "journal") {
		t.Errorf("the host is %v, the error %v", h, err)
	}
}
