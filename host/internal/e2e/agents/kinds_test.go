//go:build unix

package agents

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// producer makes a call that fails.
type producer struct {
	options *host.Options // of a host of its own; nil: the shared one
	make    func(u *user) agent.Result
}

// producers are calls that fail with each of the kinds that there are.
var producers = map[string]producer{
	"bad_arguments": {make: func(u *user) agent.Result { return u.call("browser_click", nil) }},
	"unknown_task": {make: func(u *user) agent.Result {
		r, err := u.registry.Call(u.ctx, agent.Call{Task: "another", Name: "browser_snapshot"})
		if err != nil {
			u.t.Fatal(err)
		}
		return r
	}},
	"unknown_call": {make: func(u *user) agent.Result { return u.call("browser_resume", arguments{"call_id": "c-99"}) }},
	"unknown_tab":  {make: func(u *user) agent.Result { return u.call("browser_snapshot", arguments{"tab": "t99"}) }},
	"unknown_ref":  {make: func(u *user) agent.Result { return u.call("browser_click", arguments{"ref": "e99"}) }},
	"no_element": {make: func(u *user) agent.Result {
		return u.answered("browser_click", arguments{"selector": "#nowhere", "timeout_ms": 5000})
	}},
	"stale_ref": {make: func(u *user) agent.Result {
		ref := refIn(u.t, u.good("browser_snapshot", nil), "link", "Next")
		u.good("browser_evaluate", arguments{"expression": "document.querySelector('a').remove()"})
		return u.call("browser_click", arguments{"ref": ref})
	}},
	"not_actionable": {make: func(u *user) agent.Result {
		return u.call("browser_type", arguments{"selector": "a", "text": "x"})
	}},
	"input_not_delivered": {make: func(u *user) agent.Result {
		u.good("browser_evaluate", arguments{"expression": `document.querySelector('a').onpointermove = () => {
			const veil = document.body.appendChild(document.createElement('dialog'));
			veil.textContent = 'a veil';
			veil.style = 'position: fixed; inset: 0; width: 100%; height: 100%';
			veil.show();
		}; 0`})
		return u.call("browser_click", arguments{"selector": "a"})
	}},
	"download": {make: func(u *user) agent.Result {
		u.use(u.t, agent.BrowserOptions{})
		return u.call("browser_download", arguments{"selector": "a"})
	}},
	"dialog":     {make: func(u *user) agent.Result { return u.call("browser_dialog", arguments{"action": "accept"}) }},
	"navigation": {make: func(u *user) agent.Result { return u.call("browser_navigate", arguments{"url": nowhere}) }},
	"navigation_denied": {
		options: &host.Options{Plugins: map[string]host.PluginOptions{"guard": guard}},
		make:    func(u *user) agent.Result { return u.call("browser_navigate", arguments{"url": "{{localhost}}/two!d"}) },
	},
	"plugin": {make: func(u *user) agent.Result {
		if _, err := u.host.AddPlugin(u.ctx, "broken", brokenTool(u.t)); err != nil {
			u.t.Fatal(err)
		}
		r, err := u.registry.Call(u.ctx, agent.Call{Task: u.ID(), Toolsets: []string{"all"}, Name: "broken_page_headings"})
		if err != nil {
			u.t.Fatal(err)
		}
		return r
	}},
	"js_exception": {make: func(u *user) agent.Result {
		return u.call("browser_evaluate", arguments{"expression": "nothing.of.the.kind"})
	}},
	"cdp_protocol": {make: func(u *user) agent.Result {
		return u.call("browser_cdp", arguments{"method": "Page.noSuchCommand"})
	}},
	"cdp_transport": {
		options: &host.Options{ReadLimit: 8 << 20},
		make: func(u *user) agent.Result {
			return u.call("browser_evaluate", arguments{"expression": "'x'.repeat(20 << 20)"})
		},
	},
	"timeout": {make: func(u *user) agent.Result {
		return u.answered("browser_evaluate", arguments{"expression": "new Promise(() => {})", "timeout_ms": 3000})
	}},
	"aborted": {make: func(u *user) agent.Result {
		ctx, cancel := context.WithCancel(u.ctx)
		cancel()
		return u.callWithin(ctx, "browser_evaluate", arguments{"expression": "1"})
	}},
	"blocked_by_dialog": {make: func(u *user) agent.Result {
		return u.call("browser_evaluate", arguments{"expression": "confirm('sure?')"})
	}},
	"delivered": {
		options: &host.Options{ActionWait: 500 * time.Millisecond},
		make: func(u *user) agent.Result {
			u.good("browser_evaluate", arguments{"expression": "document.querySelector('a').onclick = () => { for (const end = Date.now() + 1500; Date.now() < end;); return false }; 0"})
			return u.call("browser_click", arguments{"selector": "a"})
		},
	},
	"session_lost": {make: func(u *user) agent.Result {
		return u.call("browser_evaluate", arguments{"expression": "new Promise(() => { location = '/two' })"})
	}},
	"result_not_serialisable": {make: func(u *user) agent.Result {
		return u.call("browser_evaluate", arguments{"expression": "(() => { const a = {}; a.a = a; return a })()"})
	}},
	"renderer_busy": {make: func(u *user) agent.Result {
		u.good("browser_evaluate", arguments{"expression": "setTimeout(() => { report('spins'); for (const end = Date.now() + 1500; Date.now() < end;); }); 0"})
		if _, err := u.Reported(u.ctx, "spins"); err != nil {
			u.t.Fatal(err)
		}
		return u.call("browser_evaluate", arguments{"expression": "1", "timeout_ms": 300})
	}},
	"unknown_frame": {make: func(u *user) agent.Result {
		return u.call("browser_click", arguments{"selector": "a", "frame_id": "nowhere"})
	}},
	"no_browser": {make: func(u *user) agent.Result {
		call, _ := opening(u, func(ctx context.Context, id string) (*host.Task, error) {
			return u.host.Launch(ctx, id, &host.LaunchOptions{Executable: filepath.Join(u.t.TempDir(), "nowhere")}, nil)
		})
		return call()
	}},
	"task": {make: func(u *user) agent.Result {
		call, _ := opening(u, func(ctx context.Context, id string) (*host.Task, error) {
			return u.host.Attach(ctx, id, u.address, &host.TaskOptions{TargetID: "nowhere"})
		})
		return call()
	}},
	"no_page": {make: func(u *user) agent.Result {
		executable, kill := hosttest.Killable(u.t)
		call, id := opening(u, func(ctx context.Context, id string) (*host.Task, error) {
			return u.host.Launch(ctx, id, &host.LaunchOptions{Executable: executable}, nil)
		}, "browser_extract_text")
		call()
		task := u.host.Task(id)
		kill()
		<-task.Done()
		return call()
	}},
	"restart_loop": {options: &host.Options{RestartLimit: 1}, make: restartLoop},
	"refused": {make: func(u *user) agent.Result {
		return u.call("browser_cdp", arguments{"method": "Target.setAutoAttach", "params": arguments{"autoAttach": false}})
	}},
}

