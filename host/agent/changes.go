package agent

import (
	"maps"
	"slices"
)

// Changed implements [Tools].
func (r *Registry) Changed(notify func()) (stop func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	id := r.last
	r.listeners[id] = notify
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.listeners, id)
	}
}

func (r *Registry) changed() {
	r.mu.Lock()
	listeners := slices.Collect(maps.Values(r.listeners))
	r.mu.Unlock()
	for _, notify := range listeners {
		notify()
	}
}

// watchTask removes the tools of a task when it ends, as fewer tools may be usable then.
func (r *Registry) watchTask(b *Browser) {
	r.changed() // the task was not known before
	select {
	case <-b.Task().Done():
	case <-r.running.Done():
		return
	}
	r.mu.Lock()
	if r.browsers[b.Task().ID()] == b {
		delete(r.browsers, b.Task().ID())
	}
	r.mu.Unlock()
	r.changed()
}

// watchPlugins notifies listeners when plugins are added, removed or changed.
func (r *Registry) watchPlugins() {
	changed := r.host.PluginsChanged()
	for {
		select {
		case <-changed:
			changed = r.host.PluginsChanged() // before the listeners look
			r.changed()
		case <-r.running.Done():
			return
		}
	}
}
