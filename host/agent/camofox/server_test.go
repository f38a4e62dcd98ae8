//go:build unix

package camofox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/camofox"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/internal/freeport"
)

// installed is where `make inspector` puts the server, and the Node.js that it needs.
const installed = "../../../.cache/inspector"

// startServer starts the Camofox server of its npm package, on a Chromium. It ends with the test.
func startServer(t *testing.T, variables ...string) string {
	t.Helper()
	s := newProcess(t, t.TempDir(), variables...)
	t.Cleanup(func() {
		s.end()
		if t.Failed() {
			t.Logf("the server said:\n%s", s.log.Bytes())
		}
	})
	return s.address
}

// common is the server of most tests.
var common struct {
	sync.Mutex
	*process
	home string
}

func commonServer(t *testing.T) string {
	t.Helper()
	common.Lock()
	defer common.Unlock()
	if common.process == nil {
		home, err := os.MkdirTemp("", "camofox-home-")
		if err != nil {
			t.Fatal(err)
		}
		common.home, common.process = home, newProcess(t, home)
	}
	return common.address
}

func TestMain(m *testing.M) {
	code := m.Run()
	if common.process != nil {
		common.end()
		_ = os.RemoveAll(common.home)
	}
	os.Exit(code)
}

// process is a server that runs.
type process struct {
	address string
	log     bytes.Buffer
	command *exec.Cmd
	ended   chan error
}

func newProcess(t *testing.T, home string, variables ...string) *process {
	t.Helper()
	port := strconv.Itoa(freeport.For(t))
	preload, err := filepath.Abs("testdata/preload.mjs")
	if err != nil {
		t.Fatal(err)
	}
	node, err := filepath.Abs(filepath.Join(installed, "node"))
	if err != nil {
		t.Fatal(err)
	}
	s := &process{address: "http://127.0.0.1:" + port, ended: make(chan error, 1)}
	s.command = exec.Command(node, "--import", preload, "node_modules/@askjo/camofox-browser/server.js")
	s.command.Dir = installed
	s.command.Env = append(os.Environ(), append([]string{
		"HOME=" + home, "CAMOFOX_BIND_HOST=127.0.0.1", "CAMOFOX_PORT=" + port, "CAMOFOX_CRASH_REPORT_ENABLED=false", "ENGINE=" + hosttest.Executable(t),
	}, variables...)...)
	s.command.Stdout, s.command.Stderr = &s.log, &s.log
	s.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.command.Start(); err != nil {
		t.Fatalf("%v (is `make inspector` done?)", err)
	}
	go func() { s.ended <- s.command.Wait() }()
	for {
		answer, err := http.Get(s.address + "/health")
		if err == nil {
			_ = answer.Body.Close()
			return s
		}
		select {
		case err := <-s.ended:
			t.Fatalf("the server has ended: %v\n%s", err, s.log.Bytes())
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// end ends the server and, as it may not have ended its browser, its processes.
func (s *process) end() {
	_ = s.command.Process.Signal(os.Interrupt)
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
	}
	_ = syscall.Kill(-s.command.Process.Pid, syscall.SIGKILL)
}

// agents call the tools of a registry whose tasks are on a server.
type agents struct {
	t        *testing.T
	registry *agent.Registry
	server   *camofox.Server
}

func newAgents(t *testing.T, o camofox.Options) *agents {
	t.Helper()
	server, err := camofox.New(o)
	if err != nil {
		t.Fatal(err)
	}
	h, err := host.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := agent.New(h, agent.Options{
		Backend: server.Tools, Toolsets: agent.Toolsets{Use: []string{"all"}},
		Open: func(context.Context, string) (*host.Task, error) {
			t.Error("a call has started a browser")
			return nil, host.ErrNoBrowser
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return &agents{t: t, registry: r, server: server}
}

// call calls a tool.
func (a *agents) call(task, tool string, arguments map[string]any) agent.Result {
	a.t.Helper()
	if arguments == nil {
		arguments = map[string]any{}
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		a.t.Fatal(err)
	}
	r, err := a.registry.Call(a.t.Context(), agent.Call{Task: task, Name: tool, Arguments: encoded})
	if err != nil {
		a.t.Fatal(err)
	}
	return r
}

// ok is call for one that must succeed.
func (a *agents) ok(task, tool string, arguments map[string]any) agent.Result {
	a.t.Helper()
	r := a.call(task, tool, arguments)
	if r.IsError {
		a.t.Fatalf("%s: %s", tool, r.Text)
	}
	return r
}

// code is call for one that must fail.
func (a *agents) code(task, tool string, arguments map[string]any) string {
	a.t.Helper()
	r := a.call(task, tool, arguments)
	if !r.IsError {
		a.t.Fatalf("%s succeeded: %s", tool, r.Text)
	}
	return fmt.Sprint(r.Structured["code"])
}

// ref finds the ref of an element in a reading.
func ref(t *testing.T, r agent.Result, element string) string {
	t.Helper()
	for line := range strings.Lines(r.Text) {
		if _, rest, ok := strings.Cut(line, element+" ["); ok {
			name, _, _ := strings.Cut(rest, "]")
			return name
		}
	}
	t.Fatalf("no %s in:\n%s", element, r.Text)
	return ""
}

func givesPages(t *testing.T) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/form":
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", MaxAge: 600})
			fmt.Fprint(w, `<title>Form</title><h1>Form</h1><form action="/sent"><label>Name <input name=n></label><button>Send</button></form>
				<a href="/other" target="_blank">Other</a><img src="/a.png" alt="a picture" width=20 height=20><div style="height:3000px"></div>`)
		case "/sent":
			fmt.Fprintf(w, `<title>Sent</title><h1>Thanks %s</h1>`, r.FormValue("n"))
		case "/cookie":
			_, err := r.Cookie("seen")
			fmt.Fprintf(w, `<h1>seen before: %v</h1>`, err == nil)
		default:
			fmt.Fprint(w, `<h1>Other page</h1>`)
		}
	}))
	t.Cleanup(site.Close)
	return site
}

