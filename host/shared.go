package host

import (
	"context"
	"errors"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/rental"
)

// shared is a connection and the number of tasks that use it.
type shared struct {
	key     string // in Host.links; empty: no other task may use it
	link    *engine.Link
	address string           // resolved; empty for a launched browser
	process *browser.Process // nil unless the host launched the browser
	headed  bool             // it launched the browser with a window
	network Network          // what it launched the browser with
	lease   *rental.Browser  // nil unless it is rented
	users   int              // guarded by Host.mu

	notices  notices
	fallback string // why a local browser was launched instead of a rented one
}

// scope returns what belongs to a task: at an address what it asks for, all of a browser that is its own, and nothing
// but a context of one that other tasks may use.
func (s *shared) scope(o TaskOptions) Scope {
	switch {
	case s.key == "":
		return ScopeBrowser
	case s.process != nil || o.Scope == ScopeAuto && o.TargetID == "":
		return ScopeContext
	case o.Scope == ScopeAuto:
		return ScopeTab
	}
	return o.Scope
}

// usable reports whether the browser is there, as far as is known.
func (s *shared) usable() bool {
	if s.process != nil {
		select {
		case <-s.process.Done():
			return false // although the connection may not have ended yet
		default:
		}
	}
	return s.link.Alive()
}

// share returns the connection with this key, which the first task opens.
func (h *Host) share(ctx context.Context, key string, open func() (*shared, error)) (*shared, error) {
	unlock, err := h.starting.Lock(ctx, "browser "+key)
	if err != nil {
		return nil, err
	}
	defer unlock()
	h.mu.Lock()
	s := h.links[key]
	if s != nil && s.usable() {
		s.users++
		h.mu.Unlock()
		return s, nil
	}
	h.mu.Unlock()
	if s, err = open(); err != nil {
		return nil, err
	}
	s.key = key
	h.mu.Lock()
	h.links[key] = s
	h.mu.Unlock()
	return s, nil
}

// release gives up one share of a connection. Releasing the last closes it and ends a launched browser.
func (h *Host) release(ctx context.Context, s *shared) error {
	h.mu.Lock()
	s.users--
	last := s.users == 0
	if last && h.links[s.key] == s {
		delete(h.links, s.key)
	}
	h.mu.Unlock()
	if !last {
		return nil
	}
	if s.lease != nil {
		s.link.Close()
		return s.lease.Release()
	}
	if s.process == nil {
		s.link.Close()
		return nil
	}
	// Browser.close lets the browser save its profile. If it does not answer, its process is ended below.
	err := s.link.Call(ctx, cdpbrowser.CommandClose, nil, nil)
	if errors.Is(err, ErrDisconnected) {
		err = nil
	}
	s.link.Close()
	return errors.Join(err, s.process.Close(ctx))
}
