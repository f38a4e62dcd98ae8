package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// tenants are tasks whose browsers are started with the same switch, by which they are found.
type tenants struct {
	t    *testing.T
	ctx  context.Context
	host *host.Host
	mark string
	site *site
}

func newTenants(t *testing.T, pages map[string]string) *tenants {
	t.Helper()
	t.Parallel()
	ctx := testContext(t)
	mark := "--marked-for=" + filepath.Base(t.TempDir()) + t.Name() // first: profiles are removed after the host
	return &tenants{t: t, ctx: ctx, host: newHost(t, host.Options{RestartLimit: -1}), mark: mark, site: serve(ctx, t, pages)}
}

// launch starts a task.
func (n *tenants) launch(id string, o host.LaunchOptions) *host.Task {
	n.t.Helper()
	o.Args = append(o.Args, n.mark)
	task, err := n.host.Launch(n.ctx, id, &o, nil)
	if err != nil {
		n.t.Fatal(err)
	}
	return task
}

// at loads a page in a task and evaluates an expression there.
func (n *tenants) at(task *host.Task, path, expression string) string {
	n.t.Helper()
	if _, err := task.Tab("").Navigate(n.ctx, n.site.url("localhost", path), nil); err != nil {
		n.t.Fatal(err)
	}
	return n.in(task, expression)
}

// in evaluates an expression.
func (n *tenants) in(task *host.Task, expression string) string {
	n.t.Helper()
	value, err := task.Tab("").Evaluate(n.ctx, expression, &host.EvaluateOptions{AwaitPromise: true})
	if err != nil {
		n.t.Fatal(err)
	}
	return string(value.Value)
}

// browsers are the processes of the marked browsers themselves, without those of their pages.
func (n *tenants) browsers() []int {
	n.t.Helper()
	var found []int
	for _, pid := range processesWith(n.t, n.mark) {
		line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err == nil && len(line) > 0 && !bytes.Contains(line, []byte("--type=")) {
			found = append(found, pid)
		}
	}
	return found
}

// kill ends the browsers, and waits until the tasks know.
func (n *tenants) kill(tasks ...*host.Task) {
	n.t.Helper()
	for _, pid := range n.browsers() {
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			n.t.Fatal(err)
		}
	}
	for _, task := range tasks {
		<-task.Done()
	}
	waitUntil(n.t, "the end of the browsers", func() bool { return len(n.browsers()) == 0 })
}

func (n *tenants) close(task *host.Task) {
	n.t.Helper()
	if err := task.Close(n.ctx); err != nil {
		n.t.Error(err)
	}
}

const keeps = `document.cookie = "who=first; max-age=600"; localStorage.who = "first"; 0`

const kept = `document.cookie + "," + localStorage.who`

func TestLaunchedTasksShareABrowserAndNothingElse(t *testing.T) {
	n := newTenants(t, map[string]string{"/page": "page"})
	first := n.launch("first", host.LaunchOptions{})
	n.at(first, "/page", keeps)
	tasks := make([]*host.Task, 5)
	var starts sync.WaitGroup
	for i := range tasks {
		starts.Go(func() {
			task, err := n.host.Launch(n.ctx, fmt.Sprint("task ", i), &host.LaunchOptions{Args: []string{n.mark}}, nil)
			if err != nil {
				t.Error(err)
			}
			tasks[i] = task
		})
	}
	if starts.Wait(); t.Failed() {
		return
	}
	for _, task := range tasks {
		want(t, "what another task kept", n.at(task, "/page", kept), `",undefined"`)
		want(t, "its tabs", len(task.Snapshot().Targets), 1)
		want(t, "the size of its page", n.in(task, "innerWidth + 'x' + innerHeight"), `"1280x800"`)
		want(t, "who started it", task.Launched(), true)
	}
	want(t, "browsers for tasks with the same options", len(n.browsers()), 1)
	own := n.launch("own", host.LaunchOptions{Isolation: host.IsolationBrowser})
	wide := n.launch("wide", host.LaunchOptions{Width: 1400})
	want(t, "browsers with one of its own and one of another width", len(n.browsers()), 3)
	want(t, "the size of the wide page", n.at(wide, "/page", "innerWidth"), "1400")
	n.close(own)
	n.close(wide)
	n.close(first)
	want(t, "browsers when the one that it was started for has left", len(n.browsers()), 1)
	want(t, "what is left of the first", n.at(n.launch("first", host.LaunchOptions{}), "/page", kept), `",undefined"`)
	for _, task := range n.host.Tasks() {
		n.close(task)
	}
	want(t, "browsers without tasks", len(n.browsers()), 0)
}

