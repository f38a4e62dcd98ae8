package browser

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

// promised is how soon after the end of a host its profile is gone, as far as the watcher decides: the clock of these
// tests moves only while it waits, so that a busy machine is no excuse for it and no fault of it.
const promised = 3 * time.Second

// watched is a profile with a watcher, and a parent that lives.
type watched struct {
	t     *testing.T
	dir   string
	lock  profileLock
	pipe  *io.PipeWriter
	ended chan struct{} // the watcher has
}

func newWatched(t *testing.T, dir string) *watched {
	t.Helper()
	lock, err := lockProfile(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	theirs, pipe := io.Pipe()
	w := &watched{t, dir, lock, pipe, make(chan struct{})}
	go func() {
		defer close(w.ended)
		watchProfile(theirs, dir)
	}()
	return w
}

// takes waits for the watcher's end, and tells how long it let pass since the pipe closed.
func (w *watched) takes() time.Duration {
	w.t.Helper()
	began := time.Now()
	_ = w.pipe.Close()
	<-w.ended
	return time.Since(began)
}

func (w *watched) isThere() bool {
	_, err := os.Stat(w.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Error(err)
	}
	return err == nil
}

// newProfile is the directory of a profile, with something in it.
func newProfile(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), profilePrefix+"1")
	if err := os.MkdirAll(filepath.Join(dir, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "Default", "Cookies"), []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAWatcherRemovesTheProfileWithinSecondsOfItsParentsEnd(t *testing.T) {
	t.Run("that held nothing any more", func(t *testing.T) {
		dir := newProfile(t)
		synctest.Test(t, func(t *testing.T) {
			w := newWatched(t, dir)
			w.lock.release()
			time.Sleep(time.Hour) // of the bubble
			if !w.isThere() {
				t.Error("the profile is gone while the pipe of the parent is open")
			}
			if took := w.takes(); took > promised || w.isThere() {
				t.Errorf("after %v the profile is there: %v", took, w.isThere())
			}
		})
	})
	t.Run("whose browser left its socket", func(t *testing.T) {
		dir := newProfile(t)
		t.Setenv("TMPDIR", filepath.Dir(dir))
		sockets, elsewhere := filepath.Join(filepath.Dir(dir), "org.chromium.Chromium.1"), t.TempDir()
		for _, in := range []string{sockets, elsewhere} {
			if err := errors.Join(os.MkdirAll(in, 0o700), os.WriteFile(filepath.Join(in, "SingletonSocket"), nil, 0o600),
				os.WriteFile(filepath.Join(in, "SingletonCookie"), nil, 0o600)); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(dir, "SingletonSocket")
			_ = os.Remove(link)
			if err := os.Symlink(filepath.Join(in, "SingletonSocket"), link); err != nil {
				t.Fatal(err)
			}
			if got := socketOf(dir); (got != "") != (in == sockets) {
				t.Errorf("the socket in %s is %q", in, got)
			}
		}
		// The browser may remove the link as it ends.
		if err := os.Remove(filepath.Join(dir, "SingletonSocket")); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) {
			w := newWatched(t, dir)
			_, _ = io.WriteString(w.pipe, filepath.Join(sockets, "SingletonSocket"))
			w.lock.release()
			if w.takes(); w.isThere() {
				t.Error("the profile is there")
			}
		})
		if _, err := os.Stat(sockets); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the directory of the socket is there: %v", err)
		}
	})
	t.Run("whose tasks had downloads", func(t *testing.T) {
		dir := newProfile(t)
		var locks []profileLock
		downloads := func(name string) string {
			dir := filepath.Join(filepath.Dir(dir), downloadsPrefix+name)
			if err := os.MkdirAll(filepath.Join(dir, "files"), 0o700); err != nil {
				t.Fatal(err)
			}
			lock, err := lockProfile(dir, "the task")
			if err != nil {
				t.Fatal(err)
			}
			locks = append(locks, lock)
			return dir
		}
		own, late, others := downloads("own"), downloads("late"), downloads("others")
		defer locks[2].release()
		synctest.Test(t, func(t *testing.T) {
			w := newWatched(t, dir)
			w.lock.release()
			locks[0].release()
			time.AfterFunc(150*time.Millisecond, locks[1].release)
			took := w.takes()
			for dir, want := range map[string]bool{own: false, late: false, others: true} {
				if _, err := os.Stat(dir); (err == nil) != want {
					t.Errorf("after %v %s is there: %v", took, dir, err == nil)
				}
			}
			if took > promised {
				t.Errorf("it took %v", took)
			}
		})
	})
	t.Run("whose lock outlives its pipe", func(t *testing.T) {
		dir := newProfile(t)
		synctest.Test(t, func(t *testing.T) {
			w := newWatched(t, dir)
			const later = 10 * time.Second
			time.AfterFunc(later, w.lock.release)
			if took := w.takes(); took < later || took > later+promised || w.isThere() {
				t.Errorf("the lock was there for %v, the watcher for %v; the profile is there: %v", later, took, w.isThere())
			}
		})
	})
	t.Run("whose browser lives on", func(t *testing.T) {
		dir := newProfile(t)
		// One of its processes does not name the profile, as one that just starts.
		browser := exec.Command(executable(t, "browser", "sleep 1000 & echo ready; read line"), "--user-data-dir="+dir)
		if _, err := browser.StdinPipe(); err != nil {
			t.Fatal(err)
		}
		out, err := browser.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		group, err := procgroup.Start(browser)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 5)); err != nil || len(usersOf(dir)) == 0 {
			t.Fatalf("%v use the profile, %v", usersOf(dir), err)
		}
		synctest.Test(t, func(t *testing.T) {
			w := newWatched(t, dir)
			w.lock.release()
			if took := w.takes(); took > promised || w.isThere() { // it looks every few milliseconds: hundreds of times
				t.Errorf("after %v the profile is there: %v", took, w.isThere())
			}
		})
		if left := survivors(browser.Process.Pid, dir); len(left) > 0 {
			t.Errorf("the processes %v of the browser live on", left)
		}
		group.Kill()
		group.Wait()
	})
}

// A pipe can close by a slip of the parent's: as long as it holds the lock, the profile is its own.
func TestAWatcherLeavesTheProfileOfAParentThatLives(t *testing.T) {
	dir := newProfile(t)
	synctest.Test(t, func(t *testing.T) {
		w := newWatched(t, dir)
		if took := w.takes(); took < watcherPatience || !w.isThere() {
			t.Errorf("after %v the profile is there: %v", took, w.isThere())
		}
		w.lock.release()
	})
}
