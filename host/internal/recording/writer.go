package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"
)

// file is what a recording is written to.
type file interface {
	io.WriterAt
	io.Closer
	Truncate(size int64) error
}

// writer writes one file, frame by frame. It belongs to one goroutine.
type writer struct {
	to     file
	meta   Meta
	origin int64 // where the content of the segment begins
	size   int64 // of what was written completely
	cues   []cue
	last   []byte // the frame shown now
	lastAt time.Duration
}

// newWriter begins a file with a header.
func newWriter(to file, m Meta) (*writer, error) {
	w := &writer{to: to, meta: m, origin: origin()}
	return w, w.append(header(m, nil))
}

// origin returns where the content of the segment begins.
func origin() int64 {
	h, _ := readHead(header(Meta{Began: matroskaEpoch}, nil))
	return int64(h.length) + int64(h.size) + 12
}

// append writes all of data at the end of the file, or nothing.
func (w *writer) append(data []byte) error {
	n, err := w.to.WriteAt(data, w.size)
	if err != nil {
		if n > 0 {
			err = errors.Join(err, w.to.Truncate(w.size))
		}
		return err
	}
	w.size += int64(n)
	return nil
}

// final returns the maximum size of the ended file if a frame is written now: the file then has the last frame twice,
// and an index entry for each.
func (w *writer) final(f Frame) int64 {
	const around = 32 // the size of a cluster without the frame
	return w.size + 2*(int64(len(f.Data))+around) + int64(len(w.cues)+2)*maxCue + around
}

// shows reports whether a frame is the same as the one shown now.
func (w *writer) shows(f Frame) bool { return w.last != nil && bytes.Equal(w.last, f.Data) }

// frame writes a frame that is shown from a time on, relative to the beginning.
func (w *writer) frame(at time.Duration, f Frame) error {
	if err := w.put(at, f.Data); err != nil {
		return err
	}
	w.last = append(w.last[:0], f.Data...)
	return nil
}

// put writes a frame. Times in a file never go backwards, whatever at is.
func (w *writer) put(at time.Duration, data []byte) error {
	if len(w.cues) > 0 {
		at = max(at, w.lastAt+time.Millisecond)
	}
	offset := w.size
	if err := w.append(cluster(at, data)); err != nil {
		return err
	}
	w.cues, w.lastAt = append(w.cues, cue{at, offset}), at
	return nil
}

// finish ends the file at a time, with an index for seeking. It writes the last frame once more, so that it stays
// visible until then. After an error the file still plays.
func (w *writer) finish(at time.Duration, t Totals) error {
	var repeat error
	if w.last != nil && at > w.lastAt+time.Millisecond {
		repeat = w.put(at, w.last)
	}
	t.Frames, t.Duration = len(w.cues), w.lastAt+time.Millisecond
	err := errors.Join(repeat, w.seal(t), w.to.Close())
	if err != nil {
		return fmt.Errorf("end a recording: %w", err)
	}
	return nil
}

// seal writes the index, and overwrites the header of the open file.
func (w *writer) seal(t Totals) error {
	c := closing{Totals: t, cues: w.size}
	err := w.append(cues(w.cues, w.origin))
	if err != nil {
		c.cues = 0
	}
	c.size = w.size
	_, headerErr := w.to.WriteAt(header(w.meta, &c), 0)
	return errors.Join(err, headerErr)
}
