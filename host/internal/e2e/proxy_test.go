package e2e

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// proxy stands between a host and a browser, counts connections and can cut them.
type proxy struct {
	address  string // of the browser, through the proxy
	listener net.Listener
	browser  string
	wait     sync.WaitGroup

	mu     sync.Mutex
	conns  []net.Conn
	opened int
}

func newProxy(t *testing.T, address string) *proxy {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: listener, browser: u.Host}
	u.Host = listener.Addr().String()
	p.address = u.String()
	p.wait.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close()
		p.cut()
		p.wait.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.browser)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, client, server)
		p.opened++
		p.mu.Unlock()
		p.wait.Go(func() { p.copy(client, server) })
		p.wait.Go(func() { p.copy(server, client) })
	}
}

func (p *proxy) copy(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
	_ = from.Close()
}

// cut drops all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

// connections is how many there were.
func (p *proxy) connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}
