package agent

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// pictureName is how the files of pictures begin; nothing else in the folder is touched.
const pictureName = "hermes-cdp-"

// keepPicture writes a picture into the folder for them, and removes those that are too old. It gives the path; empty where
// pictures are not kept.
func (b *Browser) keepPicture(png []byte) (string, error) {
	dir := b.options.ScreenshotDir
	if dir == "" {
		return "", nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the folder for pictures: %w", err)
	}
	if err := removeOld(dir, time.Now().Add(-b.options.ScreenshotKeep)); err != nil {
		return "", fmt.Errorf("the folder for pictures: %w", err)
	}
	// It is made for its owner alone: a picture can show what nobody else may see.
	file, err := os.CreateTemp(dir, pictureName+"*.png")
	if err != nil {
		return "", fmt.Errorf("a picture: %w", err)
	}
	_, err = file.Write(png)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("a picture: %w", err)
	}
	return filepath.Abs(file.Name())
}

// removeOld removes pictures that were made before a time.
func removeOld(dir string, before time.Time) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() || !strings.HasPrefix(f.Name(), pictureName) || filepath.Ext(f.Name()) != ".png" {
			continue
		}
		info, err := f.Info()
		if err == nil && info.ModTime().Before(before) {
			err = os.Remove(filepath.Join(dir, f.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // another process may have removed it
			return err
		}
	}
	return nil
}
