package network

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), shared.Limit(), errors.New("the test took too long"))
	t.Cleanup(cancel)
	return ctx
}

// launch starts a task with these rules, in a context.
func launch(t *testing.T, network host.Network, args ...string) *host.Task {
	t.Helper()
	return launchIn(t, host.IsolationContext, network, args...)
}

func launchIn(t *testing.T, isolation host.Isolation, network host.Network, args ...string) *host.Task {
	t.Helper()
	return launchWith(t, host.LaunchOptions{Isolation: isolation, Network: network, Args: args})
}

func launchWith(t *testing.T, o host.LaunchOptions) *host.Task {
	t.Helper()
	task, err := common.NewHost(t, host.Options{}).Launch(testContext(t), t.Name(), &o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// evaluate gives the JSON of an expression in the tab in use.
func evaluate(t *testing.T, task *host.Task, expression string) string {
	t.Helper()
	value, err := task.Tab("").Evaluate(testContext(t), expression, &host.EvaluateOptions{AwaitPromise: true, UserGesture: true})
	if err != nil {
		t.Fatalf("evaluate %s: %v", expression, err)
	}
	return string(value.Value)
}

// siteAddress is where the tests' sites are, and trapAddress is where nothing may come.
const (
	siteAddress = "127.0.0.2"
	trapAddress = "127.0.0.1"
)

// serveAt serves at a port of an address; 0 is any.
func serveAt(t *testing.T, address string, port int, handler http.Handler) (s *httptest.Server, at int) {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(address, fmt.Sprint(port)))
	if err != nil {
		t.Fatal(err)
	}
	s = httptest.NewUnstartedServer(handler)
	_ = s.Listener.Close()
	s.Listener = listener
	s.Start()
	t.Cleanup(s.Close)
	return s, listener.Addr().(*net.TCPAddr).Port
}

// A trap counts what arrives at a port, over TCP and UDP.
type trap struct {
	Port int

	mu     sync.Mutex
	came   []string
	change chan struct{}
}

// setTrap listens until the test ends.
func setTrap(t *testing.T) *trap {
	t.Helper()
	tcp, err := net.Listen("tcp", trapAddress+":0")
	if err != nil {
		t.Fatal(err)
	}
	tr := &trap{Port: tcp.Addr().(*net.TCPAddr).Port, change: make(chan struct{})}
	udp, err := net.ListenPacket("udp", fmt.Sprint(trapAddress, ":", tr.Port))
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { tr.acceptAll(tcp, &running) })
	running.Go(func() { tr.receiveAll(udp) })
	t.Cleanup(func() {
		_, _ = tcp.Close(), udp.Close()
		running.Wait()
	})
	return tr
}

func (tr *trap) acceptAll(tcp net.Listener, running *sync.WaitGroup) {
	for {
		conn, err := tcp.Accept()
		if err != nil {
			return
		}
		running.Go(func() { tr.answer(conn) })
	}
}

// answer notes for which host a request is, and ends the connection.
func (tr *trap) answer(conn net.Conn) {
	defer conn.Close()
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		tr.note("tcp tls")
		return
	}
	tr.note("tcp " + r.Host)
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n")
}

func (tr *trap) receiveAll(udp net.PacketConn) {
	packet := make([]byte, 2048)
	for {
		n, _, err := udp.ReadFrom(packet)
		if err != nil {
			return
		}
		what := "udp quic"
		if n >= 20 && packet[4] == 0x21 && packet[5] == 0x12 && packet[6] == 0xa4 && packet[7] == 0x42 { // RFC 8489
			what = "udp stun"
		}
		tr.note(what)
	}
}

func (tr *trap) note(what string) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.came = append(tr.came, what)
	close(tr.change)
	tr.change = make(chan struct{})
}

// all gives what has come until now.
func (tr *trap) all() []string {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return append([]string(nil), tr.came...)
}

// await waits until something with this beginning has come.
func (tr *trap) await(t *testing.T, what string) {
	t.Helper()
	awaitIn(t, what, func() ([]string, chan struct{}) {
		tr.mu.Lock()
		defer tr.mu.Unlock()
		return tr.came, tr.change
	})
}

func awaitIn(t *testing.T, what string, look func() ([]string, chan struct{})) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), shared.Patience(20*time.Second))
	defer cancel()
	for {
		list, change := look()
		for _, one := range list {
			if strings.HasPrefix(one, what) {
				return
			}
		}
		select {
		case <-change:
		case <-ctx.Done():
			t.Errorf("%q did not come; there were: %q", what, list)
			return
		}
	}
}

// names is a DNS server, and the resolver that asks it.
type names struct {
	*net.Resolver

	mu     sync.Mutex
	asked  []string
	change chan struct{}
}

// serveNames answers questions for IPv4 addresses of a name; no addresses: there is no such name.
func serveNames(t *testing.T, answer func(name string) []string) *names {
	t.Helper()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &names{change: make(chan struct{})}
	n.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", udp.LocalAddr().String())
	}}
	var running sync.WaitGroup
	running.Go(func() {
		packet := make([]byte, 2048)
		for {
			size, from, err := udp.ReadFrom(packet)
			if err != nil {
				return
			}
			if reply := n.reply(packet[:size], answer); reply != nil {
				_, _ = udp.WriteTo(reply, from)
			}
		}
	})
	t.Cleanup(func() {
		_ = udp.Close()
		running.Wait()
	})
	return n
}

func (n *names) reply(packet []byte, answer func(string) []string) []byte {
	var m dnsmessage.Message
	if m.Unpack(packet) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	name := strings.TrimSuffix(q.Name.String(), ".")
	m.Response, m.Additionals = true, nil
	addresses := answer(name)
	if len(addresses) == 0 {
		m.RCode = dnsmessage.RCodeNameError
	}
	if q.Type == dnsmessage.TypeA {
		for _, a := range addresses {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET},
				Body:   &dnsmessage.AResource{A: [4]byte(net.ParseIP(a).To4())},
			})
		}
	}
	packed, _ := m.Pack()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked = append(n.asked, name)
	close(n.change)
	n.change = make(chan struct{})
	return packed
}

// await waits until a name has been asked for.
func (n *names) await(t *testing.T, name string) {
	t.Helper()
	awaitIn(t, name, func() ([]string, chan struct{}) {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.asked, n.change
	})
}
