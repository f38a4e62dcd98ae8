//go:build unix

package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// mortal is a world whose browser is started by calls and can be killed.
type mortal struct {
	*world
	kill func()
	// hanging has an entry for each request of /hang, which gets no answer.
	hanging chan struct{}
}

// newMortal serves pages by path; those whose path begins with /error are served with status 500.
func newMortal(t *testing.T, ho host.Options, l host.LaunchOptions, pages map[string]string) *mortal {
	t.Helper()
	t.Parallel()
	hanging := make(chan struct{}, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch page, ok := pages[r.URL.Path]; {
		case r.URL.Path == "/hang":
			hanging <- struct{}{}
			<-r.Context().Done()
		case r.URL.Path == "/redirect":
			http.Redirect(w, r, "/two?arrived=yes", http.StatusFound)
		case !ok:
			http.NotFound(w, r)
		default:
			if strings.HasPrefix(r.URL.Path, "/error") {
				w.WriteHeader(http.StatusInternalServerError)
			}
			// An error means that the client is gone.
			_, _ = io.WriteString(w, "<!doctype html><title>"+r.URL.Path+"</title>"+page)
		}
	}))
	t.Cleanup(site.Close)
	m := &mortal{hanging: hanging, world: &world{t: t, ctx: testContext(t), site: site.URL, host: common.NewHost(t, ho)}}
	l.Executable, m.kill = hosttest.Killable(t)
	m.registry = newRegistry(t, m.host, Options{
		Toolsets: Toolsets{Use: []string{"browser-full"}},
		Open: func(ctx context.Context, id string) (*host.Task, error) {
			return m.host.Launch(ctx, id, &l, &host.TaskOptions{DialogPolicy: "must_respond"})
		},
	})
	return m
}

// die kills the browser and waits until the host has noticed.
func (m *mortal) die() {
	m.t.Helper()
	task := m.host.Task("task")
	m.kill()
	select {
	case <-task.Done():
	case <-m.ctx.Done():
		m.t.Fatal("the end of the browser was not noticed")
	}
}

// until waits until the task's snapshot meets a condition.
func (m *mortal) until(what string, condition func(*host.Snapshot) bool) {
	m.t.Helper()
	if _, ok := m.host.Task("task").Wait(m.ctx, condition); !ok {
		m.t.Fatalf("it did not come to be that %s", what)
	}
}

func restarted(r Result) bool { _, ok := r.Structured["restarted"]; return ok }

var mortalPages = map[string]string{"/one": `<button>Save</button><p id=p>one</p>`, "/two": "two", "/error": "sorry"}

