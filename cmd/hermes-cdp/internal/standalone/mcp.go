package standalone

import (
	"context"
	"errors"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/watch"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/mcp"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

// ServeMCP serves one agent until it leaves. Its browser is the one of the request, which must be there from the
// beginning where it is named by its address.
func ServeMCP(ctx context.Context, s Settings, r control.ConnectRequest, toolsets []string, in io.ReadCloser, out io.Writer) (err error) {
	if options.UsesCamofox(s.Config, s.Report) && !r.Launch && r.Address == "" && r.Profile == "" {
		away, wrong := options.Camofox(s.Config, s.Report, s.Logger)
		if wrong != nil {
			return wrong
		}
		s.Backend = away.Tools
		defer func() {
			leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
			defer cancel()
			err = errors.Join(err, away.Close(leave))
		}()
	}
	return WithHost(ctx, s, func(api *control.Local) error {
		started := tasks.New(api.Host, func(ctx context.Context, id string) error {
			r := r
			r.Task = id
			_, err := api.Connect(ctx, r)
			return err
		})
		return s.withRegistry(api.Host, started.Start, func(registry *agent.Registry, servers *upstream.Servers) error {
			if len(toolsets) > 0 {
				servers.Settle(ctx) // a toolset may be a tool of theirs
			}
			if err := registry.CheckToolsets(toolsets); err != nil {
				return err
			}
			if r.Address != "" {
				if _, err := started.Start(ctx, control.DefaultTask); err != nil {
					return err
				}
			}
			defer s.follow(registry, servers)()
			server := mcp.New(mcp.Options{
				Tools: registry, Tasks: started, Recordings: api.Host, Settle: servers.Settle, Version: s.Version, Logger: s.Logger,
			})
			err := server.Serve(ctx, &sdk.IOTransport{Reader: in, Writer: keptOpen{out}}, mcp.SessionOptions{
				Task: control.DefaultTask, Toolsets: toolsets,
			})
			if ctx.Err() != nil {
				err = nil // it was asked to end
			}
			return err
		})
	})
}

// follow offers other tools, and those of other MCP servers, as soon as the configuration file names them, until stop
// is called: an agent's own process has nobody else who could have it read the file again.
func (s Settings) follow(registry *agent.Registry, servers *upstream.Servers) (stop func()) {
	if !config.On(s.Config.PluginWatch) || s.Report.Place() == "" {
		return func() {}
	}
	watcher, err := watch.New()
	if err == nil {
		err = watcher.Watch(map[string][]string{"configuration": {s.Report.Place()}})
	}
	if err != nil {
		s.Logger.Warn("the configuration file is not watched: other toolsets and MCP servers need another start", "error", err)
	}
	if watcher == nil {
		return func() {}
	}
	stopped := make(chan struct{})
	var following sync.WaitGroup
	following.Go(func() {
		for seen := s.Report; ; {
			select {
			case <-stopped:
				return
			case <-watcher.Changed():
				seen = options.ChooseTools(registry, s.Load, seen, s.Logger, func(c *config.Config, report *config.Report) {
					servers.Configure(options.Upstream(c, report.Getenv, s.Version, s.Logger))
				})
			}
		}
	})
	return func() {
		close(stopped)
		following.Wait()
		if err := watcher.Close(); err != nil {
			s.Logger.Warn("the watch of the configuration file did not end cleanly", "error", err)
		}
	}
}

// keptOpen is a stream whose end is not the transport's to decide.
type keptOpen struct{ io.Writer }

// Close implements [io.Closer].
func (keptOpen) Close() error { return nil }
