package mcp

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// sessionIdle is how long a client may say nothing before its session, which it may have forgotten to end, is ended.
	sessionIdle = time.Hour

	// maxMissed bounds, in bytes for all sessions together, what is kept for clients that lose a stream and come back with
	// Last-Event-ID. The oldest is forgotten first; who asks for it is told so.
	maxMissed = 16 << 20

	headerSession = "Mcp-Session-Id"
	// headerRequest names a request within this process, so that a call finds the connection that it came by.
	headerRequest = "Hermes-Cdp-Request"
)

// httpSide is what is known of the clients that come by HTTP.
type httpSide struct {
	server *Server
	sdk    *mcp.StreamableHTTPHandler
	bare   *mcp.Server // for requests that open no session
	serial atomic.Uint64

	mu       sync.Mutex
	requests map[string]context.Context // by headerRequest
	sessions map[string]*session        // by headerSession
}

// firstSession is the key of the session that a request may open.
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

// Handler serves sessions by streamable HTTP. It lets everybody in who has no session of somebody else's: see
// package control. The query parameters task and toolsets (names, with commas) are those of [SessionOptions].
func (s *Server) Handler() http.Handler { return s.http }

// ServeHTTP implements [http.Handler].
func (h *httpSide) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch id := r.Header.Get(headerSession); {
	case r.Method == http.MethodDelete:
		h.cancel(id) // else its end would wait for its calls
	case r.Method == http.MethodPost && id == "":
		query := r.URL.Query()
		o := SessionOptions{Task: query.Get("task")}
		if list := query.Get("toolsets"); list != "" {
			o.Toolsets = strings.Split(list, ",")
		}
		if err := h.server.options.CheckToolsets(o.Toolsets); err != nil {
			http.Error(w, "toolsets: "+err.Error(), http.StatusBadRequest)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), firstSession{}, h.server.newSession(o)))
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

// request gives the context of the HTTP request that brought a call, or nil where none did.
func (h *httpSide) request(extra *mcp.RequestExtra) context.Context {
	if extra == nil {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.requests[extra.Header.Get(headerRequest)]
}

// add remembers a session by its id; those that do not come by HTTP have none.
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
