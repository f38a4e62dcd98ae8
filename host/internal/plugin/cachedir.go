package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/tetratelabs/wazero"
)

// openCache opens the directory for compiled code. Its content runs as native code in this process, so a directory that
// someone else could have written to is not used: caching is then off, and the log says why.
func openCache(dir string, logger *slog.Logger) wazero.CompilationCache {
	if dir == "" {
		return nil
	}
	cache, err := tryCache(dir)
	if err != nil {
		logger.Warn("compiled plugins are not cached", "directory", dir, "error", err)
		return nil
	}
	return cache
}

func tryCache(dir string) (wazero.CompilationCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := CheckPrivate(dir); err != nil {
		return nil, err
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil, err
	}
	return cache, nil
}

// CheckPrivate accepts a directory, but not a link to one, that belongs to this user and that only its owner can enter.
func CheckPrivate(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return errors.New("the directory is a symbolic link; name the directory itself")
	case !info.IsDir():
		return errors.New("it is not a directory")
	}
	if err := checkOwner(info); err != nil {
		return err
	}
	if perm := info.Mode().Perm(); perm&0o077 != 0 && permissionsApply {
		return fmt.Errorf("its permissions are %04o, so others can access it; set them to 0700", perm)
	}
	return nil
}