func TestTheToolsWorkOnAServer(t *testing.T) {
	site, a := givesPages(t), newAgents(t, camofox.Options{URL: commonServer(t)})
	if code := a.code("one", "browser_click", map[string]any{"ref": "e1"}); code != "no_page" {
		t.Errorf("a click before there is a page: %s", code)
	}
	page := a.ok("one", "browser_navigate", map[string]any{"url": site.URL + "/form"})
	if page.Structured["status"] != 200 || !strings.Contains(page.Text, "untrusted") {
		t.Errorf("the page is %v:\n%s", page.Structured, page.Text)
	}
	for _, extra := range []string{"pending_dialogs", "recent_dialogs", "frame_tree"} {
		if _, ok := page.Structured[extra]; ok {
			t.Errorf("the reading has %s, which only CDP tells", extra)
		}
	}
	a.ok("one", "browser_type", map[string]any{"ref": ref(t, page, `textbox "Name"`), "text": "Ada"})
	a.ok("one", "browser_press", map[string]any{"key": "Tab"})
	a.ok("one", "browser_scroll", map[string]any{"direction": "down"})
	if r := a.ok("one", "browser_evaluate", map[string]any{"expression": "scrollY > 0 && document.querySelector('input').value"}); r.Structured["result"] != "Ada" {
		t.Errorf("the page was not scrolled, or has not the text: %s", r.Text)
	}
	if r := a.ok("one", "browser_get_images", nil); !strings.Contains(r.Text, "a picture") {
		t.Errorf("the images are %s", r.Text)
	}
	if r := a.ok("one", "browser_screenshot", nil); len(r.Images) != 1 || !bytes.HasPrefix(r.Images[0].Data, []byte("\x89PNG")) {
		t.Errorf("the picture is %s", r.Text)
	}
	if r := a.ok("one", "browser_vision", map[string]any{"question": "What is it?"}); len(r.Images) != 1 || !strings.Contains(r.Text, "What is it?") {
		t.Errorf("the picture for a question is %s", r.Text)
	}
	a.ok("one", "browser_click", map[string]any{"ref": ref(t, page, `button "Send"`)})
	if r := a.ok("one", "browser_snapshot", nil); !strings.Contains(r.Text, "Thanks Ada") {
		t.Errorf("after the click: %s", r.Text)
	}
	if r := a.ok("one", "browser_back", nil); !strings.Contains(r.Text, `"Form"`) {
		t.Errorf("back: %s", r.Text)
	}
	a.ok("one", "browser_forward", nil)
	a.ok("one", "browser_reload", nil)
	if code := a.code("one", "browser_click", map[string]any{"ref": "e99"}); code != "stale_ref" {
		t.Errorf("a ref that is not there: %s", code)
	}
	if code := a.code("one", "browser_navigate", map[string]any{"url": "http://127.0.0.1:1/"}); code != "navigation_failed" {
		t.Errorf("a site that is not there: %s", code)
	}
	if code := a.code("one", "browser_navigate", map[string]any{"url": "file:///etc/passwd"}); code != "refused" {
		t.Errorf("a file: %s", code)
	}
}

