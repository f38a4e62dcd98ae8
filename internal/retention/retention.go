// Package retention removes the old files of a program, and no others.
package retention

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// RemoveOver removes those of our files, as in [RemoveOld], that were written first, until the rest has no more bytes
// than the limit.
func RemoveOver(dir string, limit int64, ours func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var files []fs.FileInfo
	var total int64
	for _, f := range entries {
		if !f.Type().IsRegular() || !ours(f.Name()) {
			continue
		}
		info, err := f.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		files, total = append(files, info), total+info.Size()
	}
	slices.SortStableFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= limit {
			return nil
		}
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= f.Size()
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
