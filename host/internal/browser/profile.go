package browser

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// profile is the user data directory of a browser.
type profile struct {
	dir       string
	temporary bool        // created and removed by us
	lock      profileLock // held as long as this process lives, if the profile is temporary
	watcher   watcher
}

const profilePrefix = "hermes-cdp-profile-"

// openProfile creates the directory of the profile. An empty dir means a temporary one that only this user can read.
func openProfile(dir string, log *slog.Logger) (profile, error) {
	if dir == "" {
		dir, err := os.MkdirTemp("", profilePrefix)
		if err != nil {
			return profile{}, fmt.Errorf("create a temporary profile: %w", err)
		}
		if err := writePreferences(dir); err != nil {
			return profile{}, errors.Join(err, os.RemoveAll(dir))
		}
		lock, err := lockProfile(dir)
		if err != nil {
			return profile{}, errors.Join(fmt.Errorf("lock the temporary profile: %w", err), os.RemoveAll(dir))
		}
		watcher, err := startWatcher(dir)
		if err != nil {
			log.Warn("if this process is killed, its temporary profile stays until the next start", slog.Any("error", err))
		}
		return profile{dir: dir, temporary: true, lock: lock, watcher: watcher}, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return profile{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return profile{}, fmt.Errorf("create the profile's directory: %w", err)
	}
	// Otherwise the port of the last run would be taken for that of this one.
	if err := os.Remove(filepath.Join(dir, portFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return profile{}, fmt.Errorf("clean the profile's directory: %w", err)
	}
	return profile{dir: dir}, nil
}

// preferences of a temporary profile. In a window, the preview of print() holds the page until a person closes it.
const preferences = `{"printing":{"enabled":false}}`

func writePreferences(dir string) error {
	folder := filepath.Join(dir, "Default")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "Preferences"), []byte(preferences), 0o600)
}

// remove deletes a temporary profile. A dying process may still write into it, so a failed removal is retried.
func (p profile) remove() error {
	if !p.temporary {
		return nil
	}
	defer p.watcher.end()
	defer p.lock.release()
	var err error
	for wait := 10 * time.Millisecond; wait < 2*time.Second; wait *= 2 {
		if err = os.RemoveAll(p.dir); err == nil {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("remove the temporary profile: %w", err)
}
