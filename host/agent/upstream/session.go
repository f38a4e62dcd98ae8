package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

var (
	// errSilent says that a server was reached but did not answer the handshake.
	errSilent = errors.New("it does not answer the MCP handshake")
	// errLeaving ends the calls of a connection that is being closed.
	errLeaving = errors.New("its connection was closed")
)

// methodDiscover is the first request to a server. A server from before 2026 may never answer it and wait for the older
// handshake.
const methodDiscover = "server/discover"

// link is a transport to a server.
type link interface {
	mcp.Transport
	// end releases everything that Connect acquired, and waits until nothing of it is left. lost says that the connection
	// had already ended, and not by us.
	end(lost bool)
	// why says, after end, how the server itself ended; nil if it did not.
	why() error
}

// session is one connection to a server.
type session struct {
	link    link
	conn    *mcp.ClientSession
	hide    hider // hides all values, in errors
	secrets hider // hides values named as secrets, in what the server says
	limits  limits
	spec    Server
	program string
	changed chan struct{}           // the server says that its tools have changed
	running context.Context         // canceled when the connection is lost or given up
	stop    context.CancelCauseFunc // takes the reason
	work    sync.WaitGroup

	progress sync.Map // of calls: from token to chan step
	tokens   atomic.Uint64
}

// connect connects to the server once. The error contains no secrets.
func (s *server) connect(ctx context.Context) (*session, error) {
	env, err := expand("env", s.spec.Env, s.getenv)
	if err != nil {
		return nil, err
	}
	headers, err := expand("headers", s.spec.Headers, s.getenv)
	if err != nil {
		return nil, err
	}
	n := &session{
		hide: newHider(s.spec.URL, env, headers), secrets: newNamedHider(env, headers), limits: s.limits, spec: s.spec, changed: make(chan struct{}, 1),
	}
	if s.spec.URL != "" {
		n.link = newRemote(s.spec, headers)
	} else {
		n.link = newProcess(s.spec, env, n.hide, s.limits.exit, s.log)
	}
	n.running, n.stop = context.WithCancelCause(context.Background())
	if err := n.shakeHands(ctx, s.version); err != nil {
		n.link.end(ctx.Err() == nil && !errors.Is(err, errSilent))
		n.stop(nil)
		return nil, n.explain(err)
	}
	n.work.Go(n.watch)
	return n, nil
}

func (n *session) shakeHands(ctx context.Context, version string) (err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, n.limits.connect, errSilent)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "hermes-cdp", Title: "Hermes CDP", Version: cmp.Or(version, "dev")}, &mcp.ClientOptions{
		Capabilities:                &mcp.ClientCapabilities{}, // servers cannot ask the user for anything
		Logger:                      slog.New(slog.DiscardHandler),
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { n.noteChange() },
		ProgressNotificationHandler: n.noteProgress,
	})
	client.AddSendingMiddleware(n.boundDiscovery)
	if n.conn, err = client.Connect(ctx, n.link, nil); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		return err
	}
	if info := n.conn.InitializeResult().ServerInfo; info != nil {
		n.program = pagetext.Line(pagetext.Shorten(info.Name+" "+info.Version, 100))
	}
	return nil
}

// boundDiscovery limits the first request, to leave time for the older handshake.
func (n *session) boundDiscovery(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if method == methodDiscover {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, n.limits.connect/4)
			defer cancel()
		}
		return next(ctx, method, r)
	}
}

func (n *session) noteChange() {
	select {
	case n.changed <- struct{}{}:
	default: // a change is already noted
	}
}

// goneError says that the server ended the connection.
type goneError struct{ error }

// Unwrap returns how.
func (e *goneError) Unwrap() error { return e.error }

// watch waits for the end of the connection.
func (n *session) watch() {
	err := n.conn.Wait()
	if err == nil {
		err = errors.New("it closed the connection")
	}
	n.stop(&goneError{err})
}

// end closes the connection and returns why it ended, which may be more precise than err (may be nil).
func (n *session) end(err error) error {
	n.stop(errLeaving)
	if cause := context.Cause(n.running); !errors.Is(cause, errLeaving) {
		err = cause
	}
	var gone *goneError
	lost := errors.As(err, &gone)
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = n.conn.Close()
	}()
	n.link.end(lost) // so that nothing waits for it
	<-closed
	n.work.Wait()
	return n.explain(err)
}

// explain says why a connection ended, without secrets. It is called after the end of the link.
func (n *session) explain(err error) error {
	if err == nil {
		err = errLeaving
	}
	if ended := n.link.why(); ended != nil && !errors.Is(err, errSilent) {
		err = ended
	}
	text := n.hide.reason(err)
	if errors.Is(err, errSilent) {
		return fmt.Errorf("%w within %v", errSilent, n.limits.connect)
	}
	return errors.New(text)
}

// step is the progress of a call.
type step struct {
	done, total float64
	note        string
}

// follow returns a token for a call and a channel for its progress, which keeps only the last step if nobody reads it.
func (n *session) follow() (token string, steps chan step, forget func()) {
	token = strconv.FormatUint(n.tokens.Add(1), 10)
	steps = make(chan step, 1)
	n.progress.Store(token, steps)
	return token, steps, func() { n.progress.Delete(token) }
}

// noteProgress must not block: answers arrive on the same connection.
func (n *session) noteProgress(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
	found, ok := n.progress.Load(r.Params.ProgressToken)
	if !ok {
		return
	}
	steps := found.(chan step)
	select {
	case <-steps: // replaced by a newer one
	default:
	}
	select {
	case steps <- step{r.Params.Progress, r.Params.Total, pagetext.Line(pagetext.Shorten(r.Params.Message, maxReason))}:
	default:
	}
}
