package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/decode"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/loading"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/netlog"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/screencast"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/timers"
	"github.com/hermes-cdp/hermes-cdp/host/internal/netguard"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Attach connects to a running browser at the address of an endpoint. Resolved is the WebSocket URL that it led to.
func (g *Group) Attach(ctx context.Context, address, resolved string) (*Link, error) {
	dial := func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) { return cdp.Dial(ctx, resolved, o) }
	return connect(ctx, g, nil, dial, redialEndpoint(address, resolved))
}

// AttachRented is Attach for a rented browser. renew returns the endpoint to connect to after a loss; the browser is
// gone if its error is an ErrBrowserGone.
func (g *Group) AttachRented(ctx context.Context, resolved string, renew func(context.Context) (string, error)) (*Link, error) {
	dial := func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) { return cdp.Dial(ctx, resolved, o) }
	return connect(ctx, g, nil, dial, redialRented(resolved, renew))
}

// Adopt connects to a browser that the host launched.
func (g *Group) Adopt(ctx context.Context, process *browser.Process) (*Link, error) {
	return connect(ctx, g, process.Guard(), dialProcess(process), redialProcess(process))
}

// Guard is the proxy of the host through which the browser reaches the network; nil: none.
func (l *Link) Guard() *netguard.Proxy { return l.guard }

// proxyLogin is what a browser has to tell its proxy.
func proxyLogin(guard *netguard.Proxy) supervise.ProxyLogin {
	if guard == nil {
		return supervise.ProxyLogin{}
	}
	return supervise.ProxyLogin{Origin: guard.Origin(), User: netguard.User, Password: guard.Password()}
}

// connect opens a connection to a browser and attaches to everything there. Dial opens it, and redial opens it again
// after a loss; if redial is nil, a loss is final.
func connect(ctx context.Context, g *Group, guard *netguard.Proxy, dial, redial dialer) (*Link, error) {
	l, err := newLink(ctx, g, guard, dial, redial)
	if err != nil {
		return nil, err
	}
	if err := l.start(ctx, l.conn); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// newLink connects a connection to an owner; the parameters are those of connect.
func newLink(ctx context.Context, g *Group, guard *netguard.Proxy, dial, redial dialer) (*Link, error) {
	l := &Link{
		group: g, guard: guard, Log: g.log, connection: newConnState(), inbox: newInbox(), done: make(chan struct{}),
		reconnection: reconnection{dial: redial, timeout: g.options.ReconnectTimeout, since: time.Now()},
		state: supervise.New(supervise.Config{
			DialogTimeout: g.options.DialogTimeout, NavigateFailClosed: g.options.NavigateFailClosed, RequestFailClosed: g.options.RequestFailClosed,
			DialogFailClosed: g.options.DialogFailClosed, Schemes: g.options.Schemes, Proxy: proxyLogin(guard),
		}),
		timers: timers.New(), tasks: map[string]*Task{}, sent: map[int64]supervise.SendCommand{},
		calls: map[schedule.CallID]*Call{}, commands: map[int64]schedule.CallID{}, sentAs: map[schedule.CallID]int64{},
		operations: map[schedule.OpID]*Operation{}, searches: map[schedule.SearchID]chan located{},
		requests: map[supervise.RequestID]chan supervise.Reply{},
		asks:     map[supervise.Token]context.CancelFunc{},
		watches:  map[Watcher]bool{},
	}
	l.scheduled = schedule.New(l.state)
	conn, err := dial(ctx, l.options())
	if err != nil {
		return nil, err
	}
	l.conn = conn
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.subscribe(conn)
	l.connection.setUp(conn)
	go l.run()
	return l, nil
}

// options are those of every connection of the link.
func (l *Link) options() cdp.Options {
	o := l.group.options
	return cdp.Options{
		Logger: l.Log, ReadLimit: o.ReadLimit,
		PingInterval: o.PingInterval, PingTimeout: o.PingTimeout, Heartbeat: o.Heartbeat,
		Handler: func(m cdp.Message) {
			if !l.frames.Take(m) {
				l.inbox.putMessage(m)
			}
		},
		OnClose: func(err error) { l.inbox.put(lost{err}) },
	}
}

func (l *Link) subscribe(conn *cdp.Conn) {
	for method := range decode.Methods() {
		conn.Subscribe(method)
	}
	for method := range netlog.Methods() {
		conn.Subscribe(method)
	}
	conn.Subscribe(watched...)
	conn.Subscribe(loading.Methods...)
	conn.Subscribe(screencast.Event)
}

// start attaches to the browser: target discovery for the state of all targets, and auto-attach in page mode, which
// reaches every tab and popup before its first script runs. The browser announces everything there before it replies.
func (l *Link) start(ctx context.Context, conn *cdp.Conn) error {
	if err := conn.Call(ctx, "", target.CommandSetDiscoverTargets, &target.SetDiscoverTargetsParams{Discover: true, Filter: pageFilter()}, nil); err != nil {
		return fmt.Errorf("discover targets: %w", err)
	}
	l.inbox.put(supervise.Event(supervise.Discovered{}))
	on := true
	if err := conn.Call(ctx, "", target.CommandSetAutoAttach, &target.SetAutoAttachParams{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &on, Filter: pageFilter(),
	}, nil); err != nil {
		return fmt.Errorf("attach to the browser's pages: %w", err)
	}
	l.inbox.put(supervise.Event(supervise.Reconnected{}))
	return nil
}

// pageFilter selects page mode: tabs and popups, and shared workers, which no page announces. Service workers are
// attached through the sessions of the pages they serve; listed here, they would appear twice.
func pageFilter() target.Filter {
	return target.Filter{{Type: "page"}, {Type: "shared_worker"}, {Exclude: true}}
}

// Alive reports whether there is a connection, or may be one again.
func (l *Link) Alive() bool { return l.connection.alive() }

// Ended returns a channel that is closed when there will be no connection any more.
func (l *Link) Ended() <-chan struct{} { return l.connection.end }

// connState is the connection as seen by everybody but the owner of the link.
type connState struct {
	mu   sync.Mutex
	conn *cdp.Conn
	up   chan struct{} // closed while conn is usable; replaced when it is lost
	end  chan struct{} // closed when there will be no connection any more
	code fault.Code    // why, if not ErrBrowserGone; set before end is closed
}

func newConnState() *connState { return &connState{up: make(chan struct{}), end: make(chan struct{})} }

func (n *connState) setUp(conn *cdp.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.conn = conn
	close(n.up)
}

func (n *connState) setDown() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn != nil {
		n.conn, n.up = nil, make(chan struct{})
	}
}

