package record

import (
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
)

// Camera follows what the tabs of a task show, as long as somebody looks. Its methods may be called from any goroutine.
type Camera struct {
	task *engine.Task
	log  *slog.Logger

	mu      sync.Mutex
	viewers []*Viewer
	now     *shoot // nil: nobody looks
}

// Viewer looks through a camera.
type Viewer struct {
	// Every is the least time between two pictures of a tab; a page that does not change sends none.
	Every time.Duration
	// Side is the maximum width and height in pixels; the browser scales larger pictures down.
	Side int64
	// See gets each picture, from a goroutine of each tab. It must not block.
	See func(Picture)
	// Refused is told why a tab is not seen any longer, though it is there; may be nil. It must not block.
	Refused func(error)
}

// NewCamera returns the camera of a task.
func NewCamera(t *engine.Task, log *slog.Logger) *Camera { return &Camera{task: t, log: log} }

// Look shows a viewer what the tabs show from now on, until it calls stop. Pictures may come until stop returns.
func (c *Camera) Look(v Viewer) (stop func()) {
	one := &v
	c.change(func() { c.viewers = append(c.viewers, one) })
	return func() {
		c.change(func() {
			c.viewers = slices.DeleteFunc(c.viewers, func(other *Viewer) bool { return other == one })
		})
	}
}

// change begins the pictures again, for other viewers: a session has one screencast, of one size.
func (c *Camera) change(viewers func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now != nil {
		c.now.stop()
		<-c.now.done
		c.now = nil
	}
	viewers()
	if len(c.viewers) > 0 {
		c.now = begin(c.task, c.log, slices.Clone(c.viewers))
	}
}
