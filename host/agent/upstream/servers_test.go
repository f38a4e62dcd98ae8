package upstream

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestTheToolsOfAProgram(t *testing.T) {
	w := newWorld(t, only(map[string]Server{"test": program("normal")}))
	w.settled()
	by := map[string]agent.Tool{}
	for _, tool := range w.registry.Tools(agent.View{Toolsets: []string{"mcp-test"}}) {
		by[tool.Name] = tool
	}
	echo, say := by["echo"], by["say"]
	if echo.Title != "Echo" || echo.Description != `Says it again.\x1b[2J` || !echo.ReadOnly || echo.Destructive || echo.OpenWorld || echo.Source != "mcp-test" {
		t.Errorf("got %+v", echo)
	}
	if say.ReadOnly || say.Destructive || !say.OpenWorld || say.Output != nil || !by["fail"].Destructive {
		t.Errorf("got %+v", say)
	}
	if !strings.Contains(string(echo.Input), `"say"`) || !strings.Contains(string(echo.Output), `"said"`) {
		t.Errorf("the schemas are %s and %s", echo.Input, echo.Output)
	}
	got := w.call("echo", `{"say": "hello"}`)
	object, _ := json.Marshal(got.Structured)
	if want := `{"result":{"inner":{"number":7},"said":"hello"},"success":true,"untrusted":{"origin":"mcp-test","fields":["result"]}}`; string(object) != want {
		t.Errorf("the object is %s, want %s", object, want)
	}
	if !strings.Contains(got.Text, ">\nthe MCP server test says:\n") || !strings.Contains(got.Text, "hello") {
		t.Errorf("the text is %q", got.Text)
	}
	if got := w.call("say", `{"say": "a\u001b[2J\r\nb"}`); got.Structured["text"] != "a\\x1b[2J\nb" {
		t.Errorf("what steers a terminal is shown as %q", got.Structured["text"])
	}
	failed := w.call("fail", ``)
	if !failed.IsError || failed.Structured["error"] != "the disk is full" || failed.Structured["kind"] != string(fault.ErrServerTool) || failed.Structured["success"] != false {
		t.Errorf("a failure is %+v", failed)
	}
	if got := w.call("say", `{"sya": 1}`); !got.IsError || !strings.Contains(got.Text, "sya") {
		t.Errorf("wrong arguments give %+v", got)
	}
	if got := w.call("say", `[1]`); !got.IsError || got.Structured["kind"] != string(fault.ErrBadArguments) {
		t.Errorf("arguments that are no object give %+v", got)
	}
	if n := w.registry.Counters()["fail"]; n.Calls != 1 || n.Failures[string(fault.ErrServerTool)] != 1 {
		t.Errorf("the counters are %+v", n)
	}
	if s := w.servers.Status(); len(s) != 1 || s[0].State != StateReady || s[0].Program != "test v1" || !slices.Contains(s[0].Tools, "echo") {
		t.Errorf("the status is %+v", s)
	}
}

