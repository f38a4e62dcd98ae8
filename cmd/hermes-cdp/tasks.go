package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// leaveTimeout is how long the end of a command that ran in this process may take.
const leaveTimeout = 15 * time.Second

// onTask are the flags that say which task a command is about.
type onTask struct {
	task    string
	connect string
}

func (o *onTask) addFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
	cmd.Flags().StringVar(&o.connect, "connect", "", "work without a daemon, on the browser at this `ADDRESS`")
}

// withTask runs a command on the daemon, or on a browser in this process where --connect is given.
func (a *app) withTask(ctx context.Context, on onTask, use func(control.API) error) error {
	cfg, report, err := a.load()
	if err != nil {
		return err
	}
	if on.connect != "" {
		return a.inProcess(ctx, on, cfg, report, use)
	}
	err = a.onDaemon(cfg, use)
	if errors.Is(err, control.ErrNoDaemon) {
		err = fmt.Errorf("%w, or give a browser with --connect ADDRESS", err)
	}
	return err
}

// withDaemon runs a command that only a daemon can do.
func (a *app) withDaemon(use func(control.API) error) error {
	cfg, _, err := a.load()
	if err != nil {
		return err
	}
	return a.onDaemon(cfg, use)
}

func (a *app) onDaemon(cfg *config.Config, use func(control.API) error) error {
	client, err := a.client(cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	return use(client)
}

// inProcess supervises all tabs of a browser for as long as the command takes. Dialogs that were open before are not
// announced to late clients: the browser closes them.
func (a *app) inProcess(ctx context.Context, on onTask, cfg *config.Config, report *config.Report, use func(control.API) error) (err error) {
	logs := cfg.Log
	if !report.IsSet("log.level") {
		logs.Level = "warn" // the result is what was asked for
	}
	h, err := host.New(ctx, cfg.HostOptions(a.logger(logs)))
	if err != nil {
		return err
	}
	defer func() {
		leave, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
		defer cancel()
		err = errors.Join(err, h.Close(leave))
	}()
	api := &control.Local{Host: h, Settings: func() control.Settings {
		return control.Settings{Task: cfg.TaskOptions(report), Launch: cfg.LaunchOptions()}
	}}
	if _, err := api.Connect(ctx, control.ConnectRequest{Task: on.task, Address: on.connect, Scope: "browser"}); err != nil {
		return err
	}
	return use(api)
}

// withTimeout ends a call by itself a moment after the host should have: the host's error says more.
func withTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	const grace = 2 * time.Second
	return context.WithTimeout(ctx, timeout+grace)
}
