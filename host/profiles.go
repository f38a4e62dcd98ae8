package host

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
)

// Profile is one of the profiles in a directory that has one in each of its directories, as a path for
// [LaunchOptions.UserDataDir].
type Profile struct {
	Name string `json:"name"`
	Path string `json:"path"`
	// Bytes is the size of its files.
	Bytes int64 `json:"bytes"`
	// User is who uses it now, such as "the task shop (process 12)"; empty: nobody.
	User string `json:"user,omitempty"`
	// Changed is when its files were last changed.
	Changed UnixTime `json:"changed"`
}

// ProfileBusyError says that a profile is in use, and by whom. It is ErrProfileBusy.
type ProfileBusyError = browser.ProfileBusyError

// Profiles lists the profiles in a directory, by name. There need not be one.
func Profiles(dir string) ([]Profile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, fault.Of("profiles", err)
	}
	list := []Profile{}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		p := Profile{Name: entry.Name(), Path: filepath.Join(dir, entry.Name())}
		p.User = browser.UserOf(p.Path)
		// What goes away meanwhile does not count.
		p.measure()
		list = append(list, p)
	}
	return list, nil
}

// measure adds up the files. What goes away meanwhile does not count.
func (p *Profile) measure() {
	_ = fs.WalkDir(os.DirFS(p.Path), ".", func(_ string, file fs.DirEntry, err error) error {
		if err == nil && !file.IsDir() {
			p.add(file)
		}
		return nil
	})
}

func (p *Profile) add(file fs.DirEntry) {
	info, err := file.Info()
	if err != nil {
		return
	}
	p.Bytes += info.Size()
	if info.ModTime().After(p.Changed.Time) {
		p.Changed = UnixTime{Time: info.ModTime()}
	}
}

// Profile returns the directory of the profile of a browser that was started for the task, if it outlives the browser;
// empty if it does not, or if none is known.
func (t *Task) Profile() string { return t.profile() }

// Wipe is Close, and removes what the pages of the task have stored: the browser context that was made for it ends with
// it anyway, and so does a temporary profile; a profile that outlives its browser is removed like [WipeProfile] does.
// Errors: ErrRefused, with which nothing is closed, for a task that shares its browser context, or whose browser is
// somebody else's; those of [Task.Close] and [WipeProfile].
func (t *Task) Wipe(ctx context.Context) (err error) {
	defer fault.During("wipe", &err)
	if !t.Launched() && t.engine.Context() == "" && t.shared.lease == nil {
		return fmt.Errorf("%w: what pages stored is not the task's alone: it has no browser of its own, and no browser context", ErrRefused)
	}
	profile := t.profile()
	if err := t.Close(ctx); err != nil || profile == "" {
		return err
	}
	return browser.Wipe(profile)
}

// WipeProfile removes a profile with all that its browsers have stored. The error is a [*ProfileBusyError] if a browser
// uses it.
func WipeProfile(path string) error { return fault.Of("wipe profile", browser.Wipe(path)) }
