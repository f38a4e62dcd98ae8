//go:build !(tinygo.wasm || wasip1)

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/module/plugintest"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	pauseToken   = "00112233445566778899aabbccddeeff"
	requestToken = "ffeeddccbbaa99887766554433221100"
)

type params = map[string]any

// lab is a real browser and the built module; the test acts as the host.
type lab struct {
	t      *testing.T
	client *hosttest.Client
	runner sdktest.Runner
	script abi.BridgeScript
	site   string // URL of an empty page
}

func newLab(t *testing.T, config abi.Struct) *lab {
	t.Helper()
	wasm, err := os.ReadFile("../dist/bridge-script.wasm")
	if err != nil {
		t.Fatal(err)
	}
	runner, err := plugintest.Wasm(wasm, module.Options{})(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = runner.Close() })
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, "<!doctype html><title>page</title>")
	}))
	t.Cleanup(server.Close)
	l := &lab{t: t, client: hosttest.Browser(t).Connect(), runner: runner, site: server.URL + "/"}
	l.client.Subscribe("Debugger.paused", "Fetch.requestPaused", "Page.javascriptDialogOpening", "Page.loadEventFired", "Page.frameNavigated")
	event := abi.BridgeScriptEvent{PauseToken: pauseToken, RequestToken: requestToken}
	l.decide(abi.HookBridgeScript, event.Append(nil), &l.script)
	return l
}

// decide calls a hook of the module that must decide.
func (l *lab) decide(hook abi.Hook, event []byte, verdict interface{ Unmarshal([]byte) error }) {
	l.t.Helper()
	got, err := l.runner.Call(l.t.Context(), hook, event)
	if err != nil || got.Status != abi.StatusDecided {
		l.t.Fatalf("%s: %s %s %v", hook, got.Status, got.Reason, err)
	}
	if err := verdict.Unmarshal(got.Verdict); err != nil {
		l.t.Fatal(err)
	}
}

// ways are how the script can reach the test.
type ways int

const (
	noScript ways = iota // not injected at all
	noWay                // injected, without a supervisor
	byRequest
	byPause
)

// tab is a page.
type tab struct {
	*lab
	session string
}

// open makes a tab with the script in every document, and loads the empty page.
func (l *lab) open(w ways) *tab {
	l.t.Helper()
	_, session := l.client.NewPage("about:blank")
	p := &tab{lab: l, session: session}
	p.call("Page.enable", nil)
	p.call("Runtime.enable", nil)
	if w >= byPause {
		p.call("Debugger.enable", nil)
		p.call("Debugger.setBlackboxPatterns", params{"patterns": []string{"^(?!" + regexp.QuoteMeta(l.script.SourceURL) + "$)"}})
	}
	if w >= byRequest {
		var patterns []params
		for _, pattern := range l.script.RequestPatterns {
			patterns = append(patterns, params{"urlPattern": pattern})
		}
		p.call("Fetch.enable", params{"patterns": patterns})
	}
	if w >= noWay {
		p.inject()
	}
	p.load()
	return p
}

func (p *tab) inject() {
	p.t.Helper()
	p.call("Page.addScriptToEvaluateOnNewDocument", params{"source": p.script.Source, "runImmediately": true})
}

func (p *tab) load() {
	p.t.Helper()
	p.call("Page.navigate", params{"url": p.site})
	p.await("Page.loadEventFired")
}

func (p *tab) call(method string, in params) {
	p.t.Helper()
	p.client.MustCall(p.session, method, in, nil)
}

func (p *tab) await(method string) hosttest.Event {
	p.t.Helper()
	return p.client.Await(method, func(e hosttest.Event) bool { return e.SessionID == p.session && e.Method == method })
}

// outcome is the result of an expression: its value as JSON, or "threw " and what it threw.
type outcome string

// start runs an expression that may wait for the test.
func (p *tab) start(expression string) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		var reply struct {
			Result struct {
				Type  string          `json:"type"`
				Value json.RawMessage `json:"value"`
			} `json:"result"`
			ExceptionDetails *struct {
				Exception struct {
					Value       json.RawMessage `json:"value"`
					Description string          `json:"description"`
				} `json:"exception"`
			} `json:"exceptionDetails"`
		}
		err := p.client.Call(p.session, "Runtime.evaluate", params{
			"expression": expression, "returnByValue": true, "userGesture": true, "awaitPromise": true,
		}, &reply)
		switch e := reply.ExceptionDetails; {
		case err != nil:
			done <- outcome("no reply: " + err.Error())
		case e != nil:
			line, _, _ := strings.Cut(e.Exception.Description+string(e.Exception.Value), "\n")
			done <- outcome("threw " + line)
		case reply.Result.Type == "undefined":
			done <- "undefined"
		default:
			done <- outcome(reply.Result.Value)
		}
	}()
	return done
}

func (p *tab) eval(expression string) outcome { return <-p.start(expression) }

