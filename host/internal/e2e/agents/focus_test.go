package agents

import (
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// writtenIn has a field that says which keys its document has received.
const writtenIn = `<!doctype html><input id=f aria-label=Inner><p id=keys></p><script>
	onkeydown = e => { keys.textContent += e.key; top.postMessage(e.key, "*") };
	onmessage = () => f.focus();
</script>`

// newFocused is a user at a page that notes which keys its frame has received.
func newFocused(t *testing.T, body, script string) *user {
	t.Helper()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.Handle("/inner", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(writtenIn))
	})
	u.Handle("/outer", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(u.Expand("<!doctype html>" + body + `<script>globalThis.keys = ""; onmessage = e => { keys += e.data };` + script + "</script>")))
	})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/outer"})
	return u
}

// origins are those of a frame in the page's process and in another.
var origins = map[string]string{"the same process": "{{localhost}}", "another process": "{{127.0.0.1}}"}

// The document does not say which element in a closed shadow root has the focus. A key was taken for lost that a frame
// there had received, and was sent again and again.
func TestKeysGoToTheFocusInClosedShadowRoots(t *testing.T) {
	t.Parallel()
	for name, origin := range origins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newFocused(t, `<x-pay></x-pay><div id=host></div>`, `
				document.querySelector("x-pay").attachShadow({mode: "closed"}).innerHTML = "<iframe src='`+origin+`/inner'></iframe>";
				host.attachShadow({mode: "closed"}).innerHTML = "<input aria-label=Own>"`)
			u.good("browser_click", arguments{"role": "textbox", "name": "Inner"})
			u.good("browser_press", arguments{"key": "x"})
			want(t, u.good("browser_evaluate", arguments{"expression": "keys"}), "result", `"x"`)
			u.good("browser_type", arguments{"text": "yz"})
			if r := u.good("browser_snapshot", nil); !strings.Contains(r.Text, `: "yz"`) {
				t.Error(r.Text)
			}
			u.good("browser_click", arguments{"role": "textbox", "name": "Own"})
			u.good("browser_type", arguments{"text": "own"})
			u.good("browser_press", arguments{"key": "!"})
			if r := u.good("browser_snapshot", nil); !strings.Contains(r.Text, `"own!"`) {
				t.Error(r.Text)
			}
			want(t, u.good("browser_evaluate", arguments{"expression": "keys"}), "result", `"xyz"`)
		})
	}
}

// A page can give the focus of a field to a frame as soon as it has it. What was meant for the field is not typed
// there, or only once, if nobody could have known.
func TestKeysDoNotFollowAFocusThatThePageMoves(t *testing.T) {
	t.Parallel()
	for name, origin := range origins {
		for when, c := range map[string]struct{ moves, says, keys string }{
			"at once":      {`give()`, "nothing was typed", ""},
			"to its field": {`give(); frame.contentWindow.postMessage(1, "*")`, "nothing was typed", ""},
			"a bit later":  {`Promise.resolve().then(give)`, "was delivered to another frame", "x"},
		} {
			t.Run(name+" "+when, func(t *testing.T) {
				t.Parallel()
				u := newFocused(t, `<input id=a aria-label=A><iframe id=frame src="`+origin+`/inner"></iframe>`, `
					const give = () => frame.contentWindow.focus();
					a.onfocus = () => { `+c.moves+` }`)
				u.bad("browser_press", arguments{"selector": "#a", "key": "x"}, "input_not_delivered", `"A"`, c.says)
				want(t, u.good("browser_evaluate", arguments{"expression": "keys"}), "result", `"`+c.keys+`"`)
				if when != "a bit later" {
					u.bad("browser_type", arguments{"selector": "#a", "text": "secret"}, "input_not_delivered", "nothing was typed")
					want(t, u.good("browser_evaluate", arguments{"expression": "keys"}), "result", `""`)
				}
			})
		}
	}
}
