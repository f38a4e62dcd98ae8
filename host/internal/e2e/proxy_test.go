package e2e

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
)

// proxy stands between a host and a browser, counts connections and messages, and can break both.
type proxy struct {
	address  string // of the browser, through the proxy
	listener net.Listener
	browser  string
	wait     sync.WaitGroup

	mu       sync.Mutex
	conns    []net.Conn
	opened   int
	refusing bool
	jealous  bool
	ended    bool
	messages [2]int // that passed, by direction
	faults   []fault
	struck   []fault
	late     late
	lost     []byte // messages to the host that have it do not get there
}

// direction is the way of a message.
type direction int

const (
	toBrowser direction = iota
	toHost
)

func (d direction) String() string { return [...]string{"to the browser", "to the host"}[d] }

// fault is what happens to a message: the number of it counts from 1 over all connections.
type fault struct {
	kind    faultKind
	way     direction
	message int
}

type faultKind string

// The kinds of faults.
const (
	faultDrop     faultKind = "drop"     // the connection ends before the message
	faultTruncate faultKind = "truncate" // it ends in the middle of the message
	faultStall    faultKind = "stall"    // nothing comes through any more, in no direction, and nobody is told
)

// late is a message that is kept back until it is released.
type late struct {
	way  direction
	text []byte
	rest bool // everything after it is kept back, too
	kept []byte
	to   io.Writer
}

// delay keeps the first message of a direction that has a text back, until release is called.
func (p *proxy) delay(way direction, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late = late{way: way, text: []byte(text)}
}

// lag keeps the first message of a direction that has a text back, and everything after it, until release is called.
func (p *proxy) lag(way direction, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.late = late{way: way, text: []byte(text), rest: true}
}

// lose keeps all messages from the host that have a text.
func (p *proxy) lose(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = []byte(text)
}

// release passes on what was kept back.
func (p *proxy) release(t *testing.T) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.late.kept == nil {
		t.Fatal("no message was kept back")
	}
	if _, err := p.late.to.Write(p.late.kept); err != nil {
		t.Error(err)
	}
	p.late = late{}
}

// delays tells whether a message is being kept back.
func (p *proxy) delays() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.late.kept != nil
}

// keeps tells whether a message is the one to be kept back, and keeps it.
func (p *proxy) keeps(way direction, frame, payload []byte, to io.Writer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost != nil && way == toHost && bytes.Contains(payload, p.lost) {
		return true
	}
	l := &p.late
	if l.rest && l.way == way && l.to == to {
		l.kept = append(l.kept, frame...)
		return true
	}
	if l.text == nil || l.way != way || l.kept != nil || !bytes.Contains(payload, l.text) {
		return false
	}
	l.kept, l.to = frame, to
	return true
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
		p.end()
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
		if p.refuses() {
			_ = client.Close()
			continue
		}
		server, err := net.Dial("tcp", p.browser)
		if err != nil {
			_ = client.Close()
			continue
		}
		if !p.add(client, server) {
			return
		}
		c := &proxied{proxy: p, stalled: make(chan struct{})}
		p.wait.Go(func() {
			c.copy(server, client, toBrowser)
			p.left(client)
		})
		p.wait.Go(func() { c.copy(client, server, toHost) })
	}
}

// add keeps the two sides of a connection, unless the proxy has ended in the meantime: nobody would ever close them.
func (p *proxy) add(client, server net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		_ = client.Close()
		_ = server.Close()
		return false
	}
	p.conns = append(p.conns, client, server)
	p.opened++
	return true
}

// end drops all connections for good.
func (p *proxy) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.drop()
}

// cut drops all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
}

func (p *proxy) drop() {
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

// envy makes the proxy drop all connections when one of them is closed by its client, as a backend does that takes a
// short-lived client's end for that of its session.
func (p *proxy) envy() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jealous = true
}