// setEnded records that there will be no connection any more; false if that was recorded before. Only the owner calls
// it.
func (n *connState) setEnded(err error) bool {
	if !n.alive() {
		return false
	}
	if errors.Is(err, fault.ErrProviderSessionExpired) {
		n.code = fault.ErrProviderSessionExpired
	}
	close(n.end)
	return true
}

// gone is the code of what cannot be done any more: ErrBrowserGone, or a case of it.
func (n *connState) gone() fault.Code {
	select {
	case <-n.end:
		return cmp.Or(n.code, fault.ErrBrowserGone)
	default:
		return fault.ErrBrowserGone
	}
}

// GoneError says that the browser is gone, and why.
func (l *Link) GoneError(reason string) error {
	return fmt.Errorf("%w: %s", l.connection.gone(), reason)
}

// current returns the connection; nil if there is none.
func (n *connState) current() *cdp.Conn {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.conn
}

// wait returns the connection as soon as there is one. Its errors are ErrBrowserGone and the cause of ctx.
func (n *connState) wait(ctx context.Context) (*cdp.Conn, error) {
	for {
		n.mu.Lock()
		conn, up := n.conn, n.up
		n.mu.Unlock()
		if conn != nil {
			return conn, nil
		}
		select {
		case <-up:
		case <-n.end:
			return nil, n.gone()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// returnGrace is how long the end of a task waits for a connection that was just lost. Without a connection its tabs
// cannot be left in order: they stay in the browser, like those of a client that was killed.
const returnGrace = time.Second

// waitBriefly reports whether there is a connection, now or within a moment.
func (n *connState) waitBriefly(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, returnGrace)
	defer cancel()
	_, err := n.wait(ctx)
	return err == nil
}

// alive reports whether there is a connection, or may be one again.
func (n *connState) alive() bool {
	select {
	case <-n.end:
		return false
	default:
		return true
	}
}

// Call runs a command on the browser's own session once there is a connection.
func (l *Link) Call(ctx context.Context, method string, params, result any) error {
	conn, err := l.connection.wait(ctx)
	if err != nil {
		return err
	}
	return callError(conn.Call(ctx, "", method, params, result))
}