// A page that never yields, or asks, is its own task's affair, and so is the end of that task.
func TestATaskIsNotHeldByAnotherInItsBrowser(t *testing.T) {
	n := newTenants(t, map[string]string{"/page": "page"})
	stuck, other := n.launch("stuck", host.LaunchOptions{}), n.launch("other", host.LaunchOptions{})
	n.at(stuck, "/page", `setTimeout(() => { for (;;) {} }); 0`)
	n.at(other, "/page", `setTimeout(() => { window.said = confirm("go on?") }); 0`)
	s, ok := other.Wait(n.ctx, func(s *host.Snapshot) bool { return len(s.PendingDialogs) == 1 })
	if !ok {
		t.Fatal("the dialog beside a page that never yields was not seen")
	}
	want(t, "dialogs of the other task", len(stuck.Snapshot().PendingDialogs), 0)
	n.close(stuck)
	if _, err := other.RespondDialog(n.ctx, host.DialogResponse{DialogID: s.PendingDialogs[0].ID, Accept: true}); err != nil {
		t.Fatal(err)
	}
	want(t, "the answer", n.in(other, "said"), "true")
	want(t, "browsers", len(n.browsers()), 1)
}

// Whoever ends a browser that others use must not do so again and again.
func TestATaskWhoseBrowsersEndIsPutIntoOneOfItsOwn(t *testing.T) {
	n := newTenants(t, nil)
	for range 2 {
		one, two := n.launch("one", host.LaunchOptions{}), n.launch("two", host.LaunchOptions{})
		want(t, "browsers that tasks share", len(n.browsers()), 1)
		n.kill(one, two)
	}
	one := n.launch("one", host.LaunchOptions{})
	if r := one.Restarted(); r == nil || r.Storage != host.StorageLost || !r.Launched {
		t.Errorf("the task that follows says %+v", r)
	}
	n.launch("three", host.LaunchOptions{})
	want(t, "browsers, one of them for a task whose last two have ended", len(n.browsers()), 2)
}

// A login or a payment in a frame needs the cookies of its own site.
func TestAFrameOfAnotherSiteHasItsCookies(t *testing.T) {
	n := newTenants(t, map[string]string{
		"/page":  `<script>heard = new Promise(done => { onmessage = e => done(e.data) })</script><iframe src="{{127.0.0.1}}/frame"></iframe>`,
		"/frame": `<script>document.cookie = "signed=in; Secure; SameSite=None"; top.postMessage(document.cookie, "*")</script>`,
	})
	for name, o := range map[string]host.LaunchOptions{
		"in a context": {}, "in a browser": {Isolation: host.IsolationBrowser}, "with a profile": {UserDataDir: t.TempDir()},
	} {
		want(t, name, n.at(n.launch(name, o), "/page", "heard"), `"signed=in"`)
	}
	blocked := n.launch("blocked", host.LaunchOptions{Args: []string{"--test-third-party-cookie-phaseout"}})
	want(t, "if a switch blocks them", n.at(blocked, "/page", "heard"), `""`)
}