func TestAKilledBrowserIsSaidToHaveBeenRestarted(t *testing.T) {
	for name, launch := range map[string]host.LaunchOptions{"by pipe": {}, "by port": {Port: true}} {
		t.Run(name, func(t *testing.T) {
			m := newMortal(t, host.Options{}, launch, mortalPages)
			if r := m.good("browser_navigate", `{"url":"SITE/one"}`); restarted(r) {
				t.Errorf("the first start is taken for another: %s", show(r))
			}
			listed := len(m.registry.Tools(View{Task: "task"}))
			m.good("browser_evaluate", `{"expression":"document.cookie='seen=yes'"}`)
			m.good("browser_tabs", `{"action":"open","url":"SITE/two"}`)
			m.until("the second tab has its page", func(s *host.Snapshot) bool { return s.Targets[len(s.Targets)-1].URL == m.site+"/two" })
			blocked := m.bad("browser_evaluate", `{"expression":"confirm('still there?')"}`, host.ErrBlockedByDialog)
			want(t, blocked, "call_id", `"c-1"`)
			m.good("browser_dialog", `{"arm":true,"action":"accept"}`)
			inFlight := make(chan Result, 1)
			go func() {
				inFlight <- m.call("browser_wait_for", `{"tab":"t2","selector":"#never"}`)
			}()
			m.kill()
			<-m.host.Task("task").Done()
			if r := <-inFlight; !r.IsError {
				t.Errorf("a call under way gives %s", show(r))
			}

			lost := m.bad("browser_resume", `{"call_id":"c-1"}`, host.ErrUnknownCall)
			if text := field(t, lost, "error"); !strings.Contains(text, "restarted") || !strings.Contains(text, "killed") {
				t.Errorf("an earlier call fails with %s", text)
			}
			want(t, lost, "restarted.reason", `"the browser ended by itself: signal: killed"`)
			want(t, lost, "restarted.tabs.0.handle", `"t1"`)
			want(t, lost, "restarted.tabs.1.url", `"`+m.site+`/two"`)
			want(t, lost, "restarted.last_url", `"`+m.site+`/one"`)
			want(t, lost, "restarted.untrusted.fields", `["tabs","last_url"]`)
			for _, gone := range []string{"2 tabs", "cookies and storage", "refs and tab handles", "pending dialogs d-1", "the armed answer", "blocked calls c-1", "downloads", "console"} {
				if !strings.Contains(field(t, lost, "restarted.lost"), gone) {
					t.Errorf("%s is not said to be lost: %s", gone, show(lost))
				}
			}
			for _, line := range []string{"the browser was restarted: ", "lost tab t2 " + m.site + "/two", "the last page was " + m.site + "/one", "browser_navigate without url"} {
				if !strings.Contains(lost.Text, line) {
					t.Errorf("the text has no %q: %s", line, lost.Text)
				}
			}
			if got := len(m.registry.Tools(View{Task: "task"})); got != listed {
				t.Errorf("%d tools are listed, and were %d before", got, listed)
			}

			stale := m.bad("browser_click", `{"ref":"e1"}`, host.ErrStaleRef)
			if restarted(stale) || !strings.Contains(field(t, stale, "error"), "restarted") {
				t.Errorf("an earlier ref: %s", show(stale))
			}
			if r := m.bad("browser_snapshot", `{"tab":"t1"}`, host.ErrUnknownTarget); !strings.Contains(field(t, r, "error"), "restarted") {
				t.Errorf("an earlier tab: %s", show(r))
			}
			back := m.good("browser_navigate", ``)
			want(t, back, "url", `"`+m.site+`/one"`)
			whole := m.good("browser_snapshot", `{"since":"r1"}`)
			want(t, whole, "changed", "true")
			if !strings.Contains(whole.Text, "a reading from before the restart of the browser, so this is the whole page") || !strings.Contains(whole.Text, "Save") {
				t.Errorf("since an earlier reading: %s", whole.Text)
			}
			if snapshot := field(t, back, "snapshot"); strings.Contains(snapshot, "@e1]") || strings.Contains(snapshot, "@e1 ") {
				t.Errorf("a ref was given out again: %s", snapshot)
			}
			want(t, m.good("browser_evaluate", `{"expression":"document.cookie"}`), "result", `""`)
			again := m.bad("browser_evaluate", `{"expression":"alert('new')"}`, host.ErrBlockedByDialog)
			want(t, again, "pending_dialogs.0.id", `"d-2"`)
			want(t, again, "call_id", `"c-2"`)
			m.good("browser_dialog", `{"action":"accept","dialog_id":"d-2"}`)
		})
	}
}

func TestAnActionWhoseBrowserIsKilledIsNoSuccess(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, map[string]string{"/one": `<a href="/hang">go</a>`})
	m.good("browser_navigate", `{"url":"SITE/one"}`)
	acted := make(chan Result, 1)
	go func() { acted <- m.call("browser_click", `{"selector":"a"}`) }()
	select {
	case <-m.hanging:
	case <-m.ctx.Done():
		t.Fatal("the page was not left")
	}
	m.kill()
	if r := <-acted; !r.IsError || r.Structured["kind"] != string(host.ErrTransport) || !strings.Contains(r.Text, result.HintGone) {
		t.Errorf("got %s", show(r))
	}
	if r := m.good("browser_tabs", `{"action":"list"}`); !restarted(r) { // at once: the agent can go on
		t.Errorf("got %s", show(r))
	}
}

