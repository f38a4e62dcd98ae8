package recording

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Recording is a file that is being written. One goroutine writes it; any may call [Recording.Info].
type Recording struct {
	id     string
	store  *Store
	writer *writer
	began  time.Time

	mu       sync.Mutex
	info     Info
	reserved int64 // the size of the file at its end, at most
}

// ErrFull says that a file has reached its maximum size: end it, and begin another one.
var ErrFull = errors.New("the recording has reached its maximum size")

// Begin begins a recording; the next frame is its first. An error is that of the directory; [Store.List] shows it, too.
func (s *Store) Begin(m Meta) (*Recording, error) {
	id := newID()
	path := filepath.Join(s.options.Dir, nameOf(id, m.Task, m.Began))
	r := &Recording{id: id, store: s, began: m.Began, info: Info{Meta: m, ID: id, State: Running, Path: path}}
	err := os.MkdirAll(s.options.Dir, 0o700)
	if err == nil {
		err = r.create()
	}
	if err != nil {
		i := r.info
		i.State, i.Path, i.Error = Failed, "", err.Error()
		s.failed(i)
		return nil, fmt.Errorf("cannot begin a recording: %w", err)
	}
	return r, nil
}

// create creates the file. It is registered as live before it exists, so that nobody takes it for one that was left
// open.
func (r *Recording) create() error {
	s := r.store
	if err := r.reserve(int64(len(header(r.info.Meta, nil)))); err != nil {
		return err
	}
	s.mu.Lock()
	s.live[r.id] = r
	s.mu.Unlock()
	f, err := s.create(r.info.Path)
	if err == nil {
		if r.writer, err = newWriter(f, r.info.Meta); err != nil {
			err = errors.Join(err, f.Close(), os.Remove(r.info.Path))
		}
	}
	if err != nil {
		s.forget(r.id)
		return err
	}
	r.measure(0)
	return nil
}

func (s *Store) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, id)
}

// Info returns what is known about the recording now.
func (r *Recording) Info() Info {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.info
}

// Frame writes a frame that is shown from a time on, unless it is already shown. Errors: ErrFull, ErrNoRoom, and those
// of the file. After an error the recording can only be ended.
func (r *Recording) Frame(at time.Time, f Frame) error {
	if r.writer.shows(f) {
		return nil
	}
	final := r.writer.final(f)
	if final > r.store.options.MaxBytes {
		return ErrFull
	}
	if err := r.reserve(final); err != nil {
		return err
	}
	err := r.writer.frame(at.Sub(r.began), f)
	r.measure(r.writer.lastAt)
	return err
}

// reserve makes sure that the file may grow to a size.
func (r *Recording) reserve(final int64) error {
	r.mu.Lock()
	more := final - r.reserved
	r.mu.Unlock()
	if more <= 0 {
		return nil
	}
	if err := r.store.take(more); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reserved = final
	return nil
}

// room returns how many bytes of the total size the file takes.
func (r *Recording) room() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return max(r.reserved, r.info.Bytes)
}

// Drop counts frames that the browser sent but that are not recorded.
func (r *Recording) Drop(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.info.Dropped += n
}

func (r *Recording) measure(shown time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.info.Bytes, r.info.Frames, r.info.Duration = r.writer.size, len(r.writer.cues), shown
}

// End ends the recording at a time. A cause that is not nil makes it a failure, which [Store.List] shows. After an
// error the file still plays.
func (r *Recording) End(at time.Time, why Ending, cause error) error {
	t := r.Info().Totals
	t.Ending = why
	if cause != nil {
		t.Ending = EndedError
	}
	err := r.writer.finish(at.Sub(r.began), t)
	if cause = errors.Join(cause, err); cause != nil {
		i := r.Info()
		i.Error = cause.Error()
		r.store.failed(i)
	}
	r.store.forget(r.id)
	return err
}