// asked is a dialog that the page waits for.
type asked struct {
	abi.BridgeRequest
	tab     *tab
	via     abi.BridgeVia
	payload string
	frame   string // call frame of a pause
	request string // id of an intercepted request
}

// asked waits until the script asks, and checks that the module can read it and the token proves it.
func (p *tab) asked() *asked {
	p.t.Helper()
	e := p.client.Await("a pause or a request", func(e hosttest.Event) bool {
		return e.SessionID == p.session && (e.Method == "Debugger.paused" || e.Method == "Fetch.requestPaused")
	})
	var in struct {
		CallFrames []struct{ CallFrameID string }
		RequestID  string
		Request    struct{ URL, Method string }
	}
	if err := e.Decode(&in); err != nil {
		p.t.Fatal(err)
	}
	a := &asked{tab: p, via: abi.BridgeViaRequest, payload: in.Request.URL, request: in.RequestID}
	token := requestToken
	if e.Method == "Debugger.paused" {
		a.via, token, a.frame = abi.BridgeViaPause, pauseToken, in.CallFrames[0].CallFrameID
		a.payload = p.inFrame(a.frame, p.script.PauseExpression)
	}
	event := abi.BridgeRequestEvent{Via: a.via, Payload: a.payload, Method: in.Request.Method}
	p.decide(abi.HookBridgeRequest, event.Append(nil), &a.BridgeRequest)
	if a.Token != token {
		p.t.Fatalf("token %q, want %q", a.Token, token)
	}
	return a
}

// inFrame evaluates an expression in a paused call frame.
func (p *tab) inFrame(frame, expression string) string {
	p.t.Helper()
	var reply struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
		ExceptionDetails any `json:"exceptionDetails"`
	}
	in := params{"callFrameId": frame, "expression": expression, "returnByValue": true, "silent": true}
	p.client.MustCall(p.session, "Debugger.evaluateOnCallFrame", in, &reply)
	if reply.ExceptionDetails != nil {
		p.t.Fatalf("%s: %v", expression, reply.ExceptionDetails)
	}
	s, _ := reply.Result.Value.(string)
	return s
}

// want checks what is asked for.
func (a *asked) want(via abi.BridgeVia, kind abi.DialogType, message, preset string) *asked {
	a.tab.t.Helper()
	if a.via != via || a.Type != kind || a.Message != message || a.DefaultPrompt != preset {
		a.tab.t.Fatalf("%s asks for %s %q %q, want %s %s %q %q", a.via, a.Type, a.Message, a.DefaultPrompt, via, kind, message, preset)
	}
	return a
}

func (a *asked) accept()  { a.tab.t.Helper(); a.reply(abi.BridgeReplyEvent{Accepted: true}) }
func (a *asked) dismiss() { a.tab.t.Helper(); a.reply(abi.BridgeReplyEvent{}) }
func (a *asked) typed(text string) {
	a.tab.t.Helper()
	a.reply(abi.BridgeReplyEvent{Accepted: true, Text: text, HasText: true})
}

func (a *asked) reply(event abi.BridgeReplyEvent) {
	a.tab.t.Helper()
	event.Via, event.Type, event.Payload = a.via, a.Type, a.payload
	var reply abi.BridgeReply
	a.tab.decide(abi.HookBridgeReply, event.Append(nil), &reply)
	if a.via == abi.BridgeViaPause {
		a.tab.inFrame(a.frame, reply.Expression)
		a.tab.call("Debugger.resume", nil)
		return
	}
	headers := []params{}
	for _, h := range reply.Headers {
		headers = append(headers, params{"name": h.Name, "value": h.Value})
	}
	a.tab.call("Fetch.fulfillRequest", params{
		"requestId": a.request, "responseCode": reply.Status, "responseHeaders": headers,
		"body": base64.StdEncoding.EncodeToString(reply.Body),
	})
}

// abandon lets the page continue without an answer, as after the loss of the supervisor.
func (a *asked) abandon() {
	a.tab.t.Helper()
	if a.via == abi.BridgeViaPause {
		a.tab.call("Debugger.resume", nil)
		return
	}
	a.tab.call("Fetch.failRequest", params{"requestId": a.request, "errorReason": "Failed"})
}

// native waits for a native dialog.
func (p *tab) native() (kind, message, preset string) {
	p.t.Helper()
	var in struct{ Type, Message, DefaultPrompt string }
	if err := p.await("Page.javascriptDialogOpening").Decode(&in); err != nil {
		p.t.Fatal(err)
	}
	return in.Type, in.Message, in.DefaultPrompt
}

func (p *tab) answerNative(accept bool) {
	p.t.Helper()
	p.call("Page.handleJavaScriptDialog", params{"accept": accept})
}

// equal compares the results of an expression.
func (p *tab) equal(what string, got, want outcome) {
	p.t.Helper()
	if got != want {
		p.t.Errorf("%s gave %s, want %s", what, got, want)
	}
}
