package pages

import (
	"strings"
	"sync"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

const agentPage = `<h1>Shared</h1><button id=b onclick="document.title = 'clicked'">Act</button><a id=file href="/file">file</a><input aria-label=Field><script>console.log('hello from ' + location.search)</script>`

// Neither of two agents on one browser sees what the other has, or is disturbed by it.
func TestTwoAgentsOnOneBrowser(t *testing.T) {
	one := newWorld(t, map[string]string{"/page": agentPage})
	two := one.another()
	both := []*world{one, two}
	names := []string{"one", "two"}
	for i, w := range both {
		w.good("browser_navigate", args{"url": "{{localhost}}/page?" + names[i]})
	}

	t.Run("cookies and storage", func(t *testing.T) {
		for i, w := range both {
			w.in(t).js("void (document.cookie = 'who=" + names[i] + "', localStorage.setItem('who', '" + names[i] + "'))")
		}
		for i, w := range both {
			is(t, "what "+names[i]+" has", w.in(t).js("[document.cookie, localStorage.getItem('who')]"), `["who=`+names[i]+`","`+names[i]+`"]`)
		}
	})
	t.Run("tabs", func(t *testing.T) {
		one := one.in(t)
		theirs := text(t, two.in(t).good("browser_tabs", nil), "tabs.0.target_id")
		want(t, one.good("browser_tabs", args{"action": "open", "url": "{{localhost}}/page?more"}), "tab.handle", `"t2"`)
		want(t, two.in(t).good("browser_tabs", nil), "tabs.1", "null")
		one.bad("browser_snapshot", args{"tab": theirs}, "unknown_tab")
		one.bad("browser_tabs", args{"action": "close", "tab": theirs}, "unknown_tab")
		one.bad("browser_cdp", args{"method": "Runtime.evaluate", "params": args{"expression": "1"}, "target_id": theirs}, "unknown_tab")
		two.in(t).bad("browser_click", args{"tab": "t2", "selector": "#b"}, "unknown_tab")
		one.good("browser_tabs", args{"action": "close", "tab": "t2"})
	})
	t.Run("refs", func(t *testing.T) {
		one, two := one.in(t), two.in(t)
		first := one.good("browser_snapshot", nil)
		for range 3 {
			one.open("/page")
			one.good("browser_snapshot", nil)
		}
		newest := one.ref(one.good("browser_snapshot", nil), `"Act"`)
		two.bad("browser_click", args{"ref": newest}, "unknown_ref")
		two.good("browser_click", args{"ref": two.ref(two.good("browser_snapshot", nil), `"Act"`)})
		is(t, "the title of two", two.js("document.title"), `"clicked"`)
		is(t, "the title of one", one.js("document.title"), `"/page"`)
		one.bad("browser_click", args{"ref": one.ref(first, `"Act"`)}, "stale_ref")
	})
	t.Run("console", func(t *testing.T) {
		two.in(t).js("console.log('only for two')")
		two.in(t).until("its own message", "browser_console", nil, func(r agent.Result) bool { return strings.Contains(show(r), "only for two") })
		if r := one.in(t).good("browser_console", nil); strings.Contains(show(r), "two") {
			t.Errorf("one sees the console of two: %s", show(r))
		}
	})
	t.Run("dialogs and armed answers", func(t *testing.T) {
		one, two := one.in(t), two.in(t)
		one.good("browser_dialog", args{"action": "accept", "prompt_text": "armed by one", "arm": true})
		blocked := two.bad("browser_evaluate", args{"expression": "prompt('of two', 'own')"}, "blocked_by_dialog")
		want(t, one.good("browser_snapshot", nil), "pending_dialogs", "[]")
		one.bad("browser_dialog", args{"action": "accept"}, "no_dialog", "no dialog")
		is(t, "the armed answer", one.js("prompt('of one')"), `"armed by one"`)
		one.good("browser_click", args{"selector": "#b"}) // while the dialog of two is open
		one.open("/page")
		one.bad("browser_resume", args{"call_id": two.callID(blocked)}, "unknown_call")
		two.good("browser_dialog", args{"action": "accept"})
		want(t, two.good("browser_resume", args{"call_id": two.callID(blocked)}), "result", `"own"`)
	})
	t.Run("one is stuck", func(t *testing.T) {
		one, two := one.in(t), two.in(t)
		var stuck sync.WaitGroup
		stuck.Go(func() {
			if r := two.call("browser_evaluate", args{"expression": "report('stuck'); while (true) {}", "timeout_ms": 4000}); lookUp(t, r, "kind") != `"timeout"` {
				t.Errorf("the one that is stuck: %s", show(r))
			}
		})
		two.reported("stuck")
		one.open("/page")
		one.good("browser_type", args{"selector": "input", "text": "not held up"})
		one.good("browser_click", args{"selector": "#b"})
		is(t, "what one did", one.js("document.title + document.querySelector('input').value"), `"clickednot held up"`)
		stuck.Wait()
		two.good("browser_click", args{"selector": "#b"})
	})
	t.Run("one is closed", func(t *testing.T) {
		two.in(t).good("browser_close", nil)
		one.in(t).good("browser_click", args{"selector": "#b"})
		want(t, one.in(t).good("browser_tabs", nil), "tabs.1", "null")
	})
}

// Two agents that wait for files in one browser context, as in a person's browser, get their own, at the same time.
func TestTwoAgentsDownloadAtTheSameTime(t *testing.T) {
	w := newWorldAlone(t, map[string]string{"/page": `<body><script>const q = location.search.slice(1);
document.body.innerHTML = '<a href="/file-' + q + '">file</a>'</script>`})
	release := w.Hold("/file-slow")
	t.Cleanup(release)
	w.Handle("/file-slow", file("attachment; filename=same.txt", "the slow one"))
	w.Handle("/file-fast", file("attachment; filename=same.txt", "the fast one"))
	agents := map[string]*world{}
	for _, name := range []string{"slow", "fast"} {
		a := *w
		task, err := w.host.Attach(w.ctx, t.Name()+name, w.address, &host.TaskOptions{Scope: host.ScopeTab})
		if err != nil {
			t.Fatal(err)
		}
		a.task = task
		a.good("browser_navigate", args{"url": "{{localhost}}/page?" + name})
		agents[name] = &a
	}
	slow := make(chan agent.Result, 1)
	go func() { slow <- agents["slow"].call("browser_download", args{"selector": "a"}) }()
	if err := w.Visited(w.ctx, "/file-slow", 1); err != nil {
		t.Fatal(err)
	}
	is(t, "the name", w.downloaded(agents["fast"].good("browser_download", args{"selector": "a"}), "the fast one"), "same.txt")
	release()
	r := <-slow
	if r.IsError {
		t.Fatalf("the slow one: %s", show(r))
	}
	is(t, "the name", w.downloaded(r, "the slow one"), "same (1).txt")
	w.inFolder("same (1).txt", "same.txt")
}
