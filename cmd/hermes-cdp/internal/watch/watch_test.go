//go:build unix

package watch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// limit is how long a test waits for what must happen; correct code never reaches it.
const limit = 60 * time.Second

func start(t *testing.T, files map[string][]string) *Watcher {
	t.Helper()
	w, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := w.Watch(files); err != nil {
		t.Fatal(err)
	}
	return w
}

// next waits until these keys were received, and no others; on a slow machine a change can be reported in parts.
func next(t *testing.T, w *Watcher, keys ...string) {
	t.Helper()
	told := map[string]bool{}
	for len(told) < len(keys) {
		select {
		case got := <-w.Changed():
			for _, key := range got {
				if !slices.Contains(keys, key) {
					t.Fatalf("told %v, want %v", got, keys)
				}
				told[key] = true
			}
		case <-time.After(limit):
			t.Fatalf("%v was not told", keys)
		}
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600))
}

// directory returns a directory for the test, without symbolic links in its path.
func dir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

// Each case is a way to change the content at a path, or to remove it and restore it; every step is reported
// separately.
func TestEveryWayToChangeAFileIsNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		path    string
		prepare func(t *testing.T, dir string)
		steps   []func(t *testing.T, dir string)
	}{
		"it is written in place": {
			path: "f", prepare: func(t *testing.T, dir string) { write(t, dir+"/f", "1") },
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) { write(t, dir+"/f", "2") },
				func(t *testing.T, dir string) { write(t, dir+"/f", "3") },
			},
		},
		"it is replaced by a rename": {
			path: "f", prepare: func(t *testing.T, dir string) {
				write(t, dir+"/f", "1")
				write(t, dir+"/2", "2")
				write(t, dir+"/3", "3")
			},
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) { must(t, os.Rename(dir+"/2", dir+"/f")) },
				func(t *testing.T, dir string) { must(t, os.Rename(dir+"/3", dir+"/f")) },
			},
		},
		"it is removed and made again": {
			path: "f", prepare: func(t *testing.T, dir string) { write(t, dir+"/f", "1") },
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) { must(t, os.Remove(dir+"/f")) },
				func(t *testing.T, dir string) { write(t, dir+"/f", "2") },
			},
		},
		"it is the file of a ConfigMap": {
			path: "f", prepare: func(t *testing.T, dir string) {
				write(t, dir+"/..1/f", "1")
				write(t, dir+"/..2/f", "2")
				write(t, dir+"/..3/f", "3")
				must(t, os.Symlink("..1", dir+"/..data"), os.Symlink("..data/f", dir+"/f"))
			},
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) {
					must(t, os.Symlink("..2", dir+"/..data_tmp"), os.Rename(dir+"/..data_tmp", dir+"/..data"), os.RemoveAll(dir+"/..1"))
				},
				func(t *testing.T, dir string) {
					must(t, os.Symlink("..3", dir+"/..data_tmp"), os.Rename(dir+"/..data_tmp", dir+"/..data"), os.RemoveAll(dir+"/..2"))
				},
			},
		},
		"a directory above it is a link": {
			path: "current/f", prepare: func(t *testing.T, dir string) {
				write(t, dir+"/v1/f", "1")
				write(t, dir+"/v2/f", "2")
				must(t, os.Symlink(dir+"/v1", dir+"/current"))
			},
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) {
					must(t, os.Symlink("v2", dir+"/next"), os.Rename(dir+"/next", dir+"/current"))
				},
				func(t *testing.T, dir string) { write(t, dir+"/v2/f", "3") },
			},
		},
		"its directory is made later": {
			path: "a/b/f", prepare: func(*testing.T, string) {},
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) { must(t, os.Mkdir(dir+"/a", 0o755)) },
				func(t *testing.T, dir string) { write(t, dir+"/a/b/f", "1") },
				func(t *testing.T, dir string) { write(t, dir+"/a/b/f", "2") },
			},
		},
		"its directory is removed and made again": {
			path: "a/f", prepare: func(t *testing.T, dir string) { write(t, dir+"/a/f", "1") },
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) { must(t, os.RemoveAll(dir+"/a")) },
				func(t *testing.T, dir string) { write(t, dir+"/a/f", "2") },
				func(t *testing.T, dir string) { write(t, dir+"/a/f", "3") },
			},
		},
		"its directory is moved and another put in its place": {
			path: "a/f", prepare: func(t *testing.T, dir string) { write(t, dir+"/a/f", "1"); write(t, dir+"/b/f", "2") },
			steps: []func(*testing.T, string){
				func(t *testing.T, dir string) {
					must(t, os.Rename(dir+"/a", dir+"/c"), os.Rename(dir+"/b", dir+"/a"))
				},
				func(t *testing.T, dir string) { write(t, dir+"/a/f", "3") },
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dir(t)
			c.prepare(t, dir)
			w := start(t, map[string][]string{"key": {filepath.Join(dir, c.path)}})
			for _, step := range c.steps {
				step(t, dir)
				next(t, w, "key")
			}
		})
	}
}

func TestOtherFilesInTheDirectoryDoNotMatter(t *testing.T) {
	dir := dir(t)
	w := start(t, map[string][]string{"a": {dir + "/a"}, "b": {dir + "/b", dir + "/b.minisig"}})
	write(t, dir+"/c", "1")
	write(t, dir+"/b.minisig", "1")
	next(t, w, "b")
	write(t, dir+"/a", "1")
	write(t, dir+"/b", "1")
	next(t, w, "a", "b")
}

func TestWhatIsWatchedCanBeReplaced(t *testing.T) {
	dir := dir(t)
	w := start(t, map[string][]string{"old": {dir + "/1/old"}})
	must(t, os.Mkdir(dir+"/2", 0o755), w.Watch(map[string][]string{"new": {dir + "/2/new"}}))
	write(t, dir+"/1/old", "1")
	write(t, dir+"/2/new", "1")
	next(t, w, "new")
	if list := w.notify.WatchList(); !slices.Equal(list, []string{dir + "/2"}) {
		t.Errorf("watched are %v", list)
	}
	must(t, w.Watch(nil))
	if list := w.notify.WatchList(); len(list) != 0 {
		t.Errorf("watched are %v", list)
	}
}

func TestLinksThatLeadNowhereEnd(t *testing.T) {
	dir := dir(t)
	must(t, os.Symlink("b", dir+"/a"), os.Symlink("a", dir+"/b"), os.Symlink("gone/x", dir+"/c"))
	if names := trail(dir + "/a"); len(names) > maxLinks+1 {
		t.Errorf("%d names", len(names))
	}
	if names, want := trail(dir+"/c/y"), []string{dir + "/c", dir + "/gone"}; !slices.Equal(names, want) {
		t.Errorf("the trail is %v, want %v", names, want)
	}
}

func TestOnlyRegularFilesHaveADigest(t *testing.T) {
	dir := dir(t)
	write(t, dir+"/f", "abc")
	if got, err := Digest(dir + "/f"); err != nil || got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("got %s, %v", got, err)
	}
	for _, path := range []string{dir, dir + "/gone", os.DevNull} {
		if got, err := Digest(path); err == nil {
			t.Errorf("%s has the digest %s", path, got)
		}
	}
}
