package plugincmd

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// storeCommand is plugin kv.
func (a app) storeCommand() *cobra.Command {
	return cli.Group("kv", "Look at, and change, what a plugin has stored for a task", a.entriesCommand(), a.entryCommand(), a.setCommand(), a.deleteCommand())
}

func (a app) entriesCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "list NAME",
		Short: "List the keys that a plugin has stored for a task",
		Args:  cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			list, err := api.PluginEntries(ctx, args[0], task)
			if err != nil {
				return err
			}
			rows := [][]string{{"KEY", "BYTES", "ENDS"}}
			for _, e := range list.Entries {
				rows = append(rows, []string{cli.PageText(e.Key), fmt.Sprint(e.Bytes), endText(e)})
			}
			if err := a.WriteRows(list, rows); err != nil || a.JSON {
				return err
			}
			return a.WriteLines(usageText(list.Usage))
		}),
	}
	cli.AddTaskFlag(cmd, &task)
	return cmd
}

// endText is when an entry is gone; empty: it stays.
func endText(e host.PluginEntry) string {
	if e.Ends == nil {
		return ""
	}
	return cli.Moment(*e.Ends)
}

func usageText(u host.PluginStoreUsage) string {
	text := fmt.Sprintf("in use by all tasks (%d): %d of %d bytes and %d of %d keys; limit of each: %d bytes and %d keys; store: %s",
		u.Tasks, u.Bytes, u.MaxBytes, u.Keys, u.MaxKeys, u.TaskBytes, u.TaskKeys, u.Store)
	if u.Refused > 0 {
		text += fmt.Sprintf("; %d writes did not fit", u.Refused)
	}
	if u.Evicted > 0 {
		text += fmt.Sprintf("; the entries of %d tasks that had ended made room", u.Evicted)
	}
	if u.Problem != "" {
		text += "; not kept for the next start: " + cli.OneLine(u.Problem)
	}
	return text
}

func (a app) entryCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "get NAME KEY",
		Short: "Show what a plugin has stored under a key",
		Long:  "Show what a plugin has stored under a key, as quoted text; with --json its bytes in base64. Pages may have a say in it.",
		Args:  cobra.ExactArgs(2),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.ShownLine(a.App, storedText)(api.PluginEntry(ctx, args[0], task, args[1]))
		}),
	}
	cli.AddTaskFlag(cmd, &task)
	return cmd
}

func storedText(e host.PluginEntry) string {
	if !utf8.Valid(e.Value) {
		return fmt.Sprintf("%d bytes that are no text: %x", len(e.Value), e.Value)
	}
	return cli.PageText(string(e.Value))
}

func (a app) setCommand() *cobra.Command {
	var (
		task string
		ttl  time.Duration
	)
	cmd := &cobra.Command{
		Use:   "set NAME KEY TEXT",
		Short: "Store a text under a key of a plugin",
		Args:  cobra.ExactArgs(3),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.ShownLine(a.App, func(e host.PluginEntry) string {
				text := fmt.Sprintf("%s: %d bytes are stored", cli.PageText(e.Key), e.Bytes)
				if e.Ends != nil {
					text += " until " + endText(e)
				}
				return text
			})(
				api.SetPluginEntry(ctx, args[0], task, args[1], []byte(args[2]), ttl))
		}),
	}
	cli.AddTaskFlag(cmd, &task)
	cmd.Flags().DurationVar(&ttl, "ttl", 0, "how long it is there, such as 10m; 0: until it is deleted or the task is closed")
	return cmd
}

func (a app) deleteCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "delete NAME KEY",
		Short: "Delete what a plugin has stored under a key",
		Args:  cobra.ExactArgs(2),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			return cli.ShownLine(a.App, func(e host.PluginEntry) string { return cli.PageText(e.Key) + ": deleted" })(
				api.DeletePluginEntry(ctx, args[0], task, args[1]))
		}),
	}
	cli.AddTaskFlag(cmd, &task)
	return cmd
}

func (a app) logsCommand() *cobra.Command {
	var follow bool
	cmd := &cobra.Command{
		Use:   "logs NAME",
		Short: "Show what the modules of a plugin wrote, those that were refused too",
		Long: "Show the latest lines that the modules of a plugin wrote, at most 1,000, those that were refused too. Each line says what\n" +
			"the module was doing: start, trial (a self-test, or a replay of recent calls), service, or candidate.",
		Args: cobra.ExactArgs(1),
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, args []string) error {
			var last uint64
			for wait := false; ; wait = follow {
				list, err := api.PluginLog(ctx, args[0], last, wait)
				if follow && errors.Is(err, context.Canceled) && ctx.Err() != nil {
					err = nil // it was asked to end
					follow = false
				}
				if err != nil {
					return err
				}
				for _, l := range list {
					if err := a.writeLogLine(l); err != nil {
						return err
					}
					last = l.Number
				}
				if !follow {
					return nil
				}
			}
		}),
	}
	cmd.Flags().BoolVar(&follow, "follow", false, "go on with the lines that come, until it is interrupted")
	return cmd
}

// writeLogLine writes one line of a log; with --json one object per line.
func (a app) writeLogLine(l host.PluginLine) error {
	if a.JSON {
		return a.WriteJSONLine(l)
	}
	text := fmt.Sprintf("%s %s generation %d, %s: %s", cli.Moment(l.Time), l.Level, l.Generation, l.During, cli.OneLine(l.Text))
	if l.Dropped > 0 {
		text += fmt.Sprintf(" (%d lines before it were too many)", l.Dropped)
	}
	return a.WriteLines(text)
}
