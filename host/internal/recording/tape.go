package recording

import (
	"errors"
	"fmt"
	"time"
)

// Tape records one task, in several files if one reaches its maximum size. It belongs to one goroutine.
type Tape struct {
	store   *Store
	meta    Meta
	now     *Recording // nil before the first frame, and after the end
	ids     []string   // of its files
	dropped int        // before there was a file
	ended   bool       // by an error
}

// NewTape returns a tape for a task. Its first file begins with its first frame. The tape sets the times and sizes in
// m.
func (s *Store) NewTape(m Meta) *Tape { return &Tape{store: s, meta: m} }

// maxShare limits a frame to 1/maxShare of a file: a larger one is dropped.
const maxShare = 4

// Frame records what is shown from a time on. An error ends the tape: [Store.List] shows it, and nothing more may
// be recorded.
func (t *Tape) Frame(at time.Time, f Frame) error {
	if int64(len(f.Data)) > t.store.options.MaxBytes/maxShare {
		t.Drop(1)
		return nil
	}
	if t.now != nil {
		err := t.now.Frame(at, f)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, ErrFull) && !errors.Is(err, ErrNoRoom): // a file that has ended can be removed to make room
			return t.fail(at, err)
		}
		if err := t.End(at, EndedSize); err != nil {
			return err
		}
	}
	if err := t.begin(at, f); err != nil {
		return err
	}
	if err := t.now.Frame(at, f); err != nil {
		return t.fail(at, err)
	}
	return nil
}

func (t *Tape) begin(at time.Time, f Frame) (err error) {
	m := t.meta
	m.Began, m.Width, m.Height = at, f.Width, f.Height
	if t.now, err = t.store.Begin(m); err != nil {
		t.ended = true
		return err
	}
	t.ids = append(t.ids, t.now.id)
	t.now.Drop(t.dropped)
	t.dropped = 0
	return nil
}

// fail ends the tape because of an error.
func (t *Tape) fail(at time.Time, cause error) error {
	r := t.now
	t.now, t.ended = nil, true
	return fmt.Errorf("cannot write a recording: %w", errors.Join(cause, r.End(at, EndedError, cause)))
}

// Drop counts frames that the browser sent but that are not recorded.
func (t *Tape) Drop(n int) {
	if t.now != nil {
		t.now.Drop(n)
		return
	}
	t.dropped += n
}

// Fail ends the tape because the tabs cannot be recorded, for a reason other than the directory.
func (t *Tape) Fail(at time.Time, cause error) {
	if t.now != nil {
		_ = t.fail(at, cause) // the store keeps it anyway
		return
	}
	t.ended = true
	i := Info{Meta: t.meta, ID: newID(), State: Failed, Error: cause.Error()}
	i.Began = at
	t.store.failed(i)
}

// End ends the file being written, if there is one. The tape may continue afterwards. After an error the file still
// plays.
func (t *Tape) End(at time.Time, why Ending) error {
	r := t.now
	if r == nil {
		return nil
	}
	t.now = nil
	return r.End(at, why, nil)
}

// IDs are those of its files, the oldest first.
func (t *Tape) IDs() []string { return t.ids }

// Current returns the id of the file being written; it is empty if there is none.
func (t *Tape) Current() string {
	if t.now == nil {
		return ""
	}
	return t.now.id
}

// Failed reports whether an error has ended the tape.
func (t *Tape) Failed() bool { return t.ended }
