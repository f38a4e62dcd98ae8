package upstream

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// Registry is the part of an [agent.Registry] that this package uses.
type Registry interface {
	Register(source string, tools ...agent.Custom) error
	Announce(sources ...string)
	List(agent.View) []agent.Listing
	CheckConfigured() error
}

var _ Registry = (*agent.Registry)(nil)

// Servers are the connections to all servers. They are safe for concurrent use.
type Servers struct {
	registry Registry
	log      *slog.Logger
	limits   limits
	running  context.Context // ends with Close
	stop     context.CancelFunc
	work     sync.WaitGroup
	settled  chan struct{} // closed once each server of the start has answered or failed
	named    chan struct{} // closed then, or when NamingTime is over

	configuring sync.Mutex // one configuration after the other; locked before mu

	mu     sync.Mutex // guards what follows; held while tools are registered; locked before a server's mu
	all    []*server  // by name; replaced with both locked
	names  names
	late   bool // NamingTime is over
	closed bool
}

// Start starts connecting to the servers and returns at once. Close must be called.
func Start(r Registry, o Options) *Servers {
	o = o.withDefaults()
	s := &Servers{registry: r, log: o.Logger, limits: o.limits, settled: make(chan struct{}), named: make(chan struct{}), names: newNames()}
	s.running, s.stop = context.WithCancel(context.Background())
	for _, name := range slices.Sorted(maps.Keys(o.Servers)) {
		s.all = append(s.all, newServer(s, name, o))
	}
	first := slices.Clone(s.all)
	for _, one := range first {
		s.work.Go(one.keep)
	}
	s.work.Go(func() { s.settle(first) })
	return s
}

// Configure replaces the servers. Those that are as they were keep their connections; the others end, and all that is
// left of them, before it returns. The new ones are connected to afterwards, as by [Start]: their tools appear when
// they have listed them. A server of which something else has changed than which of its tools are offered takes over
// the tools of its predecessor, so that clients do not see them go.
func (s *Servers) Configure(o Options) {
	s.configuring.Lock()
	defer s.configuring.Unlock()
	if s.running.Err() != nil { // closed
		return
	}
	o = o.withDefaults()
	o.limits = s.limits
	s.registry.Announce(o.Sources()...)
	before, now := s.all, make([]*server, 0, len(o.Servers))
	for _, name := range slices.Sorted(maps.Keys(o.Servers)) {
		one := newServer(s, name, o)
		if at := slices.IndexFunc(before, func(old *server) bool { return old.name == name }); at >= 0 {
			one = one.after(before[at])
		}
		now = append(now, one)
	}
	ended, added := without(before, now), without(now, before)
	end(ended)
	s.begin(now, added, ended)
}

// without are the servers that are not among others.
func without(servers, others []*server) []*server {
	return slices.DeleteFunc(slices.Clone(servers), func(one *server) bool { return slices.Contains(others, one) })
}

// end ends servers, and all that is left of them.
func end(servers []*server) {
	for _, one := range servers {
		one.stop()
	}
	for _, one := range servers {
		<-one.ended
		one.settle() // nobody waits for it any longer
	}
}

// begin puts servers into service, of which some are new, in place of those that have ended.
func (s *Servers) begin(all, added, ended []*server) {
	s.mu.Lock()
	s.all = all
	for _, one := range added {
		one.inherit()
	}
	for _, one := range ended {
		if !slices.ContainsFunc(added, func(next *server) bool { return next.before == one && next.offered() != nil }) {
			s.unregister(one)
		}
	}
	s.mu.Unlock()
	s.register()
	for _, one := range added {
		one.before = nil
		s.work.Go(one.keep)
	}
	s.work.Go(func() {
		if s.wait(added, nil) {
			s.check()
		}
	})
}

// settle waits until each server of the start has answered or failed, and ends the time in which names are assigned in
// order. Only then are errors in the configured toolsets known.
func (s *Servers) settle(first []*server) {
	naming := time.NewTimer(s.limits.naming)
	defer naming.Stop()
	if s.wait(first, naming.C) {
		s.endNaming()
		close(s.settled)
		s.check()
	}
}

// wait waits until servers have answered or failed, and reports whether they have. When naming fires, names are no
// longer assigned in order.
func (s *Servers) wait(servers []*server, naming <-chan time.Time) bool {
	for _, one := range servers {
		for waiting := true; waiting; {
			select {
			case <-one.settled:
				waiting = false
			case <-naming:
				s.endNaming()
			case <-s.running.Done():
				return false
			}
		}
	}
	return true
}

// check looks for names in toolsets that no server has turned out to have.
func (s *Servers) check() {
	if err := s.registry.CheckConfigured(); err != nil {
		s.log.Warn("a configured toolset has an unknown name", "error", err)
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
	s.configuring.Lock()
	defer s.configuring.Unlock()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.work.Wait()
	for _, one := range s.all {
		s.unregister(one)
	}
}

// unregister removes the tools of a server.
func (s *Servers) unregister(one *server) {
	_ = s.registry.Register(agent.ServerSource(one.name)) // registering no tools cannot fail
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
