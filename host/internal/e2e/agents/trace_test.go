package agents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// hostile is what a page says to become part of a trace instead of text in it.
const hostile = `</script></pre></bdi><img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`

const password = `hunter2 & "Söhne"`

// traceBench has a shop that wants a password, asks a question, and says hostile things. It becomes green by a click.
func traceBench(t *testing.T) (b *bench, dir string) {
	dir = t.TempDir()
	b = newBench(t, common.Address(t), host.Options{Recording: host.RecordingOptions{Dir: dir}})
	b.Handle("/shop", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, `<!doctype html><title>Shop</title><style>body { background: #f00; margin: 3rem } * { font-size: 1.4rem }</style>
			<h1>A shop</h1><form><label>User <input id=user></label> <label>Password <input id=pass type=password></label></form>
			<button id=green>Green</button> <button id=ask>Delete everything</button> <button disabled>Closed</button><script>
			const hostile = `+"`"+strings.ReplaceAll(hostile, "</script>", `<\/script>`)+"`"+`
			green.onclick = () => { document.body.style.background = "#0f0"; console.log("it is", hostile); fetch("/paid?" + hostile + "&hint=" + encodeURIComponent(pass.value)) }
			ask.onclick = () => console.warn("deleted: " + confirm("Delete everything? " + hostile))
			pass.onchange = () => { console.log("the password is " + pass.value); fetch("/login", {method: "POST", body: pass.value}) }
			user.onchange = () => setTimeout(() => { throw new Error("no user " + user.value) })
			history.replaceState(null, "", "/shop?" + hostile)
			document.title = hostile
			</script>`)
	})
	return b, dir
}

// stopTrace stops the trace of a user with the tool, and reads its file.
func (u *user) stopTrace() (path, file string) {
	u.t.Helper()
	path, _ = u.good("browser_trace", arguments{"action": "stop"}).Structured["trace_path"].(string)
	data, err := os.ReadFile(path)
	if err != nil {
		u.t.Fatal(err)
	}
	return path, string(data)
}

// drawn waits until the trace has a picture of what the page shows now: one may be under way and another one wait in
// the browser, so that it is surely the third.
func (u *user) drawn() {
	u.t.Helper()
	for before := u.Tracing().Seen; u.Tracing().Seen < before+3; {
		if _, err := u.Tab("").Evaluate(u.ctx, `document.body.style.paddingLeft = (parseInt(document.body.style.paddingLeft || 0) + 1) % 9 + "px"`, nil); err != nil {
			u.t.Fatal(err)
		}
	}
}

func TestATraceShowsWhatAnAgentDid(t *testing.T) {
	b, dir := traceBench(t)
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_trace", arguments{"action": "start"})
	u.bad("browser_trace", arguments{"action": "start"}, "trace_running", "stop it")
	u.good("browser_navigate", arguments{"url": "{{localhost}}/shop?access_token=of-the-url"})
	u.good("browser_type", arguments{"selector": "#user", "text": "ada lovelace"})
	u.good("browser_type", arguments{"selector": "#pass", "text": password})
	u.drawn()
	u.good("browser_click", arguments{"selector": "#green"})
	u.drawn()
	u.inVain("browser_click", arguments{"text": "Closed"}, "not_actionable")
	u.bad("browser_click", arguments{"selector": "#ask"}, "blocked_by_dialog")
	u.good("browser_dialog", arguments{"action": "accept"})
	u.good("browser_interact", arguments{"actions": []arguments{{"action": "fill", "selector": "#pass", "text": "correct horse"}, {"action": "press", "key": "Tab"}}})
	path, file := u.stopTrace()
	u.bad("browser_trace", arguments{"action": "stop"}, "no_trace", "start one")
	if filepath.Dir(path) != dir {
		t.Errorf("the file is %s, and not in %s", path, dir)
	}
	for _, secret := range []string{"hunter2", "correct horse", "of-the-url"} {
		if strings.Contains(file, secret) {
			t.Errorf("the file has %q", secret)
		}
	}

	if !strings.Contains(file, "deleted: true") {
		t.Error("the file lacks what the page did after the dialog")
	}
	t.Run("the file", func(t *testing.T) { readTrace(t, b, path) })
}

