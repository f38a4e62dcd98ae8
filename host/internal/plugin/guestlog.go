package plugin

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// SaysMessage is the message of the log records with a module's own lines; the others are their attributes.
const (
	SaysMessage = "plugin says"
	SaysText    = "text"
	SaysStream  = "stream"         // stdout or stderr; absent: the log import
	SaysDropped = "dropped_before" // lines that were too many
)

// guestLog passes the output of a module's guests on to a logger, at a bounded rate.
type guestLog struct {
	logger    *slog.Logger
	lineBytes int
	perSecond int
	now       func() time.Time
	dropped   atomic.Uint64 // lines, for the statistics

	mu      sync.Mutex
	second  int64 // Unix time of the current window
	used    int   // lines in the current window
	omitted int   // lines dropped since the last one that was logged
}

func (g *guestLog) enabled(level slog.Level) bool {
	return g.logger.Enabled(context.Background(), level)
}

// line logs one line of a guest; stream is "stdout", "stderr" or, for the log import, "".
func (g *guestLog) line(level slog.Level, stream string, text []byte) {
	if !g.enabled(level) {
		return
	}
	omitted, ok := g.admit()
	if !ok {
		g.dropped.Add(1)
		return
	}
	attrs := make([]slog.Attr, 0, 3)
	attrs = append(attrs, slog.String(SaysText, sanitize(text, g.lineBytes)))
	if stream != "" {
		attrs = append(attrs, slog.String(SaysStream, stream))
	}
	if omitted > 0 {
		attrs = append(attrs, slog.Int(SaysDropped, omitted))
	}
	g.logger.LogAttrs(context.Background(), level, SaysMessage, attrs...)
}

// admit counts a line against the limit of the current second. It returns how many were dropped before this one.
func (g *guestLog) admit() (omitted int, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if second := g.now().Unix(); second != g.second {
		g.second, g.used = second, 0
	}
	if g.used >= g.perSecond {
		g.omitted++
		return 0, false
	}
	g.used++
	omitted, g.omitted = g.omitted, 0
	return omitted, true
}

// streamWriter cuts a guest's stdout or stderr into lines. It belongs to one instance and so has one writer at a time.
type streamWriter struct {
	log     *guestLog
	stream  string
	level   slog.Level
	spend   func(fuel int) // ends the guest if it is out of fuel or time
	partial []byte         // the beginning of a line, at most one byte longer than a line may be

	// Of the current call:
	last     []byte // the last whole line
	panicked []byte // the first line with the message of a panic
}

// begin forgets the output of the previous call.
func (w *streamWriter) begin() { w.last, w.panicked = w.last[:0], w.panicked[:0] }

const (
	writeChunk = 64 << 10 // how much is written between two checks of the fuel
	writeFuel  = 100      // the cost of a write, in addition to its bytes
)

// Write never fails, as the host's log is not visible to a guest. It does not return if the guest is out of fuel or
// time: a single call of fd_write can name the same bytes many thousand times.
func (w *streamWriter) Write(p []byte) (int, error) {
	w.spend(writeFuel)
	for chunk := range slices.Chunk(p, writeChunk) {
		w.spend(len(chunk))
		w.write(chunk)
	}
	return len(p), nil
}

func (w *streamWriter) write(p []byte) {
	for len(p) > 0 {
		line, rest, ended := bytes.Cut(p, []byte{'\n'})
		if room := w.log.lineBytes + 1 - len(w.partial); room > 0 {
			w.partial = append(w.partial, line[:min(len(line), room)]...)
		}
		if ended {
			w.flush()
		}
		p = rest
	}
}

// flush logs an unfinished line.
func (w *streamWriter) flush() {
	if len(w.partial) == 0 {
		return
	}
	w.last = append(w.last[:0], w.partial...)
	if len(w.panicked) == 0 && saysPanic(w.partial) {
		w.panicked = append(w.panicked, w.partial...)
	}
	w.log.line(w.level, w.stream, w.partial)
	w.partial = w.partial[:0]
}

// saysPanic reports whether a line is the beginning of a panic message of Go or TinyGo.
func saysPanic(line []byte) bool {
	return bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("fatal error: "))
}
