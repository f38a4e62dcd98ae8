package replay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// shipped returns a shipped module, which TinyGo built.
func shipped(t testing.TB, name string) []byte {
	t.Helper()
	wasm, ok := plugins.Module(name)
	if !ok {
		t.Fatalf("no module %s is shipped", name)
	}
	return wasm
}

// same replays a journal on the module that made it: nothing may differ.
func same(t *testing.T, dir, name string, wasm []byte) Report {
	t.Helper()
	var read, all int64
	r, err := Record(t.Context(), dir, Module{Name: name, Wasm: wasm}, Options{Plugin: name, Progress: func(now, of int64) {
		if now <= read || now > of || all != 0 && of != all {
			t.Errorf("after %d of %d bytes, %d of %d have been read", read, all, now, of)
		}
		read, all = now, of
	}})
	if err != nil {
		t.Fatal(err)
	}
	if read != all {
		t.Errorf("%d of %d bytes were read in the end", read, all)
	}
	for _, d := range r.Differences {
		t.Errorf("call %d of %s: %.300s, and now %.300s %s", d.Sequence, d.Hook, d.Before, d.After, d.Deviation)
	}
	if r.Calls == 0 || r.Deviating > 0 || len(r.Problems) > 0 || r.Lost > 0 {
		t.Errorf("the report is %.1000s", fmt.Sprintf("%+v", r))
	}
	return r
}

func TestTheModuleThatMadeAJournalDecidesTheSame(t *testing.T) {
	cases := []struct {
		name    string
		wasm    func(testing.TB) []byte
		configs []string
	}{
		{"dialog-policy", func(t testing.TB) []byte { return shipped(t, plugins.DialogPolicy) },
			[]string{`{}`, `{"policy":"auto_accept","dialog_timeout_s":7}`, `{"policy":"auto_dismiss"}`}},
		{"frame-filter", func(t testing.TB) []byte { return shipped(t, plugins.FrameFilter) }, []string{`{}`}},
		{"bridge-script", func(t testing.TB) []byte { return shipped(t, plugins.BridgeScript) }, []string{`{}`}},
		{"contrary-dialog", func(testing.TB) []byte { return contrary.Dialog() }, []string{`{}`}},
		{"contrary-tools", func(testing.TB) []byte { return contrary.Tools() }, []string{`{}`}},
		{"contrary-request", func(testing.TB) []byte { return contrary.Request() }, []string{`{}`}},
		{"dialog-policy by Go", func(t testing.TB) []byte { return goBuild(t, "./plugins/dialog-policy") },
			[]string{`{}`, `{"policy":"auto_accept"}`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			wasm, r := c.wasm(t), newRecording(t)
			for _, config := range c.configs {
				r.serve(c.name, wasm, config).random(25)
			}
			dir := r.done()
			if got := same(t, dir, c.name, wasm); got.Calls < 25 {
				t.Errorf("%d calls were compared", got.Calls)
			}
			if r.outcomes["decided"] == 0 {
				t.Errorf("no call was decided: %v", r.outcomes)
			}
			t.Log(r.outcomes)
		})
	}
}

// A bridge script's tokens are masked in files, and the module takes the masks for tokens: the replay stays exact.
func TestAMaskedJournalOfTheBridgeStillReplays(t *testing.T) {
	const pause, request = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	wasm, r := shipped(t, plugins.BridgeScript), newRecording(t)
	m := r.serve("bridge-script", wasm, `{}`)
	script := abi.BridgeScriptEvent{PauseToken: pause, RequestToken: request}
	m.call(abi.HookBridgeScript, script.Append(nil))
	asked := abi.BridgeRequestEvent{Via: abi.BridgeViaPause, Payload: strings.Join([]string{pause, "confirm", "Sure?", "", "k", ""}, "\x1f")}
	m.call(abi.HookBridgeRequest, asked.Append(nil))
	dir := r.done()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(read(t, files[0])); strings.Contains(text, pause) || strings.Contains(text, request) {
		t.Error("a token is in the file")
	}
	report, err := Record(t.Context(), dir, Module{Name: "bridge-script", Wasm: wasm}, Options{})
	if err != nil || report.Calls != 2 || len(report.Differences) > 0 {
		t.Errorf("the report is %+v, %v", report, err)
	}
}