func TestATabIsListedOpenedAndClosed(t *testing.T) {
	site, a := givesPages(t), newAgents(t, camofox.Options{URL: commonServer(t)})
	a.ok("one", "browser_navigate", map[string]any{"url": site.URL + "/form"})
	a.ok("one", "browser_tabs", map[string]any{"action": "open", "url": site.URL + "/other"})
	if r := a.ok("one", "browser_snapshot", nil); !strings.Contains(r.Text, "Other page") {
		t.Errorf("the tab that was opened is not in use: %s", r.Text)
	}
	if r := a.ok("one", "browser_tabs", map[string]any{"action": "focus", "tab": "t1"}); !strings.Contains(r.Text, "t1 (in use)") || !strings.Contains(r.Text, "2 tabs") {
		t.Errorf("the tabs are %s", r.Text)
	}
	if r := a.ok("one", "browser_tabs", map[string]any{"action": "close", "tab": "t1"}); !strings.Contains(r.Text, "1 tabs") || !strings.Contains(r.Text, "/other") {
		t.Errorf("the tabs are %s", r.Text)
	}
	if code := a.code("one", "browser_tabs", map[string]any{"action": "close", "tab": "t7"}); code != "bad_arguments" {
		t.Errorf("a tab that is not there: %s", code)
	}
	if r := a.ok("two", "browser_tabs", map[string]any{"action": "list"}); !strings.Contains(r.Text, "0 tabs") {
		t.Errorf("another task has the tabs %s", r.Text)
	}
}

func TestATaskIsAUserWhoIsRemovedOrKept(t *testing.T) {
	address := commonServer(t)
	for name, c := range map[string]struct {
		profile       string
		shared, after bool
	}{"a task of its own": {"", false, false}, "a profile": {"work", true, true}} {
		t.Run(name, func(t *testing.T) {
			site, a := givesPages(t), newAgents(t, camofox.Options{URL: address, Profile: c.profile})
			seen := func(task string) bool {
				return strings.Contains(a.ok(task, "browser_navigate", map[string]any{"url": site.URL + "/cookie"}).Text, "seen before: true")
			}
			a.ok("one", "browser_navigate", map[string]any{"url": site.URL + "/form"})
			if !seen("one") || seen("two") != c.shared {
				t.Errorf("the cookie is the task's own: %v, and another's: %v", seen("one"), seen("two"))
			}
			a.ok("one", "browser_close", nil)
			if seen("one") != c.after {
				t.Errorf("after the end of the session, the cookie is there: %v", !c.after)
			}
			if err := a.server.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestASessionThatNobodyUsesEnds(t *testing.T) {
	to, err := url.Parse(commonServer(t))
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 10)
	forward := httputil.NewSingleHostReverseProxy(to)
	between := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		forward.ServeHTTP(w, r)
		if r.Method == http.MethodDelete {
			ended <- r.URL.Path
		}
	}))
	t.Cleanup(between.Close)
	site, a := givesPages(t), newAgents(t, camofox.Options{URL: between.URL})
	a.ok("one", "browser_navigate", map[string]any{"url": site.URL + "/form"})
	ctx, cancel := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { a.server.EndIdle(ctx, 100*time.Millisecond) })
	select {
	case path := <-ended:
		if !strings.HasPrefix(path, "/sessions/") {
			t.Errorf("removed was %s", path)
		}
	case <-time.After(time.Minute):
		t.Error("the session has not ended")
	}
	cancel()
	watching.Wait()
	if r := a.ok("one", "browser_navigate", map[string]any{"url": site.URL + "/cookie"}); strings.Contains(r.Text, "seen before: true") {
		t.Errorf("the next session still has the cookie: %s", r.Text)
	}
	if err := a.server.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// A page that cannot be reached any more costs its task one call.
