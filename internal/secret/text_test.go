package secret

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestATextIsNeverShown(t *testing.T) {
	type inside struct {
		Name   string
		Key    Text
		hidden Text
	}
	const value = "hunter2"
	text := New(value)
	if text.Reveal() != value || New("").Reveal() != "" || (Text{}).Reveal() != "" {
		t.Fatal("the text is not what it was made of")
	}
	s := inside{"x", text, text}
	coded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, handler := range []slog.Handler{slog.NewTextHandler(&lines, nil), slog.NewJSONHandler(&lines, nil)} {
		slog.New(handler).Info("x", "text", text, "pointer", &text, "struct", s, "list", []Text{text}, "map", map[string]any{"k": text}, "error", fmt.Errorf("%v", text))
	}
	shown := []string{string(coded), lines.String(), s.hidden.shown()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		shown = append(shown, fmt.Sprintf(verb, text), fmt.Sprintf(verb, s), fmt.Sprintf(verb, &s), fmt.Sprintf(verb, []Text{text}), fmt.Sprintf(verb, []any{text}))
	}
	all := strings.Join(shown, "\n")
	if strings.Contains(all, value) || strings.Contains(all, fmt.Sprintf("%x", value)) || !strings.Contains(lines.String(), "text="+Redacted) {
		t.Errorf("it is shown:\n%s", all)
	}
}

func TestURLsInATextAreRedacted(t *testing.T) {
	got := URLs("dial wss://user:hunter2@host.example/x?token=hunter2: refused, see https://host.example/docs")
	if strings.Contains(got, "hunter2") || !strings.Contains(got, "host.example") || !strings.Contains(got, "https://host.example/docs") {
		t.Error(got)
	}
}
