package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
)

// Busy is what to do about a profile that another browser uses: Chromium has no profile in two browsers.
type Busy string

// What can be done about it.
const (
	BusyFail Busy = ""     // the start fails
	BusyWait Busy = "wait" // the start waits for the profile
	BusyCopy Busy = "copy" // the browser gets a copy, which is removed at its end
)

// ProfileBusyError says that a profile is in use.
type ProfileBusyError struct {
	// Dir is the directory of the profile.
	Dir string
	// User is who uses it, as far as that is known, such as "the task shop (process 12)".
	User string
	// Since is when that began; zero: unknown.
	Since time.Time
}

// Error names the profile and who uses it.
func (e *ProfileBusyError) Error() string {
	text := fmt.Sprintf("%v: %s is used by %s", fault.ErrProfileBusy, e.Dir, e.User)
	if !e.Since.IsZero() {
		text += " since " + e.Since.UTC().Format(time.DateTime+" UTC")
	}
	return text + "; wait until it is free, use another profile, or set browser.profile_busy to wait or copy"
}

// Unwrap returns [fault.ErrProfileBusy].
func (e *ProfileBusyError) Unwrap() error { return fault.ErrProfileBusy }

// useFile is a file in a profile that lasts. Whoever uses the profile holds a lock on it, and has written into it who
// that is.
const useFile = "hermes-cdp-in-use"

// user is what it says.
type user struct {
	PID   int       `json:"pid"`
	Who   string    `json:"who"`
	Since time.Time `json:"since"`
}

// use takes a profile for a browser; done gives it back. The error is a [*ProfileBusyError] if another browser uses it.
func use(dir, who string) (done func(), err error) {
	file, err := os.OpenFile(filepath.Join(dir, useFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(file); err != nil {
		defer file.Close()
		return nil, busyWith(dir, file)
	}
	if other := otherBrowser(dir); other != "" {
		_ = filelock.Close(file)
		return nil, &ProfileBusyError{Dir: dir, User: other}
	}
	if err := writeNote(file, who); err != nil {
		return nil, errors.Join(err, filelock.Close(file))
	}
	return func() {
		_ = file.Truncate(0)
		_ = filelock.Close(file)
	}, nil
}

// writeNote writes into a file who uses a profile.
func writeNote(file *os.File, who string) error {
	note, err := json.Marshal(user{os.Getpid(), who, time.Now().UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err = file.WriteAt(note, 0)
	return err
}

// readNote reads what writeNote wrote.
func readNote(file io.Reader) (by user, err error) {
	data, err := io.ReadAll(io.LimitReader(file, 1<<12))
	if err == nil {
		err = json.Unmarshal(data, &by)
	}
	return by, err
}

// busyWith says who has locked a profile.
func busyWith(dir string, file io.Reader) error {
	e := &ProfileBusyError{Dir: dir, User: "another process"}
	if by, err := readNote(file); err == nil {
		e.User, e.Since = fmt.Sprintf("%s (process %d)", by.Who, by.PID), by.Since
	}
	return e
}

// usePoll is the pause between two attempts to get a profile.
const usePoll = 100 * time.Millisecond

// useWithin is use that waits for the profile as long as its context lasts.
func useWithin(ctx context.Context, dir, who string) (done func(), err error) {
	ticker := time.NewTicker(usePoll)
	defer ticker.Stop()
	for {
		done, err = use(dir, who)
		if !errors.Is(err, fault.ErrProfileBusy) {
			return done, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%w (the wait for it ended: %w)", err, context.Cause(ctx))
		case <-ticker.C:
		}
	}
}

// notCopied are what belongs to a running browser, and what it can make again.
var notCopied = map[string]bool{
	useFile: true, portFile: true, crashFolder: true, "Cache": true, "Code Cache": true, "GPUCache": true, "GrShaderCache": true,
	"ShaderCache": true, "BrowserMetrics": true,
}

// copyProfile copies the files of a profile into a directory. A file that goes away meanwhile is left out.
func copyProfile(to, from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch target := filepath.Join(to, relative); {
		case notCopied[entry.Name()] || strings.HasPrefix(entry.Name(), "Singleton"):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(target, 0o700)
		case entry.Type().IsRegular():
			return copyFile(target, path)
		}
		return nil
	})
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// UserOf says who uses the profile in a directory; empty: nobody.
func UserOf(dir string) string {
	file, err := os.OpenFile(filepath.Join(dir, useFile), os.O_RDWR, 0)
	if err != nil {
		return otherBrowser(dir)
	}
	defer func() { _ = filelock.Close(file) }() // nothing was written to it
	// A file in which nobody stands is not locked even for a moment: a browser may be about to start.
	if info, err := file.Stat(); err != nil || info.Size() == 0 || filelock.Lock(file) == nil {
		return otherBrowser(dir)
	}
	var busy *ProfileBusyError
	if errors.As(busyWith(dir, file), &busy) {
		return busy.User
	}
	return ""
}

// Wipe removes the profile in a directory. The error is a [*ProfileBusyError] if a browser uses it.
func Wipe(dir string) error {
	done, err := use(dir, "its removal")
	if err != nil {
		return err
	}
	done()
	return os.RemoveAll(dir)
}
