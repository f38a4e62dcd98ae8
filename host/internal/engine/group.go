package engine

import (
	"log/slog"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Options configures the connections of a host. Zero values have no defaults: the host sets every field.
type Options struct {
	// Logger receives what the connections do and decide.
	Logger *slog.Logger
	// Plugins are the modules that decide.
	Plugins *lifecycle.Engine
	// Schemes are the URL schemes of documents that tabs may show.
	Schemes scheme.Policy
	// NavigateFailClosed, RequestFailClosed, DialogFailClosed and DialogTimeout define what happens if no plugin decides.
	NavigateFailClosed, RequestFailClosed, DialogFailClosed bool
	DialogTimeout                                           time.Duration
	// FileFailOpen, ConsoleFailOpen and SnapshotFailOpen let a file, what a page logs and what it shows pass on which a
	// plugin failed to decide.
	FileFailOpen, ConsoleFailOpen, SnapshotFailOpen bool
	// ActionWait is how long the caller of an action waits while the page is busy with it; negative: until the end of its
	// budget.
	ActionWait time.Duration
	// ReadLimit is the size in bytes of the largest message that is accepted from a browser.
	ReadLimit int64
	// ReconnectTimeout is how long to try to reconnect; negative: not at all.
	ReconnectTimeout time.Duration
	// PingInterval, PingTimeout and Heartbeat detect dead connections and keep idle ones open.
	PingInterval, PingTimeout, Heartbeat time.Duration
}

// Group is what the connections of a host share.
type Group struct {
	options     Options
	log         *slog.Logger
	plugins     *lifecycle.Engine
	evaluations evaluations
	reconnects  reconnectCounters
	tallies     tallies
}

// NewGroup makes a group without connections.
func NewGroup(o Options) *Group { return &Group{options: o, log: o.Logger, plugins: o.Plugins} }
