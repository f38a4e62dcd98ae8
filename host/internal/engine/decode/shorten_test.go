package decode

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestAShortenedTextIsNotCutAgain(t *testing.T) {
	params := fmt.Appendf(nil, `{"type":"log","args":[{"type":"string","value":%q}],"executionContextId":1,"timestamp":1795258312739.5}`,
		strings.Repeat("x", 10<<20))
	event, err := Event("s", "Runtime.consoleAPICalled", Shorten(params))
	if err != nil {
		t.Fatal(err)
	}
	entry := event.(supervise.ConsoleMessage).Entry
	want := fmt.Sprintf("x… (%d bytes more)", 10<<20-maxString)
	if !strings.HasSuffix(entry.Text, want) || len(entry.Text) != maxString+len(want)-1 || entry.Type != "log" || !entry.At.Equal(time.UnixMicro(1795258312739500)) {
		t.Errorf("%d bytes of %s at %v that end in %q", len(entry.Text), entry.Type, entry.At, entry.Text[len(entry.Text)-60:])
	}
}

// A shortened text is still JSON; each string is the beginning of the original, and says how much is missing.
func TestShortenedStrings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.String()).Draw(t, "texts")
		limit := rapid.IntRange(1, 20).Draw(t, "limit")
		raw, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if err := json.Unmarshal(shortenStrings(raw, limit), &got); err != nil || len(got) != len(texts) {
			t.Fatalf("%v, %q", err, got)
		}
		for i, text := range texts {
			if got[i] == text {
				continue
			}
			head, tail, ok := strings.Cut(got[i], "… (")
			if !ok || !strings.HasPrefix(text, head) || tail != fmt.Sprintf("%d bytes more)", len(text)-len(head)) {
				t.Fatalf("%q became %q", text, got[i])
			}
		}
	})
	for _, malformed := range []string{`{"a":"no end of it`, `{"a":"an escape at the end\`, `"\u12`, strings.Repeat("x", 30)} {
		if got := shortenStrings([]byte(malformed), 4); string(got) != malformed {
			t.Errorf("%q became %q", malformed, got)
		}
	}
}
