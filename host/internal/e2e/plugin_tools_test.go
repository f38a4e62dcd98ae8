package e2e

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// headings is the example plugin, with the capability that its page script needs.
func headings() host.PluginOptions {
	o := host.PluginOptions{Hooks: []abi.Hook{abi.HookToolCall}, Capabilities: []abi.Capability{abi.CapabilityPage}}
	o.Path = filepath.Join("..", "..", "..", "plugins", "examples", "dist", "page-headings.wasm")
	o.Limits.HookTimeout = 20 * time.Second // enough on the busiest machine
	return o
}

// rewritten is a module with another manifest, made from its own.
func rewritten(t *testing.T, o host.PluginOptions, change func(*abi.Manifest)) host.PluginOptions {
	t.Helper()
	wasm, err := os.ReadFile(o.Path)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := manifest.Read(wasm)
	if err != nil {
		t.Fatal(err)
	}
	change(&m)
	if o.Wasm, err = manifest.Write(wasm, &m); err != nil {
		t.Fatal(err)
	}
	o.Path = ""
	return o
}

// withScript is the example plugin with another page script.
func withScript(t *testing.T, script string) host.PluginOptions {
	return rewritten(t, headings(), func(m *abi.Manifest) { m.Tools[0].PageScript = script })
}

// newToolWorld starts a task in a host with these plugins.
func newToolWorld(t *testing.T, plugins map[string]host.PluginOptions, pages map[string]string) *world {
	t.Helper()
	t.Parallel()
	return newWorldOn(t, common.Address(t), patient(host.Options{Plugins: plugins}), pages, host.TaskOptions{})
}

// outline calls the example's tool.
func (w *world) outline(arguments map[string]any) host.PluginToolResult {
	w.t.Helper()
	r, err := w.call("page-headings", arguments)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) call(plugin string, arguments map[string]any) (host.PluginToolResult, error) {
	return w.CallPluginTool(w.ctx, host.PluginToolCall{Plugin: plugin, Tool: "page_headings", Arguments: arguments})
}

var headingPages = map[string]string{
	"/page": `<title>t</title><h1>Title <b>of</b>
		the page</h1><div><h2>Part one</h2></div>
		<div><template shadowrootmode=open><h2>In a shadow</h2><p><template shadowrootmode=open><h3>In its shadow</h3></template></p></template>
		<h6>In the light</h6></div>
		<div><template shadowrootmode=closed><h2>Hidden</h2></template></div><h2></h2>`,
}

func TestAToolTellsTheOutlineOfAPage(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": headings()}, headingPages)
	w.open("/page")
	r := w.outline(nil)
	want(t, "text", r.Text, "# Title of the page\n## Part one\n## In a shadow\n### In its shadow\n###### In the light\n## ")
	want(t, "structured", shared.Dump(r.Structured), `{"levels":{"h1":1,"h2":3,"h3":1,"h6":1},"shown":6,"total":6}`)
	want(t, "untrusted", r.Untrusted, true)
	want(t, "origin", r.Origin, w.url("localhost", ""))
	want(t, "is an error", r.IsError, false)

	r = w.outline(map[string]any{"max_level": 2, "max_count": 2})
	want(t, "text", r.Text, "# Title of the page\n## Part one\n(2 of 4 headings)")

	list := w.host.PluginTools()
	if len(list) != 1 || list[0].Plugin != "page-headings" || list[0].Name != "page_headings" || !list[0].ReadOnly {
		t.Errorf("the tools are %s", shared.Dump(list))
	}
	w.usable()
}

