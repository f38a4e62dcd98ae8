package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolresult"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// app is one run of the command.
type app struct {
	cli.App

	started bool // the flags and arguments are right; what fails from here on is no usage error
}

// run runs the command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if !a.started {
		err = cli.UsageError{Err: err}
		// A wrong command line may have ended the parsing before --json.
		a.JSON = a.JSON || slices.Contains(args, "--json")
	}
	exit, e := classify(err)
	a.PrintError(e, nextOf(err)...)
	return exit
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "hermes-cdp",
		Short:         "Supervise a browser over the Chrome DevTools Protocol, with plugins that decide",
		Long:          "Supervise a browser over the Chrome DevTools Protocol, with plugins that decide.\n\n" + exitCodes,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			// Cobra itself checks these only after this function.
			if err := errors.Join(cmd.ValidateRequiredFlags(), cmd.ValidateFlagGroups()); err != nil {
				return err
			}
			a.started = true
			return nil
		},
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&a.JSON, "json", false, "write JSON")
	flags.StringVar(&a.ConfigFile, "config", "", "configuration `FILE` (default $XDG_CONFIG_HOME/hermes-cdp/config.yaml)")
	flags.StringArrayVar(&a.Set, "set", nil, "set a key of the configuration, as `KEY=VALUE`; may be repeated")
	flags.StringVar(&a.TokenFile, "token-file", "", "act as the agent whose token is in this `FILE` (default: the token in $"+config.EnvToken+"; without either: act as the operator)")
	flags.StringVar(&a.LogLevel, "log-level", "", "`LEVEL` of the log: debug, info, warn or error")
	root.AddCommand(
		a.runCommand(), a.mcpCommand(), a.connectCommand(), a.statusCommand(), a.reloadCommand(), a.topCommand(), a.auditCommand(), a.logCommand(), a.psCommand(), a.reapCommand(), a.disconnectCommand(),
		a.snapshotCommand(), a.dialogCommand(), a.framesCommand(), a.consoleCommand(), a.eventsCommand(),
		a.evalCommand(), a.cdpCommand(), a.resumeCommand(), a.takeoverCommand(), a.giveBackCommand(), a.uiCommand(), a.browserCommand(), a.recordCommand(), a.recordingsCommand(), a.profileCommand(),
		a.toolsCommand(), a.skillCommand(), plugincmd.Command(&a.App), a.abiCommand(), a.tokenCommand(), a.configCommand(), a.setupCommand(), a.doctorCommand(), a.demoCommand(), a.manCommand(), a.versionCommand(),
	)
	a.addCompletions(root)
	return root
}

// The exit codes of the command; docs/cli.md has the same table.
const (
	exitOK          = 0 // it worked
	exitFailed      = 1 // it failed, or a check did
	exitUsage       = 2 // the command line or the configuration is wrong; nothing was done
	exitBlocked     = 3 // a dialog holds the tab
	exitDifferent   = 3 // a replay worked, and decisions differ
	exitUnreachable = 4 // no daemon, or the browser's connection is lost
	exitTimeout     = 5 // the time given was not enough
	exitDegraded    = 6 // the daemon runs, and is not as it is configured
)

const exitCodes = "Exit codes: 0 it worked, 1 it failed, 2 the command line or the configuration is wrong, 3 a dialog holds the tab,\n" +
	"or a replay found decisions that differ, 4 no daemon is running or the browser is disconnected, 5 the time given was not enough,\n" +
	"6 status: the daemon does not match its configuration."

// classify returns the exit code of an error, and the error as it is shown.
func classify(err error) (int, *control.Error) {
	e := control.ErrorOf(err)
	var failed toolresult.Failure
	if errors.As(err, &failed) {
		e = failed.Wire()
	}
	return e.Code.ExitCode(), e
}

// nextOf says what to type after an error, where that depends on the tool.
func nextOf(err error) []string {
	var failed toolresult.Failure
	if !errors.As(err, &failed) {
		return nil
	}
	return failed.Next()
}
