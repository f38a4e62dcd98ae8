package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/standalone"
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
	exit, e := classify(err)
	a.printError(e, nextOf(err)...)
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
		a.runCommand(), a.mcpCommand(), a.connectCommand(), a.statusCommand(), a.reloadCommand(), a.psCommand(), a.reapCommand(), a.disconnectCommand(),
		a.snapshotCommand(), a.dialogCommand(), a.framesCommand(), a.consoleCommand(), a.eventsCommand(),
		a.evalCommand(), a.cdpCommand(), a.resumeCommand(), a.takeoverCommand(), a.giveBackCommand(), a.uiCommand(), a.browserCommand(), a.recordCommand(), a.recordingsCommand(), a.profileCommand(),
		a.toolsCommand(), a.skillCommand(), a.pluginCommand(), a.tokenCommand(), a.configCommand(), a.doctorCommand(), a.demoCommand(), a.versionCommand(),
	)
	a.addCompletions(root)
	return root
}

// load reads the configuration with the global flags, and prints its warnings.
func (a *app) load() (*config.Config, *config.Report, error) { return a.loadFrom(a.sources()) }

func (a *app) loadFrom(sources config.Sources) (*config.Config, *config.Report, error) {
	cfg, report, err := config.Load(sources)
	a.report = report
	for _, warning := range report.Warnings {
		a.printWarning(warning)
	}
	return cfg, report, err
}

func (a *app) sources() config.Sources {
	sources := config.Sources{File: a.configFile, Environ: a.environ, Set: a.set, Check: options.Check}
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

// require makes flags of a command required.
func require(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		if err := cmd.MarkFlagRequired(flag); err != nil {
			panic(err) // the flag is not there: every test would meet it
		}
	}
}

// logger writes to stderr what the configuration wants to hear.
func (a *app) logger(c config.Log) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.Level)) // validated with the configuration
	return a.loggerAt(c, level)
}

// quietLogger leaves out, unless somebody has set a level, what is no news to who asked for a result.
func (a *app) quietLogger(cfg *config.Config, report *config.Report) *slog.Logger {
	logs := cfg.Log
	if !report.IsSet("log.level") {
		logs.Level = "warn"
	}
	return a.logger(logs)
}

// loggerAt is logger with a level that may change.
func (a *app) loggerAt(c config.Log, level slog.Leveler) *slog.Logger {
	options := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(a.stderr, options))
	}
	return slog.New(slog.NewTextHandler(a.stderr, options))
}

// standalone is what a host in this process is made with.
func (a *app) standalone(cfg *config.Config, report *config.Report) standalone.Settings {
	return standalone.Settings{Config: cfg, Report: report, Logger: a.quietLogger(cfg, report), Version: version().Version}
}
