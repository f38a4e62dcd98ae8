package browser

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// profile is the directory of a browser's user data.
type profile struct {
	dir       string
	temporary bool  // made by us, and removed by us
	owned     owned // held as long as this process lives, for a temporary one
	watcher   watcher
}

const profilePrefix = "hermes-cdp-profile-"

// openProfile makes the directory of the profile; an empty dir is a fresh temporary one that only this user can read.
func openProfile(dir string, log *slog.Logger) (profile, error) {
	if dir == "" {
		dir, err := os.MkdirTemp("", profilePrefix)
		if err != nil {
			return profile{}, fmt.Errorf("make a temporary profile: %w", err)
		}
		owned, err := own(dir)
		if err != nil {
			return profile{}, errors.Join(fmt.Errorf("own the temporary profile: %w", err), os.RemoveAll(dir))
		}
		watcher, err := watchOver(dir)
		if err != nil {
			log.Warn("if this process is killed, its temporary profile stays until the next start", slog.Any("error", err))
		}
		return profile{dir: dir, temporary: true, owned: owned, watcher: watcher}, nil
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return profile{}, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return profile{}, fmt.Errorf("make the profile's folder: %w", err)
	}
	// The port of the last run would be taken for that of this one.
	if err := os.Remove(filepath.Join(dir, portFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return profile{}, fmt.Errorf("clean the profile's folder: %w", err)
	}
	return profile{dir: dir}, nil
}

// remove deletes a temporary profile. A process that dies may still write into it, so a removal that fails is repeated.
func (p profile) remove() error {
	if !p.temporary {
		return nil
	}
	defer p.watcher.end()
	defer p.owned.release()
	var err error
	for wait := 10 * time.Millisecond; wait < 2*time.Second; wait *= 2 {
		if err = os.RemoveAll(p.dir); err == nil {
			return nil
		}
		time.Sleep(wait)
	}
	return fmt.Errorf("remove the temporary profile: %w", err)
}
