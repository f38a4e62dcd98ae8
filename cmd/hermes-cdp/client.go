package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/standalone"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// isAgent tells whether commands act as an agent, and not as the operator.
func (a *app) isAgent() bool { return a.tokenFile != "" || a.tokenVariable() != "" }

// tokenVariable is the token in the environment; the last of two equal names counts, as in os/exec.
func (a *app) tokenVariable() (token string) {
	for _, item := range a.environ {
		if name, value, _ := strings.Cut(item, "="); name == config.EnvToken {
			token = value
		}
	}
	return strings.TrimSpace(token)
}

// client reaches the daemon: as the operator, by its socket or port; as an agent, by the agents' socket or the port.
func (a *app) client(cfg *config.Config) (*control.Client, error) {
	c := cfg.Control
	if a.isAgent() {
		token, err := a.agentToken()
		switch {
		case err != nil:
			return nil, usageError{err}
		case c.Address == "":
			return control.NewAgentsSocketClient(c.AgentsSocket, token, a.report.IsSet("control.agents_socket")), nil
		}
		return control.NewClient(c.Address, token), nil
	}
	if c.Address == "" {
		return control.NewSocketClient(c.Socket), nil
	}
	token, err := control.ReadToken(c.TokenFile)
	if err != nil {
		return nil, errors.Join(fault.ErrNoDaemon, err)
	}
	return control.NewClient(c.Address, token), nil
}

// agentToken is the token that is given. The file is stronger than the variable, as flags are.
func (a *app) agentToken() (string, error) {
	if a.tokenFile == "" {
		return a.tokenVariable(), nil
	}
	token, err := access.ReadSecret(a.tokenFile)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	return token, nil
}

// onTask are the flags that say which task a command is about.
type onTask struct {
	task    string
	connect string
}

func (o *onTask) addFlags(cmd *cobra.Command) {
	addTaskFlag(cmd, &o.task)
	cmd.Flags().StringVar(&o.connect, "connect", "", "work without a daemon, on the browser at this `ADDRESS`")
}

func addTaskFlag(cmd *cobra.Command, task *string) {
	cmd.Flags().StringVar(task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
}

// withTask runs a command on the daemon, or on a browser in this process where --connect is given.
func (a *app) withTask(ctx context.Context, on onTask, use func(control.API) error) error {
	if on.connect != "" {
		cfg, report, err := a.load()
		if err != nil {
			return err
		}
		return standalone.OnBrowser(ctx, a.standalone(cfg, report), on.task, on.connect, use)
	}
	err := a.withDaemon(use)
	if errors.Is(err, fault.ErrNoDaemon) {
		err = fmt.Errorf("%w, or give a browser with --connect ADDRESS", err)
	}
	return err
}

// onTask makes what a command does of what it does with the API that withTask gives; onlyDaemon, with the daemon's.
func (a *app) onTask(on *onTask, do func(context.Context, control.API, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return a.withTask(cmd.Context(), *on, func(api control.API) error { return do(cmd.Context(), api, args) })
	}
}

func (a *app) onlyDaemon(do func(context.Context, control.API, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return a.withDaemon(func(api control.API) error { return do(cmd.Context(), api, args) })
	}
}

// withDaemon runs a command that only a daemon can do. It needs to know where that is, and nothing else: a file that
// the daemon would refuse is no reason to lose the commands that help.
func (a *app) withDaemon(use func(control.API) error) error {
	sources := a.sources()
	sources.ControlOnly = true
	cfg, _, err := a.loadFrom(sources)
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

// withTimeout ends a call by itself a moment after the host should have: the host's error says more.
func withTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	const grace = 2 * time.Second
	return context.WithTimeout(ctx, timeout+grace)
}