// The notebook plugin uses its store and the host's state as the events say.
func TestARecordedStoreAnswersAgain(t *testing.T) {
	wasm, r := goBuild(t, "./sdk/sdktest/internal/notebook"), newRecording(t)
	m := r.serve("notebook", wasm, `{}`)
	m.dialogs("note a=1", "read a", "note b=2", "list", "forget a", "read a", "list", "state task", "state other", "fill c", "panic now", "read b", "nothing")
	m.call(abi.HookDialogClosed, (&abi.DialogClosedEvent{DialogID: "d-1"}).Append(nil))
	dir := r.done()
	if got := same(t, dir, "notebook", wasm); got.Calls != 14 {
		t.Errorf("%d calls were compared", got.Calls)
	}
	for _, outcome := range []string{"decided", "abstained", "error"} {
		if r.outcomes[outcome] == 0 {
			t.Errorf("no call ended with %s: %v", outcome, r.outcomes)
		}
	}
	if len(r.outcomes) < 4 {
		t.Errorf("no call faulted: %v", r.outcomes)
	}

	t.Run("and a module that asks otherwise is told", func(t *testing.T) {
		report, err := Record(t.Context(), dir, Module{Name: "contrary", Wasm: contrary.Dialog()}, Options{Plugin: "notebook"})
		if err != nil {
			t.Fatal(err)
		}
		if report.Deviating == 0 || report.Different == 0 {
			t.Errorf("the report is %+v", report)
		}
	})
}

