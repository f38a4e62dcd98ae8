//go:build unix

package browser

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// ownerFile lies in a temporary profile. Whoever made the profile holds a lock on it, which the kernel gives up when that
// process ends, however it ends: a profile whose lock can be had is no one's any more. Process ids, which a system uses
// again, are not needed for it.
const ownerFile = "hermes-cdp-owner"

// owned is the held lock.
type owned struct{ file *os.File }

// own takes the lock on a new profile. The file gets its name only when it is locked, so that no one can be faster.
func own(dir string) (owned, error) {
	file, err := os.CreateTemp(dir, ownerFile+"-")
	if err != nil {
		return owned{}, err
	}
	// Go opens files so that no child inherits them: the browser does not keep the lock.
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return owned{}, errors.Join(err, file.Close())
	}
	if err := os.Rename(file.Name(), filepath.Join(dir, ownerFile)); err != nil {
		return owned{}, errors.Join(err, file.Close())
	}
	return owned{file}, nil
}

func (o owned) release() {
	if o.file != nil {
		_ = o.file.Close() // nothing was written to it
	}
}

// abandoned takes over a profile whose owner has ended; ok is false where someone owns it.
func abandoned(dir string) (profile, bool) {
	path := filepath.Join(dir, ownerFile)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return profile{}, false
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
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
	return profile{dir: dir, temporary: true, owned: owned{file}}, true
}