// readTrace reads the trace of [TestATraceShowsWhatAnAgentDid] in a browser.
func readTrace(t *testing.T, b *bench, path string) {
	const title = "Trace of TestATraceShowsWhatAnAgentDid"
	reader := b.newUser(t, host.TaskOptions{})
	reader.WatchNetwork()
	b.Handle("/trace", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })
	page := reader.good("browser_navigate", arguments{"url": "{{localhost}}/trace"}).Text
	for _, part := range []string{
		title, "banner", "main", `navigation "Calls"`, `heading "Calls"`, "1 browser_navigate", "2 browser_type", "8 browser_interact",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the trace lacks %s:\n%s", part, page)
		}
	}
	for call, parts := range map[int][]string{
		1: {"[redacted]", "/shop?", "Then"},
		2: {"ada lovelace"},
		3: {"[redacted]", "Console", "no user ada lovelace"},
		4: {"button \"Green\"", "the password is [redacted]", "POST", "/login", "404", "it is </script></pre></bdi><img", "/paid?", "Succeeded"},
		5: {"Failed", "Error", "disabled"},
		6: {"Failed", "The dialog that was open after the call", "Delete everything? </script>", "accepted, by agent"},
		7: {"accept"},
		8: {"Actions on pages", "type", "press"},
	} {
		text := reader.article(call)
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("call %d lacks %q:\n%s", call, part, text)
			}
		}
	}
	if before, after := reader.colour(4), reader.colour(5); before != "red" || after != "green" {
		t.Errorf("the page was %s before the click and %s after it", before, after)
	}
	reader.opensByKeys()
	if made := reader.told(`document.querySelectorAll("img, article script, :not(head) > style").length + " " + document.title`); made != "0 "+title {
		t.Errorf("what pages said became part of the trace: %s", made)
	}
	if said := reader.Snapshot().Console; len(said) > 0 {
		t.Errorf("the file does what its policy does not allow: %+v", said)
	}
	for _, r := range reader.Requests().List {
		if !strings.HasSuffix(r.URL, "/trace") && !strings.HasSuffix(r.URL, "/favicon.ico") && !strings.HasPrefix(r.URL, "data:") {
			t.Errorf("the file requests %s", r.URL)
		}
	}
}

// told evaluates an expression in the page.
func (u *user) told(expression string) string {
	u.t.Helper()
	e, err := u.Tab("").Evaluate(u.ctx, expression, nil)
	if err != nil {
		u.t.Fatal(err)
	}
	var text string
	if err := json.Unmarshal(e.Value, &text); err != nil {
		u.t.Fatalf("%s is %s", expression, e.Value)
	}
	return text
}

// article chooses a call of a trace, as a reader does, and returns what it then shows.
func (u *user) article(call int) string {
	u.t.Helper()
	u.good("browser_click", arguments{"selector": fmt.Sprintf("nav li:nth-child(%d) a", call)})
	shown := u.told(`[...document.querySelectorAll("article")].filter(a => a.checkVisibility()).map(a => a.id).join()`)
	if want := fmt.Sprintf("call-%d", call); shown != want {
		u.t.Errorf("after a click on %s the trace shows %s", want, shown)
	}
	return u.told(`document.querySelector("article.chosen").innerText`)
}

// colour is that of the first picture of a call.
func (u *user) colour(call int) string {
	u.t.Helper()
	u.article(call)
	shot, err := u.Tab("").Screenshot(u.ctx, &host.ScreenshotOptions{Locator: host.BySelector("article.chosen figure svg")})
	if err != nil {
		u.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot.PNG))
	if err != nil {
		u.t.Fatal(err)
	}
	switch r, g, b, _ := picture.At(shot.Width/2, shot.Height*3/4).RGBA(); {
	case r > 0xc000 && g < 0x4000 && b < 0x4000:
		return "red"
	case r < 0x4000 && g > 0xc000 && b < 0x4000:
		return "green"
	default:
		return fmt.Sprint(r, g, b)
	}
}

