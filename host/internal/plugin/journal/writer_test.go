package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal/journaltest"
)

// journalOf writes calls and gives the directory.
func journalOf(t testing.TB, o WriterOptions, entries ...Entry) string {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	w, err := OpenWriter(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		w.Add(e)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return o.Dir
}

// readAll reads a journal without an error.
func readAll(t testing.TB, path string) ([]Entry, *Reader) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []Entry
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list, r
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
}

func filesOf(t testing.TB, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func hashOf(config []byte) string {
	sum := sha256.Sum256(config)
	return hex.EncodeToString(sum[:])
}

// drawEntry draws a call without secrets.
func drawEntry(t *rapid.T, sequence uint64) Entry {
	e := Entry{
		Sequence: sequence,
		Time:     time.Unix(0, rapid.Int64Range(0, 2e18).Draw(t, "time")).UTC(),
		Task:     rapid.SampledFrom([]string{"default", "t2"}).Draw(t, "task"),
		Hook:     rapid.SampledFrom(abi.Hooks()).Draw(t, "hook"),
		Subject:  rapid.SampledFrom([]string{"", "d-7"}).Draw(t, "subject"),
		Plugin:   "dialog-policy", Generation: 3, SHA256: "abc",
		Candidate:    rapid.Bool().Draw(t, "candidate"),
		Capabilities: rapid.SampledFrom([][]abi.Capability{nil, {abi.CapabilityKV, abi.CapabilityState}}).Draw(t, "capabilities"),
		Duration:     time.Duration(rapid.Int64Range(0, 1e9).Draw(t, "duration")),
		Fuel:         rapid.Int64Range(0, 1e9).Draw(t, "fuel"),
		Outcome:      rapid.SampledFrom([]Outcome{OutcomeDecided, OutcomeAbstained, OutcomeError, OutcomeFault}).Draw(t, "outcome"),
		Config:       journaltest.Config(t),
	}
	e.ConfigHash = hashOf(e.Config)
	e.Event = journaltest.Event(t, e.Hook)
	if e.Hook == abi.HookBridgeScript { // its tokens are secrets
		e.Event = new(abi.BridgeScriptEvent).Append(nil)
	}
	switch e.Outcome {
	case OutcomeDecided:
		e.Verdict = journaltest.Verdict(t, e.Hook)
		if e.Hook == abi.HookBridgeRequest {
			e.Verdict = nil // likewise
		}
		if rapid.Bool().Draw(t, "foreign") && e.Hook != abi.HookDialogClosed {
			e.Verdict = append(e.Verdict, 0xf8, 0x7f, 1) // a field that this version does not know
		}
	case OutcomeError:
		e.Reason = journaltest.Text().Draw(t, "reason")
	case OutcomeFault:
		e.Fault, e.Detail = "trap", journaltest.Text().Draw(t, "detail")
	}
	for range rapid.IntRange(0, 3).Draw(t, "exchanges") {
		e.Exchanges = append(e.Exchanges, guestio.Exchange{
			Import: abi.ImportKVGet,
			Key:    rapid.SampledFrom([]string{"count", "a\x00b"}).Draw(t, "key"),
			Value:  rapid.OneOf(rapid.SliceOf(rapid.Byte()), rapid.Just([]byte(`{"a": [1, "b"]}`)), rapid.Just([]byte("plain"))).Draw(t, "value"),
			Keys:   rapid.SliceOfN(rapid.SampledFrom([]string{"x", "y"}), 0, 2).Draw(t, "keys"),
			Code:   rapid.SampledFrom([]abi.Code{0, abi.CodeNotFound}).Draw(t, "code"),
		})
	}
	return e
}

// normal is an entry as it compares: empty and absent are the same.
func normal(e Entry) Entry {
	for _, b := range []*[]byte{&e.Event, &e.Verdict, &e.Config} {
		if len(*b) == 0 {
			*b = nil
		}
	}
	e.Exchanges = slices.Clone(e.Exchanges)
	for i := range e.Exchanges {
		if len(e.Exchanges[i].Value) == 0 {
			e.Exchanges[i].Value = nil
		}
		if len(e.Exchanges[i].Keys) == 0 {
			e.Exchanges[i].Keys = nil
		}
	}
	return e
}

func TestAFileGivesBackEveryCallByteForByte(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var want []Entry
		for n := range rapid.IntRange(0, 5).Draw(rt, "calls") {
			want = append(want, drawEntry(rt, uint64(n+1)))
		}
		got, r := readAll(t, journalOf(t, WriterOptions{}, want...))
		if len(got) != len(want) || len(r.Problems()) > 0 || r.Lost() > 0 {
			rt.Fatalf("%d of %d calls came back; %v", len(got), len(want), r.Problems())
		}
		for i := range want {
			if !reflect.DeepEqual(normal(got[i]), normal(want[i])) {
				rt.Fatalf("call\n%+v\ncame back as\n%+v", normal(want[i]), normal(got[i]))
			}
		}
	})
}