func TestAProfileIsInNoContext(t *testing.T) {
	t.Parallel()
	_, err := newHost(t, host.Options{}).Launch(testContext(t), "task", &host.LaunchOptions{UserDataDir: t.TempDir(), Isolation: host.IsolationContext}, nil)
	wantError(t, err, host.ErrBadArguments)
}

// Two tasks at an address have cookies in common only if they ask for those of the browser.
func TestTasksAtAnAddressShareNoCookies(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), host.Options{}, map[string]string{"/page": "page"}, host.TaskOptions{})
	for name, c := range map[string]struct {
		scope  host.Scope
		shares bool
	}{"by default": {host.ScopeAuto, false}, "in contexts": {host.ScopeContext, false}, "in tabs": {host.ScopeTab, true}} {
		t.Run(name, func(t *testing.T) {
			cookie := "shared=" + strconv.Itoa(len(name))
			for i, expression := range []string{"document.cookie = '" + cookie + "; max-age=60'; 0", "document.cookie.includes('" + cookie + "')"} {
				task := attachAs(t, w.host, fmt.Sprint(t.Name(), i), w.address, host.TaskOptions{Scope: c.scope})
				if err := commit(w.ctx, task.Tab(""), w.url("any.localhost", "/page")); err != nil {
					t.Fatal(err)
				}
				value, err := task.Tab("").Evaluate(w.ctx, expression, nil)
				if err != nil {
					t.Fatal(err)
				}
				if i == 1 {
					want(t, "whether the second task has the cookie of the first", string(value.Value) == "true", c.shares)
				}
			}
		})
	}
}

// Chromium has one clipboard for all of its contexts. Where that matters, a task must have a browser.
func TestTheClipboardIsTheBrowsers(t *testing.T) {
	n := newTenants(t, map[string]string{"/page": `<input value="copied by another">`})
	copies := n.launch("copies", host.LaunchOptions{})
	n.at(copies, "/page", "document.querySelector('input').select()")
	for name, c := range map[string]struct {
		isolation host.Isolation
		pasted    string
	}{"in a context": {host.IsolationContext, `"copied by another"`}, "in a browser": {host.IsolationBrowser, `""`}} {
		pastes := n.launch(name, host.LaunchOptions{Isolation: c.isolation})
		n.at(pastes, "/page", "document.querySelector('input').select()")
		for _, step := range []struct {
			task *host.Task
			key  string
		}{{copies, "ctrl+c"}, {pastes, "Delete"}, {pastes, "ctrl+v"}} {
			if _, err := step.task.Tab("").Press(n.ctx, step.key, nil); err != nil {
				t.Fatal(err)
			}
		}
		want(t, "pasted "+name, n.in(pastes, "document.querySelector('input').value"), c.pasted)
	}
}

// The tab of a browser of its own is there already, and that of a context is opened.
func TestATaskBeginsAtItsURLInEveryBrowser(t *testing.T) {
	n := newTenants(t, map[string]string{"/page": "page"})
	begins := func(id string, o host.LaunchOptions) {
		t.Helper()
		o.Args = append(o.Args, n.mark)
		task, err := n.host.Launch(n.ctx, id, &o, &host.TaskOptions{URL: n.site.url("localhost", "/page")})
		if err != nil {
			t.Fatal(err)
		}
		waitUntil(t, id+" at its page", func() bool { return task.Snapshot().Page().URL == n.site.url("localhost", "/page") })
		want(t, "its tabs", len(task.Snapshot().Targets), 1)
	}
	begins("shared", host.LaunchOptions{})
	begins("own", host.LaunchOptions{Isolation: host.IsolationBrowser})
	begins("profile", host.LaunchOptions{UserDataDir: t.TempDir()})
	for _, o := range []host.TaskOptions{{Scope: host.ScopeBrowser}, {TargetID: "a tab"}} {
		o.URL = n.site.url("localhost", "/page")
		_, err := n.host.Attach(n.ctx, "taking over", "127.0.0.1:1", &o)
		wantError(t, err, host.ErrBadArguments)
	}
}
