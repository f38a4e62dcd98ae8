package upstream

import (
	"context"
	"log/slog"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// server is one server: its connection, if there is one, and what it offers.
type server struct {
	servers *Servers
	name    string
	spec    Server
	timeout time.Duration
	limits  limits
	log     *slog.Logger
	getenv  func(name string) string
	version string  // of this program
	before  *server // whose tools it takes over, until it is in service; nil: nobody's
	running context.Context
	stop    context.CancelFunc
	ended   chan struct{} // closed once nothing of it is left
	settled chan struct{} // closed once it has answered or failed, or is disabled
	once    sync.Once

	mu       sync.Mutex // guards what follows
	state    State
	reason   string
	program  string
	retryAt  time.Time
	restarts int
	tools    []found
	listing  listing
	dirty    bool     // tools have changed since the last take
	session  *session // nil unless ready
	moved    chan struct{}
	outage   *time.Timer // removes the tools from the list
}

func newServer(all *Servers, name string, o Options) *server {
	s := &server{
		servers: all, name: name, spec: o.Servers[name], timeout: o.Timeout, limits: o.limits, getenv: o.Getenv, version: o.Version, state: StateStarting,
		log: o.Logger.With("mcp_server", name), settled: make(chan struct{}), moved: make(chan struct{}), ended: make(chan struct{}),
	}
	if s.spec.Timeout > 0 {
		s.timeout = s.spec.Timeout
	}
	s.running, s.stop = context.WithCancel(all.running)
	return s
}

// after returns what takes the place of a server: that server, if this one would do the same, or this one.
func (s *server) after(before *server) *server {
	if before.is(s) {
		s.stop()
		return before
	}
	s.before = before
	return s
}

// is reports whether another server would do the same as this one, with the same secrets.
func (s *server) is(other *server) bool {
	same := func(of func(Server) map[string]string) bool {
		mine, err := expand("", of(s.spec), s.getenv)
		others, err2 := expand("", of(other.spec), other.getenv)
		return err == nil && err2 == nil && maps.Equal(mine, others)
	}
	return reflect.DeepEqual(s.spec, other.spec) && s.timeout == other.timeout &&
		same(func(o Server) map[string]string { return o.Env }) && same(func(o Server) map[string]string { return o.Headers })
}

// inherit takes over the tools of the server before it, until it has listed its own, or is away for too long. It does
// not if others are to be offered now.
func (s *server) inherit() {
	before := s.before
	if before == nil || s.spec.Disabled || !slices.Equal(before.spec.Include, s.spec.Include) || !slices.Equal(before.spec.Exclude, s.spec.Exclude) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tools = before.offered(); s.tools != nil {
		s.dirty, s.outage = true, time.AfterFunc(s.limits.outage, s.withdraw)
	}
}

// keep connects to the server and reconnects until it is stopped.
func (s *server) keep() {
	defer close(s.ended)
	ctx := s.running
	if s.spec.Disabled {
		s.move(func() { s.state = StateDisabled })
		s.settle()
		return
	}
	defer s.stopOutage()
	attempts := 0 // failed in a row
	for {
		lasted, err := s.attempt(ctx)
		if ctx.Err() != nil {
			return
		}
		if lasted > s.limits.settled {
			attempts = 0
		}
		attempts++
		delay := s.delay(attempts)
		s.failed(err, time.Now().Add(delay))
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// delay returns how long to wait before the next attempt: it doubles each time, with jitter.
func (s *server) delay(attempts int) time.Duration {
	delay := min(s.limits.backoff<<min(attempts-1, 20), s.limits.maxDelay)
	return delay/2 + rand.N(delay/2+1)
}

// attempt connects and serves the tools as long as the connection lasts. The error says why it ended.
func (s *server) attempt(ctx context.Context) (lasted time.Duration, err error) {
	session, err := s.connect(ctx)
	if err != nil {
		return 0, err
	}
	list, err := session.list(ctx)
	if err != nil {
		return 0, session.end(err)
	}
	began := time.Now()
	s.ready(session, list)
	err = s.serve(ctx, session)
	return time.Since(began), session.end(err)
}

// serve lists the tools again when the server says that they changed, until the connection ends.
func (s *server) serve(ctx context.Context, session *session) error {
	pause := time.NewTimer(0) // between two listings
	defer pause.Stop()
	for {
		select {
		case <-session.running.Done():
			return nil // the session knows why
		case <-ctx.Done():
			return ctx.Err()
		case <-pause.C:
		}
		select {
		case <-session.running.Done():
			return nil // the session knows why
		case <-ctx.Done():
			return ctx.Err()
		case <-session.changed:
		}
		list, err := session.list(ctx)
		if err == nil {
			s.listed(list)
		} else if session.running.Err() == nil {
			reason := session.hide.reason(err)
			s.move(func() { s.reason = "its tools could not be listed again: " + reason })
			s.log.Warn("an MCP server did not list its tools again; the previous ones are offered", "error", reason)
		}
		pause.Reset(s.limits.relist)
	}
}

// move changes the state of the server and wakes those who wait for a change.
func (s *server) move(change func()) {
	s.mu.Lock()
	change()
	close(s.moved)
	s.moved = make(chan struct{})
	s.mu.Unlock()
	s.servers.register()
}

func (s *server) settle() {
	s.once.Do(func() { close(s.settled) })
	s.servers.register()
}

// ready puts a connection into service.
func (s *server) ready(session *session, list listing) {
	s.move(func() {
		s.session, s.program = session, session.program
		if s.outage != nil {
			s.outage.Stop()
			s.outage = nil
			if s.state == StateFailed {
				s.restarts++
			}
		}
		s.state = StateReady
	})
	s.listed(list)
	s.settle()
	s.log.Info("an MCP server is ready", "tools", len(list.tools))
}

// listed records the tools that a server now has.
func (s *server) listed(list listing) {
	s.move(func() { s.tools, s.listing, s.reason, s.dirty = list.tools, list, "", true })
	if len(list.unmatched) > 0 {
		s.log.Warn("include or exclude of an MCP server name tools that it does not have", "names", list.unmatched)
	}
	for _, why := range list.leftOut {
		s.log.Warn("a tool of an MCP server cannot be offered", "tool", why)
	}
}

// failed records why there is no connection. The tools are removed from the list after a while.
func (s *server) failed(err error, retryAt time.Time) {
	lost := false
	s.move(func() {
		lost = s.session != nil
		s.session, s.state, s.reason, s.retryAt = nil, StateFailed, err.Error(), retryAt
		if lost && s.outage == nil {
			s.outage = time.AfterFunc(s.limits.outage, s.withdraw)
		}
	})
	s.log.Warn("an MCP server cannot be used", "error", err, "again_at", retryAt.Format(time.TimeOnly))
	s.settle()
}

// withdraw removes the tools of a server that stays away from the list.
func (s *server) withdraw() {
	s.move(func() {
		if s.session == nil {
			s.tools, s.dirty = nil, true
		}
	})
}

func (s *server) stopOutage() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.outage != nil {
		s.outage.Stop()
	}
}

// take returns the tools, and whether they must be registered again.
func (s *server) take() (tools []found, changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	changed, s.dirty = s.dirty, false
	return s.tools, changed
}

func (s *server) offered() []found {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tools
}

func (s *server) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := Status{
		Name: s.name, State: s.state, Program: s.program, Error: s.reason, Restarts: s.restarts,
		Unmatched: s.listing.unmatched, LeftOut: s.listing.leftOut,
	}
	if s.state == StateFailed {
		at := s.retryAt
		out.RetryAt = &at
	}
	return out
}

// custom returns a tool for the registry.
func (s *server) custom(t found) agent.Custom {
	return agent.Custom{Tool: t.tool, NoBrowser: true, Run: s.runner(t)}
}
