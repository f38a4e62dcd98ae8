package upstream

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// Registry is the part of an [agent.Registry] that this package uses.
type Registry interface {
	Register(source string, tools ...agent.Custom) error
	List(agent.View) []agent.Listing
	CheckConfigured() error
}

var _ Registry = (*agent.Registry)(nil)

// Servers are the connections to all servers. They are safe for concurrent use.
type Servers struct {
	registry Registry
	options  Options
	all      []*server // by name
	stop     context.CancelFunc
	work     sync.WaitGroup
	settled  chan struct{} // closed once each server has answered or failed
	named    chan struct{} // closed then, or when NamingTime is over

	mu     sync.Mutex // guards what follows; held while tools are registered; locked before a server's mu
	names  names
	late   bool // NamingTime is over
	closed bool
}

// Start starts connecting to the servers and returns at once. Close must be called.
func Start(r Registry, o Options) *Servers {
	o = o.withDefaults()
	ctx, cancel := context.WithCancel(context.Background())
	s := &Servers{registry: r, options: o, stop: cancel, settled: make(chan struct{}), named: make(chan struct{}), names: newNames()}
	for _, name := range slices.Sorted(maps.Keys(o.Servers)) {
		s.all = append(s.all, newServer(s, name, o.Servers[name]))
	}
	for _, one := range s.all {
		s.work.Go(func() { one.keep(ctx) })
	}
	s.work.Go(func() { s.settle(ctx) })
	return s
}

// settle waits until each server has answered or failed, and ends the time in which names are assigned in order. Only
// then are errors in the configured toolsets known.
func (s *Servers) settle(ctx context.Context) {
	naming := time.NewTimer(s.options.limits.naming)
	defer naming.Stop()
	for _, one := range s.all {
		for waiting := true; waiting; {
			select {
			case <-one.settled:
				waiting = false
			case <-naming.C:
				s.endNaming()
			case <-ctx.Done():
				return
			}
		}
	}
	s.endNaming()
	close(s.settled)
	if err := s.registry.CheckConfigured(); err != nil {
		s.options.Logger.Warn("a configured toolset has an unknown name", "error", err)
	}
}

// endNaming stops servers from waiting for each other.
func (s *Servers) endNaming() {
	s.mu.Lock()
	was := s.late
	s.late = true
	s.mu.Unlock()
	s.register()
	if !was {
		close(s.named)
	}
}

// Settle is called before a client is first shown the tools. It waits until each server has listed its tools or failed
// to, but no longer than [NamingTime] after the start, or than ctx.
func (s *Servers) Settle(ctx context.Context) {
	select {
	case <-s.named:
	case <-ctx.Done():
	}
}

// Settled waits until each server has listed its tools or failed to, or ctx ends. It reports whether they have.
func (s *Servers) Settled(ctx context.Context) bool {
	select {
	case <-s.settled:
		return true
	case <-ctx.Done():
		return false
	}
}

// Close ends all connections and all programs that were started. When it returns nothing is left of them, and the
// toolsets are empty.
func (s *Servers) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.work.Wait()
	for _, one := range s.all {
		_ = s.registry.Register(agent.ServerSource(one.name)) // registering no tools cannot fail
	}
}

// Status returns the status of the servers, by name.
func (s *Servers) Status() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Status, len(s.all))
	for i, one := range s.all {
		out[i] = one.status()
		if out[i].State != StateDisabled {
			out[i].Tools = s.names.of(one.name, one.offered())
		}
	}
	return out
}

// register gives the registry the tools of servers that have changed. While names are assigned in order, a server waits
// for those before it.
func (s *Servers) register() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	for _, one := range s.all {
		select {
		case <-one.settled:
		default:
			if !s.late {
				return
			}
		}
		if tools, changed := one.take(); changed {
			s.give(one, tools)
		}
	}
}

// give assigns names to the tools of a server and registers them.
func (s *Servers) give(one *server, tools []found) {
	taken := map[string]bool{}
	for _, t := range s.registry.List(agent.View{}) {
		if t.Source != agent.ServerSource(one.name) {
			taken[t.Name] = true
		}
	}
	list := make([]agent.Custom, 0, len(tools))
	for _, t := range tools {
		custom := one.custom(t)
		custom.Name = s.names.name(one.name, t.remote, taken)
		list = append(list, custom)
	}
	if err := s.registry.Register(agent.ServerSource(one.name), list...); err != nil {
		one.log.Error("the tools of an MCP server cannot be offered", "error", err) // a bug: found ensures that they can
	}
}
