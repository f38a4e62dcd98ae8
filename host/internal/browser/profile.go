package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// profile is the user data directory of a browser.
type profile struct {
	dir       string
	temporary bool        // created and removed by us
	lock      profileLock // held as long as this process lives, if the profile is temporary
	watcher   watcher
	socket    string // of a browser that answered; see socketOf
	done      func() // gives back a profile that lasts
}

const profilePrefix = "hermes-cdp-profile-"

// openProfile makes the directory of the profile ready for a browser. Without a directory in the options that is a
// temporary one that only this user can read. ctx bounds the wait for one that is in use.
func openProfile(ctx context.Context, o LaunchOptions) (profile, error) {
	if o.UserDataDir == "" {
		return temporaryProfile("", o)
	}
	dir, err := filepath.Abs(o.UserDataDir)
	if err != nil {
		return profile{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return profile{}, fmt.Errorf("create the profile's directory: %w", err)
	}
	done, err := use(dir, o.User)
	switch busy := errors.Is(err, fault.ErrProfileBusy); {
	case busy && o.Busy == BusyCopy:
		return temporaryProfile(dir, o)
	case busy && o.Busy == BusyWait:
		done, err = useWithin(ctx, dir, o.User)
	}
	if err != nil {
		return profile{}, err
	}
	// Otherwise the port of the last run would be taken for that of this one.
	if err := os.Remove(filepath.Join(dir, portFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		done()
		return profile{}, fmt.Errorf("clean the profile's directory: %w", err)
	}
	if err := setPreferences(dir, everyProfile...); err != nil {
		done()
		return profile{}, err
	}
	return profile{dir: dir, done: done}, nil
}

// temporaryProfile makes a temporary profile, as a copy of another one if that is given.
func temporaryProfile(from string, o LaunchOptions) (profile, error) {
	dir, err := os.MkdirTemp("", profilePrefix)
	if err != nil {
		return profile{}, fmt.Errorf("create a temporary profile: %w", err)
	}
	wanted := everyProfile
	if from != "" {
		err = copyProfile(dir, from)
	} else {
		wanted = slices.Concat(everyProfile, []preference{printNothing})
	}
	if err := errors.Join(err, setPreferences(dir, wanted...)); err != nil {
		return profile{}, errors.Join(err, os.RemoveAll(dir))
	}
	lock, err := lockProfile(dir, o.User)
	if err != nil {
		return profile{}, errors.Join(fmt.Errorf("lock the temporary profile: %w", err), os.RemoveAll(dir))
	}
	watcher, err := startWatcher(dir)
	if err != nil {
		o.Logger.Warn("if this process is killed, its temporary profile stays until the next start", slog.Any("error", err))
	}
	return profile{dir: dir, temporary: true, lock: lock, watcher: watcher}, nil
}

// answered is called when a browser uses the profile. The watcher is told of its socket, because a browser that ends
// with its parent removes the link to it first, and may be killed before it removes the rest.
func (p *profile) answered() {
	p.socket = socketOf(p.dir)
	p.watcher.tell(p.socket)
}

// remove deletes a temporary profile, and gives back another one. A dying process may still write into it, so a failed
// removal is retried.
func (p profile) remove() error {
	if p.socket == "" && p.temporary {
		p.socket = socketOf(p.dir)
	}
	removeSocket(p.socket)
	if !p.temporary {
		if p.done != nil {
			p.done()
		}
		return nil
	}
	defer p.watcher.end()
	if lockedFilesCanBeRemoved {
		defer p.lock.release()
	} else {
		p.lock.release() // whoever takes the profile now does the same
	}
	var err error
	for wait := 10 * time.Millisecond; wait < 2*time.Second; wait *= 2 {
		if err = os.RemoveAll(p.dir); err == nil {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("remove the temporary profile: %w", err)
}
