package cdp_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// onChromium runs a test on a real browser over each transport.
func onChromium(t *testing.T, opts cdp.Options, test func(t *testing.T, conn *cdp.Conn, b *hosttest.Running)) {
	t.Run("pipe", func(t *testing.T) {
		b := hosttest.Browser(t)
		r, w := b.Pipe()
		conn := cdp.NewPipe(r, w, opts)
		t.Cleanup(func() { end(conn) })
		test(t, conn, b)
	})
	t.Run("WebSocket", func(t *testing.T) {
		b := hosttest.Browser(t, hosttest.WithPort())
		// With the endpoint that an operator would give.
		u, err := url.Parse(b.WebSocketURL())
		if err != nil {
			t.Fatal(err)
		}
		resolved, err := cdp.Resolve(t.Context(), u.Host, nil)
		if err != nil || resolved != b.WebSocketURL() {
			t.Fatalf("resolved to %q, %v, want %q", resolved, err, b.WebSocketURL())
		}
		conn, err := cdp.Dial(t.Context(), resolved, opts)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { end(conn) })
		test(t, conn, b)
	})
}

func end(conn *cdp.Conn) {
	_ = conn.Close()
	<-conn.Done()
}

// newPage opens a tab and returns a session on it.
func newPage(t *testing.T, conn *cdp.Conn) string {
	t.Helper()
	var created target.CreateTargetResult
	if err := conn.Call(t.Context(), "", "Target.createTarget", target.CreateTargetParams{URL: "about:blank"}, &created); err != nil {
		t.Fatal(err)
	}
	var attached target.AttachToTargetResult
	flatten := true
	err := conn.Call(t.Context(), "", "Target.attachToTarget", target.AttachToTargetParams{TargetID: created.TargetID, Flatten: &flatten}, &attached)
	if err != nil {
		t.Fatal(err)
	}
	return string(attached.SessionID)
}

func evaluate(t *testing.T, conn *cdp.Conn, session, expression string) (string, error) {
	t.Helper()
	byValue := true
	var result runtime.EvaluateResult
	err := conn.Call(t.Context(), session, "Runtime.evaluate", runtime.EvaluateParams{Expression: expression, ReturnByValue: &byValue}, &result)
	if err != nil {
		return "", err
	}
	return string(result.Result.Value), nil
}

func TestChromiumEvaluatesWithTheTypesOfCdproto(t *testing.T) {
	onChromium(t, cdp.Options{}, func(t *testing.T, conn *cdp.Conn, _ *hosttest.Running) {
		session := newPage(t, conn)
		for expression, want := range map[string]string{
			"1+1":                           "2",
			`"\u00e4\u2028\\\"" + "\ud83d"`: "",
			`"x".repeat(300000).length`:     "300000",
		} {
			got, err := evaluate(t, conn, session, expression)
			if err != nil || want != "" && got != want {
				t.Errorf("%s gives %s, %v", expression, got, err)
			}
		}
		got, err := evaluate(t, conn, session, `"x".repeat(3000000)`)
		if err != nil || len(got) != 3000002 {
			t.Errorf("a large result has %d bytes, %v", len(got), err)
		}
		var fromBrowser *cdp.Error
		if err := conn.Call(t.Context(), "no such session", "Page.enable", nil, nil); !errors.As(err, &fromBrowser) {
			t.Errorf("an unknown session gives %v", err)
		}
	})
}

func TestChromiumDialogIsAnsweredByEventAndSend(t *testing.T) {
	inbox := make(chan cdp.Message, 100)
	onChromium(t, cdp.Options{Handler: func(m cdp.Message) { inbox <- m }}, func(t *testing.T, conn *cdp.Conn, _ *hosttest.Running) {
		conn.Subscribe("Page.javascriptDialogOpening")
		session := newPage(t, conn)
		if err := conn.Call(t.Context(), session, "Page.enable", nil, nil); err != nil {
			t.Fatal(err)
		}
		answer := make(chan string, 1)
		go func() {
			got, err := evaluate(t, conn, session, `prompt("who?", "me")`)
			if err != nil {
				got = err.Error()
			}
			answer <- got
		}()
		opened := next(t, inbox)
		if opened.Method != "Page.javascriptDialogOpening" || opened.SessionID != session || !strings.Contains(string(opened.Params), `"who?"`) {
			t.Fatalf("got %+v", opened)
		}
		id, err := conn.Send(session, "Page.handleJavaScriptDialog", cdppage.HandleJavaScriptDialogParams{Accept: true, PromptText: "you"})
		if err != nil {
			t.Fatal(err)
		}
		if reply := next(t, inbox); reply.ID != id || reply.Err != nil {
			t.Errorf("the reply is %+v", reply)
		}
		if got := <-answer; got != `"you"` {
			t.Errorf("the page got %s", got)
		}
		if s := conn.Stats(); s.Skipped == 0 || s.Malformed != 0 {
			t.Errorf("the counters are %+v", s)
		}
	})
}

func next(t *testing.T, inbox chan cdp.Message) cdp.Message {
	t.Helper()
	select {
	case m := <-inbox:
		return m
	case <-time.After(hosttest.Patience):
		t.Fatal("waited too long for a message")
		panic("unreachable")
	}
}

func TestChromiumReplyOverTheReadLimitLeavesTheConnectionUsable(t *testing.T) {
	onChromium(t, cdp.Options{ReadLimit: 1 << 20}, func(t *testing.T, conn *cdp.Conn, _ *hosttest.Running) {
		session := newPage(t, conn)
		var large *cdp.TooLargeError
		if _, err := evaluate(t, conn, session, `"x".repeat(5 << 20)`); !errors.As(err, &large) || large.Size < 5<<20 {
			t.Errorf("got %v", err)
		}
		if got, err := evaluate(t, conn, session, `"still here"`); err != nil || got != `"still here"` {
			t.Errorf("got %s, %v", got, err)
		}
	})
}

func TestKillingChromiumFailsWhatIsPending(t *testing.T) {
	onChromium(t, cdp.Options{}, func(t *testing.T, conn *cdp.Conn, b *hosttest.Running) {
		session := newPage(t, conn)
		ended := make(chan error, 1)
		go func() {
			ended <- conn.Call(t.Context(), session, "Runtime.evaluate", map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true}, nil)
		}()
		for conn.Stats().Pending == 0 { // until the call is on its way
			if _, err := evaluate(t, conn, session, "0"); err != nil {
				t.Fatal(err)
			}
		}
		b.Kill()
		select {
		case err := <-ended:
			if !errors.Is(err, cdp.ErrConnectionLost) {
				t.Errorf("got %v", err)
			}
		case <-time.After(hosttest.Patience):
			t.Fatal("the call outlived the browser")
		}
	})
}

func BenchmarkRoundTrip(b *testing.B) {
	roundTrip := func(b *testing.B, conn *cdp.Conn) {
		b.Cleanup(func() { end(conn) })
		b.ReportAllocs()
		for b.Loop() {
			if err := conn.Call(b.Context(), "", "Browser.getVersion", nil, nil); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("pipe", func(b *testing.B) {
		r, w := hosttest.Browser(b).Pipe()
		roundTrip(b, cdp.NewPipe(r, w, cdp.Options{}))
	})
	b.Run("WebSocket", func(b *testing.B) {
		conn, err := cdp.Dial(b.Context(), hosttest.Browser(b, hosttest.WithPort()).WebSocketURL(), cdp.Options{})
		if err != nil {
			b.Fatal(err)
		}
		roundTrip(b, conn)
	})
}