func TestAProgramHasNoSecretsOfOthers(t *testing.T) {
	t.Setenv("OTHER_TOKEN", "for somebody else")
	t.Setenv("SERVER_TOKEN", "the-secret")
	t.Setenv("LANG", "C.UTF-8")
	w := newWorld(t, only(map[string]Server{"test": program("normal", "TOKEN=${SERVER_TOKEN}", "PLAIN=$${SERVER_TOKEN}", "REGION=somewhere")}))
	w.settled()
	text := w.call("environment", "").Text
	for _, want := range []string{"\nTOKEN=[redacted]\n", "\nPLAIN=${SERVER_TOKEN}\n", "\nREGION=somewhere\n", "\nLANG=C.UTF-8\n", "\nPATH="} {
		if !strings.Contains(text+"\n", want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
	if strings.Contains(text, "OTHER_TOKEN") {
		t.Errorf("another's secret is in %s", text)
	}
}

func TestOneServerDoesNotHoldUpAnother(t *testing.T) {
	o := only(map[string]Server{"a-silent": program("silent"), "b-broken": program("broken", "TEST_TOKEN=very-secret"), "c-good": program("normal"),
		"d-missing": {Command: "/nowhere/serve"}, "e-unset": program("normal", "TOKEN=${NOBODY_SETS_THIS}"), "f-off": {Command: "serve", Disabled: true}})
	o.limits = quick
	o.limits.naming = time.Millisecond
	o.limits.backoff, o.limits.maxDelay = time.Hour, time.Hour
	w := newWorld(t, o)
	w.until("c-good", func(names []string) bool { return slices.Contains(names, "echo") })
	if got := w.call("say", `{"say": "here"}`); got.IsError {
		t.Errorf("got %+v", got)
	}
	for name, want := range map[string]string{
		"b-broken":  "it ended: exit status 3; its last output: no such database, with the token [redacted]",
		"d-missing": "it cannot be started: fork/exec /nowhere/serve: no such file or directory",
		"e-unset":   "env.TOKEN refers to the variable NOBODY_SETS_THIS, which is not set: set it in the environment or in the file .env",
	} {
		if s := w.state(name, func(s Status) bool { return s.State == StateFailed }); s.Error != want || s.RetryAt == nil {
			t.Errorf("%s: got %+v, want %s", name, s, want)
		}
	}
	if s := w.servers.Status(); s[0].State != StateStarting || s[5].State != StateDisabled {
		t.Errorf("got %+v", s)
	}
}

func TestAServerThatNeverAnswersIsGivenUp(t *testing.T) {
	o := only(map[string]Server{"test": program("silent")})
	o.limits = quick
	o.limits.connect = 200 * time.Millisecond
	w := newWorld(t, o)
	w.settled()
	s := w.state("test", func(s Status) bool { return s.State == StateFailed })
	if s.Error != "it does not answer the MCP handshake within 200ms" {
		t.Errorf("got %+v", s)
	}
}

func TestAnOlderServerIsWaitedForWithTheOlderHandshake(t *testing.T) {
	o := only(map[string]Server{"test": program("old")})
	o.limits = quick
	o.limits.connect = 4 * time.Second // of which discovery has a quarter
	w := newWorld(t, o)
	w.settled()
	if got := w.call("say", `{"say": "hello"}`); got.Structured["text"] != "hello" {
		t.Errorf("got %+v", got)
	}
	w.call("grow", `{"say": "brand_new"}`)
	w.until("test", func(names []string) bool { return slices.Contains(names, "brand_new") })
}

func TestAServerThatDiesComesBack(t *testing.T) {
	o := only(map[string]Server{"test": program("normal")})
	o.limits = quick
	o.limits.outage = time.Hour
	w := newWorld(t, o)
	w.settled()
	before := w.names("test")
	died := w.call("die", "")
	if died.Structured["kind"] != string(fault.ErrServer) || !strings.Contains(died.Text, "may have done") {
		t.Errorf("a call that ends the server gives %+v", died)
	}
	if got := w.names("test"); !slices.Equal(got, before) {
		t.Errorf("the tools are %v at once", got)
	}
	if got := w.call("say", `{"say": "again"}`); got.IsError || got.Structured["text"] != "again" {
		t.Errorf("the next call gives %+v", got)
	}
	if s := w.state("test", func(s Status) bool { return s.State == StateReady }); s.Restarts != 1 {
		t.Errorf("got %+v", s)
	}
}

func TestTheToolsOfAServerThatStaysAwayLeaveTheList(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "serve")
	if err := os.Symlink(os.Args[0], binary); err != nil {
		t.Fatal(err)
	}
	spec := program("normal")
	spec.Command = binary
	o := only(map[string]Server{"test": spec})
	o.limits = quick
	o.limits.outage, o.limits.reconnect = 50*time.Millisecond, time.Millisecond
	w := newWorld(t, o)
	w.settled()
	if err := os.Remove(binary); err != nil {
		t.Fatal(err)
	}
	w.call("die", "")
	w.until("test", func(names []string) bool { return len(names) == 0 })
	if err := w.registry.CheckToolsets([]string{"mcp-test", "say"}); err != nil {
		t.Errorf("its toolset and its tools are unknown now: %v", err)
	}
	if err := os.Symlink(os.Args[0], binary); err != nil {
		t.Fatal(err)
	}
	w.until("test", func(names []string) bool { return slices.Contains(names, "say") })
}

func TestACallOfAServerThatIsAwaySaysSo(t *testing.T) {
	o := only(map[string]Server{"test": program("normal")})
	o.limits = quick
	o.limits.outage, o.limits.reconnect, o.limits.backoff, o.limits.maxDelay = time.Hour, time.Millisecond, time.Hour, time.Hour
	w := newWorld(t, o)
	w.settled()
	w.call("die", "")
	w.state("test", func(s Status) bool { return s.State == StateFailed })
	got := w.call("say", `{"say": "x"}`)
	if want := "error: the MCP server test cannot be used now (it ended: exit status 3; its last output: out of memory); the host keeps retrying; nothing was done; go on without it, or call again later"; !strings.Contains(got.Text, ">\n"+want+"\n<") || got.Structured["kind"] != string(fault.ErrServer) {
		t.Errorf("got %+v, want %s", got, want)
	}
}

func TestTheListFollowsThatOfTheServer(t *testing.T) {
	w := newWorld(t, only(map[string]Server{"test": program("normal")}))
	w.settled()
	w.call("grow", `{"say": "brand_new"}`)
	w.until("test", func(names []string) bool {
		return slices.Contains(names, "brand_new") && !slices.Contains(names, "cancelled")
	})
	if got := w.call("brand_new", ""); got.Structured["text"] != "new" {
		t.Errorf("got %+v", got)
	}
}

func TestIncludeAndExclude(t *testing.T) {
	s := program("many")
	s.Include, s.Exclude = []string{"tool_00?", "tool_2*", "tool_299", "toool"}, []string{"tool_2[0-8]?", "tool_001", "nothing"}
	w := newWorld(t, only(map[string]Server{"all": program("many"), "some": s}))
	w.settled()
	if got := w.names("all"); len(got) != 300 || got[299] != "tool_299" {
		t.Errorf("all are %d: %v", len(got), got)
	}
	some := w.servers.Status()[1]
	if len(some.Tools) != 19 || !slices.Equal(some.Unmatched, []string{"toool", "nothing"}) {
		t.Errorf("got %+v", some)
	}
	if got := w.call("some_tool_299", ""); got.Structured["text"] != "299" {
		t.Errorf("got %+v", got)
	}
}

func TestTwoServersHaveToolsOfTheSameName(t *testing.T) {
	w := newWorld(t, only(map[string]Server{"one": program("normal"), "two": program("normal")}))
	w.settled()
	one, two := w.names("one"), w.names("two")
	if !slices.Contains(one, "say") || !slices.Contains(two, "two_say") || slices.Contains(two, "say") || len(one) != len(two) {
		t.Errorf("got %v and %v", one, two)
	}
	w.call("die", "") // of the first
	w.state("one", func(s Status) bool { return s.Restarts == 1 })
	w.until("one", func(names []string) bool { return slices.Equal(names, one) })
}

func TestACallEndsInItsTime(t *testing.T) {
	short := program("normal")
	short.Timeout = 100 * time.Millisecond
	w := newWorld(t, only(map[string]Server{"long": program("normal"), "short": short}))
	w.settled()
	got := w.call("short_hang", "")
	if got.Structured["kind"] != string(fault.ErrTimeout) || !strings.Contains(got.Text, "did not answer within 100ms") {
		t.Errorf("got %+v", got)
	}
	var notes []string
	ctx, cancel := context.WithCancel(t.Context())
	got = w.callWith(ctx, "hang", "", func(done, total float64, note string) {
		if done == 1 && total == 4 {
			notes = append(notes, note)
		}
		cancel()
	})
	if got.Structured["kind"] != string(fault.ErrAborted) || !slices.Equal(notes, []string{`a\x1bquarter`}) {
		t.Errorf("a cancelled call gives %+v, and the progress %q", got, notes)
	}
	for w.call("cancelled", "").Structured["text"] != "1" { // the server is told a moment later
	}
	if n := w.registry.Counters(); n["short_hang"].Timeouts != 1 || n["hang"].Failures[string(fault.ErrAborted)] != 1 {
		t.Errorf("the counters are %+v", n)
	}
}

func TestAServerThatReadsNothingIsStartedAgain(t *testing.T) {
	s := program("deaf")
	s.Timeout = 100 * time.Millisecond
	o := only(map[string]Server{"test": s})
	o.limits = quick
	o.limits.deaf, o.limits.exit = 50*time.Millisecond, 50*time.Millisecond
	w := newWorld(t, o)
	w.settled()
	w.call("stop_reading", "")
	large := `{"say": "` + strings.Repeat("x", 1<<20) + `"}`
	for w.servers.Status()[0].Restarts == 0 { // a call can time out before it is written
		if got := w.call("say", large); got.IsError && got.Structured["kind"] != string(fault.ErrTimeout) && got.Structured["kind"] != string(fault.ErrServer) {
			t.Errorf("got %v", got.Structured["kind"])
		}
	}
	w.state("test", func(s Status) bool { return s.Restarts == 1 && s.State == StateReady })
	for w.call("say", `{"say": "again"}`).Structured["text"] != "again" { // it has little time
	}
}

func TestNothingIsLeftOfAProgram(t *testing.T) {
	mark := "HERMES_TEST_STUBBORN=" + filepath.Base(t.TempDir()) + t.Name()
	o := only(map[string]Server{"test": program("stubborn", mark)})
	o.limits = quick
	o.limits.exit = 20 * time.Millisecond
	w := newWorld(t, o)
	w.settled()
	if runtime.GOOS == "linux" && len(marked(t, mark)) != 2 {
		t.Errorf("there run %v", marked(t, mark))
	}
	w.servers.Close()
	if left := marked(t, mark); len(left) > 0 {
		t.Errorf("there are left %v", left)
	}
	if got := w.names("test"); len(got) > 0 {
		t.Errorf("its tools are there still: %v", got)
	}
}

// marked finds processes by one of their environment variables.
func marked(t *testing.T, mark string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), mark) {
			out = append(out, filepath.Base(filepath.Dir(file)))
		}
	}
	return out
}

func TestWebSearchJoinsTheBrowser(t *testing.T) {
	offers := func(w *world) bool {
		return slices.ContainsFunc(w.registry.Tools(agent.View{}), func(t agent.Tool) bool { return t.Name == "web_search" })
	}
	o := only(map[string]Server{"test": program("normal")})
	w := newWorld(t, o)
	w.settled()
	if !offers(w) {
		t.Error("the default toolset does not have it")
	}
	for _, tool := range w.registry.Tools(agent.View{}) {
		if tool.Name == "say" {
			t.Error("the default toolset has other tools of the server, too")
		}
	}
	w.servers.Close()
	if offers(w) {
		t.Error("it is there though nobody offers it")
	}
	if w := newWorldOf(t, o, agent.Toolsets{Disabled: []string{"web_search"}}); true {
		if w.settled(); offers(w) {
			t.Error("it is there though it is disabled")
		}
	}
	excluded := program("normal")
	excluded.Exclude = []string{"web_*"}
	if w := newWorld(t, only(map[string]Server{"test": excluded})); true {
		if w.settled(); offers(w) {
			t.Error("it is there though it is excluded")
		}
	}
}