// left is called when a client's connection has ended. One that was cut is not among the known ones any more.
func (p *proxy) left(client net.Conn) {
	p.mu.Lock()
	drops := p.jealous && slices.Contains(p.conns, client)
	p.mu.Unlock()
	if drops {
		p.cut()
	}
}

// refuse drops new connections as soon as they are made, until release is called.
func (p *proxy) refuse() (release func()) {
	set := func(on bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.refusing = on
	}
	set(true)
	return func() { set(false) }
}

func (p *proxy) refuses() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refusing
}

// connections is how many there were.
func (p *proxy) connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}

// passed is how many messages went each way.
func (p *proxy) passed() [2]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.messages
}

// plan sets what is to happen.
func (p *proxy) plan(faults ...fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = faults
}

// hit tells whether the planned faults have happened.
func (p *proxy) hit() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.faults) > 0 && len(p.struck) == len(p.faults)
}

// next counts a message and gives what happens to it; empty: nothing.
func (p *proxy) next(way direction) faultKind {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages[way]++
	for _, f := range p.faults {
		if f.way == way && f.message == p.messages[way] {
			p.struck = append(p.struck, f)
			return f.kind
		}
	}
	return ""
}

// proxied is one connection through the proxy.
type proxied struct {
	proxy   *proxy
	once    sync.Once
	stalled chan struct{}
}

// copy moves frames until an end or a fault.
func (c *proxied) copy(to, from net.Conn, way direction) {
	defer to.Close()
	defer from.Close()
	in := bufio.NewReader(from)
	head, err := readHandshake(in)
	if err != nil {
		return
	}
	if _, err := to.Write(head); err != nil {
		return
	}
	for {
		frame, payload, data, err := readFrame(in)
		if err != nil {
			return
		}
		kind := faultKind("")
		if data {
			kind = c.proxy.next(way)
		}
		switch kind {
		case faultDrop:
			return
		case faultTruncate:
			_, _ = to.Write(frame[:len(frame)/2])
			return
		case faultStall:
			c.once.Do(func() { close(c.stalled) })
		}
		select {
		case <-c.stalled:
			_, _ = io.Copy(io.Discard, in) // until somebody gives up
			return
		default:
		}
		if c.proxy.keeps(way, frame, payload, to) {
			continue
		}
		if _, err := to.Write(frame); err != nil {
			return
		}
	}
}

// readHandshake reads the head of an HTTP request or response; a WebSocket handshake has no body.
//
// https://www.rfc-editor.org/rfc/rfc6455#section-1.3
func readHandshake(in *bufio.Reader) ([]byte, error) {
	var head []byte
	for !bytes.HasSuffix(head, []byte("\r\n\r\n")) {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		head = append(head, line...)
	}
	return head, nil
}

// readFrame reads a whole frame, with its payload as it was before it was masked, and tells whether it ends a message,
// rather than being a control frame or a part.
//
// https://www.rfc-editor.org/rfc/rfc6455#section-5.2
func readFrame(in *bufio.Reader) (frame, payload []byte, data bool, err error) {
	head := make([]byte, 2, 14)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, nil, false, err
	}
	extra, size := 0, uint64(head[1]&0x7f)
	switch size {
	case 126:
		extra = 2
	case 127:
		extra = 8
	}
	masked := head[1]&0x80 != 0
	if masked {
		extra += 4
	}
	head = head[:2+extra]
	if _, err := io.ReadFull(in, head[2:]); err != nil {
		return nil, nil, false, err
	}
	switch size {
	case 126:
		size = uint64(binary.BigEndian.Uint16(head[2:]))
	case 127:
		size = binary.BigEndian.Uint64(head[2:])
	}
	frame = append(head, make([]byte, size)...)
	if _, err := io.ReadFull(in, frame[len(head):]); err != nil {
		return nil, nil, false, err
	}
	payload = slices.Clone(frame[len(head):])
	if masked {
		for i := range payload {
			payload[i] ^= head[len(head)-4+i%4]
		}
	}
	return frame, payload, head[0]&0x80 != 0 && head[0]&0x08 == 0, nil
}
