package plugin

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// recorder is a slog.Handler that keeps what is logged.
type recorder struct {
	level slog.Level
	mu    *sync.Mutex
	lines *[]map[string]string
	attrs []slog.Attr
}

func newRecorder(level slog.Level) *recorder {
	return &recorder{level: level, mu: &sync.Mutex{}, lines: &[]map[string]string{}}
}

func (r *recorder) Enabled(_ context.Context, l slog.Level) bool { return l >= r.level }
func (r *recorder) WithGroup(string) slog.Handler                { return r }
func (r *recorder) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *r
	c.attrs = append(append([]slog.Attr{}, r.attrs...), attrs...)
	return &c
}

func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	line := map[string]string{"msg": record.Message, "level": record.Level.String()}
	for _, a := range r.attrs {
		line[a.Key] = a.Value.String()
	}
	record.Attrs(func(a slog.Attr) bool {
		line[a.Key] = a.Value.String()
		return true
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	*r.lines = append(*r.lines, line)
	return nil
}

// said returns the lines with that message.
func (r *recorder) said(message string) []map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []map[string]string
	for _, l := range *r.lines {
		if l["msg"] == message {
			lines = append(lines, l)
		}
	}
	return lines
}

func logTo(r *recorder) func(*Source, *Options) {
	return func(_ *Source, o *Options) { o.Logger = slog.New(r) }
}

func TestAFloodOfLogLinesIsCutAndCounted(t *testing.T) {
	r := newRecorder(slog.LevelDebug)
	m := load(t, "log_flood", Limits{LogLines: 5}, logTo(r))
	if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
		t.Fatal(err)
	}
	lines := r.said("plugin says")
	if len(lines) == 0 || len(lines) > 500 {
		t.Fatalf("%d lines of 10,000 came through", len(lines))
	}
	if got := m.Stats().LogLinesDropped; got != uint64(10_000-len(lines)) {
		t.Errorf("%d lines counted as dropped, %d came through", got, len(lines))
	}
	first := lines[0]
	if first["text"] != `line\x1b[2J\n\xff` || first["plugin"] != "log_flood" || first["sha256"] != short(m.Info().SHA256) {
		t.Errorf("the first line is %v", first)
	}
}

func TestTheLimitOfLogLinesIsPerSecond(t *testing.T) {
	r := newRecorder(slog.LevelDebug)
	now := time.Unix(100, 0)
	g := &guestLog{logger: slog.New(r), lineBytes: 10, perSecond: 2, now: func() time.Time { return now }}
	for range 5 {
		g.line(slog.LevelInfo, "", []byte("one"))
	}
	now = now.Add(time.Second)
	g.line(slog.LevelInfo, "stdout", []byte("two"))
	lines := r.said("plugin says")
	if len(lines) != 3 || lines[2]["dropped_before"] != "3" || lines[2]["stream"] != "stdout" || g.dropped.Load() != 3 {
		t.Errorf("lines are %v, %d dropped", lines, g.dropped.Load())
	}
}

func TestALongLogLineIsCut(t *testing.T) {
	r := newRecorder(slog.LevelDebug)
	m := load(t, "log_long", Limits{}, logTo(r))
	if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
		t.Fatal(err)
	}
	lines := r.said("plugin says")
	if len(lines) != 1 || lines[0]["text"] != strings.Repeat("a", abi.DefaultLogLineBytes)+"..." || lines[0]["level"] != "ERROR" {
		t.Errorf("lines are %v", lines)
	}
}

func TestFaultsAreLoggedWithTheModulesHash(t *testing.T) {
	r := newRecorder(slog.LevelInfo)
	m := load(t, "panic", Limits{}, logTo(r))
	_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
	faultOf(t, err)
	faults := r.said("plugin fault")
	if len(faults) != 1 || faults[0]["kind"] != "exit" || faults[0]["sha256"] != short(m.Info().SHA256) {
		t.Errorf("faults are %v", faults)
	}
	if out := r.said("plugin says"); len(out) != 1 || out[0]["text"] != "panic: boom" || out[0]["stream"] != "stderr" {
		t.Errorf("output is %v", out)
	}
}

func TestStreamsAreCutIntoLines(t *testing.T) {
	cases := map[string]struct {
		writes []string
		want   []string
	}{
		"a line in pieces":           {[]string{"he", "llo\n"}, []string{"hello"}},
		"two lines in one write":     {[]string{"a\nb\n"}, []string{"a", "b"}},
		"empty lines are left out":   {[]string{"\n\na\n\n"}, []string{"a"}},
		"a line without an end":      {[]string{"a\nb"}, []string{"a", "b"}},
		"a line over the limit":      {[]string{"123456789", "0\nb\n"}, []string{"12345678...", "b"}},
		"a line just at the limit":   {[]string{"12345678\n"}, []string{"12345678"}},
		"control characters in text": {[]string{"a\rb\x1b\n"}, []string{`a\x0db\x1b`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := newRecorder(slog.LevelDebug)
			w := streamWriter{log: &guestLog{logger: slog.New(r), lineBytes: 8, perSecond: 100, now: time.Now}, stream: "stdout", spend: func(int) {}}
			for _, s := range c.writes {
				if n, err := w.Write([]byte(s)); n != len(s) || err != nil {
					t.Errorf("wrote %d, %v", n, err)
				}
			}
			w.flush()
			var got []string
			for _, l := range r.said("plugin says") {
				got = append(got, l["text"])
			}
			if strings.Join(got, "|") != strings.Join(c.want, "|") {
				t.Errorf("lines are %q, want %q", got, c.want)
			}
		})
	}
}

func TestSanitizedTextIsPrintableAndBounded(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.SliceOf(rapid.Byte()).Draw(r, "text")
		limit := rapid.IntRange(0, 64).Draw(r, "limit")
		got := sanitize(text, limit)
		for _, c := range got {
			if !unicode.IsPrint(c) {
				r.Fatalf("%q holds %q", got, c)
			}
		}
		if len(got) > 12*limit+3 {
			r.Fatalf("%d bytes from a limit of %d", len(got), limit)
		}
	})
	if got := sanitize([]byte("plain Gr\u00fc\u00dfe \u202eevil"), 100); got != "plain Grüße \\u{202e}evil" {
		t.Errorf("got %q", got)
	}
}

func TestNearestName(t *testing.T) {
	names := []string{"event_read", "result_write", "kv_get", "kv_set"}
	for name, want := range map[string]string{
		"result_wrote": "; did you mean result_write?", "eventread": "; did you mean event_read?", "kv_got": "; did you mean kv_get?",
		"socket_open": "", "": "",
	} {
		if got := didYouMean(name, names); got != want {
			t.Errorf("%q is answered %q, want %q", name, got, want)
		}
	}
}

func TestMemoryGrowsWithZeroesUpToItsLimit(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		m := &linearMemory{limit: 1000}
		mark := []byte(nil)
		for _, step := range rapid.SliceOf(rapid.IntRange(1, 300)).Draw(r, "steps") {
			size := len(m.buffer) + step
			got := m.Reallocate(uint64(size))
			if size > 1000 {
				if got != nil || !m.refused {
					r.Fatalf("got %d bytes of 1000", size)
				}
				return
			}
			if len(got) != size || !bytes.HasPrefix(got, mark) || len(bytes.Trim(got[len(mark):], "\x00")) > 0 {
				r.Fatalf("%d bytes after growing to %d", len(got), size)
			}
			for n := range got {
				got[n] = byte(n) | 1
			}
			mark = append([]byte(nil), got...)
		}
	})
}