// opening gives calls of a tool, browser_tabs where none is named, for a task that they open.
func opening(u *user, open func(context.Context, string) (*host.Task, error), tool ...string) (call func() agent.Result, id string) {
	registry, err := agent.New(u.host, agent.Options{Toolsets: agent.Toolsets{Use: []string{everyTool}}, Open: open})
	if err != nil {
		u.t.Fatal(err)
	}
	u.t.Cleanup(registry.Close)
	id = u.ID() + " of its own"
	return func() agent.Result {
		r, err := registry.Call(u.ctx, agent.Call{Task: id, Name: append(tool, "browser_tabs")[0]})
		if err != nil {
			u.t.Fatal(err)
		}
		return r
	}, id
}

// restartLoop kills the browser of a task that starts its own, until no more is started.
func restartLoop(u *user) agent.Result {
	executable, kill := hosttest.Killable(u.t)
	call, id := opening(u, func(ctx context.Context, id string) (*host.Task, error) {
		return u.host.Launch(ctx, id, &host.LaunchOptions{Executable: executable}, nil)
	})
	for range 3 {
		if r := call(); r.IsError {
			return r
		}
		task := u.host.Task(id)
		kill()
		<-task.Done()
	}
	u.t.Fatal("it was started again and again")
	return agent.Result{}
}

// guard is a module that denies addresses that end with !d.
var guard = host.PluginOptions{
	PluginSource: host.PluginSource{Path: filepath.Join("..", "testdata", "navigate.wasm")}, Hooks: []abi.Hook{abi.HookNavigate},
}

// brokenTool is the example's tool, with a page script that throws.
func brokenTool(t *testing.T) host.PluginOptions {
	t.Helper()
	wasm, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "plugins", "examples", "dist", "page-headings.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := manifest.Read(wasm)
	if err != nil {
		t.Fatal(err)
	}
	m.Tools[0].PageScript = "(() => { throw new Error('broken') })()"
	o := host.PluginOptions{Hooks: []abi.Hook{abi.HookToolCall}, Capabilities: []abi.Capability{abi.CapabilityPage}}
	o.Limits.HookTimeout = 20 * time.Second
	if o.Wasm, err = manifest.Write(wasm, &m); err != nil {
		t.Fatal(err)
	}
	return o
}

// elsewhere are kinds of failures that no tool ends with, and where they come from.
var elsewhere = map[string]string{"unknown_recording": "recordings are asked for over HTTP"}

// Every kind of failure is one that a call can end with, and says so in all parts of its result.
func TestEveryKindOfFailure(t *testing.T) {
	t.Parallel()
	kinds := kindsInSource(t)
	for kind := range producers {
		if !slices.Contains(kinds, kind) {
			t.Errorf("there is no kind %s", kind)
		}
	}
	shared := newBench(t, common.Address(t), host.Options{})
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p, ok := producers[kind]
			if elsewhere[kind] != "" {
				return
			}
			if !ok {
				t.Fatal("nothing produces it")
			}
			b := *shared
			if p.options != nil {
				b = *newBench(t, common.Address(t), *p.options)
			}
			u := b.newUser(t, host.TaskOptions{})
			u.good("browser_navigate", arguments{"url": "{{localhost}}/link"})
			u.failed(p.make(u), "the call", kind)
		})
	}
}

// kindsInSource are the values of the constants Kind... of the packages agent and host.
func kindsInSource(t *testing.T) (kinds []string) {
	t.Helper()
	for _, dir := range []string{filepath.Join("..", "..", "..", "agent"), filepath.Join("..", "..", "..")} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(errors.Join(err, errors.New("no source in "+dir)))
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, kindsOf(file)...)
		}
	}
	if len(kinds) < 20 {
		t.Fatalf("found only %v", kinds)
	}
	return kinds
}

func kindsOf(file *ast.File) (kinds []string) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			constant := spec.(*ast.ValueSpec)
			for i, value := range constant.Values {
				text, ok := value.(*ast.BasicLit)
				if kind, err := strconv.Unquote(literal(text)); ok && err == nil && strings.HasPrefix(constant.Names[i].Name, "Kind") {
					kinds = append(kinds, kind)
				}
			}
		}
	}
	return kinds
}

func literal(l *ast.BasicLit) string {
	if l == nil {
		return ""
	}
	return l.Value
}
