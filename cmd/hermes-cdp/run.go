package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/daemon"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/service"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
)

func (a *app) runCommand() *cobra.Command {
	var first control.ConnectRequest
	var strict bool
	var page string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Supervise browsers until SIGTERM or SIGINT, and let the other commands in",
		Long: "Supervise browsers until SIGTERM or SIGINT, and let the other commands in by a unix socket (control.socket), and by a\n" +
			"loopback port with a token where control.address is set. Agents use a socket of their own (control.agents_socket)\n" +
			"or the port, with tokens of hermes-cdp token new: MCP is at /mcp, and an HTTP API with an OpenAPI document at\n" +
			"/v1/agent/openapi.json.\n\n" +
			"It begins with the browser at --connect or browser.cdp_url, or with one that it starts (--launch), or without any:\n" +
			"hermes-cdp connect adds one. Plugins are swapped when their files change. SIGHUP reads the configuration again: plugins\n" +
			"follow it at once; what has changed and needs a restart is logged and shown by hermes-cdp status.\n\n" +
			"What commands have put into service serves again after a restart (plugins.NAME.keep). If the module of a plugin cannot\n" +
			"start, the last good one serves, else the shipped one, else none, and navigate_fail, request_fail and dialog_fail say\n" +
			"what happens; the log has that as an error, and hermes-cdp status ends with 6. --strict refuses to start instead.\n\n" +
			"As a service of systemd it says when it is ready, reloads and ends, feeds the watchdog while it answers, and takes\n" +
			"sockets with the names control, agents, http and ui: see docs/install.md.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if page != "" {
				a.Set = append(a.Set, "control.ui_address="+page)
			}
			cfg, report, err := a.Load()
			if err != nil {
				return err
			}
			levels := logs.NewLevels()
			logger := a.LoggerAt(cfg.Log, levels)
			manager, err := service.Find(logger)
			if err != nil {
				return fmt.Errorf("the service manager: %w", err)
			}
			sockets, err := service.Sockets(daemon.SocketNames()...)
			if err != nil {
				return err
			}
			reload := make(chan os.Signal, 1)
			signal.Notify(reload, syscall.SIGHUP)
			defer signal.Stop(reload)
			o := daemon.Options{
				Config: cfg, Report: report, Load: a.Load, Logger: logger, Levels: levels, Version: version().Version,
				Strict: strict, Reload: reload, Service: manager, Sockets: sockets,
				Ready: func(at daemon.Endpoints) {
					if manager != nil {
						at.LiveLink = "" // a secret, which a service's log would show: hermes-cdp ui prints another
					}
					a.printEndpoints(at)
				},
			}
			if first.Launch || first.Address != "" || cfg.Browser.CDPURL != "" {
				o.Start = &first
			}
			return daemon.Run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "refuse to start if a plugin cannot, instead of starting with what can serve in its place")
	cmd.Flags().StringVar(&first.Task, "task", "", "`NAME` of the task to begin with (default \"default\")")
	cmd.Flags().StringVar(&first.Address, "connect", "", "begin with the browser at this `ADDRESS`")
	cmd.Flags().BoolVar(&first.Launch, "launch", false, "begin with a browser that is started")
	cmd.Flags().StringVar(&page, "ui-address", "", "serve the live page at this `ADDRESS`, or off (default 127.0.0.1:0, control.ui_address)")
	cmd.MarkFlagsMutuallyExclusive("connect", "launch")
	addScopeFlags(cmd, &first)
	return cmd
}

// printEndpoints says that the daemon is ready; who starts it may wait for this line.
func (a *app) printEndpoints(at daemon.Endpoints) {
	if a.JSON {
		_ = cli.WriteJSONLine(a.Stdout, at)
		return
	}
	text := "ready at " + at.Socket + ", for agents at " + at.AgentsSocket
	if at.Address != "" {
		text += ", and http://" + at.Address
	}
	if at.Metrics != "" {
		text += ", metrics at http://" + at.Metrics + "/metrics"
	}
	_, _ = fmt.Fprintln(a.Stdout, cli.OneLine(text))
	if at.LiveLink != "" {
		_, _ = fmt.Fprintln(a.Stdout, "live page, for one browser within ten minutes: "+cli.OneLine(at.LiveLink))
	}
}

func (a *app) reloadCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reload",
		Short: "Have the daemon read its configuration again, and print what came of it",
		Long: "Have the daemon read its configuration again, as SIGHUP does, and print what came of it. The exit code is that of\n" +
			"hermes-cdp status: 6 if the configuration was refused, so that the previous one stays, or a plugin does not follow it.",
		Args: cobra.NoArgs,
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, _ []string) error {
			s, err := api.Reload(ctx)
			if err != nil {
				return err
			}
			return errors.Join(a.WriteRows(s.Daemon.Config, daemonRows(s.Daemon)), degraded(s))
		}),
	}
}
