package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const downloadsPrefix = "hermes-cdp-downloads-"

// TemporaryDownloads makes a directory, that only this user can read, for what a task downloads, and a function that
// removes it with all that is in it. If this process is killed before, [Reap] removes it.
func TemporaryDownloads(who string) (dir string, remove func() error, err error) {
	outer, err := os.MkdirTemp("", downloadsPrefix)
	if err != nil {
		return "", nil, err
	}
	lock, err := lockProfile(outer, who)
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("lock it: %w", err), os.RemoveAll(outer))
	}
	remove = profile{dir: outer, temporary: true, lock: lock}.remove
	dir = filepath.Join(outer, "files")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}
