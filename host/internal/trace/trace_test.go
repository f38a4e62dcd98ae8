package trace

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func after(d time.Duration) time.Time { return start.Add(d) }

// roomy are bounds that no test reaches by accident.
var roomy = Options{Calls: 100, Bytes: 1 << 20}

// written is the file of a trace.
func written(t *testing.T, tr *Trace) string {
	t.Helper()
	var out bytes.Buffer
	if err := tr.Write(&out, About{Task: "a task", Ended: after(time.Minute)}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func picture(at time.Duration, content string) Picture {
	return Picture{Target: "T", At: after(at), WebP: []byte(content), Width: 4, Height: 3}
}

var here = Place{Target: "T", Tab: "t1", URL: "https://example.org/"}

// do makes a call that takes a millisecond.
func do(tr *Trace, at time.Duration, name string) *Running {
	r := tr.Begin(Call{Name: name, Place: here}, after(at))
	r.End(End{Text: "done", Place: here}, after(at+time.Millisecond))
	return r
}

func (r *Running) shows(t *testing.T, before, later string) {
	t.Helper()
	content := func(p *Picture) string {
		if p == nil {
			return ""
		}
		return string(p.WebP)
	}
	if got, want := content(r.call.before)+" "+content(r.call.after), before+" "+later; got != want {
		t.Errorf("%s shows %q, want %q", r.call.Name, got, want)
	}
}

func TestACallShowsThePictureBeforeItAndTheOneThatItLedTo(t *testing.T) {
	tr := New(roomy, start)
	tr.See(picture(0, "A"))
	one := do(tr, time.Second, "one")
	one.shows(t, "A", "A")
	tr.See(picture(1100*time.Millisecond, "B"))
	tr.See(Picture{Target: "other", At: after(1200 * time.Millisecond), WebP: []byte("X")})
	one.shows(t, "A", "B")
	two := do(tr, 1500*time.Millisecond, "two")
	tr.See(picture(1600*time.Millisecond, "C"))
	one.shows(t, "A", "B")
	two.shows(t, "B", "C")
	tr.See(picture(10*time.Second, "D"))
	two.shows(t, "B", "C") // what happens much later is not what the call did
}

func TestACallThatADialogHoldsShowsNoPictureAfterIt(t *testing.T) {
	tr := New(roomy, start)
	tr.See(picture(0, "A"))
	r := tr.Begin(Call{Name: "click", Place: here}, after(time.Second))
	r.End(End{Failed: true, Place: here, NoPicture: DialogOpen}, after(2*time.Second))
	tr.Observe(Seen{Dialogs: []Dialog{{ID: "d-1", Type: "confirm", Message: "Really?"}}})
	tr.See(picture(2100*time.Millisecond, "B"))
	r.shows(t, "A", "")
	if file := written(t, tr); !strings.Contains(file, "The dialog that was open after the call") || !strings.Contains(file, "Really?") {
		t.Error("the file does not show the dialog instead")
	}
}

func TestTheOldestPicturesMakeRoom(t *testing.T) {
	tr := New(Options{Calls: 100, Bytes: 3000}, start)
	for i := range 10 {
		tr.See(picture(time.Duration(i)*time.Minute, strings.Repeat(fmt.Sprint(i), 500)))
		do(tr, time.Duration(i)*time.Minute+time.Second, "call")
	}
	if got := tr.Totals(); got.Calls != 10 || got.Bytes > 3000 || got.Pictures == 0 || got.Pictures > 5 {
		t.Errorf("it keeps %+v", got)
	}
	if tr.calls[0].before.WebP != nil || tr.calls[9].before.WebP == nil {
		t.Error("other pictures than the oldest made room")
	}
	file := written(t, tr)
	for _, note := range []string{"pictures were left out to keep the trace within its bounds", "was left out for newer ones"} {
		if !strings.Contains(file, note) {
			t.Errorf("the file does not say %q", note)
		}
	}
	if strings.Count(file, "<article") != 10 {
		t.Error("calls are missing")
	}
}

func TestTheOldestCallsMakeRoom(t *testing.T) {
	tr := New(Options{Calls: 3, Bytes: 1 << 20}, start)
	for i := range 5 {
		tr.See(picture(time.Duration(i)*time.Minute, fmt.Sprint("picture ", i)))
		r := tr.Begin(Call{Name: fmt.Sprint("call ", i), Place: here, Typed: []string{"a secret of call 0"}}, after(time.Duration(i)*time.Minute))
		r.End(End{Text: "it said a secret of call 0", Place: here, Plain: []string{"a secret of call 0"}[:min(i, 1)]}, after(time.Duration(i)*time.Minute+1))
	}
	file := written(t, tr)
	if strings.Contains(file, ">call 1<") || !strings.Contains(file, "call 2") || !strings.Contains(file, "2 calls were left out") {
		t.Error("not the oldest calls made room, or nothing says so")
	}
	if strings.Contains(file, "a secret of call 0") {
		t.Error("what a call typed that was left out is no secret any more")
	}
	texts := New(Options{Calls: 100, Bytes: 40 << 10}, start)
	for i := range 20 {
		r := texts.Begin(Call{Name: "call"}, after(time.Duration(i)))
		r.End(End{Text: strings.Repeat("x", 8<<10)}, after(time.Duration(i)))
	}
	if got := texts.Totals().Bytes; got > 40<<10 || len(texts.calls) < 3 {
		t.Errorf("%d calls have %d bytes", len(texts.calls), got)
	}
}

// The count of bytes is that of what is kept, whatever came and went.
func TestTheBytesAreCounted(t *testing.T) {
	tr := New(Options{Calls: 4, Bytes: 6000}, start)
	for i := range 50 {
		tr.See(picture(time.Duration(i)*100*time.Millisecond, strings.Repeat("p", 100*(i%7))))
		r := do(tr, time.Duration(i)*100*time.Millisecond+50, strings.Repeat("n", i%5))
		tr.See(picture(time.Duration(i)*100*time.Millisecond+60, strings.Repeat("q", 90*(i%5))))
		r.Step(Step{Name: "click", Element: "button"})
		tr.Observe(Seen{Total: i, Lines: []Line{{Text: "line"}}, Requests: []Request{{Number: uint64(i), URL: "https://example.org/"}}})
		var bytes int64
		for _, c := range tr.calls {
			bytes += c.bytes
		}
		for _, p := range tr.pictures {
			bytes += int64(len(p.WebP))
		}
		if bytes != tr.bytes || bytes > 6000 {
			t.Fatalf("after call %d: %d bytes are kept, %d counted", i, bytes, tr.bytes)
		}
	}
}

func TestWhatHappensBelongsToTheCallThatBeganLast(t *testing.T) {
	tr := New(roomy, start)
	line := func(text string) Line { return Line{Type: "log", Text: text} }
	tr.Observe(Seen{Total: 2, Lines: []Line{line("old"), line("older")}, Requests: []Request{{Number: 1, URL: "https://old.example/"}}})
	tr.Observe(Seen{Total: 3, Lines: []Line{line("old"), line("older"), line("early")}})
	do(tr, 0, "one")
	tr.Observe(Seen{Total: 10, Lines: []Line{line("early"), line("new")}, Requests: []Request{{Number: 2, URL: "https://new.example/", Pending: true}}})
	do(tr, 1, "two")
	tr.Observe(Seen{Total: 10, Requests: []Request{{Number: 2, URL: "https://new.example/", Status: 204}}})
	if got := tr.prelude.lines; len(got) != 1 || got[0].Text != "early" {
		t.Errorf("before the first call there was %v", got)
	}
	if one := tr.calls[0]; len(one.lines) != 2 || one.lines[1].Text != "new" || one.more.lines != 5 || one.requests[0].Status != 204 || len(tr.calls[1].requests) != 0 {
		t.Errorf("during the call there was %+v", one)
	}
	if file := written(t, tr); strings.Contains(file, "older") || strings.Contains(file, "old.example") || !strings.Contains(file, "5 more console lines") {
		t.Error("the file has what was before the trace, or does not say what is missing")
	}
}

func TestSecretsAreInNoForm(t *testing.T) {
	const hidden = `p&ss "wörd"/1+1%`
	tr := New(roomy, start)
	r := tr.Begin(Call{
		Name: "type", Place: Place{URL: "https://ada:lovelace@example.org/?token=of-the-url#access_token=of-the-fragment"}, Typed: []string{hidden, "xyz", "not hidden"},
		Arguments: []byte(`{"text": "p&ss \"wörd\"/1+1%", "short": "xyz", "api_key": "of-the-key", "headers": [{"name": "Authorization", "value": "of-the-header"}],
			"url": "https://example.org/?password=of-the-argument", "field": "not hidden", "other": "plain"}`),
	}, start)
	r.End(End{Text: strings.Join([]string{
		hidden, "p%26ss%20%22w%C3%B6rd%22%2F1%2B1%25", "p%26ss+%22w%c3%b6rd%22%2f1%2b1%25", `p&ss \"wörd\"/1+1%`, "cCZzcyAid8O2cmQiLzErMSU=", "not hidden", "the end",
	}, "\n"), Plain: []string{"not hidden"}}, start)
	tr.Observe(Seen{})
	tr.Observe(Seen{
		Total: 1, Lines: []Line{{Text: "log " + hidden}}, Dialogs: []Dialog{{ID: "d-1", Message: hidden, Text: hidden, Accepted: true, ClosedBy: "agent"}},
		Requests: []Request{{Number: 1, URL: "https://example.org/save?q=p%26ss%20%22w%C3%B6rd%22/1%2B1%25&r=2"}},
	})
	file := written(t, tr)
	for _, secret := range []string{"rd&#34;", "rd%22", "C3%B6", "cCZz", "xyz", "lovelace", "of-the-"} {
		if strings.Contains(file, secret) {
			t.Errorf("the file has %q", secret)
		}
	}
	for _, plain := range []string{"not hidden", "the end", "r=2", "&#34;other&#34;: &#34;plain&#34;"} {
		if !strings.Contains(file, plain) {
			t.Errorf("the file lacks %q", plain)
		}
	}
}

func TestAFileIsCompleteOrNotThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	s := Store{Dir: dir, Keep: time.Hour, TotalBytes: 2500}
	full := errors.New("no space left on device")
	if _, _, err := s.Save(start, func(w io.Writer) error { _, _ = w.Write([]byte("half")); return full }); !errors.Is(err, full) {
		t.Errorf("a full disk is %v", err)
	}
	theirs := filepath.Join(dir, "hermes-cdp-theirs.html")
	if err := os.WriteFile(theirs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var last string
	for i := range 4 {
		path, size, err := s.Save(after(time.Duration(i)*time.Minute), func(w io.Writer) error { _, err := w.Write(make([]byte, 1000)); return err })
		if err != nil || size != 1000 {
			t.Fatal(size, err)
		}
		last = path
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 {
		t.Errorf("there are %v, %v; want theirs and the last two", files, err)
	}
	if info, err := os.Stat(last); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the newest is %v, %v", info, err)
	}
	if err := s.Tend(time.Now().Add(2 * time.Hour)); err != nil {
		t.Fatal(err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("old traces stay: %v", files)
	}
}
