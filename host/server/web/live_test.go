package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/replay"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/charts"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/plugins"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// pictureDir is where the pictures of docs/live-page.md are written.
var pictureDir = flag.String("pictures", "", "a directory for pictures of the page")

const limit = 5 * time.Minute

// hostile is a text that would do harm if it were not shown as text.
const hostile = `<img src=x onerror="document.body.textContent='owned'">`

// said is what pages and agents say: for pictures, what people would read.
func said() string {
	if *pictureDir != "" {
		return "Really cancel order 4711?"
	}
	return hostile
}

// work is a page with a frame of another site, and dialogs.
const work = `<title>` + `&lt;img src=x onerror="document.body.textContent='owned'"&gt;` + `</title><body style="margin:0;font:20px sans-serif">
	<h1>Order 4711</h1><button id=ask onclick="this.textContent = confirm(hostile) ? 'cancelled' : 'kept'">Cancel the order</button>
	<iframe src="http://OTHER/inside" style="position:absolute;left:40px;top:200px;width:600px;height:300px"></iframe>
	<script>hostile = ` + "`SAID`" + `; console.error(hostile)</script>`

const inside = `<body style="margin:0"><input id=field style="position:absolute;left:10px;top:10px;width:300px;height:40px;font-size:24px" aria-label="Card holder">`

// stage is a daemon's page, a task of an agent on a real browser, and a second browser that looks at the page.
type stage struct {
	t        *testing.T
	ctx      context.Context
	host     *host.Host
	registry *agent.Registry
	task     *host.Task // of the agent
	person   *host.Task // looks at the live page
	server   *Server
	screen   host.Emulation // the person's
	address  string
}

func newStage(t *testing.T) *stage {
	t.Helper()
	return newStageWith(t, hour(t))
}

// newStageWith is a stage whose page has these charts.
func newStageWith(t *testing.T, lately *charts.Charts) *stage {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(t.Context(), limit, errors.New("the test took too long"))
	t.Cleanup(cancel)
	h := common.NewHost(t, host.Options{Recording: host.RecordingOptions{Dir: t.TempDir()}})
	registry, err := agent.New(h, agent.Options{Toolsets: agent.Toolsets{Use: []string{"all"}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(registry.Close)
	s := &stage{t: t, ctx: ctx, host: h, registry: registry}
	s.server = New(Options{
		API: &control.Local{Host: h}, Task: h.Task, Tasks: h.Tasks, Recordings: h.Recordings, OpenRecording: h.OpenRecording,
		Calls: registry.Calls, Agents: func(string) *access.Grant { return nil }, Charts: lately, Log: slog.New(slog.DiscardHandler),
	})
	server := httptest.NewServer(s.server)
	t.Cleanup(func() {
		s.server.Close() // the page's streams end, for which the next line waits
		server.Config.SetKeepAlivesEnabled(false)
		server.Close()
	})
	s.address = strings.TrimPrefix(server.URL, "http://")
	s.task, s.person = s.launch("shop-7"), s.launch("person")
	return s
}

func (s *stage) launch(id string) *host.Task {
	s.t.Helper()
	task, err := s.host.Attach(s.ctx, id, common.Address(s.t), &host.TaskOptions{DialogPolicy: "must_respond"})
	if err != nil {
		s.t.Fatal(err)
	}
	return task
}

// site serves the agent's page.
func (s *stage) site() string {
	s.t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, port, _ := net.SplitHostPort(r.Host)
		text := strings.NewReplacer("OTHER", "127.0.0.1:"+port, "SAID", said()).Replace(work)
		if r.URL.Path == "/inside" {
			text = inside
		}
		_, _ = w.Write([]byte(text))
	}))
	s.t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/"
}

