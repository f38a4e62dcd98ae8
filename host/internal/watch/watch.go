// Package watch tells when files may have another content, however they are changed: written in place, replaced by a
// rename, or reached through a symbolic link that was swapped, as Kubernetes does with the files of a ConfigMap.
package watch

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet is how long nothing may happen to a file before it is taken for complete: who writes one does so in pieces.
	quiet = 100 * time.Millisecond
	// patience is how long a file that never becomes quiet is waited for.
	patience = 2 * time.Second
)

// Watcher watches the files of any number of keys. Close it when it is no longer needed.
type Watcher struct {
	notify  *fsnotify.Watcher
	set     chan setting
	changed chan []string
	stop    chan struct{}
	ended   chan struct{}

	// What follows belongs to the goroutine of run.
	files   map[string][]string            // by key
	names   map[string]map[string]struct{} // the keys that depend on a name, which is a file, a link or a watched directory
	pending map[string]struct{}            // keys whose files may have changed
	first   time.Time                      // when the first of them did
	settled bool                           // nothing has happened to them for a while
}

type setting struct {
	files map[string][]string
	done  chan error
}

// New starts a watcher, which watches nothing yet. The error is the system's, say that a user has too many watchers.
func New() (*Watcher, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	w := &Watcher{
		notify: notify, set: make(chan setting), changed: make(chan []string), stop: make(chan struct{}), ended: make(chan struct{}),
		pending: map[string]struct{}{},
	}
	go w.run()
	return w, nil
}

// Watch replaces what is watched: the paths of each key. They need not exist. What happens to them from now on is told. The
// error names the directories that cannot be watched; the others are.
func (w *Watcher) Watch(files map[string][]string) error {
	s := setting{files: files, done: make(chan error, 1)}
	select {
	case w.set <- s:
		return <-s.done
	case <-w.ended:
		return errors.New("the watcher is closed")
	}
}

// Changed returns the keys, sorted, whose files may have another content than when they were last given, a moment after
// the last change.
func (w *Watcher) Changed() <-chan []string { return w.changed }

// Close ends the watcher.
func (w *Watcher) Close() error {
	close(w.stop)
	<-w.ended
	return w.notify.Close()
}

func (w *Watcher) run() {
	defer close(w.ended)
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		var changed chan<- []string
		if w.settled && len(w.pending) > 0 {
			changed = w.changed
		}
		select {
		case <-w.stop:
			return
		case s := <-w.set:
			w.files = s.files
			maps.DeleteFunc(w.pending, func(key string, _ struct{}) bool { return s.files[key] == nil })
			s.done <- w.follow()
		case e := <-w.notify.Events:
			if w.note(w.names[e.Name]) {
				timer.Reset(min(quiet, time.Until(w.first.Add(patience))))
			}
		case <-w.notify.Errors: //nolint:errcheck // events were lost, and which ones it does not say
			if w.note(w.every()) {
				timer.Reset(quiet)
			}
		case <-timer.C:
			w.settled = true
			_ = w.follow() // a directory that went away is waited for in the one above it
		case changed <- slices.Sorted(maps.Keys(w.pending)):
			clear(w.pending)
		}
	}
}

// note remembers that the files of keys may have changed; false: there is no key.
func (w *Watcher) note(keys map[string]struct{}) bool {
	if len(keys) == 0 {
		return false
	}
	if len(w.pending) == 0 || w.settled { // the latter: who is told has not come yet
		w.first = time.Now()
	}
	maps.Copy(w.pending, keys)
	w.settled = false
	return true
}

func (w *Watcher) every() map[string]struct{} {
	keys := map[string]struct{}{}
	for key := range w.files {
		keys[key] = struct{}{}
	}
	return keys
}

// follow brings the watched directories up to date with where the paths lead now. What is made between the look at a path and
// the watch of its directory would be missed, so it looks again until nothing new is to be watched.
func (w *Watcher) follow() error {
	failed := map[string]error{}
	for {
		dirs := w.trace()
		added := false
		for dir := range dirs {
			if slices.Contains(w.notify.WatchList(), dir) || failed[dir] != nil {
				continue
			}
			added = true
			if err := w.notify.Add(dir); err != nil {
				failed[dir] = fmt.Errorf("%s cannot be watched: %w", dir, err)
			}
		}
		if added {
			continue
		}
		for _, dir := range w.notify.WatchList() {
			if !dirs[dir] {
				_ = w.notify.Remove(dir) // it fails if the directory went away, which is as good
			}
		}
		return errors.Join(slices.Collect(maps.Values(failed))...)
	}
}

// trace finds the names on which the files depend, and gives the directories that they are in.
func (w *Watcher) trace() map[string]bool {
	w.names = map[string]map[string]struct{}{}
	dirs := map[string]bool{}
	for key, paths := range w.files {
		for _, path := range paths {
			for _, name := range trail(path) {
				dir := filepath.Dir(name)
				dirs[dir] = true
				w.depend(name, key)
				w.depend(dir, key) // which may be moved or removed
			}
		}
	}
	return dirs
}

func (w *Watcher) depend(name, key string) {
	if w.names[name] == nil {
		w.names[name] = map[string]struct{}{}
	}
	w.names[name][key] = struct{}{}
}
