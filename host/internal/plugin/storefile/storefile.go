// Package storefile saves what plugins store in a file, for the next process. The store itself is in memory: calls
// never wait for the disk. What changes is written in the background, all that has changed in one transaction, which
// the disk has when it ends. A process that is killed loses what changed in the last [saveInterval] and during one
// write; what is in the file for a task is what the task had at one moment.
package storefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

const (
	// saveInterval is how long changes are collected.
	saveInterval = 50 * time.Millisecond
	// retryInterval is the time between a failed write and the next.
	retryInterval = 5 * time.Second
	// lockTimeout is how long Open waits for the file: who looks into it has it for a moment.
	lockTimeout = time.Second
)

// ErrDamaged says that a file is not one that this package wrote.
var ErrDamaged = errors.New("it is damaged")

var errInUse = errors.New("another process has it open; end that one")

// File is an open file that a store is saved in.
type File struct {
	path  string
	store *guestio.Store
	db    *bbolt.DB
	log   *slog.Logger

	flush chan chan error
	stop  chan struct{}
	done  chan struct{}

	mu      sync.Mutex
	problem error // of the last write
}

// Open opens a file and puts what it has into the store, which must be unused. If there is none it is created, with
// mode 0600: at once, or as soon as there is something to save. The error says that another process has the file, or is
// [ErrDamaged]: the file is then left as it is, and the store is empty and saves nothing.
func Open(path string, atOnce bool, store *guestio.Store, log *slog.Logger) (*File, error) {
	f := &File{path: path, store: store, log: log, flush: make(chan chan error), stop: make(chan struct{}), done: make(chan struct{})}
	var saved []shelf
	if _, err := os.Stat(path); atOnce || !errors.Is(err, fs.ErrNotExist) {
		if saved, err = f.open(false); err != nil {
			return nil, err
		}
	}
	changed := store.Saving()
	for _, s := range saved {
		store.Restore(s.plugin, s.task, s.values)
	}
	go f.save(changed)
	return f, nil
}

// Check says what is wrong with a file that Open would open, without changing it. One that another process has open is
// not looked into, and there need not be one.
func Check(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f := &File{path: path}
	switch _, err := f.open(true); {
	case errors.Is(err, errInUse):
		return nil
	case err != nil:
		return err
	}
	return guarded(f.db.Close)
}

// open opens the database and returns what it has.
func (f *File) open(readOnly bool) (saved []shelf, err error) {
	err = guarded(func() (err error) {
		if f.db, err = bbolt.Open(f.path, 0o600, &bbolt.Options{Timeout: lockTimeout, ReadOnly: readOnly}); err != nil {
			return err
		}
		saved, err = f.read()
		return err
	})
	switch {
	case err == nil:
		return saved, nil
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%s: %w", f.path, errInUse)
	case errors.As(err, new(*fs.PathError)): // of the system, not of what is in the file
		return nil, err
	}
	if f.db != nil {
		err = errors.Join(err, guarded(f.db.Close))
		f.db = nil
	}
	return nil, fmt.Errorf("%s: %w; move it away to begin with an empty one, or bring back an older copy: %w", f.path, ErrDamaged, err)
}

// guarded turns what bbolt does on a damaged file into an error: it panics, or reads where the file has ended.
func guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return do()
}

// Problem is the error of the last write; nil: the file has what the store had then.
func (f *File) Problem() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.problem
}

// Flush waits until the file has what the store has now, or returns why it has not.
func (f *File) Flush(ctx context.Context) error {
	answer := make(chan error, 1)
	select {
	case f.flush <- answer:
		return <-answer
	case <-f.done:
		return os.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close saves what the store has and closes the file.
func (f *File) Close() error {
	close(f.stop)
	<-f.done
	if f.db == nil {
		return f.Problem()
	}
	return errors.Join(f.Problem(), guarded(f.db.Close))
}

// save writes changes until Close.
func (f *File) save(changed <-chan struct{}) {
	defer close(f.done)
	var due <-chan time.Time
	for {
		select {
		case <-changed:
			if due == nil {
				due = time.After(saveInterval)
			}
			continue
		case <-due:
			due = nil
			if f.write() != nil {
				due = time.After(retryInterval)
			}
		case answer := <-f.flush:
			answer <- f.write()
		case <-f.stop:
			_ = f.write() // Close returns the error
			return
		}
	}
}

// write saves what has changed.
func (f *File) write() (err error) {
	changes := f.store.Changes()
	if f.db == nil {
		if len(changes) == 0 {
			return nil
		}
		_, err = f.open(false)
	}
	if err == nil {
		err = guarded(func() error { return f.db.Update(func(tx *bbolt.Tx) error { return apply(tx, changes) }) })
	}
	if err != nil {
		f.store.NotSaved(changes)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil && f.problem == nil:
		f.log.Error("what plugins store is not saved, and is tried again; the next start has what was saved before", "file", f.path, "error", err)
	case err == nil && f.problem != nil:
		f.log.Info("what plugins store is saved again", "file", f.path)
	}
	f.problem = err
	return err
}
