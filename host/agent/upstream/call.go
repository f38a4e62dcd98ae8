package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// runner returns a function that calls a tool of the server. The server checks the arguments.
func (s *server) runner(t found) func(context.Context, *agent.Browser, json.RawMessage) (agent.Result, error) {
	return func(ctx context.Context, _ *agent.Browser, arguments json.RawMessage) (agent.Result, error) {
		if len(arguments) == 0 {
			arguments = json.RawMessage("{}")
		}
		var object map[string]json.RawMessage
		if err := json.Unmarshal(arguments, &object); err != nil || object == nil {
			return agent.Result{}, s.failure(fault.ErrBadArguments, "was not called: the arguments of a tool must be a JSON object")
		}
		ctx, cancel := context.WithTimeout(ctx, s.timeout)
		defer cancel()
		return s.call(ctx, t.remote, arguments)
	}
}

// call calls a tool on the current connection. It retries only calls that have not reached the server.
func (s *server) call(ctx context.Context, tool string, arguments json.RawMessage) (agent.Result, error) {
	for first := true; ; first = false {
		session, err := s.await(ctx)
		if err != nil {
			return agent.Result{}, err
		}
		answer, err := session.call(ctx, tool, arguments)
		switch {
		case err == nil:
			return s.answered(session, answer)
		case neverArrived(err):
			session.stop(err)
			if !first || !s.leaves(ctx, session) {
				return agent.Result{}, s.failure(fault.ErrServer, "cannot be reached: "+session.hide.reason(err)+"; nothing was done; try again later")
			}
		default:
			return agent.Result{}, s.explain(ctx, session, err)
		}
	}
}

// await returns the connection. If the server is about to be back, it waits a while.
func (s *server) await(ctx context.Context) (*session, error) {
	patience := time.NewTimer(s.limits.reconnect)
	defer patience.Stop()
	for {
		s.mu.Lock()
		session, state, reason, moved := s.session, s.state, s.reason, s.moved
		s.mu.Unlock()
		if session != nil && session.running.Err() == nil {
			return session, nil
		}
		select {
		case <-moved:
			continue
		case <-patience.C:
		case <-s.running.Done():
			return nil, s.failure(fault.ErrServer, "is no longer used as it was; nothing was done; look whether the tool is still there")
		case <-ctx.Done():
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return nil, s.failure(fault.ErrAborted, "was not called: the call was canceled")
			}
		}
		if reason == "" {
			reason = string(state)
		}
		return nil, s.failure(fault.ErrServer, "cannot be used now ("+reason+"); the host keeps retrying; nothing was done; go on without it, or call again later")
	}
}

// leaves waits until a connection that was given up is no longer in use.
func (s *server) leaves(ctx context.Context, old *session) bool {
	for {
		s.mu.Lock()
		left, moved := s.session != old, s.moved
		s.mu.Unlock()
		if left {
			return true
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return false
		}
	}
}

// call sends a call and waits for its answer, or for the end of the connection or of ctx.
func (n *session) call(ctx context.Context, tool string, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	token, steps, forget := n.follow()
	defer forget()
	params := &mcp.CallToolParams{Name: tool, Arguments: arguments}
	params.SetProgressToken(token)
	type answer struct {
		result *mcp.CallToolResult
		err    error
	}
	answered := make(chan answer, 1)
	returned := make(chan struct{})
	go func() {
		defer close(returned)
		result, err := n.conn.CallTool(ctx, params)
		answered <- answer{result, err}
	}()
	for {
		select {
		case s := <-steps:
			agent.ReportProgress(ctx, s.done, s.total, s.note)
		case a := <-answered:
			return a.result, a.err
		case <-n.running.Done():
			if cause := context.Cause(n.running); errors.Is(cause, errLeaving) {
				return nil, cause
			}
			select { // the SDK knows whether the call was sent
			case a := <-answered:
				return a.result, a.err
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		case <-ctx.Done():
			n.expect(returned)
			return nil, ctx.Err()
		}
	}
}

// expect gives up a connection whose server has stopped reading: an abandoned request is still being written.
func (n *session) expect(returned <-chan struct{}) {
	go func() {
		timer := time.NewTimer(n.limits.deaf)
		defer timer.Stop()
		select {
		case <-returned:
		case <-n.running.Done():
		case <-timer.C:
			n.stop(errors.New("it does not read its input"))
		}
	}()
}

// answered turns the server's answer into a result, or an error with one.
func (s *server) answered(session *session, r *mcp.CallToolResult) (agent.Result, error) {
	out := result(s.name, session.secrets, r)
	if !r.IsError {
		return out, nil
	}
	failed := s.failure(fault.ErrServerTool, "reported that its tool failed")
	failed.result, failed.Sent = &out, true
	return agent.Result{}, failed
}

// explain says why a call that was sent gave no result.
func (s *server) explain(ctx context.Context, session *session, err error) error {
	var refused *jsonrpc.Error
	var failed *CallError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		failed = s.failure(fault.ErrTimeout, fmt.Sprintf("did not answer within %v; it may have done what it was asked to; call again, or ask for less", s.timeout))
	case ctx.Err() != nil:
		failed = s.failure(fault.ErrAborted, "was told that the call is canceled; it may have done what it was asked to")
	case errors.As(err, &refused):
		failed = s.refused(session, refused)
	case errors.Is(err, io.EOF):
		failed = s.failure(fault.ErrServer, "ended before it answered; it may have done what it was asked to: check before you call again")
	default:
		failed = s.failure(fault.ErrServer, "gave no answer ("+session.hide.reason(err)+"); it may have done what it was asked to: check before you call again")
	}
	failed.Sent = true
	return failed
}

// refused returns the error for a JSON-RPC error, whose text is the server's.
func (s *server) refused(session *session, e *jsonrpc.Error) *CallError {
	failed := s.failure(fault.ErrServer, "refused the call")
	if e.Code == jsonrpc.CodeInvalidParams {
		failed.Code = fault.ErrBadArguments
	}
	out := result(s.name, session.secrets, &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: e.Message}}})
	out.Structured["kind"], out.Structured["code"] = string(failed.Code), string(failed.Code)
	failed.result = &out
	return failed
}

func (s *server) failure(code fault.Code, text string) *CallError {
	return &CallError{Server: s.name, Code: code, text: text}
}

// neverArrived reports whether a server cannot have seen a request: nothing listened at the URL, the session was
// unknown, or the connection had ended before (the only reason for which the SDK returns ErrConnectionClosed).
func neverArrived(err error) bool {
	var dial *net.OpError
	return errors.Is(err, mcp.ErrSessionMissing) || errors.Is(err, mcp.ErrConnectionClosed) || errors.As(err, &dial) && dial.Op == "dial"
}
