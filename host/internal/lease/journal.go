// Package lease records which rented browsers have to be released, so that those of a process that was killed are
// released by the next one.
package lease

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
)

const (
	// suffix ends the name of a journal. Each process has one, and holds a lock on it: the kernel releases that when the
	// process ends in any way.
	suffix = ".leases"
	// maxAge is after what time a session is taken to have ended by itself: services give them hours.
	maxAge = 7 * 24 * time.Hour
)

// Lease is a rented browser. It has no secret.
type Lease struct {
	Provider string    `json:"provider"`
	ID       string    `json:"id"`
	At       time.Time `json:"at"`
	// Released says that the lease is over.
	Released bool `json:"released,omitempty"`
}

func (l Lease) same(other Lease) bool { return l.Provider == other.Provider && l.ID == other.ID }

// Journal is the record of one process, in a directory that it shares with others. It is safe for concurrent use.
type Journal struct {
	dir string // empty: nothing is recorded

	mu   sync.Mutex
	file *os.File // nil: nothing has been recorded yet
	name string   // of the file
	open []Lease
}

// New returns a journal in a directory, which is created with mode 0700 for the first lease. Empty: it records nothing.
func New(dir string) *Journal { return &Journal{dir: dir} }

// Add records a lease. When it returns, the record is on the disk.
func (j *Journal) Add(l Lease) error {
	if j.dir == "" {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		if err := j.create(); err != nil {
			return err
		}
	}
	if err := write(j.file, l); err != nil {
		return err
	}
	j.open = append(j.open, l)
	return j.file.Sync()
}

// Remove records that a lease is over.
func (j *Journal) Remove(l Lease) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	j.open = slices.DeleteFunc(j.open, l.same)
	l.Released = true
	return write(j.file, l)
}

// Close ends the journal. Its file stays if a lease is left in it, for the next process.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	err := filelock.Close(j.file)
	j.file = nil
	if len(j.open) == 0 {
		err = errors.Join(err, remove(j.name))
	}
	return err
}

// create makes the file. Until it is locked, others leave it alone because it is empty.
func (j *Journal) create() error {
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(j.dir, "*"+suffix) // with mode 0600
	if err != nil {
		return err
	}
	if err := filelock.Lock(file); err != nil {
		return errors.Join(err, file.Close(), os.Remove(file.Name()))
	}
	j.file, j.name = file, file.Name()
	return nil
}

// Abandoned calls release for every lease of processes that have ended, and forgets those for which it returns nil.
func (j *Journal) Abandoned(release func(Lease) error) error {
	if j.dir == "" {
		return nil
	}
	files, err := os.ReadDir(j.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, file := range files {
		if strings.HasSuffix(file.Name(), suffix) {
			errs = append(errs, takeOver(filepath.Join(j.dir, file.Name()), release))
		}
	}
	return errors.Join(errs...)
}

// Left returns the leases of processes that have ended, and changes nothing.
func (j *Journal) Left() (left []Lease, err error) {
	if j.dir == "" {
		return nil, nil
	}
	files, err := os.ReadDir(j.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, file := range files {
		if strings.HasSuffix(file.Name(), suffix) {
			left = append(left, leftIn(filepath.Join(j.dir, file.Name()))...)
		}
	}
	return left, err
}

// leftIn returns the leases of a file, unless its owner lives.
func leftIn(name string) []Lease {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil // another process has done it
	}
	defer func() { _ = filelock.Close(file) }() // it was only read
	if filelock.Lock(file) != nil {
		return nil
	}
	return slices.DeleteFunc(read(file), func(l Lease) bool { return time.Since(l.At) >= maxAge })
}

// takeOver releases the leases of a file, unless its owner lives. An empty file may be about to get one.
func takeOver(name string, release func(Lease) error) error {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil // another process has done it
	}
	if err != nil {
		return err
	}
	done, err := releaseAll(file, release)
	if err = errors.Join(err, filelock.Close(file)); err != nil || !done {
		return err
	}
	return remove(name)
}

// releaseAll reports whether nothing is left to do for a file.
func releaseAll(file *os.File, release func(Lease) error) (done bool, err error) {
	info, err := file.Stat()
	if err != nil || filelock.Lock(file) != nil || info.Size() == 0 && time.Since(info.ModTime()) < time.Minute {
		return false, err
	}
	done = true
	for _, l := range read(file) {
		if time.Since(l.At) < maxAge && release(l) != nil {
			done = false
			continue
		}
		l.Released = true
		if err := write(file, l); err != nil {
			return false, err
		}
	}
	return done, nil
}

// remove removes a file, which another process may have done.
func remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// read returns the leases of a file that are not over. A last line that was not written completely is skipped.
func read(file *os.File) (open []Lease) {
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var l Lease
		if json.Unmarshal(bytes.TrimSpace(lines.Bytes()), &l) != nil || l.ID == "" {
			continue
		}
		if l.Released {
			open = slices.DeleteFunc(open, l.same)
		} else {
			open = append(open, l)
		}
	}
	return open
}

func write(file *os.File, l Lease) error {
	line, err := json.Marshal(l)
	if err == nil {
		_, err = file.Write(append(line, '\n'))
	}
	return err
}
