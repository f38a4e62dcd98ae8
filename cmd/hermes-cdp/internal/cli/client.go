package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/standalone"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// IsAgent tells whether commands act as an agent, and not as the operator.
func (a *App) IsAgent() bool { return a.TokenFile != "" || a.tokenVariable() != "" }

// tokenVariable is the token in the environment.
func (a *App) tokenVariable() string { return strings.TrimSpace(a.Getenv(config.EnvToken)) }

// Getenv reads the environment; the last of two equal names counts, as in os/exec.
func (a *App) Getenv(variable string) (value string) {
	for _, item := range a.Environ {
		if name, v, _ := strings.Cut(item, "="); name == variable {
			value = v
		}
	}
	return value
}

// Client reaches the daemon: as the operator, by its socket or port; as an agent, by the agents' socket or the port.
func (a *App) Client(cfg *config.Config) (*control.Client, error) {
	c := cfg.Control
	if a.IsAgent() {
		token, err := a.agentToken()
		switch {
		case err != nil:
			return nil, UsageError{Err: err}
		case c.Address == "":
			return control.NewAgentsSocketClient(c.AgentsSocket, token, a.Report.IsSet("control.agents_socket")), nil
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
func (a *App) agentToken() (string, error) {
	if a.TokenFile == "" {
		return a.tokenVariable(), nil
	}
	token, err := access.ReadSecret(a.TokenFile)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	return token, nil
}

// CallTimeout is what a call may take where --timeout is not given.
const CallTimeout = 30 * time.Second

// OnTask are the flags that say which task a command is about.
type OnTask struct {
	Task    string
	Connect string
}

// AddFlags adds them to a command.
func (o *OnTask) AddFlags(cmd *cobra.Command) {
	AddTaskFlag(cmd, &o.Task)
	cmd.Flags().StringVar(&o.Connect, "connect", "", "work without a daemon, on the browser at this `ADDRESS`")
}

// AddTaskFlag adds the flag that names a task.
func AddTaskFlag(cmd *cobra.Command, task *string) {
	cmd.Flags().StringVar(task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
}

// WithTask runs a command on the daemon, or on a browser in this process where --connect is given.
func (a *App) WithTask(ctx context.Context, on OnTask, use func(control.API) error) error {
	if on.Connect != "" {
		cfg, report, err := a.Load()
		if err != nil {
			return err
		}
		return standalone.OnBrowser(ctx, a.Standalone(cfg, report), on.Task, on.Connect, use)
	}
	err := a.WithDaemon(use)
	if errors.Is(err, fault.ErrNoDaemon) {
		err = fmt.Errorf("%w, or give a browser with --connect ADDRESS", err)
	}
	return err
}

// OnTask makes what a command does of what it does with the API that WithTask gives; OnlyDaemon, with the daemon's.
func (a *App) OnTask(on *OnTask, do func(context.Context, control.API, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return a.WithTask(cmd.Context(), *on, func(api control.API) error { return do(cmd.Context(), api, args) })
	}
}

// OnlyDaemon is OnTask with the API of the daemon.
func (a *App) OnlyDaemon(do func(context.Context, control.API, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		return a.WithDaemon(func(api control.API) error { return do(cmd.Context(), api, args) })
	}
}

// WithDaemon runs a command that only a daemon can do. It needs to know where that is, and nothing else: --set with
// another key is an error, because the daemon would go on without it.
func (a *App) WithDaemon(use func(control.API) error) error {
	return a.AskDaemon(func(api control.API) error {
		if err := a.OnlySetsControl(); err != nil {
			return err
		}
		return use(api)
	})
}

// OnlySetsControl is the error that --set has a key that a running daemon does not take from a command: one of a
// section that the command does not use itself.
func (a *App) OnlySetsControl(uses ...string) error {
	uses = append(uses, "control", "log")
	for _, pair := range a.Set {
		key, _, _ := strings.Cut(pair, "=")
		if section, _, _ := strings.Cut(key, "."); !slices.Contains(uses, section) {
			return UsageError{Err: fmt.Errorf("--set %s would change nothing: the daemon has read its configuration; put the key into its file "+
				"and run hermes-cdp reload, or start the daemon with it (hermes-cdp run --set)", config.RedactText(key))}
		}
	}
	return nil
}

// AskDaemon is WithDaemon for a command that uses the configuration itself as well, so that --set may have any key. A
// file that the daemon would refuse is no reason to lose the commands that help.
func (a *App) AskDaemon(use func(control.API) error) error {
	sources := a.Sources()
	sources.ControlOnly = true
	cfg, _, err := a.LoadFrom(sources)
	if err != nil {
		return err
	}
	return a.OnDaemon(cfg, use)
}

// OnDaemon is WithDaemon with a configuration that has been read.
func (a *App) OnDaemon(cfg *config.Config, use func(control.API) error) error {
	return a.WithClient(cfg, func(c *control.Client) error { return use(c) })
}

// WithClient is OnDaemon for what needs the client itself. Where no daemon runs, the error names the system's service.
func (a *App) WithClient(cfg *config.Config, use func(*control.Client) error) error {
	client, err := a.Client(cfg)
	if err != nil {
		return err
	}
	defer client.Close()
	err = use(client)
	if errors.Is(err, fault.ErrNoDaemon) {
		return withService(err, serviceDirectory, cfg.Control, a.IsAgent())
	}
	return err
}

// serviceDirectory has the sockets of the service that the Debian package installs (deploy/systemd).
const serviceDirectory = "/run/hermes-cdp"

// withService adds to the error that no daemon is running where that of the system's service is. It is not used
// unasked: commands that are meant for a daemon of one's own would drive browsers of others.
func withService(err error, directory string, c config.Control, agent bool) error {
	key, file, tried := "control.socket", "control.sock", c.Socket
	if agent {
		key, file, tried = "control.agents_socket", "agents.sock", c.AgentsSocket
	}
	service := filepath.Join(directory, file)
	if _, failed := os.Stat(service); failed != nil || tried == service || c.Address != "" {
		return err
	}
	return fmt.Errorf("%w, or use the service of this machine: --set %s=%s", err, key, service)
}

// WithTimeout ends a call by itself a moment after the host should have: the host's error says more.
func WithTimeout(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	const grace = 2 * time.Second
	return context.WithTimeout(ctx, timeout+grace)
}
