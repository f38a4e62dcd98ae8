package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// State is how far a recording is.
type State string

// The states.
const (
	// Running is one that is being written.
	Running State = "recording"
	// Finished is one that has been ended.
	Finished State = "finished"
	// Unfinished is one that its process left open. It plays; the next [Store.Tend] ends it.
	Unfinished State = "unfinished"
	// Failed is one that ended because it could not be written.
	Failed State = "failed"
)

// Info is what is known of a recording.
type Info struct {
	Meta
	Totals
	ID    string
	State State
	// Path is the file; empty for one that could not be made.
	Path  string
	Bytes int64
	// Error says why it failed; it is not known of one that another process wrote.
	Error string
}

// ErrNotFound says that there is no recording of an id.
var ErrNotFound = errors.New("there is no such recording")

// List returns the recordings of a task, the oldest first, those that have failed without a file last; all where task is
// empty.
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
		case !errors.Is(err, ErrFormat) && !errors.Is(err, fs.ErrNotExist): // which may be just being made or removed
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.failures {
		if i.Path == "" {
			add(i)
		}
	}
	if len(list) > 0 {
		return list, nil // of a directory that cannot be read, they say so
	}
	return list, dirErr
}

// Open opens a recording for reading. Errors: ErrNotFound, ErrFormat, that of the file.
func (s *Store) Open(id string) (*os.File, Info, error) {
	files, err := s.files()
	if err != nil {
		return nil, Info{}, err
	}
	// The id is compared with those that there are, and never becomes part of a path.
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

// info reads what is known of a file.
func (s *Store) info(name string) (i Info, err error) {
	id := idOf(name)
	s.mu.Lock()
	live := s.live[id]
	s.mu.Unlock()
	if live != nil {
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
	case c.open() && claimed(f):
		i.State = Running
	case c.open():
		i.State = Unfinished
	case c.Ending == EndedError:
		i.State, i.Error = Failed, s.reason(id)
	}
	return i, nil
}

// reason is why a recording of this process failed.
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
