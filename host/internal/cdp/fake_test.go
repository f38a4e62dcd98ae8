package cdp

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// command is what the fake browser receives.
type command struct {
	ID        int64           `json:"id"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	SessionID string          `json:"sessionId"`
}

// fake is the browser's end of a connection. Its methods are for the goroutine of the test; a read returns io.EOF or
// another error once the connection has ended.
type fake struct {
	read  func() ([]byte, error)
	write func(string) error
	close func()
}

// next returns the next command.
func (f *fake) next(t testing.TB) command {
	t.Helper()
	raw, err := f.read()
	if err != nil {
		t.Fatalf("the browser's end cannot read: %v", err)
	}
	var c command
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatalf("the command %q is not JSON: %v", raw, err)
	}
	return c
}

// say writes messages to the connection.
func (f *fake) say(t testing.TB, messages ...string) {
	t.Helper()
	for _, m := range messages {
		if err := f.write(m); err != nil {
			t.Fatalf("the browser's end cannot write: %v", err)
		}
	}
}

// transports are the transports that every test of a connection runs over.
var transports = []struct {
	name string
	open func(testing.TB, Options) (*Conn, *fake)
}{
	{"WebSocket", openWebSocket},
	{"pipe", openPipe},
}

// onEachTransport runs a test over a WebSocket and over a pipe.
func onEachTransport(t *testing.T, test func(t *testing.T, open func(Options) (*Conn, *fake))) {
	for _, tr := range transports {
		t.Run(tr.name, func(t *testing.T) {
			test(t, func(opts Options) (*Conn, *fake) { return tr.open(t, opts) })
		})
	}
}

func openWebSocket(t testing.TB, opts Options) (*Conn, *fake) {
	accepted := make(chan *websocket.Conn, 1)
	served := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Errorf("accept: %v", err)
			return
		}
		ws.SetReadLimit(-1)
		accepted <- ws
		<-served
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(served) })
	conn, err := Dial(t.Context(), "ws"+strings.TrimPrefix(server.URL, "http"), opts)
	if err != nil {
		t.Fatal(err)
	}
	ws := <-accepted
	f := &fake{
		read: func() ([]byte, error) {
			_, data, err := ws.Read(context.Background())
			return data, err
		},
		write: func(m string) error { return ws.Write(context.Background(), websocket.MessageText, []byte(m)) },
		close: func() { _ = ws.CloseNow() },
	}
	endWithTest(t, conn, f)
	return conn, f
}

func openPipe(t testing.TB, opts Options) (*Conn, *fake) {
	fromBrowser, browserOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	browserIn, toBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	conn := NewPipe(fromBrowser, toBrowser, opts)
	in := bufio.NewReader(browserIn)
	f := &fake{
		read: func() ([]byte, error) {
			m, err := in.ReadBytes(0)
			return m[:max(len(m)-1, 0)], err
		},
		write: func(m string) error {
			_, err := io.WriteString(browserOut, m+"\x00")
			return err
		},
		close: func() {
			_ = browserIn.Close()
			_ = browserOut.Close()
		},
	}
	endWithTest(t, conn, f)
	return conn, f
}

func endWithTest(t testing.TB, conn *Conn, f *fake) {
	t.Cleanup(func() {
		f.close()
		_ = conn.Close()
		within(t, conn.Done(), "the end of the connection")
	})
}

// patience is how long a test waits for what must happen; correct code never reaches it.
const patience = 2 * time.Minute

// within waits for a channel to deliver or close.
func within[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited too long for %s", what)
		panic("unreachable")
	}
}

// mailbox is a handler that keeps what it receives.
type mailbox chan Message

func newMailbox() mailbox                   { return make(mailbox, 10000) }
func (b mailbox) handle(m Message)          { b <- m }
func (b mailbox) next(t testing.TB) Message { return within(t, b, "a message") }
