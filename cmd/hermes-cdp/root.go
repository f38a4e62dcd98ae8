package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/plugincmd"
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
