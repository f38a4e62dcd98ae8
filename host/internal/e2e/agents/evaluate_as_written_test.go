package agents

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Models write an expression as they would in a console, or as a function, as other tools want it.
func TestEvaluateTakesWhatModelsWrite(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	u.good("browser_evaluate", arguments{"expression": "document.title = 'Two'; globalThis.runs = 0; globalThis.named = () => { runs++; return 7 }"})
	for _, tc := range []struct{ expression, result string }{
		{"() => document.title", `"Two"`},
		{"async () => { await null; return document.title }", `"Two"`},
		{"function () { return document.title }", `"Two"`},
		{"async function named2() { return document.title };", `"Two"`},
		{"// a remark\n/* another */ (() => { runs++; return document.title })\n", `"Two"`},
		{"(() => document.title)()", `"Two"`},
		{"function twice(x) { return 2 * x }\ntwice(4)", "8"},
		{"const box = 1; let bag = 1; class Bag { two() { return 2 } }; box + bag", "2"},
		{"const box = 3; let bag = 2; class Bag { two() { return 3 } }; box + bag + new Bag().two()", "8"},
		{"box + bag", "5"},
		{"const t = await Promise.resolve('T'); t + document.title", `"TTwo"`},
		{"await new Promise(done => setTimeout(() => done({a: [1]})))", `{"a":[1]}`},
		{"Promise.resolve({a: 1})", `{"a":1}`},
		{"({then(resolve) { resolve({deep: [1]}) }})", `{"deep":[1]}`},
		{"() => () => 1", shared.Dump("() => 1")},
		{"{a: 1, b: [2]}", `{"a":1,"b":[2]}`},
		{"{ let a = 1; a + 1 }", "2"},
		{"function () {}", "null"},
		{"runs", "1"},
		{"named", shared.Dump("() => { runs++; return 7 }")}, // the name of a function is no wish to call it
		{"runs", "1"},
		{"class Other {}; Other", `"class Other {}"`},
	} {
		r := u.good("browser_evaluate", arguments{"expression": tc.expression})
		if got := lookUp(t, r, "result"); got != tc.result {
			t.Errorf("%s: %s, not %s", tc.expression, got, tc.result)
		}
	}
	want(t, u.good("browser_console", arguments{"expression": "() => [box, await_ = 1]"}), "result", "[3,1]")
	for _, expression := range []string{"() => { throw new Error('oh') }", "throw new Error('oh')", "await Promise.reject(new Error('oh'))", "async () => { throw new Error('oh') }"} {
		u.bad("browser_evaluate", arguments{"expression": expression}, "js_exception", "Error: oh")
	}
	u.bad("browser_evaluate", arguments{"expression": "runs++; function ("}, "js_exception", "SyntaxError")
	want(t, u.good("browser_evaluate", arguments{"expression": "runs"}), "result", "1")

	// The element of the call is given to the function.
	u.good("browser_evaluate", arguments{"expression": "document.body.innerHTML = '<iframe srcdoc=\"<b id=in>in</b>\"></iframe><b id=el>el</b>'; await new Promise(r => onload = document.querySelector('iframe').onload = r); 1"})
	for _, f := range []string{"el => el.id", "(el) => el.id", "async el => el.id", "function (el) { return el.id }"} {
		want(t, u.good("browser_evaluate", arguments{"selector": "#el", "expression": f}), "result", `"el"`)
	}
	frame := u.SettledSnapshot(u.ctx).Page().FrameTree.Children[0].FrameID
	for _, tool := range []string{"browser_evaluate", "browser_console"} {
		for range 2 {
			r := u.good(tool, arguments{"frame_id": frame, "expression": "const here = await document.querySelector('#in').id; here"})
			want(t, r, "result", `"in"`)
			want(t, u.good(tool, arguments{"frame_id": frame, "expression": "function () { return document.querySelector('#in').id }"}), "result", `"in"`)
		}
	}
	u.good("browser_tabs", arguments{"action": "open", "url": "{{localhost}}/late"})
	want(t, u.good("browser_console", arguments{"tab": "t1", "expression": "() => document.title"}), "result", `"Two"`)
}

