package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// checkCacheDir finds out whether compiled modules can be kept. Without it everything works, with a slower start.
func checkCacheDir(dir string) Check {
	const name = "plugin cache"
	const fix = "make it a directory of your own with mode 0700, or set plugin_cache_dir to another"
	if dir == "" {
		return warn(name, "no directory: neither XDG_CACHE_HOME nor HOME is set", "set plugin_cache_dir")
	}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := tryWrite(existing(dir)); err != nil {
			return warn(name, dir+" is missing and cannot be made: "+err.Error(), fix)
		}
		return ok(name, dir+", which the first host will make")
	case err != nil:
		return warn(name, err.Error(), fix)
	case !info.IsDir():
		return warn(name, dir+" is no directory, or a link to one", fix)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		c := warn(name, fmt.Sprintf("%s has mode %04o, so that others can reach what is run from it; it is not used", dir, info.Mode().Perm()), fix)
		return c.mendable(without(dir, 0o077))
	}
	if err := tryWrite(dir); err != nil {
		return warn(name, err.Error(), fix)
	}
	return ok(name, dir)
}

// existing is the nearest directory above a missing one that there is.
func existing(dir string) string {
	for {
		above := filepath.Dir(dir)
		if _, err := os.Lstat(above); err == nil || above == dir {
			return above
		}
		dir = above
	}
}

func tryWrite(dir string) error {
	file, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// checkTinyGo tells whether plugins can be built here; nothing else needs it.
func checkTinyGo(ctx context.Context) Check {
	const name = "tinygo"
	path, err := exec.LookPath("tinygo")
	if err != nil {
		return ok(name, "not in PATH; it is needed only to build plugins")
	}
	version, err := outputOf(ctx, path, "version")
	if err != nil {
		return warn(name, path+" does not tell its version: "+err.Error(), "reinstall it; it is needed only to build plugins")
	}
	return ok(name, version)
}
