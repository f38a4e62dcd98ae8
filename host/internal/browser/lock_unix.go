//go:build unix

package browser

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// ownerFile is a file in a temporary profile. The process that made the profile holds a lock on it. The kernel releases
// the lock when that process ends in any way, so a profile whose lock is free has no owner any more. No process ids,
// which can be reused, are involved.
const ownerFile = "hermes-cdp-owner"

// profileLock is a held lock.
type profileLock struct{ file *os.File }

// lockProfile takes the lock on a new profile. The file gets its name only once it is locked, so no one can lock it
// first.
func lockProfile(dir, who string) (profileLock, error) {
	file, err := os.CreateTemp(dir, ownerFile+"-")
	if err != nil {
		return profileLock{}, err
	}
	// Go opens files with O_CLOEXEC, so the browser does not inherit the lock.
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return profileLock{}, errors.Join(err, file.Close())
	}
	if err := writeNote(file, who); err != nil {
		return profileLock{}, errors.Join(err, file.Close())
	}
	if err := os.Rename(file.Name(), filepath.Join(dir, ownerFile)); err != nil {
		return profileLock{}, errors.Join(err, file.Close())
	}
	return profileLock{file}, nil
}

func (o profileLock) release() {
	if o.file != nil {
		_ = o.file.Close() // nothing was written to it
	}
}

// lockAbandoned takes over a profile whose owner has ended; ok is false if it has an owner.
func lockAbandoned(dir string) (profile, bool) {
	path := filepath.Join(dir, ownerFile)
	// In a directory that all users share, others can make anything of this name.
	if !isOurs(dir, os.FileMode.IsDir) || !isOurs(path, os.FileMode.IsRegular) {
		return profile{}, false
	}
	file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return profile{}, false
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close()
		return profile{}, false
	}
	return profile{dir: dir, temporary: true, lock: profileLock{file}}, true
}

// isOurs reports whether a path is of a kind, no symbolic link, and belongs to this user.
func isOurs(path string, kind func(os.FileMode) bool) bool {
	info, err := os.Lstat(path)
	if err != nil || !kind(info.Mode()) {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// ownerOf says who made a temporary profile.
func ownerOf(dir string) (by user) {
	path := filepath.Join(dir, ownerFile)
	if !isOurs(dir, os.FileMode.IsDir) || !isOurs(path, os.FileMode.IsRegular) {
		return by
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return by
	}
	defer func() { _ = file.Close() }() // it was only read
	by, _ = readNote(file)
	return by
}
