package mcp

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// endTimeout bounds the end of a session's task: answering dialogs, leaving tabs, closing the browser.
const endTimeout = 20 * time.Second

// Options says what a server offers.
type Options = tasks.Offer

// SessionOptions configures one session.
type SessionOptions struct {
	// Task is the task that calls work on; it outlives the session. Empty: the session has a task of its own.
	Task string
	// Toolsets are offered instead of the configured ones. Empty: the configured ones.
	Toolsets []string

	caller access.Caller // who began the session
}

// Server serves sessions. It is safe for concurrent use.
type Server struct {
	options Options
	log     *slog.Logger
	http    *httpSide

	mu       sync.Mutex
	closed   bool
	sessions map[*session]struct{}
	ended    sync.WaitGroup // sessions that have begun; added to under mu, never once closed
}

// New returns a server without sessions.
func New(o Options) *Server {
	o = o.WithDefaults()
	s := &Server{options: o, log: o.Logger, sessions: map[*session]struct{}{}}
	s.http = newHTTPSide(s)
	return s
}

// Serve serves one session over a transport until the client leaves, which is not an error, or ctx ends. When it
// returns, the session's own task has ended. An error before that is about the toolsets. Whoever holds the streams has
// the rights of an operator.
func (s *Server) Serve(ctx context.Context, t mcp.Transport, o SessionOptions) error {
	if err := s.options.CheckToolsets(o.Toolsets); err != nil {
		return err
	}
	o.caller = access.AsOperator()
	session, err := s.newSession(o)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, session.cancel)() // otherwise the end of the connection would wait for the calls
	err = session.sdk.Run(ctx, t)
	session.end()
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return context.Cause(ctx)
	}
	return err
}

// Close ends all sessions and their own tasks. Later sessions are refused.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	for session := range s.sessions {
		go session.close()
	}
	s.mu.Unlock()
	s.ended.Wait()
}

// keep registers a session until it ends, unless the server has been closed.
func (s *Server) keep(session *session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.sessions[session] = struct{}{}
	s.ended.Add(1)
	return true
}

func (s *Server) drop(session *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, session)
	s.ended.Done()
}

// newSession prepares a session. Nothing runs for it before its first request. The error says that the task is not the
// caller's.
func (s *Server) newSession(o SessionOptions) (*session, error) {
	task, owned, err := o.caller.SessionTask(o.Task)
	if err != nil {
		return nil, err
	}
	session := &session{server: s, task: task, owned: owned, toolsets: o.Toolsets, caller: o.caller, ended: make(chan struct{})}
	session.sdk = mcp.NewServer(&mcp.Implementation{Name: "hermes-cdp", Title: "Hermes CDP", Version: s.options.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{
			Tools:     &mcp.ToolCapabilities{ListChanged: true},
			Resources: &mcp.ResourceCapabilities{Subscribe: true},
		},
		SubscribeHandler:   session.subscribe,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		SetCacheable:       func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = scopePrivate },
		Logger:             quieted(s.log.With("task", session.task)),
	})
	session.addResources()
	session.addRecordings()
	session.sdk.AddReceivingMiddleware(session.receive)
	return session, nil
}

// instructions tell a model what it cannot see from the tools.
const instructions = "A browser, supervised. " + agent.FenceNote + " " +
	"A call that a dialog blocks fails at once with blocked_by_dialog, and says how to answer and how to get its result. " +
	"With observe: true, a tool that acts also says what changed on the page."

// scopePrivate says that what a session receives is only for its client.
const scopePrivate = "private"