// A script that reads as in a console is ended like any other, and a promise is left alone.
func TestWhatRunsAsInAConsoleIsStopped(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	for _, expression := range []string{"for (;;);", "() => { for (;;); }", "await 1; for (;;);", "await new Promise(() => {})", "new Promise(() => {})", "async () => { await new Promise(() => {}) }"} {
		r := u.answered("browser_evaluate", arguments{"expression": expression, "timeout_ms": int(2 * time.Second / time.Millisecond)})
		u.failed(r, expression, "timeout")
		want(t, u.good("browser_evaluate", arguments{"expression": "1 + 1"}), "result", "2")
	}
	u.bad("browser_evaluate", arguments{"expression": "() => [confirm('sure?')]"}, "blocked_by_dialog")
	u.good("browser_dialog", arguments{"action": "accept"})
}

func TestTheConsoleShowsObjects(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	for _, tc := range []struct{ args, text string }{
		{"{a: 1}", "{a: 1}"},
		{"{a: 1, b: 'x', c: {d: 2}, e: [1, 2], f() {}, g: null, h: undefined}", "{a: 1, b: 'x', c: Object, e: Array(2), f: function, …}"},
		{"[1, 'two', null]", "[1, 'two', null]"},
		{"new Map([['k', {v: 1}]])", "Map(1) {'k' => {v: 1}}"},
		{"new Set(['k'])", "Set(1) {'k'}"},
		{"new (class Point { x = 1 })", "Point {x: 1}"},
		{"{}, [], null, undefined, 'text', 1.5", "{} [] null undefined text 1.5"},
		{"document.body", "body"},
	} {
		u.good("browser_console", arguments{"clear": true})
		u.good("browser_evaluate", arguments{"expression": "console.log(" + tc.args + ")"})
		want(t, u.good("browser_console", nil), "console_messages.0.text", shared.Dump(tc.text))
	}
}

// Whatever tool it comes from, a long result is kept in a file, and the model sees its beginning and the path.
func TestALongResultIsKeptInAFile(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	letters, ones := strings.Repeat("é", 20000), "["+strings.Repeat("1,", 19999)+"1]"
	u.good("browser_evaluate", arguments{"expression": `document.body.innerHTML = "<p id=long>" + "é".repeat(20000)`})
	for _, tc := range []struct {
		tool       string
		arguments  arguments
		key        string
		ext, whole string
	}{
		{"browser_evaluate", arguments{"expression": "'é'.repeat(20000)"}, "result_path", ".txt", letters},
		{"browser_evaluate", arguments{"expression": "Array(20000).fill(1)"}, "result_path", ".json", ones},
		{"browser_console", arguments{"expression": "Array(20000).fill(1)"}, "result_path", ".json", ones},
		{"browser_cdp", arguments{"method": "Runtime.evaluate", "params": arguments{"expression": "Array(20000).fill(1)", "returnByValue": true}},
			"result_path", ".json", `{"result":{"type":"object","value":` + ones + `}}`},
		{"browser_get", arguments{"selector": "#long", "what": "html"}, "path", ".txt", `<p id="long">` + letters + "</p>"},
	} {
		r := u.good(tc.tool, tc.arguments)
		path := text(t, r, tc.key)
		content, err := os.ReadFile(path)
		if err != nil || string(content) != tc.whole || !strings.HasSuffix(path, tc.ext) || !strings.HasPrefix(path, u.options.ScreenshotDir) {
			t.Errorf("%s: %s has %d bytes, %v: %.200s", tc.tool, path, len(content), err, content)
		}
		if !strings.Contains(r.Text, path) || len(r.Text) > 8<<10 {
			t.Errorf("%s: %d bytes without the path: %.300s", tc.tool, len(r.Text), r.Text)
		}
		if tc.key == "result_path" {
			want(t, r, "result_truncated", "true")
		}
	}
	cut := u.good("browser_get", arguments{"selector": "#long", "what": "html", "max_chars": 100})
	if strings.Contains(cut.Text, u.options.ScreenshotDir) || len(cut.Text) > 1000 {
		t.Errorf("with max_chars the text is %.1000s", cut.Text)
	}
}
