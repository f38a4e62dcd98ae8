//go:build unix

package plugin

import (
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func cacheIn(dir string, r *recorder) func(*Source, *Options) {
	return func(_ *Source, o *Options) { o.CacheDir, o.Logger = dir, slog.New(r) }
}

const notCached = "compiled plugins are not cached"

func cacheFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCompiledCodeIsKeptInAPrivateFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "cache")
	r := newRecorder(slog.LevelDebug)
	for range 2 {
		m := load(t, "ok", Limits{}, cacheIn(dir, r))
		if _, err := m.Call(ctx0, abi.HookDialog, nil, rejectGarbage); err != nil {
			t.Fatal(err)
		}
	}
	if files := cacheFiles(t, dir); len(files) != 1 {
		t.Errorf("cached files are %v, want one", files)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is %v, %v", info.Mode(), err)
	}
	if lines := r.said(notCached); len(lines) != 0 {
		t.Errorf("logged %v", lines)
	}
}

func TestAFolderThatOthersCouldWriteToIsNotUsed(t *testing.T) {
	cases := map[string]struct {
		prepare func(t *testing.T, dir string) string
		want    string
	}{
		"open to the group": {func(t *testing.T, dir string) string {
			must(t, os.Chmod(dir, 0o750))
			return dir
		}, "permissions are 0750"},
		"a link to another directory": {func(t *testing.T, dir string) string {
			link := dir + "-link"
			must(t, os.Symlink(dir, link))
			return link
		}, "symbolic link"},
		"a file": {func(t *testing.T, dir string) string {
			file := filepath.Join(dir, "file")
			must(t, os.WriteFile(file, nil, 0o600))
			return file
		}, "not a directory"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			must(t, os.Mkdir(dir, 0o700))
			r := newRecorder(slog.LevelDebug)
			m := load(t, "ok", Limits{}, cacheIn(c.prepare(t, dir), r))
			if _, err := m.Call(ctx0, abi.HookDialog, nil, rejectGarbage); err != nil {
				t.Error(err)
			}
			lines := r.said(notCached)
			if len(lines) != 1 || !strings.Contains(lines[0]["error"], c.want) {
				t.Errorf("logged %v, want %q", lines, c.want)
			}
			for _, f := range cacheFiles(t, dir) {
				if filepath.Base(f) != "file" {
					t.Errorf("%s was written", f)
				}
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestADamagedCacheEntryCostsTheCacheNotTheModule(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	r := newRecorder(slog.LevelDebug)
	load(t, "ok", Limits{}, cacheIn(dir, r))
	for _, f := range cacheFiles(t, dir) {
		data, err := os.ReadFile(f)
		must(t, err)
		data[len(data)-1] ^= 0xff
		must(t, os.WriteFile(f, data[:len(data)/2], 0o600))
	}
	m := load(t, "ok", Limits{}, cacheIn(dir, r))
	if _, err := m.Call(ctx0, abi.HookDialog, nil, rejectGarbage); err != nil {
		t.Error(err)
	}
	if lines := r.said("the compilation cache failed and is not used for this plugin; empty the directory if this happens again"); len(lines) != 1 {
		t.Errorf("logged %v", r.lines)
	}
}
