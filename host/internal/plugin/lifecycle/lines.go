package lifecycle

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// What a module was doing when it wrote a line.
const (
	DuringStart     = "start"     // it was being loaded
	DuringTrial     = "trial"     // a self-test, or a replay of recent calls
	DuringService   = "service"   // it serves, or has served
	DuringCandidacy = "candidate" // it stands beside the module in service
)

// Line is a line that a module wrote to its log.
type Line struct {
	Number     uint64 // from 1, for each plugin
	Time       time.Time
	Level      slog.Level
	Generation int
	During     string
	Stream     string // stdout or stderr; empty: the log of the host
	Text       string // with secrets of the configuration masked
	Dropped    int    // lines before it that were too many in their second
}

// maxLines and maxLineBytes bound what is kept of a plugin's log.
const (
	maxLines     = 1000
	maxLineBytes = 512 << 10
)

// lines are the latest lines of a plugin. The zero value is ready to use.
type lines struct {
	mu      sync.Mutex
	numbers uint64
	bytes   int
	list    []Line        // oldest first
	more    chan struct{} // closed with the next line; nil: nobody waits
}

func (l *lines) add(line Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.numbers++
	line.Number = l.numbers
	l.list = append(l.list, line)
	l.bytes += len(line.Text)
	for len(l.list) > maxLines || l.bytes > maxLineBytes && len(l.list) > 1 {
		l.bytes -= len(l.list[0].Text)
		l.list = l.list[1:]
	}
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
}

// since returns the lines after a number, and a channel that is closed when there are more.
func (l *lines) since(after uint64) ([]Line, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more == nil {
		l.more = make(chan struct{})
	}
	i, _ := slices.BinarySearchFunc(l.list, after, func(line Line, n uint64) int {
		if line.Number <= n {
			return -1
		}
		return 1
	})
	return slices.Clone(l.list[i:]), l.more
}

// Lines returns the latest lines of a plugin's log after the one with that number, oldest first. If there are none it
// waits for one until ctx ends, and then returns none. The error is ErrUnknownPlugin or [plugin.ErrClosed].
func (e *Engine) Lines(ctx context.Context, name string, after uint64) ([]Line, error) {
	m, err := e.member(name)
	if err != nil {
		return nil, err
	}
	for {
		list, more := m.lines.since(after)
		if len(list) > 0 {
			return list, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, nil
		case <-e.running.Done():
			return nil, plugin.ErrClosed
		}
	}
}

// phase is what a module is doing.
type phase struct{ at atomic.Pointer[string] }

func newPhase() *phase {
	p := &phase{}
	p.set(DuringStart)
	return p
}

func (p *phase) set(what string) { p.at.Store(&what) }

// listener keeps the lines of a module, and passes them on. What a module says while it is tried is no warning.
type listener struct {
	slog.Handler
	member     *member
	generation int
	phase      *phase
}

// Enabled implements [slog.Handler]. Lines are kept even if the log leaves them out.
func (l listener) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo || l.Handler.Enabled(ctx, level)
}

// Handle implements [slog.Handler].
func (l listener) Handle(ctx context.Context, r slog.Record) error {
	during := *l.phase.at.Load()
	if r.Message == plugin.SaysMessage {
		line := Line{Time: r.Time, Level: r.Level, Generation: l.generation, During: during}
		r.Attrs(func(a slog.Attr) bool {
			switch a.Key {
			case plugin.SaysText:
				line.Text = a.Value.String()
			case plugin.SaysStream:
				line.Stream = a.Value.String()
			case plugin.SaysDropped:
				line.Dropped = int(a.Value.Int64())
			}
			return true
		})
		l.member.lines.add(line)
	}
	r = r.Clone()
	if during == DuringTrial {
		r.Level = min(r.Level, slog.LevelDebug)
	}
	if during != DuringService {
		r.AddAttrs(slog.String("during", during), slog.Int("generation", l.generation))
	}
	if !l.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (l listener) WithAttrs(attrs []slog.Attr) slog.Handler {
	l.Handler = l.Handler.WithAttrs(attrs)
	return l
}

// WithGroup implements [slog.Handler].
func (l listener) WithGroup(name string) slog.Handler {
	l.Handler = l.Handler.WithGroup(name)
	return l
}