func TestALostTabIsToldAndTheNextNavigationOpensAnother(t *testing.T) {
	address := startServer(t, "CAMOFOX_ADMIN_KEY="+adminKey)
	site, a := givesPages(t), newAgents(t, camofox.Options{URL: address})
	a.ok("one", "browser_navigate", map[string]any{"url": site.URL + "/form"})
	sessions := a.removeAll(address)
	if sessions != 1 {
		t.Fatalf("the server had %d sessions", sessions)
	}
	if code := a.code("one", "browser_snapshot", nil); code != "target_gone" {
		t.Errorf("a reading of a tab that is gone: %s", code)
	}
	if r := a.ok("one", "browser_navigate", map[string]any{"url": site.URL + "/other"}); !strings.Contains(r.Text, "Other page") {
		t.Errorf("the next page is %s", r.Text)
	}
}

// removeAll removes all users from the server, as it does by itself after a while.
func (a *agents) removeAll(address string) int {
	a.t.Helper()
	request, err := http.NewRequestWithContext(a.t.Context(), http.MethodPost, address+"/stop", nil)
	if err != nil {
		a.t.Fatal(err)
	}
	before := a.health(address)
	request.Header.Set("x-admin-key", adminKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(answer.Body)
		a.t.Fatalf("the server did not stop its browser: %s %s", answer.Status, said)
	}
	return before
}

const adminKey = "an administrator of the tests"

