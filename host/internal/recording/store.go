package recording

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
	"github.com/hermes-cdp/hermes-cdp/internal/filename"
	"github.com/hermes-cdp/hermes-cdp/internal/retention"
)

// Options says where recordings are stored, and how many are kept.
type Options struct {
	// Dir is the directory. The first recording creates it with mode 0700.
	Dir string
	// Keep is how long a recording is kept after its end.
	Keep time.Duration
	// MaxBytes is the size at which a file ends and another one continues.
	MaxBytes int64
	// TotalBytes is the maximum size of all files together; the oldest are removed to make room.
	TotalBytes int64
}

// Store is a directory of recordings. Several processes may share it. Its methods may be called from any goroutine.
type Store struct {
	options Options
	create  func(path string) (file, error)

	mu       sync.Mutex
	live     map[string]*Recording // being written by this process, by id
	failures []Info                // the last ones of this process
	used     int64                 // the size of all files, as far as is known
}

// maxFailures is how many failures are kept.
const maxFailures = 50

// NewStore returns a store. It does not access the directory.
func NewStore(o Options) *Store {
	return &Store{options: o, create: createFile, live: map[string]*Recording{}}
}

// createFile creates a file that only its owner can read: a recording can show what nobody else may see.
func createFile(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.Wait(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// names matches the names of our files: when it began, the task, and the id. No other files are ever touched.
var names = regexp.MustCompile(`^hermes-cdp-\d{8}T\d{6}Z-(?:[A-Za-z0-9._-]{1,40}-)?([a-z2-7]{16})\.webm$`)

// idOf returns the id in the name of a file; it is empty if the file is not ours.
func idOf(name string) string {
	if m := names.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return ""
}

// nameOf begins with the time, so that names are sorted by it.
func nameOf(id, task string, began time.Time) string {
	return "hermes-cdp-" + began.UTC().Format("20060102T150405Z") + "-" + filename.Part(task) + "-" + id + ".webm"
}

func newID() string { return strings.ToLower(rand.Text()[:16]) }

// files lists our files, the oldest first.
func (s *Store) files() ([]fs.DirEntry, error) {
	all, err := os.ReadDir(s.options.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(all, func(f fs.DirEntry) bool { return !f.Type().IsRegular() || idOf(f.Name()) == "" }), err
}

// Tend removes recordings that are too old or exceed the total size, and ends those that killed processes left open. An
// error is that of the directory, or of a file in it.
func (s *Store) Tend(now time.Time) error {
	err := retention.RemoveOld(s.options.Dir, now.Add(-s.options.Keep), func(name string) bool {
		return idOf(name) != "" && !s.inUse(name)
	})
	files, listErr := s.files()
	errs := []error{err, listErr}
	for _, f := range files {
		_, err := s.recover(f.Name(), false)
		errs = append(errs, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(append(errs, s.makeRoom(s.options.TotalBytes))...)
}

// inUse reports whether this process or another one is writing a file.
func (s *Store) inUse(name string) bool {
	return s.running(idOf(name)) != nil || s.writtenByAnother(name)
}

// running returns the recording that this process is writing under an id, or nil.
func (s *Store) running(id string) *Recording {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[id]
}

func (s *Store) writtenByAnother(name string) bool {
	f, err := os.Open(filepath.Join(s.options.Dir, name))
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	c, _, err := readFile(f)
	return err == nil && c.open() && filelock.IsLocked(f)
}

// readFile reads what a file of ours says about itself, and its size.
func readFile(f *os.File) (*contents, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	c, err := read(f, info.Size())
	return c, info.Size(), err
}

// Recover ends the files that killed processes left open, and tells of each; with dry it only tells. The error is that
// of the directory.
func (s *Store) Recover(dry bool, tell func(path string, err error)) error {
	files, err := s.files()
	for _, f := range files {
		if open, err := s.recover(f.Name(), dry); open {
			tell(filepath.Join(s.options.Dir, f.Name()), err)
		}
	}
	return err
}

// recover ends a file that a killed process left open, unless dry, and reports whether it is one. It ignores a file
// that is not a recording.
func (s *Store) recover(name string, dry bool) (open bool, err error) {
	if s.running(idOf(name)) != nil {
		return false, nil
	}
	f, err := os.OpenFile(filepath.Join(s.options.Dir, name), os.O_RDWR, 0)
	if err != nil {
		return false, nil // it is gone, or belongs to another user
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	c, _, readErr := readFile(f)
	if readErr != nil || !c.open() || filelock.IsLocked(f) {
		return false, nil // there is nothing to end
	}
	if dry {
		return true, nil
	}
	info, err := f.Stat()
	if err != nil {
		return true, err
	}
	if err := repair(f, c); err != nil {
		return true, fmt.Errorf("ending the recording %s: %w", name, err)
	}
	return true, os.Chtimes(f.Name(), time.Time{}, info.ModTime()) // it is as old as its last frame
}

// makeRoom removes the oldest files that nobody is writing, until all together have at most a size. The caller holds
// the lock.
func (s *Store) makeRoom(limit int64) error {
	files, err := s.files()
	if err != nil {
		return err
	}
	sizes := map[string]int64{}
	s.used = 0
	for _, f := range files {
		if live := s.live[idOf(f.Name())]; live != nil {
			s.used += live.room()
		} else if info, err := f.Info(); err == nil {
			sizes[f.Name()] = info.Size()
			s.used += info.Size()
		}
	}
	for _, f := range files { // sorted by name, and so by when they began
		if s.used <= limit {
			break
		}
		if _, mine := s.live[idOf(f.Name())]; mine || s.writtenByAnother(f.Name()) {
			continue
		}
		if err := os.Remove(filepath.Join(s.options.Dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		s.used -= sizes[f.Name()]
	}
	return nil
}

// ErrNoRoom says that the recordings being written already have the maximum size of all.
var ErrNoRoom = errors.New("all recordings together have reached their maximum size, and none of them can be removed")

// take counts bytes that are about to be written, and makes room for them if necessary.
func (s *Store) take(n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.used+n > s.options.TotalBytes {
		// An eighth more, so that the next frames find room at once.
		if err := s.makeRoom(s.options.TotalBytes - n - s.options.TotalBytes/8); err != nil {
			return err
		}
	}
	if s.used+n > s.options.TotalBytes {
		return ErrNoRoom
	}
	s.used += n
	return nil
}

// failed keeps a recording that failed, for [Store.List].
func (s *Store) failed(i Info) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, i)
	if len(s.failures) > maxFailures {
		s.failures = slices.Delete(s.failures, 0, 1)
	}
}
