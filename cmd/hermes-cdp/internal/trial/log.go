package trial

import (
	"context"
	"log/slog"
	"strings"
	"sync"
)

// Line is a line that a module logged or printed.
type Line struct {
	Level string `json:"level"`
	Text  string `json:"text"`
}

// recorder keeps what a module logs or prints: the records that have it as their text. The others are the host's own,
// of faults for example, which the outcome has.
type recorder struct {
	mu    sync.Mutex
	lines []Line
}

// Enabled keeps every level, so that a run shows what a module could say.
func (r *recorder) Enabled(context.Context, slog.Level) bool { return true }

// Handle keeps the text of a record.
func (r *recorder) Handle(_ context.Context, record slog.Record) error {
	record.Attrs(func(a slog.Attr) bool {
		if a.Key == "text" {
			r.add(Line{strings.ToLower(record.Level.String()), a.Value.String()})
		}
		return true
	})
	return nil
}

func (r *recorder) add(line Line) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}

// WithAttrs forgets the attributes: they name the module, which is known.
func (r *recorder) WithAttrs([]slog.Attr) slog.Handler { return r }

// WithGroup forgets the group.
func (r *recorder) WithGroup(string) slog.Handler { return r }

// take returns the lines so far, and forgets them.
func (r *recorder) take() []Line {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := r.lines
	r.lines = nil
	return lines
}
