package upstream

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// configure replaces the servers of a world and leaves its limits.
func (w *world) configure(servers map[string]Server, getenv func(string) string) {
	w.servers.Configure(Options{Servers: servers, Getenv: getenv})
}

func has(tool string) func([]string) bool {
	return func(names []string) bool { return slices.Contains(names, tool) }
}

func none(names []string) bool { return len(names) == 0 }

func TestServersAreAddedAndRemovedWhileOthersStay(t *testing.T) {
	servers := map[string]Server{"b-stays": program("normal"), "c-goes": program("stubborn")}
	w := newWorld(t, only(servers))
	w.settled()
	stays, goes := w.servers.all[0], w.servers.all[1]
	connection := stays.session

	servers = maps.Clone(servers)
	delete(servers, "c-goes")
	servers["a-comes"], servers["d-off"] = program("normal"), Server{Command: "serve", Disabled: true}
	w.configure(servers, os.Getenv)
	select {
	case <-goes.ended:
	default:
		t.Error("a server that was removed still runs")
	}
	if names := w.names("c-goes"); len(names) > 0 {
		t.Errorf("its tools are still there: %v", names)
	}
	if err := w.registry.CheckToolsets([]string{"mcp-a-comes", "mcp-d-off"}); err != nil {
		t.Errorf("the toolsets of new servers: %v", err)
	}
	if err := w.registry.CheckToolsets([]string{"mcp-c-goes"}); err == nil {
		t.Error("the toolset of a server that is gone is accepted")
	}
	w.until("a-comes", has("a-comes_echo")) // a name is never given to another server's tool
	if got := w.call("a-comes_echo", `{"say": "new"}`); got.IsError {
		t.Errorf("a new server: %+v", got)
	}
	if w.servers.all[1] != stays || stays.session != connection || stays.session.running.Err() != nil {
		t.Error("a server that was to stay has lost its connection")
	}
	var states []string
	for _, s := range w.servers.Status() {
		states = append(states, s.Name+" "+string(s.State))
	}
	if want := []string{"a-comes ready", "b-stays ready", "d-off disabled"}; !slices.Equal(states, want) {
		t.Errorf("the servers are %v, want %v", states, want)
	}

	w.configure(nil, os.Getenv)
	if left := w.registry.Tools(agent.View{Toolsets: []string{"all"}}); slices.ContainsFunc(left, func(t agent.Tool) bool { return strings.HasPrefix(t.Source, "mcp-") }) || len(w.servers.Status()) > 0 {
		t.Errorf("without servers there are %v", w.servers.Status())
	}
}

// The list of tools does not shrink for a moment: each change costs a model its cache.
func TestAServerThatIsChangedKeepsItsToolsListed(t *testing.T) {
	getenv := func(string) string { return "first" }
	o := only(map[string]Server{"test": program("normal", "REGION=${ANY}")})
	o.Getenv = getenv
	w := newWorld(t, o)
	w.settled()
	shown := func() string {
		t.Helper()
		if names := w.names("test"); !slices.Contains(names, "environment") {
			t.Errorf("the tools are %v", names)
		}
		return w.call("environment", "").Text // waits for the server
	}
	first := w.servers.all[0]
	w.configure(o.Servers, getenv)
	if w.servers.all[0] != first {
		t.Error("a server of which nothing has changed is replaced")
	}
	w.configure(o.Servers, func(string) string { return "second" }) // as in the file .env
	if got := shown(); w.servers.all[0] == first || !strings.Contains(got, "REGION=second") {
		t.Errorf("with another variable: %s", got)
	}
	w.configure(map[string]Server{"test": program("normal", "REGION=third", "MORE=yes")}, getenv)
	if got := shown(); !strings.Contains(got, "MORE=yes") {
		t.Errorf("with another environment: %s", got)
	}

	narrow := program("normal", "REGION=third", "MORE=yes")
	narrow.Exclude = []string{"environment"}
	w.configure(map[string]Server{"test": narrow}, getenv)
	if names := w.names("test"); slices.Contains(names, "environment") {
		t.Errorf("a tool that is excluded from now on is still listed: %v", names)
	}
	w.until("test", has("echo"))
	if got := w.names("test"); slices.Contains(got, "environment") {
		t.Errorf("the tools are %v", got)
	}

	off := narrow
	off.Disabled = true
	w.configure(map[string]Server{"test": off}, getenv)
	if names := w.names("test"); !none(names) {
		t.Errorf("a server that is off has %v", names)
	}
	broken := narrow
	broken.Disabled, broken.Command = false, "/nowhere/serve"
	w.configure(map[string]Server{"test": narrow}, getenv)
	w.until("test", has("echo"))
	w.servers.limits.outage = 1 // for the next server
	w.configure(map[string]Server{"test": broken}, getenv)
	w.until("test", none)
	if s := w.state("test", func(s Status) bool { return s.State == StateFailed }); !strings.Contains(s.Error, "/nowhere/serve") || s.Restarts != 0 {
		t.Errorf("a server that cannot be started: %+v", s)
	}
}

// A call of a server that is replaced ends with an error that says what is known, and does not wait for its time.
func TestACallOfAServerThatIsRemovedEnds(t *testing.T) {
	w := newWorld(t, only(map[string]Server{"test": program("normal"), "away": {Command: "/nowhere/serve"}}))
	w.settled()
	ended := make(chan agent.Result)
	for _, one := range w.servers.all {
		run := one.runner(found{remote: "hang"})
		go func() {
			_, err := run(t.Context(), nil, nil)
			text := ""
			if err != nil {
				text = err.Error()
			}
			ended <- agent.Result{Text: text}
		}()
	}
	w.configure(nil, os.Getenv)
	for range 2 {
		if r := <-ended; r.Text == "" || strings.Contains(r.Text, "deadline") {
			t.Errorf("a call ends with %q", r.Text)
		}
	}
	w.servers.Close()
	w.configure(map[string]Server{"test": program("normal")}, os.Getenv) // does nothing
	if s := w.servers.Status(); len(s) > 0 {
		t.Errorf("after the end there are %v", s)
	}
}
