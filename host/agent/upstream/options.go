package upstream

import (
	"cmp"
	"log/slog"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// NamingTime is how long after the start the servers that come later in the order of names wait with theirs for those before
// them. A server that fails is not waited for.
const NamingTime = 3 * time.Second

// OutageTime is how long the tools of a server stay listed after it has ended.
const OutageTime = 20 * time.Second

// Options says which servers there are. The zero value has none.
type Options struct {
	// Servers are the servers by name ([a-z0-9-]+).
	Servers map[string]Server
	// Timeout bounds a call of a tool of a server that has no time of its own. Default 30 s.
	Timeout time.Duration
	// Getenv gives the variables that the values of Env and Headers refer to. Default [os.Getenv].
	Getenv func(name string) string
	// Version is what servers are told of this client.
	Version string
	// Logger receives what goes on; nil logs nothing.
	Logger *slog.Logger

	limits limits
}

// Server says how a server is reached: it is started (Command), or is at an address (URL).
type Server struct {
	// Command is a program that speaks MCP on its standard input and output: a path, or a name looked up in PATH. Args are its
	// arguments, and Dir the folder that it runs in; empty: this process's.
	Command string
	Args    []string
	Dir     string
	// Env are variables for the program, beside the few that every program needs. ${NAME} in a value stands for a variable,
	// $${ for a plain ${. Values are secrets: they are in no log, error or result.
	Env map[string]string
	// URL is an http:// or https:// address of streamable HTTP. What may be a secret in it is in no log, error or result.
	URL string
	// Headers are sent to the host of URL and to no other. Values are as those of Env.
	Headers map[string]string
	// Include are the tools that are offered, by name or as patterns of [path.Match]; empty: all. Exclude are those that are
	// not, though Include has them.
	Include, Exclude []string
	// Timeout bounds a call of its tools. Default [Options.Timeout].
	Timeout time.Duration
	// Disabled keeps the server from being used. Its toolset is there, and empty.
	Disabled bool
}

// Sources are the toolsets of the servers, for [agent.Options.Sources].
func (o Options) Sources() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(o.Servers)) {
		out = append(out, agent.ServerSource(name))
	}
	return out
}

func (o Options) withDefaults() Options {
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	o.limits = o.limits.withDefaults()
	return o
}

// limits are times that tests shorten.
type limits struct {
	connect   time.Duration // a server may take to answer the handshake
	list      time.Duration // and to list its tools
	naming    time.Duration
	outage    time.Duration
	reconnect time.Duration // a call waits for a server that is away
	backoff   time.Duration // before the first new attempt
	maxDelay  time.Duration // between attempts
	settled   time.Duration // a connection that lasted this long was a good one
	relist    time.Duration // between two listings that the server asks for
	exit      time.Duration // for each step of the end of a process
	deaf      time.Duration // a request may take to be written, once nobody waits for it
}

func (l limits) withDefaults() limits {
	return limits{
		connect: cmp.Or(l.connect, 45*time.Second), list: cmp.Or(l.list, 30*time.Second), naming: cmp.Or(l.naming, NamingTime),
		outage: cmp.Or(l.outage, OutageTime), reconnect: cmp.Or(l.reconnect, 5*time.Second), backoff: cmp.Or(l.backoff, time.Second),
		maxDelay: cmp.Or(l.maxDelay, time.Minute), settled: cmp.Or(l.settled, 30*time.Second), relist: cmp.Or(l.relist, time.Second),
		exit: cmp.Or(l.exit, 2*time.Second), deaf: cmp.Or(l.deaf, 5*time.Second),
	}
}