func TestCloseAfterTheEndOfABrowserStartsNone(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
	m.good("browser_navigate", `{"url":"SITE/one"}`)
	m.die()
	want(t, m.good("browser_close", ``), "closed", "true")
	if m.host.Task("task") != nil {
		t.Error("the task is there still")
	}
	want(t, m.good("browser_close", ``), "closed", "false")
	if r := m.good("browser_tabs", `{"action":"list"}`); restarted(r) {
		t.Errorf("what was closed is said to have been restarted: %s", show(r))
	}
	if r := m.bad("browser_navigate", ``, host.ErrBadArguments); !strings.Contains(field(t, r, "error"), "a URL is required") {
		t.Errorf("without an address: %s", show(r))
	}
}

func TestABrowserThatDiesAgainAndAgainIsNotStartedForEver(t *testing.T) {
	m := newMortal(t, host.Options{RestartLimit: 2}, host.LaunchOptions{}, mortalPages)
	m.good("browser_tabs", `{"action":"list"}`)
	m.die()
	if r := m.good("browser_tabs", `{"action":"list"}`); !restarted(r) {
		t.Errorf("the first restart: %s", show(r))
	}
	m.die()
	r := m.bad("browser_tabs", `{"action":"list"}`, host.ErrRestartLoop)
	for _, part := range []string{"2 times within 1m0s", "signal: killed", "tries again in", "browser.executable", "doctor"} {
		if !strings.Contains(field(t, r, "error"), part) {
			t.Errorf("the error does not say %q: %s", part, show(r))
		}
	}
	m.host.Forget("task")
	m.good("browser_tabs", `{"action":"list"}`)
}

