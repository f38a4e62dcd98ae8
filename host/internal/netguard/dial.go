package netguard

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"golang.org/x/net/proxy"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
)

// dialError says that no connection was opened, so that nothing was sent.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

// dial connects to a host that a page asked for, if it may be reached.
func (p *Proxy) dial(ctx context.Context, _, address string) (conn net.Conn, err error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	defer func() {
		if err != nil {
			err = &dialError{err}
		}
	}()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if class := p.policy.Host(host); class != "" {
		return nil, &fault.NetworkRefusedError{Host: host, Class: class}
	}
	scheme := "https"
	if port == "80" {
		scheme = "http"
	}
	upstream, err := p.route(&url.URL{Scheme: scheme, Host: address})
	if err != nil {
		return nil, err
	}
	if upstream == nil {
		return p.dialDirect(ctx, host, port)
	}
	p.counts.upstream.Add(1)
	if p.resolve {
		if host, err = p.checked(ctx, host); err != nil {
			return nil, err
		}
	}
	conn, err = dialThrough(ctx, upstream, net.JoinHostPort(host, port))
	if err != nil {
		return nil, &upstreamError{err}
	}
	return conn, nil
}

// dialDirect connects without another proxy. Each address is checked in the moment before it is connected to, so that
// no second answer for the name counts.
func (p *Proxy) dialDirect(ctx context.Context, host, port string) (net.Conn, error) {
	d := &net.Dialer{Resolver: p.resolver, ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		if class := p.policy.Address(to.Addr()); class != "" && !p.policy.Name(host) {
			return &fault.NetworkRefusedError{Host: host, Address: to.Addr().String(), Class: class}
		}
		if address == p.listener.Addr().String() {
			return errors.New("this is the proxy itself")
		}
		return nil
	}}
	if !netrules.IsLoopbackName(host) {
		return d.DialContext(ctx, "tcp", net.JoinHostPort(host, port))
	}
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		if other, otherErr := d.DialContext(ctx, "tcp", net.JoinHostPort("::1", port)); otherErr == nil {
			return other, nil
		}
	}
	return conn, err
}

// checked resolves a name to an address that may be reached.
func (p *Proxy) checked(ctx context.Context, host string) (string, error) {
	if p.policy.Name(host) {
		return host, nil
	}
	resolver := p.resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	addresses, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return "", err
	}
	refusal := &fault.NetworkRefusedError{Host: host}
	for _, address := range addresses {
		class := p.policy.Address(address)
		if class == "" {
			return address.Unmap().String(), nil
		}
		refusal.Address, refusal.Class = address.Unmap().String(), class
	}
	return "", refusal
}

func isSOCKS(u *url.URL) bool { return u.Scheme == "socks5" || u.Scheme == "socks5h" }

// dialThrough asks another proxy for a connection. The texts of its errors have no password.
func dialThrough(ctx context.Context, upstream *url.URL, address string) (net.Conn, error) {
	if isSOCKS(upstream) {
		return dialSOCKS(ctx, upstream, address)
	}
	conn, err := dialProxy(ctx, upstream)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	tunnel, err := connect(conn, upstream, address)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, ignoreClosed(conn.Close()))
	}
	return tunnel, nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

func dialSOCKS(ctx context.Context, upstream *url.URL, address string) (net.Conn, error) {
	var auth *proxy.Auth
	if u := upstream.User; u != nil {
		password, _ := u.Password()
		auth = &proxy.Auth{User: u.Username(), Password: password}
	}
	dialer, err := proxy.SOCKS5("tcp", withPort(upstream), auth, nil)
	if err != nil {
		return nil, err
	}
	return dialer.(proxy.ContextDialer).DialContext(ctx, "tcp", address) //nolint:forcetypeassert // as documented there
}

// dialProxy connects to an HTTP proxy.
func dialProxy(ctx context.Context, upstream *url.URL) (net.Conn, error) {
	if upstream.Scheme == "https" {
		return (&tls.Dialer{}).DialContext(ctx, "tcp", withPort(upstream))
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", withPort(upstream))
}

func withPort(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	port := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	if port == "" {
		port = "1080"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// connect opens a tunnel over a connection to an HTTP proxy.
//
// https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6
func connect(conn net.Conn, upstream *url.URL, address string) (net.Conn, error) {
	r := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if u := upstream.User; u != nil {
		password, _ := u.Password()
		r.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(u.Username()+":"+password)))
	}
	if err := r.Write(conn); err != nil {
		return nil, err
	}
	buffered := bufio.NewReader(conn)
	response, err := http.ReadResponse(buffered, r) //nolint:bodyclose // what follows is the tunnel, not a body
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answered %s", response.Status)
	}
	return &bufferedConn{conn, buffered}, nil
}

// bufferedConn is a connection of which some bytes have been read already.
type bufferedConn struct {
	net.Conn
	reader *bufio.Reader
}

func (c *bufferedConn) Read(b []byte) (int, error) { return c.reader.Read(b) }

// ParseProxy reads the URL of another proxy. Its errors do not repeat the URL, which may have a password.
func ParseProxy(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
		return nil, errProxyURL
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return u, nil
	}
	return nil, errProxyURL
}

var errProxyURL = errors.New("this is no URL of a proxy: want http://host:port, https://host:port, socks5://host:port or socks5h://host:port, perhaps with user:password@ before the host")
