package incident

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func call(hook abi.Hook, event string) host.JournalEntry {
	return host.JournalEntry{
		Sequence: 9, Time: time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC), Hook: hook, Subject: "d-7", Plugin: "p", SHA256: "ab",
		Config: json.RawMessage(`{}`), Event: json.RawMessage(event), Outcome: "decided", Verdict: json.RawMessage(`{"action":"accept"}`),
	}
}

// directory is a plugin's directory with these files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func record(t *testing.T, dir string, e host.JournalEntry) (Recorded, string) {
	t.Helper()
	r, err := Record(dir, e)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sdktest.ReadTable(r.Table); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.Table)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(text)
}

func TestTheFirstCaseMakesATable(t *testing.T) {
	dir := folder(t, map[string]string{"main.go": "package policy\n"})
	r, text := record(t, dir, call(abi.HookDialog, `{"dialog_id":"d-7","message":"Sure?"}`))
	want := `{
  "hook": "hermes_on_dialog",
  "cases": [
    {
      "name": "incident d-7 2026-01-02T03:04:05.006Z",
      "event": {
        "dialog_id": "d-7",
        "message": "Sure?"
      },
      "verdict": null
    }
  ]
}
`
	if text != want {
		t.Errorf("the table is %s", text)
	}
	if r.Gave != `"verdict": {"action":"accept"}` || r.Plugin != "p" {
		t.Errorf("it tells %+v", r)
	}
	test, err := os.ReadFile(r.Test)
	if err != nil || !strings.Contains(string(test), "package policy\n") || !strings.Contains(string(test), `sdktest.Run(t, "testdata/golden.json", sdktest.Native)`) {
		t.Errorf("the test is %s, %v", test, err)
	}
}

func TestCasesThatAreThereStayAsTheyAreWritten(t *testing.T) {
	const table = "{\n  \"hook\": \"hermes_filter_frames\",\n  \"cases\": [\n    {\"name\": \"one\",   \"abstain\": true}\n  ]\n}\n"
	dir := folder(t, map[string]string{
		Table: table, "main.go": "package main\n", "any_test.go": "package main\n\n// runs testdata/golden.json\n",
	})
	e := call(abi.HookDialog, `{}`)
	e.Config = json.RawMessage(`{"policy":"x"}`)
	r, text := record(t, dir, e)
	head, tail, _ := strings.Cut(table, "\n  ]")
	if !strings.HasPrefix(text, head+",\n    {\n") || !strings.HasSuffix(text, "\n    }\n  ]"+tail) {
		t.Errorf("the table is %s", text)
	}
	if !strings.Contains(text, `"hook": "hermes_on_dialog"`) || !strings.Contains(text, `"policy": "x"`) || r.Test != "" {
		t.Errorf("the table is %s; %+v", text, r)
	}
	if again, _ := record(t, dir, e); again.Case != r.Case+" (2)" {
		t.Errorf("a second time it is called %q", again.Case)
	}
}

func TestWhatThePluginFoundIsFoundAgain(t *testing.T) {
	e := call(abi.HookDialog, `{}`)
	e.Capabilities = []abi.Capability{abi.CapabilityKV, abi.CapabilityState}
	e.Exchanges = []host.JournalExchange{
		{Import: abi.ImportKVGet, Key: "text", Text: "before"},
		{Import: abi.ImportKVGet, Key: "raw", Value: []byte{0xff}},
		{Import: abi.ImportKVGet, Key: "absent", Code: abi.CodeNotFound},
		{Import: abi.ImportKVSet, Key: "text", Text: "after"},
		{Import: abi.ImportKVGet, Key: "text", Text: "after"},
		{Import: abi.ImportKVSet, Key: "new", Text: "x"},
		{Import: abi.ImportKVGet, Key: "new", Text: "x"},
		{Import: abi.ImportKVSet, Key: "large", Code: abi.CodeTooLarge},
		{Import: abi.ImportKVDelete, Key: "gone"},
		{Import: abi.ImportKVList, Keys: []string{"listed", "new", "raw", "text"}},
		{Import: abi.ImportStateGet, Key: "task", Text: `{"id":"t"}`},
		{Import: abi.ImportStateGet, Key: "other", Code: abi.CodeNotFound},
	}
	r, _ := record(t, folder(t, nil), e)
	table, err := sdktest.ReadTable(r.Table)
	if err != nil {
		t.Fatal(err)
	}
	c := table.Cases[0]
	want := map[string]string{"text": "before", "raw": "\xff", "gone": "", "listed": ""}
	if len(c.KV) != len(want) || len(c.Capabilities) != 2 || len(c.State) != 1 {
		t.Errorf("the case is %+v", c)
	}
	for key, value := range want {
		if got, ok := c.KV[key]; !ok || string(got) != value {
			t.Errorf("under %s there is %q, %t", key, got, ok)
		}
	}
	if r.Test != "" {
		t.Errorf("a directory without Go sources got the test %s", r.Test)
	}
}

