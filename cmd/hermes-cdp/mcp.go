package main

import (
	"context"
	"errors"
	"io"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/mcp"
	"github.com/hermes-cdp/hermes-cdp/host/server/tasks"
)

func (a *app) mcpCommand() *cobra.Command {
	var r control.ConnectRequest
	var toolsets []string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the browser's tools to an agent over MCP, on standard input and output, until the agent leaves",
		Long: "Offer the browser's tools to an agent over MCP, on standard input and output, until the agent leaves. The log is on\n" +
			"standard error.\n\n" +
			"The first call that needs a browser starts one, or takes the one at browser.cdp_url. With --connect it must be there\n" +
			"from the beginning. hermes-cdp run offers the same over HTTP, at /mcp.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, report, err := a.load()
			if err != nil {
				return err
			}
			return a.serveMCP(cmd.Context(), cfg, report, r, toolsets)
		},
	}
	cmd.Flags().StringSliceVar(&toolsets, "toolsets", nil, "`NAMES` of toolsets, with commas, in place of the configured ones")
	cmd.Flags().StringVar(&r.Address, "connect", "", "work on the browser at this `ADDRESS`")
	cmd.Flags().BoolVar(&r.Launch, "launch", false, "start a browser, whatever is configured")
	cmd.MarkFlagsMutuallyExclusive("connect", "launch")
	addScopeFlags(cmd, &r)
	return cmd
}

// serveMCP serves one agent by a host of its own.
func (a *app) serveMCP(ctx context.Context, cfg *config.Config, report *config.Report, r control.ConnectRequest, toolsets []string) (err error) {
	logs := cfg.Log
	if !report.IsSet("log.level") {
		logs.Level = "warn" // agents show what is on standard error
	}
	log := a.logger(logs)
	hostOptions := cfg.HostOptions(log)
	hostOptions.Private = append(hostOptions.Private, report.Private...)
	h, err := host.New(ctx, hostOptions)
	if err != nil {
		return err
	}
	defer func() {
		leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
		defer cancel()
		err = errors.Join(err, h.Close(leave))
	}()
	api := &control.Local{Host: h, Settings: func() control.Settings {
		return control.Settings{Address: cfg.Browser.CDPURL, Task: cfg.TaskOptions(report), Launch: cfg.LaunchOptions()}
	}}
	started := tasks.New(h, func(ctx context.Context, id string) error {
		r := r
		r.Task = id
		_, err := api.Connect(ctx, r)
		return err
	})
	options := cfg.AgentOptions()
	options.Open = started.Start
	registry, err := agent.New(h, options)
	if err != nil {
		return usageError{err}
	}
	defer registry.Close()
	servers := upstream.Start(registry, cfg.UpstreamOptions(report.Getenv, version().Version, log))
	defer servers.Close()
	if len(toolsets) > 0 {
		servers.Settle(ctx) // a toolset may be a tool of theirs
	}
	if err := registry.CheckToolsets(toolsets); err != nil {
		return usageError{err}
	}
	if r.Address != "" {
		if _, err := started.Start(ctx, control.DefaultTask); err != nil {
			return err
		}
	}
	server := mcp.New(mcp.Options{
		Tools: registry, Tasks: started, Recordings: h, Settle: servers.Settle, Version: version().Version, Logger: log,
	})
	err = server.Serve(ctx, &sdk.IOTransport{Reader: os.Stdin, Writer: keptOpen{a.stdout}}, mcp.SessionOptions{
		Task: control.DefaultTask, Toolsets: toolsets,
	})
	if ctx.Err() != nil {
		return nil // it was asked to end
	}
	return err
}

// keptOpen is a stream whose end is not the transport's to decide.
type keptOpen struct{ io.Writer }

// Close implements [io.Closer].
func (keptOpen) Close() error { return nil }
