package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
)

// State is the state of a recording.
type State string

// The states.
const (
	// Running says that it is being written.
	Running State = "recording"
	// Finished says that it was ended.
	Finished State = "finished"
	// Unfinished says that its process left it open. It plays; the next [Store.Tend] ends it.
	Unfinished State = "unfinished"
	// Failed says that it ended because it could not be written.
	Failed State = "failed"
)

// Info is what is known about a recording.
type Info struct {
	Meta
	Totals
	ID    string
	State State
	// Path is the file; empty if it could not be created.
	Path  string
	Bytes int64
	// Error says why it failed; it is unknown if another process wrote it.
	Error string
}

// ErrNotFound says that there is no recording with an id.
var ErrNotFound = errors.New("there is no such recording")

// List returns the recordings of a task, or all if task is empty: the oldest first, and those that failed without a
// file last.
func (s *Store) List(task string) ([]Info, error) {
	files, dirErr := s.files()
	var list []Info
	add := func(i Info) {
		if task == "" || i.Task == cut(task) {
			list = append(list, i)
		}
	}
	for _, f := range files {
		i, err := s.info(f.Name())
		switch {
		case err == nil:
			add(i)
		case !errors.Is(err, ErrFormat) && !errors.Is(err, fs.ErrNotExist): // it may just be created or removed
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b Info) int { return a.Began.Compare(b.Began) }) // their names only have seconds
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.failures {
		if i.Path == "" {
			add(i)
		}
	}
	if len(list) > 0 {
		return list, nil // if the directory cannot be read, a failure in the list says so
	}
	return list, dirErr
}

// Open opens a recording for reading. Errors: ErrNotFound, ErrFormat, and those of the file.
func (s *Store) Open(id string) (*os.File, Info, error) {
	files, err := s.files()
	if err != nil {
		return nil, Info{}, err
	}
	// The id is only compared with those of existing files, and never becomes part of a path.
	at := slices.IndexFunc(files, func(f fs.DirEntry) bool { return idOf(f.Name()) == id })
	if at < 0 || id == "" {
		return nil, Info{}, ErrNotFound
	}
	i, err := s.info(files[at].Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Info{}, ErrNotFound
	}
	if err != nil {
		return nil, Info{}, err
	}
	f, err := os.Open(i.Path)
	return f, i, err
}

// info returns what is known about a file.
func (s *Store) info(name string) (i Info, err error) {
	id := idOf(name)
	if live := s.running(id); live != nil {
		return live.Info(), nil
	}
	path := filepath.Join(s.options.Dir, name)
	f, err := os.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = f.Close() }() // it was only read
	c, size, err := readFile(f)
	if err != nil {
		return Info{}, fmt.Errorf("%s: %w", name, err)
	}
	i = Info{Meta: c.Meta, Totals: c.Totals, ID: id, State: Finished, Path: path, Bytes: size}
	switch {
	case c.open() && filelock.IsLocked(f):
		i.State = Running
	case c.open():
		i.State = Unfinished
	case c.Ending == EndedError:
		i.State, i.Error = Failed, s.reason(id)
	}
	return i, nil
}

// reason returns why a recording of this process failed.
func (s *Store) reason(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.failures {
		if f.ID == id {
			return f.Error
		}
	}
	return ""
}
