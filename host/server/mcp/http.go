package mcp

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

const (
	// sessionIdle is how long a client may be silent before its session is ended, as it may have forgotten to end it.
	sessionIdle = time.Hour

	// maxMissed limits, in bytes for all sessions together, what is kept for clients that lose a stream and come back with
	// Last-Event-ID. The oldest is discarded first; a client that asks for it gets an error.
	maxMissed = 16 << 20

	headerSession = "Mcp-Session-Id"
	// headerRequest identifies a request within this process, so that a call finds its connection.
	headerRequest = "Hermes-Cdp-Request"
)

// httpSide is the state of the clients that use HTTP.
type httpSide struct {
	server *Server
	sdk    *mcp.StreamableHTTPHandler
	bare   *mcp.Server // for requests that open no session
	serial atomic.Uint64

	mu       sync.Mutex
	requests map[string]context.Context // keyed by headerRequest
	sessions map[string]*session        // keyed by headerSession
}

// firstSession is the context key of the session that a request may open.
type firstSession struct{}

func newHTTPSide(s *Server) *httpSide {
	h := &httpSide{server: s, requests: map[string]context.Context{}, sessions: map[string]*session{}}
	h.bare = mcp.NewServer(&mcp.Implementation{Name: "hermes-cdp", Version: s.options.Version}, nil)
	missed := mcp.NewMemoryEventStore(nil)
	missed.SetMaxBytes(maxMissed)
	h.sdk = mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		if session, ok := r.Context().Value(firstSession{}).(*session); ok {
			return session.sdk
		}
		return h.bare
	}, &mcp.StreamableHTTPOptions{SessionTimeout: sessionIdle, EventStore: missed, Logger: quieted(s.log)})
	return h
}

// Path is where sessions are served over HTTP.
const Path = "/mcp"

// Handler serves sessions over streamable HTTP. It lets everybody in, except into somebody else's session; see
// [Server.Routes]. The query parameters task and toolsets (separated by commas) are those of [SessionOptions].
func (s *Server) Handler() http.Handler { return access.Unguarded(s.http) }

// Routes returns Handler as a table, for agents and what their tokens are bound to. Requests must carry a caller, see
// [access.With]: a session belongs to the token that began it.
func (s *Server) Routes() []access.Route {
	return []access.Route{{
		Pattern: Path, Role: access.Agent, Binding: access.BySession, Does: "speak MCP over streamable HTTP", Handler: s.http,
	}}
}

// ServeHTTP implements [http.Handler].
func (h *httpSide) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get(headerSession)
	if id != "" && !h.isOf(id, access.CallerOf(r.Context())) {
		http.Error(w, "session not found", http.StatusNotFound) // the SDK's text for an unknown session
		return
	}
	switch {
	case r.Method == http.MethodDelete:
		h.cancel(id) // otherwise its end would wait for its calls
	case r.Method == http.MethodPost && id == "":
		session, status, err := h.first(r)
		if err != nil {
			http.Error(w, err.Error(), status)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), firstSession{}, session))
	}
	name := strconv.FormatUint(h.serial.Add(1), 10)
	h.mu.Lock()
	h.requests[name] = r.Context()
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.requests, name)
	}()
	r.Header.Set(headerRequest, name)
	h.sdk.ServeHTTP(w, r)
}

// first prepares the session that a request may open. If it is refused, status is the HTTP status.
func (h *httpSide) first(r *http.Request) (_ *session, status int, err error) {
	query := r.URL.Query()
	o := SessionOptions{Task: query.Get("task"), caller: access.CallerOf(r.Context())}
	if list := query.Get("toolsets"); list != "" {
		o.Toolsets = strings.Split(list, ",")
	}
	if err := h.server.options.CheckToolsets(o.Toolsets); err != nil {
		return nil, http.StatusBadRequest, fmt.Errorf("toolsets: %w", err)
	}
	session, err := h.server.newSession(o)
	return session, http.StatusForbidden, err
}

// isOf reports whether a session is the caller's: an agent has only those that its own token began.
func (h *httpSide) isOf(id string, c access.Caller) bool {
	if c.Role() == access.Operator {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sessions[id]
	return s != nil && c.Grant() != nil && s.caller.Grant() == c.Grant()
}

// request returns the context of the HTTP request of a call, or nil if there is none.
func (h *httpSide) request(extra *mcp.RequestExtra) context.Context {
	if extra == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.requests[extra.Header.Get(headerRequest)]
}

// add registers a session by its id. Only sessions over HTTP have one.
func (h *httpSide) add(id string, s *session) {
	if id == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sessions[id] = s
}

func (h *httpSide) remove(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sessions, id)
}

func (h *httpSide) cancel(id string) {
	h.mu.Lock()
	session := h.sessions[id]
	h.mu.Unlock()
	if session != nil {
		session.cancel()
	}
}
