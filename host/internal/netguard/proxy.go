package netguard

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"time"

	"golang.org/x/net/http/httpproxy"
	"golang.org/x/net/netutil"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
)

// Options configures a [Proxy].
type Options struct {
	// Policy is what may be reached.
	Policy netrules.Policy
	// Upstream is the proxy through which everything but this machine is reached. Nil: the one that the environment names
	// (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), or none.
	Upstream *url.URL
	// Resolve resolves names before they are passed to a proxy, which then gets the address that was checked. Otherwise
	// the proxy resolves them, and only hosts that are addresses, or names of this machine or of metadata services, are
	// checked.
	Resolve bool
	// Resolver resolves names; nil: that of the system.
	Resolver *net.Resolver
	// Tally counts what is asked for; nil: nobody wants to know.
	Tally *Tally
	// Logger logs what is refused; nil: nothing is logged.
	Logger *slog.Logger
}

// User is the user whom the browser names to the proxy.
const User = "browser"

const (
	connections    = 1024 // that are open at a time; Chromium has 32 for requests, and 255 for WebSockets, per context
	headerTimeout  = time.Minute
	idleTimeout    = 5 * time.Minute
	connectTimeout = 30 * time.Second // Chromium itself waits 4 minutes, which no agent does
)

// Proxy is the forward proxy of one browser. [Proxy.Close] ends it.
type Proxy struct {
	policy   netrules.Policy
	resolve  bool
	resolver *net.Resolver
	route    func(*url.URL) (*url.URL, error) // the upstream for a URL; nil: none
	log      *slog.Logger
	failures failures

	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
	idle     []*http.Transport // whose connections are kept for more requests
	password string
	serving  sync.WaitGroup
	stop     context.CancelFunc
	tunnels  tunnels
	counts   *Tally
}

// Start starts a proxy on a port of the loopback interface.
func Start(o Options) (*Proxy, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	p := &Proxy{
		policy: o.Policy, resolve: o.Resolve, resolver: o.Resolver, log: o.Logger, route: routeOf(o.Upstream), counts: o.Tally,
		listener: listener, password: base64.RawURLEncoding.EncodeToString(secret),
	}
	if p.counts == nil {
		p.counts = &Tally{}
	}
	if p.log == nil {
		p.log = slog.New(slog.DiscardHandler)
	}
	p.forward = p.forwarder()
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	p.server = &http.Server{
		Handler: http.HandlerFunc(p.serve), BaseContext: func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: headerTimeout, IdleTimeout: idleTimeout, ErrorLog: log.New(io.Discard, "", 0),
	}
	p.serving.Go(func() { _ = p.server.Serve(netutil.LimitListener(listener, connections)) })
	return p, nil
}

// Close ends the proxy with every connection through it.
func (p *Proxy) Close() error {
	p.stop()
	err := p.server.Close()
	p.tunnels.close()
	p.serving.Wait()
	for _, transport := range p.idle {
		transport.CloseIdleConnections()
	}
	return err
}

// Password is what the browser has to prove with [User] that it is the browser.
func (p *Proxy) Password() string { return p.password }

// Addr is where the proxy listens.
func (p *Proxy) Addr() net.Addr { return p.listener.Addr() }

// routeOf tells through which proxy a URL is asked for. This machine is never reached through another one.
func routeOf(upstream *url.URL) func(*url.URL) (*url.URL, error) {
	if upstream == nil {
		return httpproxy.FromEnvironment().ProxyFunc()
	}
	return func(to *url.URL) (*url.URL, error) {
		if (netrules.Policy{}).Host(to.Hostname()) == netrules.Loopback {
			return nil, nil
		}
		return upstream, nil
	}
}

func (p *Proxy) serve(w http.ResponseWriter, r *http.Request) {
	if !p.knows(r) {
		p.counts.unauthorised.Add(1)
		w.Header().Set("Proxy-Authenticate", `Basic realm="hermes-cdp"`)
		w.Header().Set("Connection", "close") // a stranger keeps none of the connections that there are
		w.WriteHeader(http.StatusProxyAuthRequired)
		return
	}
	switch {
	case r.Method == http.MethodConnect:
		p.counts.tunnels.Add(1)
		p.tunnel(w, r)
	case r.URL.Scheme == "http" && r.URL.Host != "":
		p.counts.requests.Add(1)
		_ = http.NewResponseController(w).EnableFullDuplex() // a server may answer before it has all of a body
		p.forward.ServeHTTP(w, r)
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

// knows reports whether a request has the password.
func (p *Proxy) knows(r *http.Request) bool {
	asked := http.Request{Header: http.Header{"Authorization": r.Header["Proxy-Authorization"]}}
	user, password, ok := asked.BasicAuth()
	return ok && user == User && subtle.ConstantTimeCompare([]byte(password), []byte(p.password)) == 1
}

// forwarder passes on requests for http URLs. Everything else goes through tunnels.
func (p *Proxy) forwarder() *httputil.ReverseProxy {
	direct := transport(p.dial)
	chained := transport((&net.Dialer{}).DialContext)
	chained.Proxy = func(r *http.Request) (*url.URL, error) { return p.route(r.URL) }
	p.idle = []*http.Transport{direct, chained}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
				if values := r.In.Header[name]; values != nil { // a page's own
					r.Out.Header[name] = values
				}
			}
		},
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if upstream, err := p.route(r.URL); err != nil || upstream == nil || p.resolve || isSOCKS(upstream) {
				return direct.RoundTrip(r)
			}
			p.counts.upstream.Add(1)
			if class := p.policy.Host(r.URL.Hostname()); class != "" {
				return nil, &dialError{&fault.NetworkRefusedError{Host: r.URL.Hostname(), Class: class}}
			}
			return chained.RoundTrip(r)
		}),
		ModifyResponse: func(r *http.Response) error {
			if r.StatusCode == http.StatusProxyAuthRequired { // of a server, or of a proxy that the browser does not know
				return errors.New("the answer was that of a proxy which wants a password")
			}
			return nil
		},
		FlushInterval: -1, // a stream is passed on as it comes
		ErrorHandler:  p.forwardFailed,
		ErrorLog:      log.New(io.Discard, "", 0),
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// transport speaks HTTP/1.1, as browsers do over plain connections.
func transport(dial func(ctx context.Context, network, address string) (net.Conn, error)) *http.Transport {
	return &http.Transport{DialContext: dial, DisableCompression: true, MaxIdleConnsPerHost: 6, IdleConnTimeout: idleTimeout}
}

// forwardFailed answers a request that was not passed on. A browser that gets no answer shows a network error, as it
// would without a proxy, and may ask again: so only if nothing was sent.
func (p *Proxy) forwardFailed(w http.ResponseWriter, r *http.Request, err error) {
	var dial *dialError
	if errors.As(err, &dial) {
		p.note(hostPort(r.URL), dial.err)
		panic(http.ErrAbortHandler)
	}
	p.counts.failed.Add(1)
	w.WriteHeader(http.StatusBadGateway)
}

func hostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "ws": "80", "https": "443", "wss": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