// opensByKeys goes through a trace without a mouse.
func (u *user) opensByKeys() {
	u.t.Helper()
	u.article(3)
	for _, step := range []struct{ key, want string }{{"j", "call-4"}, {"ArrowDown", "call-5"}, {"ArrowUp", "call-4"}, {"k", "call-3"}} {
		u.good("browser_press", arguments{"key": step.key})
		if got := u.told(`document.querySelector("article.chosen").id + document.activeElement.hash + document.querySelector("[aria-current]").hash`); got != step.want+"#"+step.want+"#"+step.want {
			u.t.Errorf("%s leads to %s, want %s", step.key, got, step.want)
		}
	}
}

// A trace that is still running is written when its task ends, and closing the session says where.
func TestATraceEndsWithItsTask(t *testing.T) {
	b, dir := traceBench(t)
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_trace", arguments{"action": "start"})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/shop"})
	if err := u.Close(u.ctx); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "hermes-cdp-trace-*.html"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(data), "its task ended first") || !strings.Contains(string(data), "browser_navigate") {
		t.Errorf("the file is %d bytes, %v", len(data), err)
	}

	u = b.newUser(t, host.TaskOptions{})
	u.good("browser_trace", arguments{"action": "start"})
	path, _ := u.good("browser_close", nil).Structured["trace_path"].(string)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

// The values of headers that a call sets are as secret as what is typed, whatever the headers are called.
func TestATraceHasNoValuesOfHeaders(t *testing.T) {
	b, _ := traceBench(t)
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_trace", arguments{"action": "start"})
	u.good("browser_emulate", arguments{"headers": arguments{"X-Tenant": "emulated-value-1"}})
	u.good("browser_cdp", arguments{"method": "Network.setExtraHTTPHeaders", "params": arguments{"headers": arguments{"X-Tenant": "raw-value-2"}}})
	path := text(t, u.good("browser_trace", arguments{"action": "stop"}), "trace_path")
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "X-Tenant") {
		t.Fatalf("the file is %d bytes, %v", len(data), err)
	}
	for _, value := range []string{"emulated-value-1", "raw-value-2"} {
		if strings.Contains(string(data), value) {
			t.Errorf("%s is in the file", value)
		}
	}
}

// A file that cannot be written ends the trace, and nothing else.
func TestAFullDiskEndsTheTraceAndNotTheTask(t *testing.T) {
	b, dir := traceBench(t)
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_trace", arguments{"action": "start"})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/shop"})
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // nothing can be made in it
		t.Fatal(err)
	}
	u.bad("browser_trace", arguments{"action": "stop"}, "failed", "the directory for traces")
	u.bad("browser_trace", arguments{"action": "stop"}, "no_trace")
	u.good("browser_click", arguments{"selector": "#green"})
}

// Actions of the Go API are calls of their own; those of a tool are parts of its call.
func TestATraceHasTheActionsOfTheGoAPI(t *testing.T) {
	b, _ := traceBench(t)
	u := b.newUser(t, host.TaskOptions{Record: true}) // which has the pictures already
	if err := u.StartTrace(nil); err != nil {
		t.Fatal(err)
	}
	tab := u.Tab("")
	if _, err := tab.Navigate(u.ctx, b.Expand("{{localhost}}/shop?access_token=of-the-url"), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Type(u.ctx, host.BySelector("#pass"), password, nil); err != nil {
		t.Fatal(err)
	}
	u.drawn()
	if _, err := tab.Type(u.ctx, host.BySelector("#green"), "into a button", nil); !errors.Is(err, host.ErrNotActionable) {
		t.Fatal(err)
	}
	trace, err := u.StopTrace(u.ctx)
	if err != nil || trace.Calls != 3 || trace.Failed != 1 || trace.Pictures == 0 {
		t.Fatalf("the trace is %+v, %v", trace, err)
	}
	data, err := os.ReadFile(trace.Path)
	if err != nil || int64(len(data)) != trace.Bytes {
		t.Fatal(err, trace.Bytes)
	}
	file := string(data)
	for _, part := range []string{">navigate<", ">type<", "#green", "use click", "image/webp"} {
		if !strings.Contains(strings.ReplaceAll(file, "</span> ", ">"), part) {
			t.Errorf("the file lacks %s", part)
		}
	}
	if strings.Contains(file, "of-the-url") || strings.Contains(file, "hunter2") || strings.Contains(file, "into a button") {
		t.Error("the file has a secret")
	}
	if !u.Recorded() {
		t.Error("the recording ended with the trace")
	}
}
