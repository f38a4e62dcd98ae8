//go:build unix

package agents

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
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
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// producer makes a call that fails.
type producer struct {
	options *host.Options // of a host of its own; nil: the shared one
	make    func(u *user) agent.Result
}

// loadState loads a storage state whose file has a text.
func (u *user) loadState(file string) agent.Result {
	u.t.Helper()
	name := filepath.Base(u.ID()) // other tests change theirs meanwhile, in the same directory
	path, _ := u.good("browser_state", arguments{"action": "save", "name": name}).Structured["state_path"].(string)
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		u.t.Fatal(err)
	}
	return u.call("browser_state", arguments{"action": "load", "name": name})
}

// producers are calls that fail, by the code that they fail with.
var producers = map[string]producer{
	"bad_arguments": {make: func(u *user) agent.Result { return u.call("browser_click", nil) }},
	"unknown_task": {make: func(u *user) agent.Result {
		r, err := u.registry.Call(u.ctx, agent.Call{Task: "another", Name: "browser_snapshot"})
		if err != nil {
			u.t.Fatal(err)
		}
		return r
	}},
	"loading": {make: func(u *user) agent.Result {
		defer u.Hold("/hangs")() // which no other call asks for
		u.good("browser_evaluate", arguments{"expression": "location = '/hangs'; 0"})
		return u.call("browser_click", arguments{"selector": "a"})
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
		u.good("browser_evaluate", arguments{"expression": `document.body.innerHTML += "<input id=one><input id=two>"; one.onfocus = () => two.focus(); 0`})
		return u.call("browser_type", arguments{"selector": "#one", "text": "x"})
	}},
	"download_failed": {make: func(u *user) agent.Result {
		return u.call("browser_download", arguments{"selector": "body"})
	}},
	"no_dialog":         {make: func(u *user) agent.Result { return u.call("browser_dialog", arguments{"action": "accept"}) }},
	"navigation_failed": {make: func(u *user) agent.Result { return u.call("browser_navigate", arguments{"url": nowhere}) }},
	"navigation_denied": {
		options: &host.Options{Plugins: map[string]host.PluginOptions{"guard": guard}},
		make:    func(u *user) agent.Result { return u.call("browser_navigate", arguments{"url": "{{localhost}}/two!d"}) },
	},
	"tool_denied": {
		options: &host.Options{Plugins: map[string]host.PluginOptions{"guard": {
			PluginSource: host.PluginSource{Wasm: contrary.Tools()}, Hooks: []abi.Hook{abi.HookBeforeTool, abi.HookAfterTool},
		}}},
		make: func(u *user) agent.Result {
			return u.call("browser_navigate", arguments{"url": "{{localhost}}/two#!deny"})
		},
	},
	"file_denied": {
		options: &host.Options{Plugins: map[string]host.PluginOptions{"clerk": {
			PluginSource: host.PluginSource{Wasm: contrary.Files()}, Hooks: []abi.Hook{abi.HookDownload, abi.HookUpload, abi.HookConsole},
		}}},
		make: func(u *user) agent.Result {
			path := filepath.Join(u.DownloadDir(), "late.txt")
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				u.t.Fatal(err)
			}
			u.good("browser_evaluate", arguments{"expression": `document.body.innerHTML += "<input type=file>"; 0`})
			return u.call("browser_upload", arguments{"selector": "input[type=file]", "paths": []string{path}})
		},
	},
	"page_script_failed": {make: func(u *user) agent.Result {
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
	"result_too_large": {
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
	"frame_gone": {make: func(u *user) agent.Result {
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
	"frame_filtered": {
		options: &host.Options{Plugins: map[string]host.PluginOptions{"frame-filter": dropping("*")}},
		make: func(u *user) agent.Result {
			u.body(`<iframe></iframe>`, "")
			frame := u.SettledSnapshot(u.ctx).Page().RawFrameTree.Children[0].FrameID
			return u.call("browser_click", arguments{"selector": "a", "frame_id": frame})
		},
	},
	"no_browser": {make: func(u *user) agent.Result {
		call, _ := opening(u, func(ctx context.Context, id string) (*host.Task, error) {
			return u.host.Launch(ctx, id, &host.LaunchOptions{Executable: filepath.Join(u.t.TempDir(), "nowhere")}, nil)
		})
		return call()
	}},
	"task_failed": {make: func(u *user) agent.Result {
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
	"profile_busy": {make: func(u *user) agent.Result {
		launch := &host.LaunchOptions{Executable: hosttest.Executable(u.t), UserDataDir: u.t.TempDir()}
		first, err := u.host.Launch(u.ctx, u.ID()+" of a profile", launch, nil)
		if err != nil {
			u.t.Fatal(err)
		}
		defer func() { _ = first.Close(u.ctx) }()
		call, _ := opening(u, func(ctx context.Context, id string) (*host.Task, error) { return u.host.Launch(ctx, id, launch, nil) })
		return call()
	}},
	"bad_state": {make: func(u *user) agent.Result { return u.loadState("{") }},
	"state_key": {make: func(u *user) agent.Result { return u.loadState("hermes-cdp-state v1 aes-256-gcm 0011\n") }},
	"credentials_refused": {make: func(u *user) agent.Result {
		u.Handle("/guarded", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Basic realm="guarded"`)
			w.WriteHeader(http.StatusUnauthorized)
		})
		registry, err := agent.New(u.host, agent.Options{Open: func(ctx context.Context, id string) (*host.Task, error) {
			return u.host.Attach(ctx, id, common.Address(u.t), &host.TaskOptions{
				Scope: host.ScopeContext, Credentials: map[string]host.Credentials{u.URL("localhost", ""): {User: "me", Password: "wrong"}},
			})
		}})
		if err != nil {
			u.t.Fatal(err)
		}
		u.t.Cleanup(registry.Close)
		r, err := registry.Call(u.ctx, agent.Call{Task: u.ID() + " with credentials", Name: "browser_navigate", Arguments: []byte(`{"url":"` + u.URL("localhost", "/guarded") + `"}`)})
		if err != nil {
			u.t.Fatal(err)
		}
		return r
	}},
	"no_trace": {make: func(u *user) agent.Result { return u.call("browser_trace", arguments{"action": "stop"}) }},
	"trace_running": {make: func(u *user) agent.Result {
		u.good("browser_trace", arguments{"action": "start"})
		return u.call("browser_trace", arguments{"action": "start"})
	}},
	"not_recorded": {make: func(u *user) agent.Result { return u.call("browser_record", arguments{"action": "stop"}) }},
	"held_by_operator": {make: func(u *user) agent.Result {
		if _, err := u.TakeOver(u.ctx); err != nil {
			u.t.Fatal(err)
		}
		return u.call("browser_snapshot", nil)
	}},
	"recording_running": {make: func(u *user) agent.Result {
		u.good("browser_record", arguments{"action": "start"})
		return u.call("browser_record", arguments{"action": "start"})
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

// elsewhere are the codes that no call of a tool here ends with, by the reason.
var elsewhere = map[string]string{
	"they are groups": "session_lost cdp_transport",
	"calls of the Go API and the daemon end with them":             "closed tool_call unsupported failed hidden dialog_type dialog_policy ambiguous_element",
	"only races have them, which the tests of package e2e arrange": "dialog_busy dialog_gone answer_refused answer_unconfirmed target_gone disconnected browser_gone",
	"the tests of package e2e/network have it":                     "network_refused",
	"other tests of this package have them":                        "unknown_dialog ambiguous_dialog target_crashed evaluate_disabled provider provider_session_expired",
	"a call that is refused is no call":                            "unknown_tool no_task ambiguous_task bad_toolset unknown_format bad_tool unknown_recording",
	"the life of plugins has them":                                 "unknown_plugin known_plugin unknown_hook plugin_refused no_generation no_candidate out_of_service capability_denied plugin_fault tool_failed",
	"a person is told them":                                        "not_held unknown_question",
	"no MCP server is configured":                                  "mcp_server mcp_tool",
	"they are of the daemon and the command": "no_daemon daemon_running bad_request unknown_path request_too_large unauthorized forbidden " +
		"bad_token unknown_token token_exists usage configuration differences degraded",
}

// Every code is one that a call can end with, which then says so in all parts of its result, or belongs elsewhere.
func TestEveryCodeOfAFailure(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "errors.md"))
	if err != nil {
		t.Fatal(err)
	}
	var others []string
	for _, list := range elsewhere {
		others = append(others, strings.Fields(list)...)
	}
	shared, count := newBench(t, common.Address(t), host.Options{}), 0
	for _, row := range regexp.MustCompile("(?m)^\\| `(\\w+)`<br>").FindAllStringSubmatch(string(text), -1) {
		code := row[1]
		count++
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			p, ok := producers[code]
			if ok == slices.Contains(others, code) {
				t.Fatal("it needs either something that produces it or a reason why nothing does")
			}
			if !ok {
				return
			}
			b := *shared
			if p.options != nil {
				b = *newBench(t, common.Address(t), *p.options)
			}
			u := b.newUser(t, host.TaskOptions{})
			u.good("browser_navigate", arguments{"url": "{{localhost}}/link"})
			r := p.make(u)
			u.failed(r, "the call", string(host.Code(code).Kind()))
			want(t, r, "code", strconv.Quote(code))
		})
	}
	if count != len(producers)+len(others) {
		t.Errorf("the document has %d codes, %d are produced here and %d elsewhere", count, len(producers), len(others))
	}
}