// health returns how many users the server has.
func (a *agents) health(address string) int {
	a.t.Helper()
	answer, err := http.Get(address + "/health")
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	var h struct {
		Sessions int `json:"activeSessions"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&h); err != nil {
		a.t.Fatal(err)
	}
	return h.Sessions
}

func TestWhatNeedsCDPIsNotOffered(t *testing.T) {
	a := newAgents(t, camofox.Options{URL: "http://127.0.0.1:1"})
	var names []string
	for _, tool := range a.registry.Tools(agent.View{}) {
		names = append(names, tool.Name)
		if strings.Contains(string(tool.Input), "frame_id") || len(tool.Output) > 0 {
			t.Errorf("%s has the schema of a browser that is reached by CDP: %s", tool.Name, tool.Input)
		}
	}
	for _, name := range []string{"browser_dialog", "browser_cdp", "browser_network_requests", "browser_upload", "browser_record", "browser_state"} {
		if slices.Contains(names, name) {
			t.Errorf("%s is offered", name)
		}
	}
	for _, name := range []string{"browser_navigate", "browser_snapshot", "browser_click", "browser_type", "browser_press", "browser_scroll", "browser_back", "browser_vision"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not offered", name)
		}
	}
}

func TestAServerThatRefusesOrIsAbsentIsAProviderError(t *testing.T) {
	const key = "a-key-of-the-tests"
	locked := startServer(t, "CAMOFOX_ACCESS_KEY="+key)
	site := givesPages(t)
	for name, c := range map[string]struct{ address, key, says string }{
		"absent":    {"http://127.0.0.1:1", "", "start the Camofox server"},
		"no key":    {locked, "", "CAMOFOX_API_KEY"},
		"wrong key": {locked, "another-key", "CAMOFOX_API_KEY"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newAgents(t, camofox.Options{URL: c.address, Key: c.key}).call("one", "browser_navigate", map[string]any{"url": site.URL})
			if r.Structured["code"] != "provider" || !strings.Contains(r.Text, c.says) || c.key != "" && strings.Contains(r.Text, c.key) {
				t.Errorf("the error is %s", r.Text)
			}
		})
	}
	newAgents(t, camofox.Options{URL: locked, Key: key}).ok("one", "browser_navigate", map[string]any{"url": site.URL})
}

// What a task asks for, the key and what is typed go to the configured server alone.
func TestNoRedirectIsFollowed(t *testing.T) {
	var asked atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect} {
		server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		defer server.Close()
		r := newAgents(t, camofox.Options{URL: server.URL, Key: "a-key-of-the-tests"}).call("one", "browser_navigate", map[string]any{"url": "http://localhost:1/"})
		if r.Structured["code"] != "provider" || !strings.Contains(r.Text, strconv.Itoa(status)) || !strings.Contains(r.Text, "set CAMOFOX_URL") {
			t.Errorf("%d: the error is %s", status, r.Text)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests were made elsewhere", n)
	}
}

// Script of the agent's comes in by no URL where it may run none.
func TestWithoutEvaluateNoURLBringsScript(t *testing.T) {
	a := newAgents(t, camofox.Options{URL: "http://127.0.0.1:1", EvaluateDisabled: true})
	for _, address := range []string{"data:text/html,<script>1</script>", "javascript:1", "blob:http://a/b"} {
		if code := a.code("one", "browser_navigate", map[string]any{"url": address}); code != "evaluate_disabled" {
			t.Errorf("%s: %s", address, code)
		}
		if code := a.code("one", "browser_tabs", map[string]any{"action": "open", "url": address}); code != "evaluate_disabled" {
			t.Errorf("%s in a new tab: %s", address, code)
		}
	}
}

func TestASettingThatCannotBeUsedIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ address, key, says string }{
		"no URL":             {"camofox:9377", "", "CAMOFOX_URL"},
		"a key in the clear": {"http://camofox.example:9377", "key", "https://"},
		"two lines":          {"https://camofox.example", "a\nb", "CAMOFOX_API_KEY"},
	} {
		if _, err := camofox.New(camofox.Options{URL: c.address, Key: c.key}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// People can watch where the server says so, and nowhere that a server could not be.
func TestTheFirstNavigationSaysWherePeopleCanWatch(t *testing.T) {
	address, site := commonServer(t), givesPages(t)
	behind, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for told, want := range map[string]any{
		`"vncPort": 6080`:                       "http://127.0.0.1:6080",
		`"vncUrl": "https://watch.example/1"`:   "https://watch.example/1",
		`"vncUrl": "javascript:alert(1)"`:       nil,
		`"vncPort": 99999`:                      nil,
		`"vncUrl": "file:///etc", "vncPort": 0`: nil,
	} {
		t.Run(told, func(t *testing.T) {
			proxy := httputil.NewSingleHostReverseProxy(behind)
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/health" {
					fmt.Fprintf(w, `{"ok": true, %s}`, told)
					return
				}
				proxy.ServeHTTP(w, r)
			}))
			defer front.Close()
			a := newAgents(t, camofox.Options{URL: front.URL})
			if got := a.ok("one", "browser_navigate", map[string]any{"url": site.URL}).Structured["vnc_url"]; got != want {
				t.Errorf("people can watch at %v, want %v", got, want)
			}
			if got := a.ok("one", "browser_navigate", map[string]any{"url": site.URL}).Structured["vnc_url"]; got != nil {
				t.Errorf("it is said again: %v", got)
			}
		})
	}
}
