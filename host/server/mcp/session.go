package mcp

import (
	"context"
	"errors"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// errClosed is what a client of a server that ends is told.
var errClosed = errors.New("the server is closing")

// methodDiscover is asked before there is a session; over HTTP it never becomes one.
const methodDiscover = "server/discover"

// session is one client, for as long as it is connected.
type session struct {
	server   *Server
	sdk      *mcp.Server // serves this session alone, as the tools are those of its client
	task     string
	owned    bool // the task ends with the session
	toolsets []string
	caller   access.Caller // who began it

	mu      sync.Mutex
	begun   bool
	refused bool // the server had been closed when the first request came
	conn    *mcp.ServerSession
	running context.Context // ends with the session, and with it every call; set when it begins
	stop    context.CancelCauseFunc
	work    sync.WaitGroup // the session's own goroutines
	ending  sync.Once
	ended   chan struct{} // closed when nothing of the session is left

	listed   toolList
	watching sync.Once // of resources; begins with the first subscription

	watchingRecordings sync.Once // likewise
}

// receive is the way of every request of the client.
func (s *session) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if conn, ok := request.GetSession().(*mcp.ServerSession); ok && method != methodDiscover && !s.begin(conn) {
			return nil, errClosed
		}
		switch r := request.(type) {
		case *mcp.ListToolsRequest:
			s.server.options.Settle(ctx)
			return result(s.list(r))
		case *mcp.CallToolRequest:
			s.server.options.Settle(ctx)
			return result(s.call(ctx, r))
		}
		return next(ctx, method, request)
	}
}

// result keeps a nil pointer from becoming a result that is there.
func result[R mcp.Result](r R, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// begin starts what a session needs beside its requests, once. It tells whether the session is served.
func (s *session) begin(conn *mcp.ServerSession) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun {
		return !s.refused
	}
	s.begun, s.conn = true, conn
	if s.refused = !s.server.keep(s); s.refused {
		return false
	}
	s.running, s.stop = context.WithCancelCause(context.Background())
	s.endsWithToken()
	s.server.http.add(conn.ID(), s)
	changed := make(chan struct{}, 1)
	unsubscribe := s.server.options.Tools.Changed(func() {
		select {
		case changed <- struct{}{}:
		default: // it is known already
		}
	})
	s.work.Go(func() {
		defer unsubscribe()
		s.announce(changed)
	})
	go func() {
		_ = conn.Wait() // how a client left makes no difference
		s.end()
	}()
	return true
}

// endsWithToken makes the client leave when the token ends that the session began with.
func (s *session) endsWithToken() {
	grant := s.caller.Grant()
	if grant == nil {
		return
	}
	stay := context.AfterFunc(grant.Context(), s.close)
	context.AfterFunc(s.running, func() { stay() })
}

// close makes the client leave.
func (s *session) close() {
	s.cancel()
	_ = s.conn.Close() // it waits for the calls; what could fail is the connection, which ends
	s.end()
}

// cancel ends the calls that are under way.
func (s *session) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop(errClosed)
	}
}

// end lets go of what the session had, and returns when nothing of it is left.
func (s *session) end() {
	s.mu.Lock()
	served := s.begun && !s.refused
	s.mu.Unlock()
	if !served {
		return
	}
	s.ending.Do(func() {
		defer close(s.ended)
		s.cancel()
		s.work.Wait()
		s.server.http.remove(s.conn.ID())
		if s.owned {
			ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
			defer cancel()
			if err := s.server.options.Tasks.End(ctx, s.task); err != nil {
				s.server.log.Warn("the task of an MCP session did not end cleanly", "task", s.task, "error", err)
			}
		}
		s.server.drop(s)
	})
	<-s.ended
}

// view is for whom tools are listed and called.
func (s *session) view(client *mcp.Implementation) agent.View {
	v := agent.View{Task: s.task, Toolsets: s.toolsets, Within: s.caller.Within()}
	if client != nil {
		v.Client = client.Name
	}
	return v
}
