package engine

import (
	"log/slog"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/scheme"
)

// Options configure the connections of a host. There are no defaults: the host has filled them in.
type Options struct {
	// Logger receives what connections do and decide.
	Logger *slog.Logger
	// Plugins decide.
	Plugins *lifecycle.Engine
	// Schemes are those of documents that tabs may show.
	Schemes scheme.Policy
	// NavigateFailClosed, DialogFailClosed and DialogTimeout are what happens where no plugin decides.
	NavigateFailClosed, DialogFailClosed bool
	DialogTimeout                        time.Duration
	// ActionWait is how long the caller of an action waits for a page that is busy with it; negative: as long as its budget.
	ActionWait time.Duration
	// ReadLimit is the largest message in bytes that is taken from a browser.
	ReadLimit int64
	// ReconnectTimeout is how long reconnecting is tried; negative: not at all.
	ReconnectTimeout time.Duration
	// PingInterval, PingTimeout and Heartbeat find and prevent connections that are dead.
	PingInterval, PingTimeout, Heartbeat time.Duration
}

// Group is what the connections of a host have in common.
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
