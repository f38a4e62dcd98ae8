package standalone

import (
	"context"
	"errors"
	"io"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
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

// keptOpen is a stream whose end is not the transport's to decide.
type keptOpen struct{ io.Writer }

// Close implements [io.Closer].
func (keptOpen) Close() error { return nil }
