package mcp

import (
	"context"
	"errors"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// errClosed tells a client that the server is closing.
var errClosed = errors.New("the server is closing")

// methodDiscover is requested before there is a session; over HTTP it never becomes one.
const methodDiscover = "server/discover"

// session is one client, for as long as it is connected.
type session struct {
	server   *Server
	sdk      *mcp.Server // serves only this session, as its tools depend on its client
	task     string
	owned    bool // the task ends with the session
	toolsets []string
	caller   access.Caller // who began it

	mu      sync.Mutex
	begun   bool
	refused bool // the server had been closed when the first request came
	conn    *mcp.ServerSession
	running context.Context // canceled with the session, which ends every call; set by begin
	stop    context.CancelCauseFunc
	work    sync.WaitGroup // the session's own goroutines
	release func()         // lets the task be idle again; set by begin
	ending  sync.Once
	ended   chan struct{} // closed when nothing of the session is left

	listed   toolList
	watching sync.Once // resources; starts with the first subscription

	watchingRecordings sync.Once // likewise
}

// receive handles every request of the client.
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

// result keeps a nil pointer from becoming a non-nil result.
func result[R mcp.Result](r R, err error) (mcp.Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// begin starts what a session needs besides its requests, once. It reports whether the session is served.
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
	s.release = s.server.options.Tasks.Hold(s.task)
	s.server.http.add(conn.ID(), s)
	changed := make(chan struct{}, 1)
	unsubscribe := s.server.options.Tools.Changed(func() {
		select {
		case changed <- struct{}{}:
		default: // a change is already noted
		}
	})
	s.work.Go(func() {
		defer unsubscribe()
		s.announce(changed)
	})
	go func() {
		_ = conn.Wait() // it does not matter how a client left
		s.end()
	}()
	return true
}

// endsWithToken disconnects the client when the session's token ends.
func (s *session) endsWithToken() {
	grant := s.caller.Grant()
	if grant == nil {
		return
	}
	stay := context.AfterFunc(grant.Context(), s.close)
	context.AfterFunc(s.running, func() { stay() })
}

// close disconnects the client.
func (s *session) close() {
	s.cancel()
	_ = s.conn.Close() // waits for the calls; errors of a connection that ends do not matter
	s.end()
}

// cancel ends the calls in progress.
func (s *session) cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop != nil {
		s.stop(errClosed)
	}
}

// end releases what the session had, and returns when nothing of it is left.
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
		s.release()
		s.server.drop(s)
	})
	<-s.ended
}

// view returns the session's view of the tools.
func (s *session) view(client *mcp.Implementation) agent.View {
	v := agent.View{Task: s.task, Toolsets: s.toolsets, Within: s.caller.Within()}
	if client != nil {
		v.Client = client.Name
	}
	return v
}
