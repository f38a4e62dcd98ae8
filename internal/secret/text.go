package secret

import (
	"fmt"
	"log/slog"
)

// Text is a text that is shown nowhere: whatever writes it, also as a part of something larger, writes [Redacted]. The
// zero value is empty.
type Text struct{ value *string } // behind a pointer, which also what looks into unexported fields does not follow

// New returns a text that is not shown.
func New(value string) Text {
	if value == "" {
		return Text{}
	}
	return Text{&value}
}

// Reveal returns the text.
func (t Text) Reveal() string {
	if t.value == nil {
		return ""
	}
	return *t.value
}

// Format implements [fmt.Formatter].
func (t Text) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, t.shown()) }

// MarshalText implements [encoding.TextMarshaler].
func (t Text) MarshalText() ([]byte, error) { return []byte(t.shown()), nil }

// LogValue implements [slog.LogValuer].
func (t Text) LogValue() slog.Value { return slog.StringValue(t.shown()) }

func (t Text) shown() string {
	if t.value == nil {
		return ""
	}
	return Redacted
}