func TestAToolSeesThePageThatIsNamed(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": headings()}, map[string]string{
		"/page": `<h1>first</h1>`, "/second": `<h1>second</h1>`,
	})
	w.open("/page")
	w.start("window.open('" + w.url("127.0.0.1", "/second") + "')")
	second := w.await("the popup", func(s *host.Snapshot) bool {
		return len(s.Targets) == 2 && s.Targets[1].URL == w.url("127.0.0.1", "/second") && s.Targets[1].Ready
	}).Targets[1]
	if _, err := w.Tab(second.ID).Evaluate(w.ctx, "new Promise(r => document.readyState === 'complete' ? r() : addEventListener('load', r))", &host.EvaluateOptions{AwaitPromise: true}); err != nil {
		t.Fatal(err)
	}
	r, err := w.CallPluginTool(w.ctx, host.PluginToolCall{Plugin: "page-headings", Tool: "page_headings", TargetID: second.ID})
	if err != nil {
		t.Fatal(err)
	}
	want(t, "text", r.Text, "# second")
	want(t, "origin", r.Origin, w.url("127.0.0.1", ""))
	want(t, "the first tab", w.outline(nil).Text, "# first")
	_, err = w.CallPluginTool(w.ctx, host.PluginToolCall{Plugin: "page-headings", Tool: "page_headings", TargetID: "nowhere"})
	wantError(t, err, host.ErrUnknownTarget)
}

// A page can write what it likes, and can give its elements names that stand before the document's own functions. None
// of that leaves the line of its heading.
func TestAHostilePageStaysInItsLines(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": headings()}, map[string]string{
		"/page": `<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'unsafe-inline'">
			<script>
				for (const name of ['stringify', 'parse']) { JSON[name] = () => { throw new Error('caught') }; }
				Array.prototype.push = Object.prototype.toJSON = String.prototype.replace = Document.prototype.createTreeWalker = () => { throw new Error('caught') };
				Object.defineProperty(Element.prototype, 'shadowRoot', {get() { throw new Error('caught') }});
				Object.defineProperty(Node.prototype, 'textContent', {get() { return 'forged' }});
			</script>
			<form name=createTreeWalker></form><img name=documentElement><form id=trap><fieldset name=shadowRoot><h2>in a form</h2></fieldset></form>
			<h1>&#x202E;reversed&#x2066;</h1>
			<h1>one
			# two&#x2028;# three&#x2029;# four</h1>
			<h1>&#27;[31mred&#7;</h1>
			<h1 id=long></h1><h1>last</h1>
			<script>long.append('y'.repeat(1 << 20))</script>`,
	})
	w.open("/page")
	lines := strings.Split(w.outline(nil).Text, "\n")
	wanted := []string{
		"## in a form", `# \u202ereversed\u2066`, "# one # two # three # four", `# \x1b[31mred\a`, "# " + strings.Repeat("y", 200) + "…", "# last",
	}
	want(t, "lines", strings.Join(lines, "\n"), strings.Join(wanted, "\n"))
}

func TestACallThatIsWrongSaysWhatIsRight(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": headings()}, headingPages)
	w.open("/page")
	for name, tc := range map[string]struct {
		call host.PluginToolCall
		is   error
		says string
	}{
		"no such plugin": {host.PluginToolCall{Plugin: "page-heading", Tool: "page_headings"}, host.ErrUnknownPlugin,
			`unknown plugin "page-heading"; the plugins in service are page-headings, bridge-script, dialog-policy, frame-filter`},
		"no such tool": {host.PluginToolCall{Plugin: "page-headings", Tool: "page_heading"}, host.ErrUnknownTool,
			`plugin "page-headings", tool "page_heading": unknown tool; the plugin's tools are page_headings`},
		"a plugin without tools": {host.PluginToolCall{Plugin: "frame-filter", Tool: "x"}, host.ErrUnknownTool, "the plugin's tools are none"},
		"an argument that is too large": {host.PluginToolCall{Plugin: "page-headings", Tool: "page_headings", Arguments: map[string]any{"max_level": 9}},
			host.ErrBadArguments, "max_level: 9 is too large; want at most 6"},
		"an unknown argument": {host.PluginToolCall{Plugin: "page-headings", Tool: "page_headings", Arguments: map[string]any{"level": 9}},
			host.ErrBadArguments, `unknown "level"`},
		"an argument that is no JSON": {host.PluginToolCall{Plugin: "page-headings", Tool: "page_headings", Arguments: map[string]any{"max_level": func() {}}},
			host.ErrBadArguments, "max_level"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.CallPluginTool(w.ctx, tc.call)
			var call *host.PluginToolError
			if !errors.Is(err, tc.is) || !errors.As(err, &call) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("the error is %v, want %v that says %s", err, tc.is, tc.says)
			}
		})
	}
}

