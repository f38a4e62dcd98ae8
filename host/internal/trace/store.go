package trace

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/internal/retention"
)

// Store is a directory of traces. Several processes may share it.
type Store struct {
	// Dir is made with mode 0700 for the first trace; the files in it have mode 0600.
	Dir string
	// Keep is how long a trace is kept.
	Keep time.Duration
	// TotalBytes limits the size of all traces together; the oldest are removed.
	TotalBytes int64
}

// names matches the names of our files: when the trace began, and what makes the name unique. No other files are ever
// removed.
var names = regexp.MustCompile(`^hermes-cdp-trace-\d{8}T\d{6}Z-[a-z2-7]{16}\.html(\.partial)?$`)

// Save writes a file, which is complete or not there at all, and returns its path.
func (s Store) Save(began time.Time, write func(io.Writer) error) (path string, size int64, err error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return "", 0, fmt.Errorf("the directory for traces: %w", err)
	}
	path = filepath.Join(s.Dir, "hermes-cdp-trace-"+began.UTC().Format("20060102T150405Z")+"-"+strings.ToLower(rand.Text()[:16])+".html")
	partial := path + ".partial"
	if size, err = writeFile(partial, write); err == nil {
		err = os.Rename(partial, path)
	}
	if err != nil {
		return "", 0, errors.Join(fmt.Errorf("the trace cannot be written: %w", err), removeIfThere(partial))
	}
	return path, size, s.Tend(time.Now())
}

func writeFile(path string, write func(io.Writer) error) (size int64, err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // it may show private data
	if err != nil {
		return 0, err
	}
	buffered := bufio.NewWriter(file)
	err = errors.Join(write(buffered), buffered.Flush())
	size, seekErr := file.Seek(0, io.SeekCurrent)
	return size, errors.Join(err, seekErr, file.Close())
}

// Tend removes the traces that are too old or exceed the total size, but never the newest.
func (s Store) Tend(now time.Time) error {
	if err := retention.RemoveOld(s.Dir, now.Add(-s.Keep), names.MatchString); err != nil {
		return err
	}
	files, err := os.ReadDir(s.Dir) // sorted by name, and so by when they began
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	total, newest := int64(0), true
	for i := len(files) - 1; i >= 0; i-- {
		f := files[i]
		info, err := f.Info()
		if err != nil || !f.Type().IsRegular() || !names.MatchString(f.Name()) {
			continue
		}
		if total += info.Size(); total > s.TotalBytes && !newest {
			if err := removeIfThere(filepath.Join(s.Dir, f.Name())); err != nil {
				return err
			}
		}
		newest = false
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
