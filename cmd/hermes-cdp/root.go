package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/catalog"
	"github.com/hermes-cdp/hermes-cdp/host/config"
)

// app is one run of the command: where it reads and writes, and its global flags.
type app struct {
	stdin          io.Reader // nil: there is none
	stdout, stderr io.Writer
	environ        []string
	shipped        catalog.Shipped

	json       bool
	configFile string
	set        []string
	logLevel   string
	tokenFile  string

	report  *config.Report // of what was loaded last
	started bool           // the flags and arguments are right; what fails from here on is no usage error
}

// run runs the command line and returns the exit code.
func (a *app) run(ctx context.Context, args []string) int {
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	if !a.started {
		err = usageError{err}
		// A wrong command line may have ended the parsing before --json.
		a.json = a.json || slices.Contains(args, "--json")
	}
	if failed, ok := asToolError(err); ok {
		a.printToolError(failed)
		return failed.exit()
	}
	exit, e := classify(err)
	a.printError(e)
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
			if err := cmd.ValidateRequiredFlags(); err != nil {
				return err
			}
			a.started = true
			return nil
		},
	}
	flags := root.PersistentFlags()
	flags.BoolVar(&a.json, "json", false, "write JSON")
	flags.StringVar(&a.configFile, "config", "", "configuration `FILE` (default $XDG_CONFIG_HOME/hermes-cdp/config.yaml)")
	flags.StringArrayVar(&a.set, "set", nil, "set a key of the configuration, as `KEY=VALUE`; may be repeated")
	flags.StringVar(&a.tokenFile, "token-file", "", "act as the agent whose token is in this `FILE` (default: the token in $"+config.EnvToken+"; without either: act as the operator)")
	flags.StringVar(&a.logLevel, "log-level", "", "`LEVEL` of the log: debug, info, warn or error")
	root.AddCommand(
		a.runCommand(), a.mcpCommand(), a.connectCommand(), a.statusCommand(), a.disconnectCommand(),
		a.snapshotCommand(), a.dialogCommand(), a.framesCommand(), a.consoleCommand(), a.eventsCommand(),
		a.evalCommand(), a.cdpCommand(), a.resumeCommand(), a.browserCommand(), a.recordingsCommand(),
		a.toolsCommand(), a.pluginCommand(), a.tokenCommand(), a.configCommand(), a.doctorCommand(), a.demoCommand(), a.versionCommand(),
	)
	a.addCompletions(root)
	return root
}

// load reads the configuration with the global flags, and prints its warnings.
func (a *app) load() (*config.Config, *config.Report, error) {
	cfg, report, err := config.Load(a.sources())
	a.report = report
	for _, warning := range report.Warnings {
		a.printWarning(warning)
	}
	return cfg, report, err
}

func (a *app) sources() config.Sources {
	sources := config.Sources{File: a.configFile, Environ: a.environ, Set: a.set}
	if a.logLevel != "" {
		sources.Flags = []config.Flag{{Name: "--log-level", Key: "log.level", Value: a.logLevel}}
	}
	return sources
}

// alone is the annotation of a group that does something by itself: what it does.
const alone = "alone"

// group is a command that only has commands below it. Cobra takes an unknown word there for an argument and prints the
// help with exit code 0; here it is an error.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			hint := ""
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return fmt.Errorf("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint)
		},
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(commands...)
	return cmd
}
