package engine

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// stuckBrowser returns a connection to a browser that accepts the termination of scripts, but whose pages never answer.
func stuckBrowser(t *testing.T) *cdp.Conn {
	t.Helper()
	return browserThat(t, func(method string) bool { return method == runtime.CommandTerminateExecution })
}

// browserThat returns a connection to a browser that answers some methods, when the function returns.
func browserThat(t *testing.T, answers func(method string) bool) *cdp.Conn {
	t.Helper()
	fromHost, toBrowser := io.Pipe()
	fromBrowser, toHost := io.Pipe()
	go func() {
		in := bufio.NewReader(fromHost)
		for {
			raw, err := in.ReadBytes(0) // of the pipe transport
			if err != nil {
				_ = toHost.Close()
				return
			}
			var m struct {
				ID     int
				Method string
			}
			if err := json.Unmarshal(raw[:len(raw)-1], &m); err != nil {
				t.Error(err)
			}
			if answers(m.Method) {
				_, _ = fmt.Fprintf(toHost, "{\"id\":%d,\"result\":{}}\x00", m.ID) // fails when the connection was closed
			}
		}
	}()
	conn := cdp.NewPipe(fromBrowser, toBrowser, cdp.Options{})
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestStuckSessionsAreFreedInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Link{group: &Group{}, connection: newConnState()}
		l.connection.setUp(stuckBrowser(t))
		begun := time.Now()
		if l.terminateAll(t.Context(), []target.SessionID{"a", "b", "c", "d", "e"}, pageFence) {
			t.Error("pages that do not answer are reported as free")
		}
		if took := time.Since(begun); took > terminateTimeout {
			t.Errorf("freeing five sessions took %v, one may take %v", took, terminateTimeout)
		}
	})
}

// Each of several endless handlers is terminated, however long the browser takes for it.
func TestHandlersAreFreedOneAfterAnotherBySlowBrowsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handlers := 3
		l := &Link{group: &Group{}, connection: newConnState()}
		l.connection.setUp(browserThat(t, func(method string) bool {
			if method == runtime.CommandTerminateExecution {
				time.Sleep(terminateTimeout * 3 / 4) //nolint:forbidigo // the time of the bubble
				handlers--
			}
			return method == runtime.CommandTerminateExecution || handlers <= 0
		}))
		if !l.terminate(t.Context(), "a", pageFence) {
			t.Error("the page was given up")
		}
	})
}