func TestAPageScriptNeedsItsCapability(t *testing.T) {
	denied := headings()
	denied.Capabilities = nil
	w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": denied}, headingPages)
	w.open("/page")
	_, err := w.call("page-headings", nil)
	wantError(t, err, host.ErrCapabilityDenied)
	if !strings.Contains(err.Error(), "add it to plugins.page-headings.capabilities") {
		t.Errorf("the error is %v", err)
	}
}

func TestAPageScriptRunsWhereEvaluateIsDisabled(t *testing.T) {
	t.Parallel()
	o := patient(host.Options{EvaluateDisabled: true, Plugins: map[string]host.PluginOptions{"page-headings": headings()}})
	w := newWorldOn(t, common.Address(t), o, map[string]string{"/page": "<h1>Title</h1>"}, host.TaskOptions{})
	if err := commit(w.ctx, w.Tab(""), w.url("localhost", "/page")); err != nil {
		t.Fatal(err)
	}
	w.visited("/page", 1)
	w.await("the page", func(s *host.Snapshot) bool {
		return s.Page().URL == w.url("localhost", "/page") && s.Page().Title != ""
	})
	want(t, "untrusted", w.outline(nil).Untrusted, true)
	_, err := w.Tab("").Evaluate(w.ctx, "1", nil)
	wantError(t, err, host.ErrEvaluateDisabled)
}

func TestAPageScriptThatFailsSaysHow(t *testing.T) {
	for name, tc := range map[string]struct {
		script string
		is     error
		says   string
	}{
		"it throws":                        {"throw new RangeError('deep')", host.ErrPageScript, "RangeError: deep"},
		"it rejects":                       {"await Promise.reject(new Error('later'))", host.ErrPageScript, "Error: later"},
		"it cannot be parsed":              {"return }", host.ErrPageScript, "SyntaxError"},
		"what it returns is not JSON":      {"return 1n", host.ErrPageScript, "BigInt"},
		"what it returns is too large":     {"return 'x'.repeat(1 << 18)", host.ErrTooLarge, "raise plugins.page-headings.limits.event_kb"},
		"what it returns is far too large": {"return 'x'.repeat(1 << 28)", host.ErrTooLarge, "returned 268435458 characters"},
		"its text is longer than it looks": {"return '€'.repeat(100000)", host.ErrTooLarge, "raise plugins.page-headings.limits.event_kb"},
		"it returns nothing":               {";", host.ErrToolFailed, "the page script did not return headings and their total"},
		"it returns something else":        {"return [args, arguments.length]", host.ErrToolFailed, "the page script did not return headings"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": withScript(t, tc.script)}, headingPages)
			w.open("/page")
			_, err := w.call("page-headings", nil)
			if !errors.Is(err, tc.is) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("the error is %v, want %v that says %s", err, tc.is, tc.says)
			}
			w.usable()
		})
	}
}

func TestAPageScriptThatNeverEndsEndsWithItsContext(t *testing.T) {
	for name, script := range map[string]string{"a loop": "for (;;);", "a promise": "await new Promise(() => {})"} {
		t.Run(name, func(t *testing.T) {
			w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": withScript(t, "console.log('begun');"+script)}, headingPages)
			w.open("/page")
			ctx, cancel := context.WithCancel(w.ctx)
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, err := w.CallPluginTool(ctx, host.PluginToolCall{Plugin: "page-headings", Tool: "page_headings"})
				ended <- err
			}()
			w.await("the script", func(s *host.Snapshot) bool { return s.ConsoleTotal > 0 })
			cancel()
			wantError(t, <-ended, host.ErrAborted)
			w.usable()
		})
	}
}

// A dialog blocks the call as it blocks an evaluation, and the result is there when it was answered.
func TestAToolThatADialogBlocksIsResumed(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{
		"page-headings": withScript(t, "return {headings: [{level: 1, text: 'said ' + confirm('?')}], total: 1}"),
	}, headingPages)
	w.open("/page")
	_, err := w.call("page-headings", nil)
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) || blocked.CallID == "" {
		t.Fatalf("the error is %v", err)
	}
	w.dialog()
	w.answer(host.DialogResponse{Accept: true})
	r, err := w.Resume(w.ctx, blocked.CallID)
	if err != nil || r.PluginTool == nil {
		t.Fatalf("resumed: %s, %v", shared.Dump(r), err)
	}
	want(t, "text", r.PluginTool.Text, "# said true")
}

