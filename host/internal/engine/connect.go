package engine

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/target"

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

// Attach connects to a running browser at an endpoint. resolved is the WebSocket URL that the endpoint led to.
func (g *Group) Attach(ctx context.Context, endpoint, resolved string) (*Link, error) {
	dial := func(ctx context.Context, o cdp.Options) (*cdp.Conn, error) { return cdp.Dial(ctx, resolved, o) }
	return connect(ctx, g, nil, dial, redialEndpoint(endpoint, resolved))
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
