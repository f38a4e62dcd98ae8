package upstream

import (
	"context"
	"log/slog"
	"math/rand/v2"
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

func newServer(all *Servers, name string, spec Server) *server {
	s := &server{
		servers: all, name: name, spec: spec, timeout: all.options.Timeout, limits: all.options.limits, state: StateStarting,
		log: all.options.Logger.With("mcp_server", name), settled: make(chan struct{}), moved: make(chan struct{}),
	}
	if spec.Timeout > 0 {
		s.timeout = spec.Timeout
	}
	return s
}

// keep connects to the server and reconnects until ctx ends.
func (s *server) keep(ctx context.Context) {
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
		s.session, s.state, s.program = session, StateReady, session.program
		if s.outage != nil {
			s.outage.Stop()
			s.outage = nil
			s.restarts++
		}
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
