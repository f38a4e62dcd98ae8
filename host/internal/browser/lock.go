package browser

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/host/internal/filelock"
)

// ownerFile is a file in a temporary profile. The process that made the profile holds a lock on it. The system releases
// the lock when that process ends in any way, so a profile whose lock is free has no owner any more. No process ids,
// which can be reused, are involved.
const ownerFile = "hermes-cdp-owner"

// profileLock is a held lock.
type profileLock struct{ file *os.File }

// lockProfile takes the lock on a new profile, and says in its file who made it.
func lockProfile(dir, who string) (profileLock, error) {
	file, err := createLocked(dir)
	if err != nil {
		return profileLock{}, err
	}
	if err := writeNote(file, who); err != nil {
		return profileLock{}, errors.Join(err, filelock.Close(file))
	}
	if err := publish(file, filepath.Join(dir, ownerFile)); err != nil {
		return profileLock{}, errors.Join(err, filelock.Close(file))
	}
	return profileLock{file}, nil
}

func (o profileLock) release() {
	if o.file != nil {
		_ = filelock.Close(o.file) // nothing was written to it
	}
}

// lockAbandoned takes over a profile whose owner has ended; ok is false if it has an owner.
func lockAbandoned(dir string) (profile, bool) {
	path := filepath.Join(dir, ownerFile)
	// In a directory that all users share, others can make anything of this name.
	if !isOurs(dir, os.FileMode.IsDir) || !isOurs(path, os.FileMode.IsRegular) {
		return profile{}, false
	}
	file, err := openLocked(path)
	if err != nil {
		return profile{}, false
	}
	return profile{dir: dir, temporary: true, lock: profileLock{file}}, true
}

// ownerOf says who made a temporary profile.
func ownerOf(dir string) (by user) {
	path := filepath.Join(dir, ownerFile)
	if !isOurs(dir, os.FileMode.IsDir) || !isOurs(path, os.FileMode.IsRegular) {
		return by
	}
	file, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return by
	}
	defer func() { _ = file.Close() }() // it was only read
	by, _ = readNote(file)
	return by
}
