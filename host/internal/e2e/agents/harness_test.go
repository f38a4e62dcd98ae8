package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/testsite"
)

// everyTool is the toolset that has all tools.
const everyTool = "browser-full"

// arguments are those of a call.
type arguments map[string]any

// bench is a host with its tools and a site, which the parallel subtests of a test share, each with a task of its own.
type bench struct {
	*testsite.Server
	host     *host.Host
	registry *agent.Registry
	address  string // of the browser
	options  agent.BrowserOptions
}

// newBench starts a bench that ends with the test.
func newBench(t *testing.T, address string, o host.Options) *bench {
	t.Helper()
	if o.Recording.Dir == "" {
		o.Recording.Dir = t.TempDir()
	}
	b := &bench{Server: testsite.New(t, pages()), host: common.NewHost(t, o), address: address}
	b.use(t, agent.BrowserOptions{Timeout: time.Minute, ScreenshotDir: t.TempDir(), DownloadDir: t.TempDir(), StateDir: t.TempDir()})
	return b
}

// use gives the bench tools that work in another way.
func (b *bench) use(t *testing.T, o agent.BrowserOptions) {
	t.Helper()
	registry, err := agent.New(b.host, agent.Options{Toolsets: agent.Toolsets{Use: []string{everyTool}}, Browser: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	b.registry, b.options = registry, o
}

// user is an agent with a task of its own.
type user struct {
	*bench
	*host.Task
	t   *testing.T
	ctx context.Context
}

// newUser starts a task in a browser context of its own, which ends with the test.
func (b *bench) newUser(t *testing.T, o host.TaskOptions) *user {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), shared.Limit(), errors.New("the test took too long"))
	t.Cleanup(cancel)
	task, err := b.host.Attach(ctx, t.Name(), b.address, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("last snapshot: %s", shared.Dump(task.Snapshot()))
		}
		ctx, cancel := context.WithTimeout(context.Background(), shared.CloseTimeout)
		defer cancel()
		if err := task.Close(ctx); err != nil {
			t.Errorf("the task did not close cleanly: %v", err)
		}
	})
	return &user{bench: b, Task: task, t: t, ctx: ctx}
}

// call calls a tool as an agent does; {{host}} in texts is an origin of the site.
func (u *user) call(tool string, a arguments) agent.Result {
	u.t.Helper()
	return u.callWithin(u.ctx, tool, a)
}

func (u *user) callWithin(ctx context.Context, tool string, a arguments) agent.Result {
	u.t.Helper()
	if a == nil {
		a = arguments{}
	}
	encoded, err := json.Marshal(a)
	if err != nil {
		u.t.Fatal(err)
	}
	r, err := u.registry.Call(ctx, agent.Call{Task: u.ID(), Name: tool, Arguments: json.RawMessage(u.Expand(string(encoded)))})
	if err != nil {
		u.t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// answered is call of what runs out of its time. On a machine that is so busy that the page has not even answered, the
// tool says that instead, and is called again.
func (u *user) answered(tool string, a arguments) (r agent.Result) {
	u.t.Helper()
	for range 10 {
		if r = u.call(tool, a); !strings.Contains(shared.Dump(r.Structured), `"renderer_busy"`) {
			break
		}
	}
	return r
}

// good is call of what must do what was asked.
func (u *user) good(tool string, a arguments) agent.Result {
	u.t.Helper()
	r := u.call(tool, a)
	if r.IsError || r.Structured["success"] != true || r.Text == "" {
		u.t.Fatalf("%s %s failed: %s", tool, shared.Dump(a), show(r))
	}
	return r
}

// bad is call of what must fail with a kind, and with an error that has each of the words.
func (u *user) bad(tool string, a arguments, kind string, words ...string) agent.Result {
	u.t.Helper()
	r := u.call(tool, a)
	u.failed(r, fmt.Sprint(tool, " ", shared.Dump(a)), kind, words...)
	return r
}

// inVain is bad of what waits for something that does not come, which needs not be as long as a call may take. On a
// machine that is so busy that there was no time to say what did not come, it is called again, with more.
func (u *user) inVain(tool string, a arguments, kind string, words ...string) (r agent.Result) {
	u.t.Helper()
	for limit := 4000; limit < 120_000; limit *= 2 {
		r = u.call(tool, a.with(arguments{"timeout_ms": limit}))
		if late := r.Structured["kind"]; late != "timeout" && late != "renderer_busy" {
			break
		}
	}
	u.failed(r, fmt.Sprint(tool, " ", shared.Dump(a)), kind, words...)
	return r
}

// failed checks a result that is a failure.
func (u *user) failed(r agent.Result, what, kind string, words ...string) {
	u.t.Helper()
	text, _ := r.Structured["error"].(string)
	if !r.IsError || r.Structured["success"] != false || r.Structured["kind"] != kind || text == "" {
		u.t.Fatalf("%s did not fail with %s: %s", what, kind, show(r))
	}
	for _, word := range words {
		if !strings.Contains(text, word) {
			u.t.Errorf("%s: the error does not say %q: %s", what, word, text)
		}
	}
	if !strings.Contains(r.Text, text) {
		u.t.Errorf("%s: the text lacks the error: %s", what, show(r))
	}
}

// with adds arguments to others.
func (a arguments) with(more arguments) arguments {
	all := maps.Clone(a)
	if all == nil {
		all = arguments{}
	}
	maps.Copy(all, more)
	return all
}
