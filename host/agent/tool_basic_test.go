package agent

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestEvaluateGivesValuesOfEveryKind(t *testing.T) {
	w := newWorld(t, map[string]string{"/": "<p id=p>hello</p>"}, Options{})
	w.open("/")
	for name, c := range map[string]struct{ arguments, result, kind string }{
		"a number":                      {`{"expression":"1+1"}`, `2`, "number"},
		"a text":                        {`{"expression":"document.title"}`, `"/"`, "string"},
		"an object":                     {`{"expression":"({a:[1,null]})"}`, `{"a":[1,null]}`, "object"},
		"null":                          {`{"expression":"null"}`, `null`, "null"},
		"undefined":                     {`{"expression":"undefined"}`, `null`, "undefined"},
		"what JSON cannot say":          {`{"expression":"-Infinity"}`, `"-Infinity"`, "number"},
		"a promise is awaited":          {`{"expression":"Promise.resolve('x')"}`, `"x"`, "string"},
		"a function of an element":      {`{"expression":"p => p.textContent","selector":"#p"}`, `"hello"`, "string"},
		"a console's expression is one": {`{"expression":"2*3"}`, `6`, "number"},
	} {
		t.Run(name, func(t *testing.T) {
			tool := "browser_evaluate"
			if strings.HasPrefix(name, "a console") {
				tool = "browser_console"
			}
			r := w.good(tool, c.arguments)
			want(t, r, "result", c.result)
			want(t, r, "result_type", `"`+c.kind+`"`)
			want(t, r, "untrusted.fields", `["result"]`)
			want(t, r, "untrusted.origin", `"`+w.site+`"`)
		})
	}
}

func TestEvaluateFailsWithAKind(t *testing.T) {
	w := newWorld(t, map[string]string{"/": "<p>hello</p>"}, Options{})
	w.open("/")
	w.bad("browser_evaluate", `{"expression":"(() => { throw new Error('no\u202e') })()"}`, host.ErrEvaluate)
	w.bad("browser_evaluate", `{"expression":"x => x","selector":"#nowhere"}`, host.ErrNoElement)
	none := w.bad("browser_evaluate", `{"expression":"document.title = 'run'","selector":"p"}`, host.ErrBadArguments)
	if !strings.Contains(none.Text, "must be a function of it") || !strings.Contains(none.Text, "was evaluated") {
		t.Errorf("the error does not say what is to be done: %s", none.Text)
	}
	want(t, none, "ok", "false")
	w.bad("browser_evaluate", `{"expression":"1","tab":"nowhere"}`, host.ErrUnknownTarget)
	w.bad("browser_evaluate", `{"expresion":"1"}`, host.ErrBadArguments)
	stuck := w.bad("browser_evaluate", `{"expression":"while (true) {}","timeout_ms":3000}`, host.ErrTimeout)
	if !strings.Contains(stuck.Text, "what it did until then remains") {
		t.Errorf("the error does not say that side effects may remain: %s", stuck.Text)
	}
	// 3 s but for what came before.
	if !strings.Contains(stuck.Text, "its time limit (2.") && !strings.Contains(stuck.Text, "its time limit (3 ") || !strings.Contains(stuck.Text, " s) has passed") {
		t.Errorf("the error does not say how long it had: %s", stuck.Text)
	}
	want(t, w.good("browser_evaluate", `{"expression":"40+2"}`), "result", "42")
	n := w.registry.Counters()["browser_evaluate"]
	if n.Calls != 7 || n.Timeouts != 1 || n.Terminations != 1 || n.Failures[string(host.ErrEvaluate)] != 1 || n.MaxNS <= 0 || n.TotalNS < n.MaxNS {
		t.Errorf("counted %+v", n)
	}
}