func TestAProfileKeepsTheLastGoodAddress(t *testing.T) {
	profile := t.TempDir()
	launch := host.LaunchOptions{UserDataDir: profile}
	m := newMortal(t, host.Options{}, launch, mortalPages)
	file := filepath.Join(profile, "hermes-cdp-last-address")
	m.good("browser_navigate", `{"url":"SITE/redirect"}`)
	if text, err := os.ReadFile(file); err != nil || string(text) != m.site+"/two?arrived=yes\n" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	m.die()
	r := m.good("browser_tabs", `{"action":"list"}`)
	want(t, r, "restarted.kept", `["cookies and storage, as far as they were written to the profile"]`)
	want(t, r, "restarted.last_url", `"`+m.site+`/two?arrived=yes"`)
	m.good("browser_close", ``)

	h := common.NewHost(t, host.Options{}) // as another process would
	task, err := h.Launch(m.ctx, "other", &host.LaunchOptions{Executable: hosttest.Executable(t), UserDataDir: profile}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := browsertool.NewBrowser(task, BrowserOptions{}).Navigate(m.ctx, browsertool.NavigateParams{})
	if err != nil || got.URL != m.site+"/two?arrived=yes" {
		t.Errorf("the earlier URL gives %+v, %v", got, err)
	}
}

func TestOnlyAGoodPageIsRemembered(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
	for _, arguments := range []string{`{}`, `{"url":""}`} {
		r := m.bad("browser_navigate", arguments, host.ErrBadArguments)
		if !strings.Contains(field(t, r, "error"), "url: a URL is required") {
			t.Errorf("without an address: %s", show(r))
		}
	}
	m.good("browser_navigate", `{"url":"SITE/one"}`)
	for name, arguments := range map[string]string{
		"an empty page": `{"url":"about:blank"}`, "data": `{"url":"data:text/html,hello"}`, "an error of the server": `{"url":"SITE/error"}`,
		"a page that is not there": `{"url":"SITE/nowhere"}`, "nobody answers": `{"url":"http://127.0.0.1:1/"}`,
	} {
		m.call("browser_navigate", arguments)
		if got := m.host.Task("task").LastURL(); got != m.site+"/one" {
			t.Errorf("%s: the last address is %s", name, got)
		}
	}
	r := m.good("browser_interact", `{"actions":[{"action":"goto"}]}`)
	want(t, r, "url", `"`+m.site+`/one"`)
}

func TestACrashedTabSaysHowToGoOn(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
	m.good("browser_navigate", `{"url":"SITE/one"}`)
	m.good("browser_tabs", `{"action":"open","url":"SITE/two"}`)
	for _, revive := range []string{"browser_reload", "browser_navigate"} {
		m.bad("browser_cdp", fmt.Sprintf(`{"method":"Page.crash","target_id":%q}`, m.host.Task("task").Tabs()[0].Info().TargetID), host.ErrSessionLost)
		m.until("the tab has crashed", func(s *host.Snapshot) bool { return s.Targets[0].Crashed })
		r := m.bad("browser_snapshot", `{"tab":"t1"}`, host.ErrSessionLost)
		if !strings.Contains(field(t, r, "error"), "the tab crashed") || !strings.Contains(r.Text, "browser_reload or browser_navigate") {
			t.Errorf("a crashed tab gives %s", show(r))
		}
		want(t, m.good("browser_evaluate", `{"tab":"t2","expression":"1+1"}`), "result", "2")
		want(t, m.good(revive, `{"tab":"t1"}`), "url", `"`+m.site+`/one"`)
	}
}

func TestAnEmbeddersResultIsLeftAsItIs(t *testing.T) {
	m := newMortal(t, host.Options{}, host.LaunchOptions{}, mortalPages)
	shared := map[string]any{"success": true}
	c := custom("mine_one")
	c.Run = func(context.Context, *Browser, json.RawMessage) (Result, error) {
		return Result{Text: "ran", Structured: shared}, nil
	}
	if err := m.registry.Register("mine", c); err != nil {
		t.Fatal(err)
	}
	m.good("browser_tabs", `{"action":"list"}`)
	m.die()
	r, err := m.registry.Call(m.ctx, Call{Task: "task", Name: "mine_one", Toolsets: []string{"all"}})
	if err != nil || !restarted(r) || len(shared) != 1 {
		t.Errorf("got %s, %v, and the embedder's own became %v", show(r), err, shared)
	}
}

func TestAnAddressIsAttachedToOnceMore(t *testing.T) {
	t.Parallel()
	first, second := hosttest.Browser(t, hosttest.WithPort()), hosttest.Browser(t, hosttest.WithPort())
	h := common.NewHost(t, host.Options{ReconnectTimeout: -1})
	address := first.WebSocketURL()
	r := newRegistry(t, h, Options{Open: func(ctx context.Context, id string) (*host.Task, error) {
		if task := h.Task(id); task != nil && !isOver(task) {
			return task, nil
		}
		return h.Attach(ctx, id, address, nil)
	}})
	w := &world{t: t, ctx: testContext(t), host: h, registry: r}
	w.good("browser_tabs", `{"action":"list"}`)
	task := h.Task("task")
	first.Kill()
	<-task.Done()
	address = second.WebSocketURL()
	got := w.good("browser_tabs", `{"action":"list"}`)
	if !strings.Contains(field(t, got, "restarted.lost"), "unless the browser at the address kept them") {
		t.Errorf("got %s", show(got))
	}
	if strings.Contains(got.Text, "/devtools/browser/") {
		t.Errorf("the address is shown: %s", got.Text)
	}
}

func isOver(t *host.Task) bool {
	select {
	case <-t.Done():
		return true
	default:
		return false
	}
}

func TestAFileThatIsNoAddressIsNone(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	file := filepath.Join(profile, "hermes-cdp-last-address")
	if err := os.WriteFile(file, []byte("javascript:alert(1)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := common.NewHost(t, host.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	task, err := h.Launch(ctx, "task", &host.LaunchOptions{Executable: hosttest.Executable(t), UserDataDir: profile}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := task.LastURL(); got != "" {
		t.Errorf("the last address is %q", got)
	}
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		t.Error("the file was removed")
	}
}