func TestAFileIsReadable(t *testing.T) {
	config := abi.Struct{{Key: "policy", Value: abi.StringValue("auto_accept")}}
	event := abi.DialogEvent{DialogID: "d-7", Type: abi.DialogTypeConfirm, Message: "Pay?"}
	verdict := abi.DialogVerdict{Action: abi.DialogActionAccept}
	dir := journalOf(t, WriterOptions{}, Entry{
		Sequence: 9, Hook: abi.HookDialog, Plugin: "p", SHA256: "s", ConfigHash: "c", Config: config.Append(nil), Event: event.Append(nil),
		Outcome: OutcomeDecided, Verdict: verdict.Append(nil),
	})
	text, err := os.ReadFile(filesOf(t, dir)[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("there are %d lines: %s", len(lines), text)
	}
	if !strings.HasPrefix(lines[0], `{"kind":"header","format":1,`) || lines[1] != `{"kind":"config","hash":"c","config":{"policy":"auto_accept"}}` {
		t.Errorf("it begins\n%s\n%s", lines[0], lines[1])
	}
	for _, want := range []string{`"event":{"dialog_id":"d-7","type":"confirm","message":"Pay?"}`, `"verdict":{"action":"accept"}`} {
		if !strings.Contains(lines[2], want) {
			t.Errorf("the call lacks %s: %s", want, lines[2])
		}
	}
	if runtime.GOOS == "windows" {
		return // it has no such modes
	}
	if info, err := os.Stat(filesOf(t, dir)[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
}

func TestTheFolderIsForItsOwnerOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it has no such modes
	}
	dir := journalOf(t, WriterOptions{Dir: filepath.Join(t.TempDir(), "a", "b")})
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has the mode %v, %v", info.Mode(), err)
	}
}

func TestFilesRotateAndTheOldestGo(t *testing.T) {
	var entries []Entry
	for n := range 200 {
		e := Entry{Sequence: uint64(n + 1), Hook: abi.HookDialogClosed, Plugin: "p", ConfigHash: "c", Outcome: OutcomeAbstained}
		e.Event = (&abi.DialogClosedEvent{Text: strings.Repeat("x", 500)}).Append(nil)
		entries = append(entries, e)
	}
	dir := t.TempDir()
	foreign := filepath.Join(dir, "notes.jsonl")
	if err := os.WriteFile(foreign, make([]byte, 100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	journalOf(t, WriterOptions{Dir: dir, FileBytes: 10_000, DirBytes: 40_000}, entries...)
	got, r := readAll(t, dir)
	if len(r.Problems()) > 0 || len(got) < 30 || len(got) > 80 {
		t.Fatalf("%d calls are left; %v", len(got), r.Problems())
	}
	for i := range got { // the end of what was written, in order, with each file's own configuration line
		if want := uint64(200 - len(got) + i + 1); got[i].Sequence != want {
			t.Fatalf("call %d is number %d, want %d", i, got[i].Sequence, want)
		}
	}
	var total int64
	for _, name := range filesOf(t, dir) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if name != foreign {
			total += info.Size()
		}
	}
	if total > 40_000+1000 {
		t.Errorf("the files take %d bytes", total)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("what is no journal was removed: %v", err)
	}
	journalOf(t, WriterOptions{Dir: dir, FileBytes: 10_000, DirBytes: 10_000})
	if left := filesOf(t, dir); len(left) != 2 {
		t.Errorf("a later run with less room left %v", left)
	}
}

func TestACutLastLineIsToleratedAndTold(t *testing.T) {
	e := Entry{Hook: abi.HookDialog, Plugin: "p", Event: (&abi.DialogEvent{Message: "m"}).Append(nil), Outcome: OutcomeAbstained}
	first, second := e, e
	first.Sequence, second.Sequence = 1, 2
	path := filesOf(t, journalOf(t, WriterOptions{}, first, second))[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lastLine := strings.LastIndex(strings.TrimSuffix(string(whole), "\n"), "\n") + 1
	for _, cut := range []int{lastLine + 1, len(whole) - 10, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		got, r := readAll(t, path)
		if len(got) != 1 || len(r.Problems()) != 1 || !strings.Contains(r.Problems()[0].String(), "incomplete") {
			t.Errorf("cut at %d: %d calls, %v", cut, len(got), r.Problems())
		}
	}
}

func TestADamagedLineIsPassedOverAndTold(t *testing.T) {
	e := Entry{Sequence: 1, Hook: abi.HookDialog, Plugin: "p", Outcome: OutcomeAbstained}
	path := filesOf(t, journalOf(t, WriterOptions{}, e, e))[0]
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(whole), "\n")
	lines = slices.Insert(lines, 2, "garbage\n", `{"kind":"from the future"}`+"\n",
		`{"kind":"call","sequence":5,"hook":"hermes_on_dialog","event":{"typ":"alert"}}`+"\n",
		`{"kind":"call","sequence":6,"hook":"hermes_on_dialog","config_hash":"nowhere"}`+"\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	got, r := readAll(t, path)
	if len(got) != 2 || len(r.Problems()) != 3 || r.Problems()[0].Line != 3 {
		t.Errorf("%d calls, %v", len(got), r.Problems())
	}
}

func TestWhatIsNoJournalIsRefused(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"text":   "hello\n",
		"other":  `{"kind":"table","format":1}` + "\n",
		"future": `{"kind":"header","format":2}` + "\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error is %v", name, err)
		}
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "has no journal") {
		t.Errorf("an empty directory: error is %v", err)
	}
	if _, err := Open(filepath.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: error is %v", err)
	}
}