func TestWhatThePluginGave(t *testing.T) {
	for want, change := range map[string]func(*host.JournalEntry){
		`"abstain": true`:     func(e *host.JournalEntry) { e.Outcome, e.Verdict = "abstained", nil },
		`"error": "no \"x\""`: func(e *host.JournalEntry) { e.Outcome, e.Reason = "error", `no "x"` },
		`fault trap`:          func(e *host.JournalEntry) { e.Outcome, e.Fault = "fault", "trap" },
	} {
		e := call(abi.HookDialog, `{}`)
		change(&e)
		if r, _ := record(t, folder(t, nil), e); r.Gave != want {
			t.Errorf("it gave %s, want %s", r.Gave, want)
		}
	}
	e := call(abi.HookBridgeRequest, `{}`)
	e.Subject, e.Masked = "", true
	if r, _ := record(t, folder(t, nil), e); !r.Masked || !strings.HasPrefix(r.Case, "incident call 9 ") {
		t.Errorf("it tells %+v", r)
	}
}

func TestWhatCanNotBeRecordedChangesNothing(t *testing.T) {
	good := call(abi.HookDialog, `{}`)
	incomplete := good
	incomplete.Incomplete = true
	foreign := good
	foreign.Event = json.RawMessage(`{"unfinished":`)
	for _, c := range []struct {
		name, want string
		files      map[string]string
		entry      host.JournalEntry
	}{
		{"a part is missing", "cannot be repeated", nil, incomplete},
		{"a table that is none", "golden table", map[string]string{Table: "[]"}, good},
		{"a table with unknown keys", "golden table", map[string]string{Table: `{"hook":"h","casses":[]}`}, good},
		{"a table without cases", `it has no "cases"`, map[string]string{Table: `{"hook":"h"}`}, good},
		{"an event that is no JSON", "", nil, foreign},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folder(t, c.files)
			if _, err := Record(dir, c.entry); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v", err)
			}
			text, err := os.ReadFile(filepath.Join(dir, Table))
			if want, had := c.files[Table]; had && (err != nil || string(text) != want) || !had && err == nil {
				t.Errorf("the table is %s, %v", text, err)
			}
		})
	}
	if _, err := Record(filepath.Join(t.TempDir(), "nowhere"), good); err == nil {
		t.Error("a directory that there is not was taken")
	}
	other := folder(t, map[string]string{"main.go": "package main\n", "golden_test.go": "package main\n"})
	if _, err := Record(other, good); err == nil || !strings.Contains(err.Error(), "sdktest.Run") {
		t.Errorf("a golden test of something else: error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(other, Table)); err == nil {
		t.Error("the case was added all the same")
	}
}

func TestFindTakesTheLatestAndSaysWhatWasLookedFor(t *testing.T) {
	first, second := call(abi.HookDialog, `{}`), call(abi.HookDialog, `{}`)
	second.Sequence = 10
	if e, err := Find([]host.JournalEntry{first, second}, host.JournalFilter{}); err != nil || e.Sequence != 10 {
		t.Errorf("it found %+v, %v", e, err)
	}
	if _, err := Find(nil, host.JournalFilter{Plugin: "p", Sequence: 3}); err == nil || !strings.Contains(err.Error(), `plugin "p", number 3`) {
		t.Errorf("error is %v", err)
	}
}

func TestTheLastCallIsThatOfThePluginInTheDirectory(t *testing.T) {
	dir := folder(t, map[string]string{
		"manifest.json": `{"name":"mine","version":"1.0.0","hooks":["hermes_on_dialog"]}`, "mine.wasm": "the module",
	})
	own := OwnOf(dir)
	named, built, other := call(abi.HookDialog, `{}`), call(abi.HookDialog, `{}`), call(abi.HookDialog, `{}`)
	named.Plugin, named.Sequence = "mine", 1
	built.Plugin, built.Sequence, built.SHA256 = "dialog-policy", 2, own.SHA256
	other.Plugin, other.Sequence = "dialog-policy", 3
	for _, c := range []struct {
		list []host.JournalEntry
		want uint64
	}{{[]host.JournalEntry{named, other}, 1}, {[]host.JournalEntry{named, built, other}, 2}} {
		if e, err := Find(own.Calls(c.list), host.JournalFilter{}); err != nil || e.Sequence != c.want {
			t.Errorf("of %d calls it took %d (%v), want %d", len(c.list), e.Sequence, err, c.want)
		}
	}
	if _, err := Find(own.Calls([]host.JournalEntry{other}), host.JournalFilter{Plugin: own.Name}); err == nil || !strings.Contains(err.Error(), `plugin "mine"`) {
		t.Errorf("error is %v", err)
	}
	if e, err := Find(OwnOf(t.TempDir()).Calls([]host.JournalEntry{other}), host.JournalFilter{}); err != nil || e.Sequence != 3 {
		t.Errorf("in a directory without a manifest it took %d (%v)", e.Sequence, err)
	}
}
