package trial

import (
	"context"
	"log/slog"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Line is a line that the module wrote to its log.
type Line struct {
	Level  slog.Level `json:",omitempty"`
	Stream string     `json:",omitempty"`
	Text   string
}

// maxLines is how many lines of a job are reported; the module's own rate bounds their number too.
const maxLines = 20

// lines collects what the module of a child writes.
type lines struct {
	mu   sync.Mutex
	list []Line
}

// take returns the lines of the job that ends.
func (l *lines) take() []Line {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	l.list = nil
	return list
}

// Enabled implements [slog.Handler].
func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle implements [slog.Handler].
func (l *lines) Handle(_ context.Context, r slog.Record) error {
	if r.Message != plugin.SaysMessage {
		return nil
	}
	line := Line{Level: r.Level}
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case plugin.SaysText:
			line.Text = a.Value.String()
		case plugin.SaysStream:
			line.Stream = a.Value.String()
		}
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) < maxLines {
		l.list = append(l.list, line)
	}
	return nil
}

// WithAttrs implements [slog.Handler]: those of the host are known to the parent.
func (l *lines) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements [slog.Handler].
func (l *lines) WithGroup(string) slog.Handler { return l }
