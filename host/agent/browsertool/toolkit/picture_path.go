package toolkit

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// KeepPictureAs writes a picture to a path that the agent chose and returns the path. So it stays below
// [Options.ScreenshotDir] or [Options.DownloadDir]: nothing outside them is reached, no symbolic link is
// followed, and only pictures are replaced. The file appears only once it is complete.
func (k *Kit) KeepPictureAs(path string, png []byte) (string, error) {
	dir, name, err := k.PictureRoot(path)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the directory for pictures: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("the directory for pictures: %w", err)
	}
	err = errors.Join(writePicture(root, name, png), root.Close())
	return filepath.Join(dir, name), err
}

// PictureRoot returns the directory that a path is in and the rest of the path. A relative path is below the first one.
func (k *Kit) PictureRoot(path string) (dir, name string, err error) {
	var allowed []string
	for _, dir := range []string{k.Options.ScreenshotDir, k.Options.DownloadDir} {
		if whole, err := filepath.Abs(dir); err == nil && dir != "" {
			allowed = append(allowed, whole)
		}
	}
	switch {
	case len(allowed) == 0:
		return "", "", result.BadArgument("out_path", "no directory for pictures is configured: set browser.screenshot_dir")
	case !strings.EqualFold(filepath.Ext(path), ".png"):
		return "", "", result.BadArgument("out_path", "a picture is a PNG, so the path must end with .png")
	case slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == filepath.Separator }), ".."):
		return "", "", result.BadArgument("out_path", "it contains ..; it must be below %s", strings.Join(allowed, " or "))
	}
	for _, dir := range allowed {
		name := filepath.Clean(path)
		if filepath.IsAbs(path) {
			if name, err = filepath.Rel(dir, path); err != nil {
				continue
			}
		}
		if filepath.IsLocal(name) {
			return dir, name, nil
		}
	}
	return "", "", result.BadArgument("out_path", "it must be below %s", strings.Join(allowed, " or "))
}

// writePicture writes a file below a directory atomically. It replaces an existing picture.
func writePicture(root *os.Root, name string, png []byte) error {
	if err := plainWay(root, name); err != nil {
		return err
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("a picture: %w", err)
	}
	partial := filepath.Join(filepath.Dir(name), "."+rand.Text()+".png")
	file, err := root.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) // a picture may show private data
	if err != nil {
		return fmt.Errorf("a picture: %w", err)
	}
	_, err = file.Write(png)
	if err = errors.Join(err, file.Close()); err == nil {
		err = root.Rename(partial, name) // replaces a symbolic link created meanwhile, and does not follow it
	}
	if err != nil {
		return fmt.Errorf("a picture: %w", errors.Join(err, root.Remove(partial)))
	}
	return nil
}

// plainWay refuses a path unless everything on it is a directory and its end, if it exists, is a regular file.
func plainWay(root *os.Root, name string) error {
	parts := strings.Split(filepath.ToSlash(name), "/")
	for i := range parts {
		at := filepath.Join(parts[:i+1]...)
		info, err := root.Lstat(at)
		switch last := i == len(parts)-1; {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return fmt.Errorf("a picture: %w", err)
		case info.Mode()&fs.ModeSymlink != 0:
			return result.BadArgument("out_path", "%s is a symbolic link", at)
		case last && !info.Mode().IsRegular(), !last && !info.IsDir():
			return result.BadArgument("out_path", "%s exists already, and is %s", at, kindOfFile(info))
		}
	}
	return nil
}

func kindOfFile(info fs.FileInfo) string {
	return cmp.Or(map[fs.FileMode]string{0: "a file", fs.ModeDir: "a directory"}[info.Mode().Type()], "not a regular file")
}
