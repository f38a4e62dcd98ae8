// Package cli is what the commands of hermes-cdp have in common: streams and global flags, how results are written, and
// how the daemon or a browser is reached.
package cli

import (
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/standalone"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
)

// App is what all commands have: where it reads and writes, and its global flags.
type App struct {
	Stdin          io.Reader // nil: there is none
	Stdout, Stderr io.Writer
	Environ        []string
	Shipped        catalog.Shipped
	Version        string // of this program

	JSON       bool
	ConfigFile string
	Set        []string
	LogLevel   string
	TokenFile  string

	Report *config.Report // of what was loaded last
}

// UsageError is a command line that is wrong.
type UsageError struct{ Err error }

// Error is that of the error.
func (e UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the code, and the error.
func (e UsageError) Unwrap() []error { return []error{fault.ErrUsage, e.Err} }

// Load reads the configuration with the global flags, and prints its warnings.
func (a *App) Load() (*config.Config, *config.Report, error) { return a.LoadFrom(a.Sources()) }

// LoadFrom reads it from other sources.
func (a *App) LoadFrom(sources config.Sources) (*config.Config, *config.Report, error) {
	cfg, report, err := config.Load(sources)
	a.Report = report
	for _, warning := range report.Warnings {
		a.PrintWarning(warning)
	}
	return cfg, report, err
}

// Sources are those that the global flags name.
func (a *App) Sources() config.Sources {
	sources := config.Sources{File: a.ConfigFile, Environ: a.Environ, Set: a.Set, Check: options.Check}
	if a.LogLevel != "" {
		sources.Flags = []config.Flag{{Name: "--log-level", Key: "log.level", Value: a.LogLevel}}
	}
	return sources
}

// Alone is the annotation of a group that does something by itself: what it does.
const Alone = "alone"

// Group is a command that only has commands below it. Cobra takes an unknown word there for an argument and prints the
// help with exit code 0; here it is an error.
func Group(use, short string, commands ...*cobra.Command) *cobra.Command {
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

// Require makes flags of a command required.
func Require(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		if err := cmd.MarkFlagRequired(flag); err != nil {
			panic(err) // the flag is not there: every test would meet it
		}
	}
}

// Logger writes to stderr what the configuration wants to hear.
func (a *App) Logger(c config.Log) *slog.Logger {
	levels := logs.NewLevels()
	_ = levels.Use(c.Level, c.Levels) // validated with the configuration
	return a.LoggerAt(c, levels)
}

// QuietLogger leaves out, unless somebody has set a level, what is no news to who asked for a result.
func (a *App) QuietLogger(cfg *config.Config, report *config.Report) *slog.Logger {
	quiet := cfg.Log
	if !report.IsSet("log.level") {
		quiet.Level = "warn"
	}
	return a.Logger(quiet)
}

// LoggerAt is logger with levels that may change.
func (a *App) LoggerAt(c config.Log, levels *logs.Levels) *slog.Logger {
	return slog.New(logs.NewHandler(a.Stderr, c.Format == "json", levels))
}

// Standalone is what a host in this process is made with.
func (a *App) Standalone(cfg *config.Config, report *config.Report) standalone.Settings {
	return standalone.Settings{Config: cfg, Report: report, Load: a.Load, Logger: a.QuietLogger(cfg, report), Version: a.Version}
}