// The answers of an embedder are in the record, so that a replay needs none.
func TestARecordedEmbedderAnswersAgain(t *testing.T) {
	wasm, r := contrary.Embedder(), newRecording(t)
	m := r.serve("asking", wasm, `{}`)
	long := strings.Repeat("a long answer ", 100)
	m.store.Embedder = map[string]map[string][]byte{"lookup_v1": {
		"yes": []byte("accept"), "no": []byte("dismiss"), "twice": []byte(long), "json": []byte(`{"answer": "yes"}`),
	}}
	m.dialogs("yes", "no", "twice", "json", "unknown")
	dir := r.done()
	if got := same(t, dir, "asking", wasm); got.Calls != 5 {
		t.Errorf("%d calls were compared", got.Calls)
	}
	t.Run("and a module is granted what was recorded, and no more", func(t *testing.T) {
		bare := newRecording(t)
		b := bare.serve("bare", contrary.Dialog(), `{}`)
		b.functions = nil
		b.dialogs("yes")
		_, err := Record(t.Context(), bare.done(), Module{Name: "asking", Wasm: wasm}, Options{Plugin: "bare"})
		if err == nil || !strings.Contains(err.Error(), "embedder.lookup_v1") {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestFaultsAreDecisionsToo(t *testing.T) {
	fixtures := []string{
		"trap", "spin", "panic", "exit", "error", "garbage", "oversize", "no_result", "unknown_status", "abstain", "recursion", "out_of_bounds",
		"grow_touch", "unknown_verdict", "bad_result_pointer", "echo",
	}
	r := newRecording(t)
	for _, name := range fixtures {
		r.serve(name, fixture(t, name), `{}`).random(1)
	}
	dir := r.done()
	for _, name := range fixtures {
		t.Run(name, func(t *testing.T) { same(t, dir, name, fixture(t, name)) })
	}
	for _, want := range []string{"faultfuel", "faulttrap", "faultexit", "faultbad_verdict", "faultoversize", "error", "abstained", "decided"} {
		if r.outcomes[want] == 0 {
			t.Errorf("no call ended with %s: %v", want, r.outcomes)
		}
	}
}

// dialogs is a journal of the dialog policy.
func dialogs(t *testing.T) string {
	t.Helper()
	r := newRecording(t)
	r.serve("dialog-policy", shipped(t, plugins.DialogPolicy), `{}`).dialogs("one", "two", "three")
	r.serve("other", contrary.Dialog(), `{}`).dialogs("four")
	return r.done()
}

func TestADifferenceIsReported(t *testing.T) {
	dir := dialogs(t)
	report, err := Record(t.Context(), dir, Module{Name: "new", Wasm: contrary.Dialog()}, Options{Plugin: "dialog-policy"})
	if err != nil {
		t.Fatal(err)
	}
	if report.Calls != 3 || report.Different != 3 || report.Skipped.OtherPlugins != 1 || report.Before != nil || report.After.Name == "" {
		t.Fatalf("the report is %+v", report)
	}
	d := report.Differences[0]
	if d.Sequence != 1 || d.Hook != abi.HookDialog || d.Before.String() != `{"action":"hold","timeout_ms":300000,"rule":"policy must_respond"}` ||
		!strings.Contains(d.After.String(), `"accept"`) {
		t.Errorf("the first difference is %+v", d)
	}
}

func TestTwoModulesAreCompared(t *testing.T) {
	dir := dialogs(t)
	policy := Module{Name: "policy", Wasm: shipped(t, plugins.DialogPolicy)}
	report, err := Between(t.Context(), dir, policy, Module{Name: "new", Wasm: contrary.Dialog()}, Options{Plugin: "dialog-policy"})
	if err != nil || report.Different != 3 || report.Before == nil {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	// Another configuration than the recorded one changes what both decide.
	accept := abi.Struct{{Key: "policy", Value: abi.StringValue("auto_accept")}}
	report, err = Between(t.Context(), dir, policy, policy, Options{Config: &accept})
	if err != nil || report.Different != 0 || report.Calls != 3 {
		t.Errorf("the report is %+v, %v", report, err)
	}
	report, err = Record(t.Context(), dir, policy, Options{Config: &accept})
	if err != nil || report.Different != 3 {
		t.Errorf("the report is %+v, %v", report, err)
	}
	bad := abi.Struct{{Key: "policy", Value: abi.StringValue("shrug")}}
	report, err = Record(t.Context(), dir, policy, Options{Config: &bad})
	if err != nil || report.Different != 3 || report.Differences[0].After.Fault != "init" || !strings.Contains(report.Differences[0].After.Detail, "shrug") {
		t.Errorf("with a configuration that it refuses the report is %+v, %v", report, err)
	}
}

func TestAllowedDifferencesDoNotCount(t *testing.T) {
	dir := dialogs(t)
	tried := Module{Name: "new", Wasm: contrary.Dialog()}
	o := Options{Plugin: "dialog-policy"}
	report, err := Record(t.Context(), dir, tried, o)
	if err != nil {
		t.Fatal(err)
	}
	written, err := FormatAllow(report)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		list    string
		allowed int
	}{
		"what was written": {string(written), 3},
		"numbers":          {"# reviewed\n1\n 3 # the third\n\n", 2},
		"hook and verdict": {`{"format":1,"allow":[{"hook":"hermes_on_dialog","after":{"outcome":"decided","verdict":` +
			`{"rule":"contrary", "text":"contrary","action":"accept"}}}]}`, 3},
		"another verdict": {`{"format":1,"allow":[{"hook":"hermes_on_dialog","after":{"outcome":"abstained"}}]}`, 0},
		"another subject": {`{"format":1,"allow":[{"sequence":1,"subject":"d-9"}]}`, 0},
		"another run":     {`{"format":1,"allow":[{"sequence":1,"time":"2001-01-01T00:00:00Z"}]}`, 0},
		"nothing":         {"", 0},
	} {
		t.Run(name, func(t *testing.T) {
			o := o
			if o.Allow, err = ParseAllow([]byte(c.list)); err != nil {
				t.Fatal(err)
			}
			report, err := Record(t.Context(), dir, tried, o)
			if err != nil || report.Allowed != c.allowed || report.Different != 3-c.allowed || len(report.Differences) != 3 {
				t.Errorf("the report is %+v, %v", report, err)
			}
		})
	}
}

func TestListsThatAllowTooMuchAreRefused(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"one", `line 1: "one" is not the number of a call`},
		{"0", "is not the number"},
		{`{"format":2}`, "format is 2"},
		{`{"format":1,"allow":[{"sequense":1}]}`, "sequense"},
		{`{"format":1,"allow":[{}]}`, "less would allow everything"},
		{`{"format":1,"allow":[{"hook":"hermes_on_dialog"}]}`, "less would allow everything"},
		{`{"format":1,"allow":[{"hook":"hermes_on_dialogue","sequence":1}]}`, `hook is "hermes_on_dialogue"`},
		{`{"format":1,"allow":[{"sequence":1,"after":{"outcome":"decided","verdict":{}}}]}`, "give its hook"},
		{`{"format":1,"allow":[{"sequence":1,"hook":"hermes_on_dialog","after":{"outcome":"decided","verdict":{"act":1}}}]}`, "verdict"},
	} {
		if _, err := ParseAllow([]byte(c.list)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %s", c.list, err, c.want)
		}
	}
}

func TestWhatCannotBeRepeatedIsSkipped(t *testing.T) {
	dir := t.TempDir()
	w, err := journal.OpenWriter(journal.WriterOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	e := journal.Entry{Sequence: 1, Hook: abi.HookDialog, Plugin: "dialog-policy", Outcome: journal.OutcomeFault, Fault: "deadline"}
	w.Add(e)
	e.Fault, e.Candidate = "trap", true
	w.Add(e)
	secret := abi.DialogEvent{Header: abi.Header{TaskConfig: abi.Struct{{Key: "password", Value: abi.StringValue("hunter22")}}}}
	e = journal.Entry{Sequence: 3, Hook: abi.HookDialog, Plugin: "dialog-policy", Event: secret.Append(nil), Outcome: journal.OutcomeDecided, Verdict: []byte("\xffhunter22")}
	w.Add(e)
	// Replayed, but not exactly.
	e.Verdict = (&abi.DialogVerdict{Action: abi.DialogActionHold, Rule: "hunter22"}).Append(nil)
	w.Add(e)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	report, err := Record(t.Context(), dir, Module{Name: "m", Wasm: shipped(t, plugins.DialogPolicy)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Skipped{Candidates: 1, Incomplete: 1, Unrepeatable: 1}); report.Skipped != want || report.Calls != 1 || report.Inexact != 1 || report.Different != 0 {
		t.Errorf("the report is %+v", report)
	}
}

// A difference counts unless the event, exchanges or verdict of the record are masked; a masked configuration alone is
// no excuse.
func TestOnlyMaskedCallsAreInexact(t *testing.T) {
	dir := t.TempDir()
	w, err := journal.OpenWriter(journal.WriterOptions{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	config := abi.Struct{{Key: "api_key", Value: abi.StringValue("sk-42-sk-42")}}
	e := journal.Entry{Sequence: 1, Hook: abi.HookDialog, Plugin: "p", ConfigHash: "c", Config: config.Append(nil), Outcome: journal.OutcomeAbstained}
	e.Event = (&abi.DialogEvent{DialogID: "d-1", Type: abi.DialogTypeAlert}).Append(nil)
	w.Add(e)
	e.Sequence, e.Event = 2, (&abi.DialogEvent{DialogID: "d-2", Type: abi.DialogTypeAlert, Message: "sk-42-sk-42"}).Append(nil)
	w.Add(e)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	tried := Module{Name: "contrary", Wasm: contrary.Dialog()}
	for _, c := range []struct {
		name                             string
		options                          Options
		different, inexact, maskedConfig int
	}{
		{"as recorded", Options{Plugin: "p"}, 1, 1, 2},
		{"strict", Options{Plugin: "p", Strict: true}, 2, 0, 2},
		{"with the configuration", Options{Plugin: "p", Config: &config}, 1, 1, 0},
		{"strict, with what is meant", Options{Plugin: "p", Strict: true, Allow: Allow{{Sequence: 1}, {Sequence: 2}}}, 0, 0, 2},
	} {
		report, err := Record(t.Context(), dir, tried, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if report.Calls != 2 || report.Different != c.different || report.Inexact != c.inexact || report.MaskedConfig != c.maskedConfig {
			t.Errorf("%s: the report is %+v", c.name, report)
		}
	}
}

func TestGoldenEventsAreComparedWithoutAJournal(t *testing.T) {
	table := filepath.Join("..", "..", "plugins", "dialog-policy", "testdata", "golden.json")
	policy := Module{Name: "policy", Wasm: shipped(t, plugins.DialogPolicy), CacheDir: filepath.Join(t.TempDir(), "cache")}
	report, err := Golden(t.Context(), table, policy, policy, Options{})
	if err != nil || report.Calls < 10 || len(report.Differences) > 0 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	report, err = Golden(t.Context(), table, policy, Module{Name: "new", Wasm: contrary.Dialog()}, Options{})
	if err != nil || report.Different == 0 || report.Differences[0].Subject == "" {
		t.Errorf("the report is %+v, %v", report, err)
	}
}

func TestGoldenEventsHaveTheStoreOfTheirCases(t *testing.T) {
	table := filepath.Join("..", "..", "sdk", "sdktest", "internal", "notebook", "testdata", "golden.json")
	notebook := Module{Name: "notebook", Wasm: goBuild(t, "./sdk/sdktest/internal/notebook"), CacheDir: filepath.Join(t.TempDir(), "cache")}
	report, err := Golden(t.Context(), table, notebook, notebook, Options{})
	if err != nil || len(report.Differences) > 0 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	report, err = Golden(t.Context(), table, Module{Name: "abstain", Wasm: fixture(t, "abstain")}, notebook, Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := Decision{}
	for _, d := range report.Differences {
		if d.Subject == "a note is read" {
			read = d.After
		}
	}
	if !strings.Contains(read.String(), `"text":"1"`) {
		t.Errorf("a note is read as %s", read)
	}
}

func TestOutlinesDescribeModules(t *testing.T) {
	policy := Module{Name: "policy", Wasm: shipped(t, plugins.DialogPolicy)}
	if list, err := Outlines(policy, policy); err != nil || len(list) != 0 {
		t.Errorf("a module differs from itself in %v, %v", list, err)
	}
	list, err := Outlines(policy, Module{Name: "frames", Wasm: shipped(t, plugins.FrameFilter)})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]OutlineDifference{}
	for _, d := range list {
		found[d.What] = d
	}
	if want := (OutlineDifference{"hooks", "hermes_on_dialog", "hermes_filter_frames"}); !reflect.DeepEqual(found["hooks"], want) {
		t.Errorf("the hooks differ in %+v", found["hooks"])
	}
	for _, what := range []string{"sha256", "size", "name", "config schema"} {
		if _, ok := found[what]; !ok {
			t.Errorf("%s is not told to differ: %v", what, list)
		}
	}
	if _, err := Outlines(policy, Module{Name: "text", Wasm: []byte("text")}); err == nil || !strings.HasPrefix(err.Error(), "text: ") {
		t.Errorf("error is %v", err)
	}
}

func TestWhatCannotBeReplayedIsAnError(t *testing.T) {
	policy := Module{Name: "policy", Wasm: shipped(t, plugins.DialogPolicy)}
	dir := dialogs(t)
	if _, err := Record(t.Context(), filepath.Join(dir, "nowhere"), policy, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no journal: error is %v", err)
	}
	if _, err := Record(t.Context(), dir, policy, Options{Plugin: "nobody"}); err == nil || !strings.Contains(err.Error(), "dialog-policy, other") {
		t.Errorf("no call of the plugin: error is %v", err)
	}
	if _, err := Record(t.Context(), dir, Module{Name: "x", Wasm: []byte("no module")}, Options{}); err == nil {
		t.Error("a file that is not a module was run")
	}
	if _, err := Record(t.Context(), dir, Module{Name: "x", Wasm: fixture(t, "load_no_marker")}, Options{Plugin: "dialog-policy"}); err == nil {
		t.Error("a module that does not load was run")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Record(ended, dir, policy, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: error is %v", err)
	}
}

func TestReportsAreJSON(t *testing.T) {
	report, err := Record(t.Context(), dialogs(t), Module{Name: "new", Wasm: contrary.Dialog()}, Options{Plugin: "dialog-policy"})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, report) {
		t.Errorf("%v: %s", err, text)
	}
}
