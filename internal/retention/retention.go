// Package retention removes the old files of a program, and no others.
package retention

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// RemoveOld removes the regular files of a directory that were last written before a time, and whose names ours
// accepts. A file that another process removes meanwhile is not an error, nor is a missing directory.
func RemoveOld(dir string, before time.Time, ours func(name string) bool) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() || !ours(f.Name()) {
			continue
		}
		info, err := f.Info()
		if err == nil && info.ModTime().Before(before) {
			err = os.Remove(filepath.Join(dir, f.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Tend does something at once and then periodically, until ctx ends.
func Tend(ctx context.Context, every time.Duration, do func()) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		do()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