func TestAPagesErrorIsMadeVisible(t *testing.T) {
	w := newWorld(t, map[string]string{"/": "<p>hello</p>"}, Options{})
	w.open("/")
	r := w.bad("browser_evaluate", `{"expression":"(() => { throw new Error('a\\u202eb\\u001b[2J') })()"}`, host.ErrEvaluate)
	for _, text := range []string{r.Text, field(t, r, "error")} {
		if strings.ContainsAny(text, "\u202e\u001b") || !strings.Contains(text, `u202e`) {
			t.Errorf("got %q", text)
		}
	}
	want(t, r, "untrusted.origin", `"`+w.site+`"`)
}

func TestALongResultIsCut(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	w.open("/")
	r := w.good("browser_evaluate", `{"expression":"'é'.repeat(100000)"}`)
	want(t, r, "result_truncated", "true")
	if n := len([]rune(field(t, r, "result"))); n < 65536 || n > 65536+10 {
		t.Errorf("the result has %d characters", n)
	}
}

func TestConsole(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<script>console.log("one"); console.warn("two\u202e"); setTimeout(() => { throw new Error("three") })</script>`}, Options{})
	w.open("/")
	if _, ok := w.task.Wait(w.ctx, func(s *host.Snapshot) bool { return s.ConsoleTotal >= 3 }); !ok {
		t.Fatal("the messages did not come")
	}
	r := w.good("browser_console", `{"clear":true}`)
	want(t, r, "console_messages.0.text", `"one"`)
	want(t, r, "console_messages.1.type", `"warning"`)
	want(t, r, "console_messages.1.text", `"two\\u202e"`)
	want(t, r, "total_messages", "2")
	want(t, r, "total_errors", "1")
	if message := field(t, r, "js_errors.0.message"); !strings.Contains(message, "three") {
		t.Errorf("got the error %s", message)
	}
	again := w.good("browser_console", ``)
	want(t, again, "total_messages", "0")
	want(t, again, "total_since_start", "3")
}

func TestCDP(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	w.open("/")
	r := w.good("browser_cdp", `{"method":"Runtime.evaluate","params":{"expression":"6*7"},"timeout":5}`)
	want(t, r, "method", `"Runtime.evaluate"`)
	want(t, r, "result.result.value", "42")
	for path, some := range map[string]string{"target_id": field(t, r, "target_id"), "session_id": field(t, r, "session_id")} {
		if some == "null" {
			t.Errorf("no %s in %s", path, show(r))
		}
	}
	frame := w.task.Snapshot().Page().RawFrameTree.Top.FrameID
	want(t, w.good("browser_cdp", `{"method":"Runtime.evaluate","params":{"expression":"1"},"frame_id":"`+frame+`"}`), "frame_id", `"`+frame+`"`)

	refused := w.bad("browser_cdp", `{"method":"DOM.flyAway"}`, host.ErrProtocol)
	want(t, refused, "method", `"DOM.flyAway"`)
	want(t, refused, "docs", `"https://chromedevtools.github.io/devtools-protocol/tot/DOM/#method-flyAway"`)
	want(t, w.bad("browser_cdp", `{"method":"nonsense"}`, host.ErrBadArguments), "docs", `"https://chromedevtools.github.io/devtools-protocol/tot/"`)
	w.bad("browser_cdp", `{"method":"Runtime.evaluate","timeout":0.5}`, host.ErrBadArguments)
}

func TestDialogIsAnswered(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	w.open("/")
	w.bad("browser_dialog", `{"action":"accept"}`, host.ErrNoDialog)
	w.bad("browser_dialog", `{"action":"shrug"}`, host.ErrBadArguments)
	w.bad("browser_dialog", `{"action":"dismiss","prompt_text":"x"}`, host.ErrBadArguments)

	blocked := w.bad("browser_evaluate", `{"expression":"prompt('name?', 'Ada') + '!'"}`, host.ErrBlockedByDialog)
	want(t, blocked, "pending_dialogs.0.message", `"name?"`)
	want(t, blocked, "pending_dialogs.0.default_prompt", `"Ada"`)
	var call string
	if err := json.Unmarshal([]byte(field(t, blocked, "call_id")), &call); err != nil {
		t.Fatal(err)
	}
	again := w.bad("browser_evaluate", `{"expression":"1"}`, host.ErrBlockedByDialog)
	want(t, again, "call_id", "null")
	unknown := w.bad("browser_dialog", `{"action":"accept","dialog_id":"d-99"}`, host.ErrUnknownDialog)
	want(t, unknown, "pending_dialogs.0.id", `"d-1"`)

	answered := w.good("browser_dialog", `{"action":"accept"}`)
	want(t, answered, "action", `"accept"`)
	want(t, answered, "dialog.closed_by", `"agent"`)
	want(t, answered, "dialog.text", `"Ada"`)
	resumed := w.good("browser_resume", `{"call_id":"`+call+`"}`)
	want(t, resumed, "result", `"Ada!"`)
	want(t, resumed, "ok", "true")
	w.bad("browser_resume", `{"call_id":"`+call+`"}`, host.ErrUnknownCall)
}

func TestTheNextDialogBlocksAResumedCallAgain(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	w.open("/")
	blocked := w.bad("browser_console", `{"expression":"[confirm('one'), confirm('two')]"}`, host.ErrBlockedByDialog)
	call := field(t, blocked, "call_id")
	w.good("browser_dialog", `{"action":"accept"}`)
	again := w.bad("browser_resume", `{"call_id":`+call+`}`, host.ErrBlockedByDialog)
	want(t, again, "call_id", call)
	want(t, again, "pending_dialogs.0.message", `"two"`)
	w.good("browser_dialog", `{"action":"dismiss"}`)
	r := w.good("browser_resume", `{"call_id":`+call+`}`)
	want(t, r, "result", "[true,false]")
	want(t, r, "ok", "null") // the console's result has no ok
}

func TestAnArmedAnswerMeetsTheNextDialog(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<button id=b onclick="confirm('sure?')">b</button>`}, Options{})
	w.open("/")
	want(t, w.good("browser_dialog", `{"action":"accept","prompt_text":"Bob","arm":true,"expires_s":60}`), "armed.prompt_text", `"Bob"`)
	want(t, w.good("browser_evaluate", `{"expression":"prompt('name?')"}`), "result", `"Bob"`)
	w.good("browser_dialog", `{"action":"dismiss","arm":true}`)
	if r := w.good("browser_click", `{"selector":"#b"}`); !strings.Contains(r.Text, `says "sure?", dismissed, closed by agent`) {
		t.Errorf("the click says %s", r.Text)
	}
	w.bad("browser_dialog", `{"action":"accept","arm":true,"dialog_id":"d-1"}`, host.ErrBadArguments)
	w.bad("browser_dialog", `{"action":"accept","expires_s":3}`, host.ErrBadArguments)
}