// Two plugins and the agent share a document and nothing else.
func TestEveryPluginHasAWorldOfItsOwn(t *testing.T) {
	const script = "globalThis.seen = (globalThis.seen ?? 0) + 1; return {headings: [{level: 1, text: String(seen)}], total: 1}"
	other := withScript(t, script)
	w := newToolWorld(t, map[string]host.PluginOptions{"page-headings": withScript(t, script), "other": other}, headingPages)
	w.open("/page")
	for _, tc := range []struct{ plugin, text string }{{"page-headings", "# 1"}, {"page-headings", "# 2"}, {"other", "# 1"}} {
		r, err := w.call(tc.plugin, nil)
		if err != nil {
			t.Fatal(err)
		}
		want(t, tc.plugin, r.Text, tc.text)
	}
	for _, world := range []host.World{host.WorldMain, host.WorldIsolated} {
		v, err := w.Tab("").Evaluate(w.ctx, "typeof seen", &host.EvaluateOptions{World: world})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "an evaluation sees", string(v.Value), `"undefined"`)
	}
}

// A module that is swapped meanwhile serves the call to its end.
func TestACallEndsInTheModuleThatItBeganIn(t *testing.T) {
	w := newToolWorld(t, map[string]host.PluginOptions{
		"page-headings": withScript(t, "return {headings: [{level: 1, text: 'old ' + confirm('?')}], total: 1}"),
	}, headingPages)
	w.open("/page")
	_, err := w.call("page-headings", nil)
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) {
		t.Fatalf("the error is %v", err)
	}
	renamed := rewritten(t, headings(), func(m *abi.Manifest) { m.Tools[0].Name = "renamed" })
	if _, err := w.host.SwapPlugin(w.ctx, "page-headings", host.PluginChange{PluginSource: renamed.PluginSource}); err != nil {
		t.Fatal(err)
	}
	want(t, "the tool", w.host.PluginTools()[0].Name, "renamed")
	w.answer(host.DialogResponse{Accept: true})
	r, err := w.Resume(w.ctx, blocked.CallID)
	if err != nil || r.PluginTool == nil {
		t.Fatalf("resumed: %s, %v", shared.Dump(r), err)
	}
	want(t, "text", r.PluginTool.Text, "# old true")
	_, err = w.call("page-headings", nil)
	wantError(t, err, host.ErrUnknownTool)
}

// fixture is a module that serves every hook and decides nothing, with a tool that needs no page.
func fixture(t *testing.T, name string) host.PluginOptions {
	o := host.PluginOptions{Hooks: abi.Hooks()}
	o.Path = filepath.Join("..", "plugin", "testdata", name+".wasm")
	return rewritten(t, o, func(m *abi.Manifest) {
		*m = abi.Manifest{Name: "fixture", Version: "1.0.0", Tools: []abi.ManifestTool{{Name: "page_headings", Description: "Fails."}}}
		for _, hook := range abi.Hooks() {
			m.Hooks = append(m.Hooks, string(hook))
		}
	})
}

func TestAModuleThatDoesNotAnswerIsNamed(t *testing.T) {
	tired := headings()
	tired.Limits.Fuel = 300_000 // enough for the self-test, and not for a page
	for name, tc := range map[string]struct {
		options host.PluginOptions
		is      error
		fault   string
	}{
		"it uses its fuel up": {tired, host.ErrPluginFault, "fuel"},
		"it says why":         {fixture(t, "error"), host.ErrToolFailed, ""},
		"it abstains":         {fixture(t, "abstain"), host.ErrToolFailed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newToolWorld(t, map[string]host.PluginOptions{"tested": tc.options}, map[string]string{
				"/page": strings.Repeat("<h1>Title</h1>", 100),
			})
			w.open("/page")
			_, err := w.call("tested", nil)
			var call *host.PluginToolError
			if !errors.As(err, &call) || !errors.Is(err, tc.is) {
				t.Fatalf("the error is %v, want %v", err, tc.is)
			}
			want(t, "plugin", call.Plugin, "tested")
			want(t, "fault", call.Fault, tc.fault)
		})
	}
}
