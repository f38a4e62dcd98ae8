package upstream

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// patience is how long a test waits for an event; correct code never reaches it.
const patience = time.Minute

// quick makes retries quick.
var quick = limits{backoff: time.Millisecond, maxDelay: 20 * time.Millisecond, relist: time.Millisecond}

// world is a registry with servers.
type world struct {
	t        *testing.T
	registry *agent.Registry
	servers  *Servers
	told     chan struct{} // the tools may have changed
}

func newWorld(t *testing.T, o Options) *world {
	t.Helper()
	return newWorldOf(t, o, agent.Toolsets{})
}

func newWorldOf(t *testing.T, o Options, toolsets agent.Toolsets) *world {
	t.Helper()
	h, err := host.New(t.Context(), &host.Options{PluginCacheDir: pluginCache})
	if err != nil {
		t.Fatal(err)
	}
	r, err := agent.New(h, agent.Options{Sources: o.Sources(), Toolsets: toolsets})
	if err != nil {
		t.Fatal(err)
	}
	if o.limits == (limits{}) {
		o.limits = quick
	}
	w := &world{t: t, registry: r, told: make(chan struct{}, 1)}
	stop := r.Changed(func() {
		select {
		case w.told <- struct{}{}:
		default:
		}
	})
	w.servers = Start(r, o)
	t.Cleanup(func() {
		w.servers.Close()
		stop()
		r.Close()
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return w
}

// settled waits for the first answer of all servers.
func (w *world) settled() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	if !w.servers.Settled(ctx) {
		w.t.Fatalf("the servers do not settle: %+v", w.servers.Status())
	}
}

// names returns the current tools of a server.
func (w *world) names(server string) []string {
	var out []string
	for _, t := range w.registry.Tools(agent.View{Toolsets: []string{agent.ServerSource(server)}}) {
		out = append(out, t.Name)
	}
	return out
}

// until waits for tools of a server.
func (w *world) until(server string, fits func(names []string) bool) {
	w.t.Helper()
	late := time.NewTimer(patience)
	defer late.Stop()
	for !fits(w.names(server)) {
		select {
		case <-w.told:
		case <-late.C:
			w.t.Fatalf("the tools of %s stay %v; %+v", server, w.names(server), w.servers.Status())
		}
	}
}

// state waits until the status of a server meets a condition.
func (w *world) state(name string, fits func(Status) bool) Status {
	w.t.Helper()
	at := slices.IndexFunc(w.servers.all, func(s *server) bool { return s.name == name })
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		one := w.servers.all[at]
		one.mu.Lock()
		moved := one.moved
		one.mu.Unlock()
		if s := one.status(); fits(s) {
			return s
		}
		select {
		case <-moved:
		case <-late.C:
			w.t.Fatalf("the server %s stays %+v", name, one.status())
		}
	}
}

// call calls a tool of any toolset.
func (w *world) call(name, arguments string) agent.Result {
	w.t.Helper()
	return w.callWith(w.t.Context(), name, arguments, nil)
}

func (w *world) callWith(ctx context.Context, name, arguments string, progress func(done, total float64, note string)) agent.Result {
	w.t.Helper()
	r, err := w.registry.Call(ctx, agent.Call{Name: name, Toolsets: []string{"all"}, Arguments: json.RawMessage(arguments), Progress: progress})
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return r
}

func only(servers map[string]Server) Options { return Options{Servers: servers} }