func TestCloseEndsTheTask(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	changed := make(chan struct{}, 100)
	stop := w.registry.Changed(func() { changed <- struct{}{} })
	defer stop()
	if !has(w.registry.Tools(View{Task: "task"}), "browser_cdp") {
		t.Error("browser_cdp is not there though the protocol can be reached")
	}
	w.good("browser_close", ``)
	for has(w.registry.Tools(View{Task: "task"}), "browser_cdp") {
		select {
		case <-changed:
		case <-w.ctx.Done():
			t.Fatal("nobody told that browser_cdp cannot work any more")
		}
	}
	w.bad("browser_console", ``, fault.ErrUnknownTask)
}

func has(list []Tool, name string) bool {
	for _, t := range list {
		if t.Name == name {
			return true
		}
	}
	return false
}

func TestToolsThatAreNotThereCanNotBeCalled(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{EvaluateDisabled: true, Toolsets: Toolsets{Disabled: []string{"browser_close"}}})
	for name, says := range map[string]string{
		"browser_fly":      `unknown tool "browser_fly"; the tools are browser_`,
		"browser_close":    "disabled by disabled_tools",
		"browser_evaluate": "cannot work now",
	} {
		_, err := w.registry.Call(w.ctx, Call{Task: "task", Name: name})
		if !errors.Is(err, fault.ErrUnknownTool) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	w.bad("browser_console", `{"expression":"1"}`, host.ErrEvaluateDisabled)
}
