// Package standalone does without a daemon what one does else: it makes a host as it is configured, for as long as a
// command takes, and offers its tools.
package standalone

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

const (
	// leaveTimeout is how long the end of a host may take.
	leaveTimeout = 15 * time.Second
	// serversTimeout is how long a command waits for MCP servers to say what they have. Programs that are downloaded first
	// take longer, and are then listed as starting.
	serversTimeout = 10 * time.Second
)

// Settings are what a host is made with.
type Settings struct {
	Config *config.Config
	Report *config.Report
	// Load reads the configuration again.
	Load    func() (*config.Config, *config.Report, error)
	Logger  *slog.Logger
	Version string
	// Backend is as in [agent.Options].
	Backend func() []agent.BackendTool
}

// WithHost makes a host, hands it to a function with the API that a daemon gives, and closes it.
func WithHost(ctx context.Context, s Settings, use func(*control.Local) error) (err error) {
	h, err := host.New(ctx, options.Host(s.Config, s.Report, s.Logger))
	if err != nil {
		return err
	}
	defer func() {
		leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
		defer cancel()
		err = errors.Join(err, h.Close(leave))
	}()
	return use(&control.Local{Host: h, Settings: func() control.Settings {
		return options.Connection(s.Config, s.Report)
	}})
}

// OnBrowser supervises all tabs of the browser at an address, as they are: through the proxy that it has. Dialogs that
// were open before are not announced to late clients: the browser closes them.
func OnBrowser(ctx context.Context, s Settings, task, address string, use func(control.API) error) error {
	return WithHost(ctx, s, func(api *control.Local) error {
		if _, err := api.Connect(ctx, control.ConnectRequest{Task: task, Address: address, Scope: "all", NoProxy: true}); err != nil {
			return err
		}
		return use(api)
	})
}

// errNoTask is why no tool can be called by a registry that only describes them.
var errNoTask = errors.New("there is no task here")

// WithTools lists the tools that agents get, those of plugins and MCP servers included, as they are once a browser
// runs.
func WithTools(ctx context.Context, s Settings, use func(*agent.Registry, *upstream.Servers) error) error {
	return WithHost(ctx, s, func(api *control.Local) error {
		none := func(context.Context, string) (*host.Task, error) { return nil, errNoTask }
		return s.withRegistry(api.Host, none, func(r *agent.Registry, servers *upstream.Servers) error {
			wait, cancel := context.WithTimeout(ctx, serversTimeout)
			defer cancel()
			servers.Settled(wait) // those that have not are shown as such
			return use(r, servers)
		})
	})
}

func (s Settings) withRegistry(
	h *host.Host, open func(context.Context, string) (*host.Task, error), use func(*agent.Registry, *upstream.Servers) error,
) error {
	tools := options.Agent(s.Config)
	tools.Open, tools.Backend = open, s.Backend
	r, err := agent.New(h, tools)
	if err != nil {
		return err
	}
	defer r.Close()
	servers := upstream.Start(r, options.Upstream(s.Config, s.Report.Getenv, s.Version, s.Logger))
	defer servers.Close()
	return use(r, servers)
}
