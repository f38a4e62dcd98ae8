// Package watch reports when the content of files may have changed, however they are changed: written in place,
// replaced by a rename, or reached through a symbolic link that was replaced, as Kubernetes does with the files of a
// ConfigMap.
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
	// quiet is how long a file must not change before it counts as complete: programs write files in pieces.
	quiet = 100 * time.Millisecond
	// patience is how long to wait for a file that never becomes quiet.
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
	names   map[string]map[string]struct{} // the keys that depend on a name: a file, a link or a watched directory
	pending map[string]struct{}            // keys whose files may have changed
	first   time.Time                      // when the first of them changed
	settled bool                           // nothing has happened to them for a while
}

type setting struct {
	files map[string][]string
	done  chan error
}

// New starts a watcher, which watches nothing yet. The error is the system's, for example if a user has too many
// watchers.
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

// Watch replaces what is watched: the paths of each key. They need not exist. Changes from now on are reported. The
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

// Changed receives the keys, sorted, whose files may have changed since they were last received, a moment after the
// last change.
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
		case <-w.notify.Errors: //nolint:errcheck // events were lost, and it does not say which ones
			if w.note(w.every()) {
				timer.Reset(quiet)
			}
		case <-timer.C:
			w.settled = true
			_ = w.follow() // if a directory disappeared, its parent is watched
		case changed <- slices.Sorted(maps.Keys(w.pending)):
			clear(w.pending)
		}
	}
}

// note remembers that the files of keys may have changed; it returns false if there are no keys.
func (w *Watcher) note(keys map[string]struct{}) bool {
	if len(keys) == 0 {
		return false
	}
	if len(w.pending) == 0 || w.settled { // settled: nobody has received the keys yet
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

// follow updates the watched directories to where the paths lead now. It would miss what is created between looking at
// a path and watching its directory, so it looks again until there is nothing new to watch.
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
				_ = w.notify.Remove(dir) // it fails if the directory is gone, which is fine
			}
		}
		return errors.Join(slices.Collect(maps.Values(failed))...)
	}
}

// trace finds the names on which the files depend, and returns the directories that they are in.
func (w *Watcher) trace() map[string]bool {
	w.names = map[string]map[string]struct{}{}
	dirs := map[string]bool{}
	for key, paths := range w.files {
		for _, path := range paths {
			for _, name := range trail(path) {
				dir := filepath.Dir(name)
				dirs[dir] = true
				w.depend(name, key)
				w.depend(dir, key) // it may be moved or removed
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
