package netguard

import (
	"io"
	"net"
	"net/http"
	"sync"
)

// tunnel connects the browser with a host, for everything but plain http: TLS, WebSockets, TURN over TCP.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	out, err := p.dial(r.Context(), "tcp", r.Host)
	if err != nil {
		p.note(r.Host, err)
		w.WriteHeader(statusOf(err))
		return
	}
	defer func() { _ = out.Close() }() // the relays say what went wrong
	in, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = in.Close() }()
	if !p.tunnels.add(in, out) {
		return
	}
	defer p.tunnels.remove(in)
	p.counts.open.Add(1)
	defer p.counts.open.Add(-1)
	if _, err := io.WriteString(in, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	var back sync.WaitGroup
	back.Go(func() { relay(in, out) })
	if early := buffered.Reader.Buffered(); early > 0 {
		_, err = io.CopyN(out, buffered, int64(early))
	}
	if err == nil {
		relay(out, in)
	}
	back.Wait()
}

// relay copies until the source ends, and then says so: the other direction may go on. An error ends both.
func relay(to, from net.Conn) {
	if _, err := io.Copy(to, from); err != nil {
		_, _ = to.Close(), from.Close()
		return
	}
	if half, ok := to.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		return
	}
	_ = to.Close()
}

func statusOf(err error) int {
	if refusalIn(err) != nil {
		return http.StatusForbidden
	}
	return http.StatusBadGateway
}

// tunnels are those that are open, by the connection of the browser.
type tunnels struct {
	mu     sync.Mutex
	open   map[net.Conn]net.Conn
	closed bool
	done   sync.WaitGroup
}

func (t *tunnels) add(in, out net.Conn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return false
	}
	if t.open == nil {
		t.open = map[net.Conn]net.Conn{}
	}
	t.open[in] = out
	t.done.Add(1)
	return true
}

func (t *tunnels) remove(in net.Conn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, in)
	t.done.Done()
}

// close ends all tunnels, and waits until their goroutines have.
func (t *tunnels) close() {
	t.mu.Lock()
	t.closed = true
	for in, out := range t.open {
		_, _ = in.Close(), out.Close()
	}
	t.mu.Unlock()
	t.done.Wait()
}
