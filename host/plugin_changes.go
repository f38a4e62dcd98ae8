package host

import "sync"

// broadcast lets any number of goroutines wait for the next of something. The zero value is ready.
type broadcast struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait gives a channel that the next tell closes.
func (b *broadcast) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

func (b *broadcast) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}

// PluginsChanged gives a channel that is closed when other modules come into service than now, so that PluginTools may list
// others. Take it before you look.
func (h *Host) PluginsChanged() <-chan struct{} { return h.pluginChanges.wait() }
