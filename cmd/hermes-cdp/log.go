package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
)

func (a *app) logCommand() *cobra.Command {
	return cli.Group("log", "See and change what the daemon logs", a.logLevelCommand())
}

func (a *app) logLevelCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "level [LEVEL] [PACKAGE=LEVEL]...",
		Short: "Show the levels of the daemon's log, or change them while it runs",
		Long: "Show the levels of the daemon's log, or change them while it runs: debug, info, warn or error, and default for a package\n" +
			"that is to have the general level again. A package is named as host/internal/engine, or by the end of that, engine; its\n" +
			"level is also that of the packages below it. A change lasts until the configuration is read again; log.level and log.levels\n" +
			"set levels permanently.",
		Example: "  hermes-cdp log level engine=debug\n  hermes-cdp log level engine=default\n  hermes-cdp log level warn host/server=info",
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			if len(args) == 0 {
				return cli.Shown(&a.App, levelLines)(api.LogLevels(ctx))
			}
			change := logs.Setting{Packages: map[string]string{}}
			for i, arg := range args {
				if i == 0 && !strings.Contains(arg, "=") {
					change.Level = arg
					continue
				}
				name, level, err := logs.ParseItem(arg)
				if err != nil {
					return cli.UsageError{Err: err}
				}
				change.Packages[name] = level
			}
			return cli.Shown(&a.App, levelLines)(api.SetLogLevels(ctx, change))
		}),
	}
}

func levelLines(s logs.Setting) []string {
	lines := []string{"level " + s.Level}
	for _, name := range slices.Sorted(maps.Keys(s.Packages)) {
		line := fmt.Sprintf("%s=%s", name, s.Packages[name])
		if !slices.ContainsFunc(s.Seen, func(seen string) bool { return strings.Contains("/"+seen+"/", "/"+name+"/") }) {
			line += " (no package of this name has logged anything yet)"
		}
		lines = append(lines, cli.OneLine(line))
	}
	if len(s.Seen) > 0 {
		lines = append(lines, "packages that have logged: "+strings.Join(s.Seen, " "))
	}
	return lines
}