func (s *stage) call(tool, arguments string) agent.Result {
	s.t.Helper()
	r, err := s.registry.Call(s.ctx, agent.Call{Task: "shop-7", Client: strings.TrimSuffix("claude "+said(), " Really cancel order 4711?"), Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// page is the tab that shows the live page.
func (s *stage) page() host.Tab { return s.person.Tab("") }

func (s *stage) must(what string, err error) {
	s.t.Helper()
	if err != nil {
		text, _ := s.page().Text(context.WithoutCancel(s.ctx), nil)
		s.picture("failed")
		s.t.Fatalf("%s: %v; the page says %s; its console %+v", what, err, text.Text, s.person.Snapshot().Console)
	}
}

// shows waits until the live page has a text.
func (s *stage) shows(text string) {
	s.t.Helper()
	quoted, _ := json.Marshal(text)
	s.must("waiting for "+text, s.page().WaitTrue(s.ctx, "document.body.innerText.includes("+string(quoted)+")", ""))
}

// press clicks a button or a link of the live page.
func (s *stage) press(role, name string) {
	s.t.Helper()
	_, err := s.page().Click(s.ctx, host.Locator{Role: role, Name: name}, nil)
	s.must("pressing "+name, err)
}

func (s *stage) write(role, name, text string) {
	s.t.Helper()
	_, err := s.page().Type(s.ctx, host.Locator{Role: role, Name: name}, text, &host.TypeOptions{Clear: true})
	s.must("typing into "+name, err)
}

func (s *stage) evaluate(task *host.Task, expression, frame string) string {
	s.t.Helper()
	r, err := task.Tab("").Evaluate(s.ctx, expression, &host.EvaluateOptions{Locator: host.Locator{FrameID: frame}, AwaitPromise: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return string(r.Value)
}

// picture writes a picture of the live page, if that is asked for.
func (s *stage) picture(name string) {
	s.t.Helper()
	if *pictureDir == "" {
		return
	}
	shot, err := s.page().Screenshot(context.WithoutCancel(s.ctx), nil)
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictureDir, name+".png"), shot.PNG, 0o600)
	}
	if err != nil {
		s.t.Error(err)
	}
}

// accessible runs axe-core (https://github.com/dequelabs/axe-core) on the live page, in light and in dark.
func (s *stage) accessible(what string) {
	s.t.Helper()
	axe, err := os.ReadFile("testdata/axe.min.js")
	if err != nil {
		s.t.Fatal(err)
	}
	s.evaluate(s.person, string(axe)+"; 0", "")
	for _, scheme := range []string{"light", "dark"} {
		in := s.screen
		in.ColorScheme = scheme
		s.must("emulating", s.person.Emulate(s.ctx, in))
		found := s.evaluate(s.person, `axe.run().then(r => r.violations.map(v => v.id + ": " + v.nodes.map(n => n.html + " " + n.failureSummary).join(" | ")))`, "")
		if found != "[]" {
			s.t.Errorf("%s in %s: axe finds %s", what, scheme, found)
		}
	}
	s.must("emulating", s.person.Emulate(s.ctx, s.screen))
}

// inPicture clicks a point of the agent's page in the live picture.
func (s *stage) inPicture(x, y float64) {
	s.t.Helper()
	var at struct{ X, Y float64 }
	text := s.evaluate(s.person, fmt.Sprintf(`(() => {
		const c = document.querySelector("canvas");
		c.scrollIntoView({block: "center"});
		const r = c.getBoundingClientRect(), b = c.clientLeft;
		return {X: r.left + b + %v * c.clientWidth / %s, Y: r.top + b + %v * c.clientHeight / %s};
	})()`, x, s.evaluate(s.task, "innerWidth", ""), y, s.evaluate(s.task, "innerHeight", "")), "")
	if err := json.Unmarshal([]byte(text), &at); err != nil {
		s.t.Fatal(err)
	}
	_, err := s.page().ClickAt(s.ctx, host.Point{X: at.X, Y: at.Y}, nil)
	s.must("clicking in the picture", err)
}

// A person finds the task that waits, answers its dialog, takes it over, types into its frame of another site, gives it
// back, answers its question, and tries a module.
func TestAPersonWorksWithTheLivePage(t *testing.T) {
	s := newStage(t)
	if r := s.call("browser_navigate", `{"url":"`+s.site()+`"}`); r.IsError {
		t.Fatal(r.Text)
	}
	_, err := s.page().Navigate(s.ctx, s.server.Link(s.address).URL, nil)
	s.must("opening the link", err)
	s.shows("shop-7")
	s.accessible("home")
	s.picture("home")

	if r := s.call("browser_click", `{"selector":"#ask"}`); r.Structured["code"] != "blocked_by_dialog" {
		t.Fatalf("the click gives %s", r.Text)
	}
	s.shows("1 pending")
	s.picture("home-pending")
	_, err = s.page().Click(s.ctx, host.BySelector(`.tasks a[href="#/task/shop-7"]`), nil)
	s.must("opening the task", err)
	s.shows("confirm d-1")
	if err := s.page().WaitTrue(s.ctx, `document.querySelector("canvas") && !document.body.innerText.includes("No picture yet")`, ""); err != nil {
		s.must("waiting for a picture", err)
	}
	s.shows("out of process")
	s.accessible("a task")
	s.picture("task-dialog")
	s.press("button", "Dismiss")
	if _, ok := s.task.Wait(s.ctx, func(now *host.Snapshot) bool { return len(now.PendingDialogs) == 0 }); !ok {
		t.Fatal("the dialog is still there")
	}
	s.shows("agent, dismissed")
	s.press("button", "Explain d-1")
	s.shows("closed after")

	s.press("button", "Take over")
	s.shows("the agent waits")
	if r := s.call("browser_snapshot", `{}`); r.Structured["code"] != "held_by_operator" {
		t.Errorf("the agent goes on: %s", r.Text)
	}
	s.inPicture(100, 230)
	for _, key := range []string{"J", "o", "Shift+Tab", "Tab", "End", "e", "Enter"} {
		_, err := s.page().Press(s.ctx, key, nil)
		s.must("pressing "+key, err)
	}
	frame := ""
	for _, target := range s.task.Snapshot().Targets {
		for _, f := range target.FrameTree.Children {
			frame = f.FrameID
			if !f.IsOOPIF {
				t.Error("the frame is not out of process, so that nothing is proven")
			}
		}
	}
	if err := s.task.Tab("").WaitTrue(s.ctx, `document.querySelector("#field").value === "Joe"`, frame); err != nil {
		t.Fatalf("the field has %s: %v", s.evaluate(s.task, `document.querySelector("#field").value`, frame), err)
	}
	s.accessible("a task that is held")
	s.picture("task-held")
	s.write("textbox", "Note for the agent", "The card holder is filled in.")
	s.press("button", "Give back")
	s.shows("Take over")
	if r := s.call("browser_tabs", `{}`); r.IsError || !strings.Contains(r.Text, "The card holder is filled in.") {
		t.Errorf("the agent reads %s", r.Text)
	}

	asked := make(chan agent.Result, 1)
	go func() {
		asked <- s.call("browser_ask_operator", `{"question":"Which card?","region":{"x":40,"y":200,"width":600,"height":300}}`)
	}()
	s.shows("Which card?")
	s.write("textbox", "The agent asks: “Which card?”", "the blue one")
	marked := s.evaluate(s.person, `(() => {
		const r = document.querySelector(".region").getBoundingClientRect(), c = document.querySelector("canvas").getBoundingClientRect();
		return Math.round(r.width / c.width * innerWidth);
	})()`, "")
	if marked < "590" || marked > "610" {
		t.Errorf("the mark around the part that is asked about is %s pixels wide", marked)
	}
	s.picture("task-question")
	s.press("button", "Answer")
	if r := <-asked; r.Structured["answer"] != "the blue one" {
		t.Errorf("the answer is %s", r.Text)
	}

	s.plugins()
	if got := s.evaluate(s.person, `document.querySelectorAll("img, script:not([src])").length`, ""); got != "0" {
		t.Errorf("%s elements are made of a page's text", got)
	}
	for _, m := range s.person.Snapshot().Console {
		if !strings.Contains(m.Text, "emulat") {
			t.Errorf("the page's console has %+v", m)
		}
	}
}

// plugins checks a module, has it shadow the one in service, puts it into service and goes back.
func (s *stage) plugins() {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "policy.wasm")
	if err := os.WriteFile(file, contrary.Dialog(), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.press("link", "Plugins")
	_, err := s.page().Upload(s.ctx, host.BySelector("input[type=file]"), []string{file}, nil)
	s.must("choosing a module", err)
	s.shows("passes every check")
	within := `[...document.querySelectorAll("section")].find(e => e.getAttribute("aria-label") === "dialog-policy")`
	press := func(button, shows string) {
		s.t.Helper()
		s.must(button, s.page().WaitTrue(s.ctx, within+`.querySelectorAll("button").length && ![...`+within+`.querySelectorAll("button")].find(b => b.textContent === "`+button+`").disabled`, ""))
		s.evaluate(s.person, `[...`+within+`.querySelectorAll("button")].find(b => b.textContent === "`+button+`").click(); 0`, "")
		s.must(button, s.page().WaitTrue(s.ctx, within+`.innerText.includes("`+shows+`")`, ""))
	}
	press("Recorded calls", "hermes_on_dialog d-1")
	s.evaluate(s.person, `[...`+within+`.querySelectorAll("tr")].find(r => r.innerText.includes("hermes_on_dialog d-1")).querySelector("button").click(); 0`, "")
	s.must("running the call again", s.page().WaitTrue(s.ctx, within+`.innerText.includes("decides otherwise")`, ""))
	s.accessible("recorded calls")
	s.evaluate(s.person, within+`.scrollIntoView(); 0`, "")
	s.picture("plugins-replay")
	s.replays()
	press("Shadow the checked module", "Candidate: generation 2")
	s.accessible("plugins")
	s.picture("plugins")
	press("Promote", "generation 2, bytes")
	press("Roll back", "generation 3, shipped")
}

// replays runs the recorded call about the dialog as the page does, and what is no such call.
func (s *stage) replays() {
	s.t.Helper()
	calls, err := s.server.o.API.Journal(s.ctx, host.JournalFilter{Plugin: "dialog-policy", Hook: abi.HookDialog})
	s.must("reading the journal", err)
	shipped, _ := plugins.Module("dialog-policy")
	sequence := fmt.Sprint(calls[0].Sequence)
	for name, c := range map[string]struct {
		plugin, sequence string
		wasm             []byte
		code             error
	}{
		"the module that decided":   {"dialog-policy", sequence, shipped, nil},
		"a call of another plugin":  {"frame-filter", sequence, shipped, host.ErrUnknownCall},
		"a call that there was not": {"dialog-policy", "99999", shipped, host.ErrUnknownCall},
		"no call":                   {"dialog-policy", "0", shipped, host.ErrBadArguments},
		"no module":                 {"dialog-policy", sequence, []byte("none"), host.ErrPluginRefused},
	} {
		answer := httptest.NewRecorder()
		query := url.Values{"plugin": {c.plugin}, "sequence": {c.sequence}}
		err := s.server.replay(answer, httptest.NewRequestWithContext(s.ctx, http.MethodPost, "/live/replay?"+query.Encode(), bytes.NewReader(c.wasm)))
		var report replay.Report
		if err == nil {
			s.must("reading the report", json.Unmarshal(answer.Body.Bytes(), &report))
		}
		if !errors.Is(err, c.code) || err == nil && (report.Calls != 1 || len(report.Differences) != 0) {
			s.t.Errorf("%s: %v, %s", name, err, answer.Body)
		}
	}
}

// On a phone nothing is wider than the screen.
func TestTheLivePageFitsAPhone(t *testing.T) {
	s := newStage(t)
	if r := s.call("browser_navigate", `{"url":"`+s.site()+`"}`); r.IsError {
		t.Fatal(r.Text)
	}
	s.screen = host.Emulation{Width: 375, Height: 740}
	s.must("emulating", s.person.Emulate(s.ctx, s.screen))
	_, err := s.page().Navigate(s.ctx, s.server.Link(s.address).URL, nil)
	s.must("opening the link", err)
	s.shows("shop-7")
	for _, at := range []string{"#/", "#/task/shop-7", "#/plugins", "#/charts"} {
		s.evaluate(s.person, `location.hash = "`+at+`"; 0`, "")
		s.must("waiting for "+at, s.page().WaitTrue(s.ctx, `document.querySelector("h1") && document.querySelector("h1").textContent.startsWith({"#/": "Tasks", "#/task/shop-7": "shop-7", "#/plugins": "Plugins", "#/charts": "Charts"}[location.hash]) && document.querySelector("section")`, ""))
		if got := s.evaluate(s.person, `document.documentElement.scrollWidth`, ""); got != "375" {
			t.Errorf("%s is %s pixels wide", at, got)
		}
		s.accessible(at + " on a phone")
		s.picture("phone" + strings.NewReplacer("#", "", "/", "-").Replace(at))
	}
}

// many is an API that has 200 tasks beside those of the host, each of which is another at every look.
type many struct {
	control.API
	looks atomic.Int64
}

func (m *many) Status(ctx context.Context) (control.Status, error) {
	status, err := m.API.Status(ctx)
	look := m.looks.Add(1)
	for i := range 200 {
		status.Tasks = append(status.Tasks, control.TaskStatus{
			ID: fmt.Sprintf("task-%03d", i), URL: fmt.Sprintf("https://shop-%d.example/%d", i, look), PendingDialogs: int(look) % (i + 1) % 2,
		})
	}
	return status, err
}

// With 200 tasks that all change, the page draws what it is sent, and its main thread stays free for a person.
func TestTwoHundredTasksStaySmooth(t *testing.T) {
	s := newStage(t)
	s.server.o.API = &many{API: s.server.o.API}
	_, err := s.page().Navigate(s.ctx, s.server.Link(s.address).URL, nil)
	s.must("opening the link", err)
	s.shows("202 of 202")
	s.accessible("200 tasks")
	s.picture("many")
	// The longest time between two frames, over eight changes of all tasks.
	worst := s.evaluate(s.person, `new Promise(done => {
		let worst = 0, last = performance.now(), changes = 0, text = "";
		const frame = () => {
			const now = performance.now(), shown = document.querySelector(".tasks").innerText;
			worst = Math.max(worst, now - last);
			last = performance.now(); // without the time that this test itself takes
			if (shown !== text && ++changes > 8) return done(Math.round(worst));
			text = shown;
			requestAnimationFrame(frame);
		};
		requestAnimationFrame(frame);
	})`, "")
	t.Logf("the longest frame took %s ms", worst)
	var ms int64
	if err := json.Unmarshal([]byte(worst), &ms); err != nil || ms > shared.Patience(time.Second).Milliseconds() {
		t.Errorf("a frame took %s ms", worst)
	}
}