func TestAFullQueueDropsAndCounts(t *testing.T) {
	w, err := OpenWriter(WriterOptions{Dir: t.TempDir(), QueueBytes: 1})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		w.Add(Entry{Hook: abi.HookDialog})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w.Add(Entry{Hook: abi.HookDialog}) // after the end: nothing
	if w.Lost() != 3 || w.Written() != 0 {
		t.Errorf("%d lost, %d written", w.Lost(), w.Written())
	}
}

func TestAFileTellsOfLostCalls(t *testing.T) {
	dir := t.TempDir()
	small := Entry{Hook: abi.HookDialog, Outcome: OutcomeAbstained}
	large := small
	large.Event = make([]byte, 100_000)
	w, err := OpenWriter(WriterOptions{Dir: dir, QueueBytes: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	w.Add(large)
	w.Add(small)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got, r := readAll(t, dir); len(got) != 1 || r.Lost() != 1 {
		t.Errorf("%d calls, %d lost", len(got), r.Lost())
	}
}

func TestAFolderThatCanNotBeUsedIsToldAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", file} {
		if _, err := OpenWriter(WriterOptions{Dir: dir}); err == nil {
			t.Errorf("%q was accepted", dir)
		}
	}
}

func TestANilWriterWritesNothing(t *testing.T) {
	var w *Writer
	w.Add(Entry{})
	if err := w.Close(); err != nil || w.Lost() != 0 || w.Written() != 0 {
		t.Error("it did something")
	}
}

func BenchmarkWriterAdd(b *testing.B) {
	w, err := OpenWriter(WriterOptions{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	event := abi.DialogEvent{DialogID: "d-7", Type: abi.DialogTypeConfirm, Message: "Pay?", URL: "https://shop.example/"}
	e := Entry{Plugin: "p", Hook: abi.HookDialog, Event: event.Append(nil), Outcome: OutcomeAbstained}
	b.ReportAllocs()
	for b.Loop() {
		w.Add(e)
	}
	b.StopTimer()
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(w.Written())/float64(b.N), "written/op")
}

// A directory that vanishes costs calls, not the host; when it is back, so is the journal.
func TestFilesThatFailAreToldOnceAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "calls")
		var log bytes.Buffer
		w, err := OpenWriter(WriterOptions{Dir: dir, FileBytes: 1, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		add := func() {
			w.Add(Entry{Sequence: 1, Hook: abi.HookDialog, Outcome: OutcomeAbstained})
			synctest.Wait()
		}
		add()
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		add() // a file of one byte is full, and no other can be made
		add() // not tried so soon
		if w.Written() != 1 || w.Lost() != 2 || strings.Count(log.String(), "level=WARN") != 1 {
			t.Errorf("%d written, %d lost: %s", w.Written(), w.Lost(), log.String())
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		time.Sleep(retryAfter) //nolint:forbidigo // no real time passes
		add()
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, r := readAll(t, dir); len(got) != 1 || r.Lost() != 2 {
			t.Errorf("%d calls, %d lost", len(got), r.Lost())
		}
		if !strings.Contains(log.String(), "written again") {
			t.Errorf("it told %s", log.String())
		}
	})
}
