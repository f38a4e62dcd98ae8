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

// NamingTime is how long after the start servers that come later in the order of names wait for those before them, so
// that names are assigned in order. Failed servers are not waited for.
const NamingTime = 3 * time.Second

// OutageTime is how long the tools of a server stay listed after it ended.
const OutageTime = 20 * time.Second

// Options configures the servers. The zero value has none.
type Options struct {
	// Servers are keyed by name ([a-z0-9-]+).
	Servers map[string]Server
	// Timeout bounds a call if its server has no timeout of its own. Default 30 s.
	Timeout time.Duration
	// Getenv returns the variables that values of Env and Headers refer to. Default [os.Getenv].
	Getenv func(name string) string
	// Version is the version of this client that servers are told.
	Version string
	// Logger receives what happens; nil logs nothing.
	Logger *slog.Logger

	limits limits
}

// Server says how a server is reached: by starting it (Command) or at a URL.
type Server struct {
	// Command is a program that speaks MCP on its standard input and output: a path, or a name looked up in PATH. Args are
	// its arguments, and Dir its working directory; empty: this process's.
	Command string
	Args    []string
	Dir     string
	// Env are variables for the program, in addition to the few that every program needs. ${NAME} in a value stands for a
	// variable, $${ for a literal ${. Values are secrets: they appear in no log, error or result.
	Env map[string]string
	// URL is an http:// or https:// endpoint of streamable HTTP. Parts of it that may be secrets appear in no log, error
	// or result.
	URL string
	// Headers are sent to the host of URL and to no other. Values are as in Env.
	Headers map[string]string
	// Include are the tools that are offered, by name or as patterns of [path.Match]; empty: all. Exclude are tools that
	// are not offered even if Include has them.
	Include, Exclude []string
	// Timeout bounds a call of its tools. Default [Options.Timeout].
	Timeout time.Duration
	// Disabled says that the server is not used. Its toolset exists but is empty.
	Disabled bool
}

// Sources returns the toolsets of the servers, for [agent.Options].
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

// limits are durations that tests shorten.
type limits struct {
	connect   time.Duration // for a server to answer the handshake
	list      time.Duration // for a server to list its tools
	naming    time.Duration
	outage    time.Duration
	reconnect time.Duration // for a call to wait for a server that is away
	backoff   time.Duration // before the first new attempt
	maxDelay  time.Duration // between attempts
	settled   time.Duration // a connection that lasted this long was good
	relist    time.Duration // between two listings that the server requests
	exit      time.Duration // for each step of ending a process
	deaf      time.Duration // for writing a request that was abandoned
}

func (l limits) withDefaults() limits {
	return limits{
		connect: cmp.Or(l.connect, 45*time.Second), list: cmp.Or(l.list, 30*time.Second), naming: cmp.Or(l.naming, NamingTime),
		outage: cmp.Or(l.outage, OutageTime), reconnect: cmp.Or(l.reconnect, 5*time.Second), backoff: cmp.Or(l.backoff, time.Second),
		maxDelay: cmp.Or(l.maxDelay, time.Minute), settled: cmp.Or(l.settled, 30*time.Second), relist: cmp.Or(l.relist, time.Second),
		exit: cmp.Or(l.exit, 2*time.Second), deaf: cmp.Or(l.deaf, 5*time.Second),
	}
}
