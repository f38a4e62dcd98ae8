package facts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come; it is never reached while the fact holds.
const patience = hosttest.Patience

// params are the parameters of a command.
type params = map[string]any

// autoAttach pauses every new child of a session until it is prepared.
var autoAttach = params{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}

// pagesOnly is autoAttach for the browser's own session: without the filter it also attaches to the browser's own
// windows (type "browser_ui") and a second time to service workers.
var pagesOnly = params{
	"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
	"filter": []params{{"type": "page"}},
}

// releaseURL frees a tab from any dialog when it is navigated to: the navigation starts, which closes the dialog, and
// is then refused with net::ERR_ABORTED, so that the page stays. See TestFactsAboutDialogsOfTheBrowser for its scheme.
const releaseURL = "vbscript:nowhere"

// lab is a browser, and the trace of all that came from it in the order of arrival.
type lab struct {
	t    *testing.T
	conn *cdp.Conn
	site *site

	mu      sync.Mutex
	trace   []entry
	changed chan struct{} // closed and replaced with each entry
	prepare bool          // attached pages and frames are made ready and resumed
}

// entry is an event, or the reply to a command that was sent with lab.send.
type entry struct {
	cdp.Message
	body map[string]any // the parameters of an event, the result of a reply
}

// newLab starts a browser that attaches to all its pages, as the supervisor does.
func newLab(t *testing.T) *lab {
	t.Helper()
	return newLabOf(t, os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE"))
}

// newLabOf is newLab of an executable.
func newLabOf(t *testing.T, executable string) *lab {
	t.Helper()
	process, err := browser.Launch(t.Context(), browser.LaunchOptions{
		Executable:  executable,
		Args:        []string{"--site-per-process"},
		UserDataDir: shared.LoadingAhead(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, site: newSite(t), changed: make(chan struct{}), prepare: true}
	r, w := process.Pipe()
	l.conn = cdp.NewPipe(r, w, cdp.Options{Handler: l.handle})
	t.Cleanup(func() {
		_ = l.conn.Close()
		<-l.conn.Done()
		if err := process.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	l.conn.Subscribe("Target.attachedToTarget", "Target.detachedFromTarget", "Target.targetCrashed",
		"Inspector.targetCrashed", "Inspector.targetReloadedAfterCrash",
		"Page.javascriptDialogOpening", "Page.javascriptDialogClosed", "Page.frameAttached", "Page.frameDetached",
		"Page.frameNavigated", "Page.documentOpened", "Page.loadEventFired", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
	l.call("", "Target.setAutoAttach", pagesOnly)
	return l
}

// handle runs on the reader: it records, and prepares what was attached without waiting for replies, which is allowed
// because a paused target answers all of it and runs nothing before the last command.
func (l *lab) handle(m cdp.Message) {
	e := entry{Message: m}
	raw := m.Params
	if m.ID != 0 {
		raw = m.Result
	}
	_ = json.Unmarshal(raw, &e.body)
	l.mu.Lock()
	l.trace = append(l.trace, e)
	close(l.changed)
	l.changed = make(chan struct{})
	prepare := l.prepare
	l.mu.Unlock()
	if prepare && m.Method == "Target.attachedToTarget" {
		l.ready(e.str("sessionId"), e.str("targetInfo", "type"))
	}
}

// ready prepares a paused target as the supervisor does, and resumes it.
func (l *lab) ready(session, kind string) {
	if kind == "page" || kind == "iframe" {
		for _, method := range []string{"Page.enable", "Runtime.enable"} {
			_, _ = l.conn.Send(session, method, nil)
		}
		_, _ = l.conn.Send(session, "Target.setAutoAttach", autoAttach)
	}
	_, _ = l.conn.Send(session, "Runtime.runIfWaitingForDebugger", nil)
}

// hold stops lab.handle from preparing what is attached from now on.
func (l *lab) hold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.prepare = false
}

// unhold undoes hold.
func (l *lab) unhold() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.prepare = true
}

// call runs a command that must succeed and gives its result.
func (l *lab) call(session, method string, p params) map[string]any {
	l.t.Helper()
	result, err := l.try(session, method, p)
	if err != nil {
		l.t.Fatalf("%v\n%s", err, l.dump(0))
	}
	return result
}

// try runs a command that may fail.
func (l *lab) try(session, method string, p params) (map[string]any, error) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), patience)
	defer cancel()
	var result map[string]any
	err := l.conn.Call(ctx, session, method, p, &result)
	return result, err
}

// refused runs a command that the browser must refuse with that code and text.
func (l *lab) refused(code int64, text, session, method string, p params) {
	l.t.Helper()
	_, err := l.try(session, method, p)
	var refusal *cdp.Error
	if !errors.As(err, &refusal) || refusal.Code != code || !strings.Contains(refusal.Message, text) {
		l.t.Fatalf("%s: got %v, want %q (code %d)\n%s", method, err, text, code, l.dump(0))
	}
}

// send queues a command; its reply appears in the trace.
func (l *lab) send(session, method string, p params) (id int64) {
	l.t.Helper()
	id, err := l.conn.Send(session, method, p)
	if err != nil {
		l.t.Fatal(err)
	}
	return id
}

// eval runs an expression with user activation and gives its value.
func (l *lab) eval(session, expression string) any {
	l.t.Helper()
	result := l.call(session, "Runtime.evaluate", params{
		"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
	})
	if details, ok := result["exceptionDetails"]; ok {
		l.t.Fatalf("%s: %v", expression, details)
	}
	return result["result"].(map[string]any)["value"]
}

// start sends an evaluate that will block, and gives the number of its reply.
func (l *lab) start(session, expression string) int64 {
	l.t.Helper()
	return l.send(session, "Runtime.evaluate", params{"expression": expression, "returnByValue": true, "userGesture": true})
}

// want gives an error when a value is another one.
func (l *lab) want(what string, got, want any) {
	l.t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		l.t.Fatalf("%s: got %v, want %v\n%s", what, got, want, l.dump(0))
	}
}
