package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) consoleCommand() *cobra.Command {
	var on onTask
	var clear bool
	cmd := &cobra.Command{
		Use:   "console",
		Short: "Show the last 50 console messages and the last 50 uncaught exceptions of a task",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withTask(cmd.Context(), on, func(api control.API) error {
				c, err := api.Console(cmd.Context(), on.task, clear)
				if err != nil {
					return err
				}
				lines := []string{fmt.Sprintf("%d messages, %d kept; the page says:", c.Total, len(c.Messages))}
				for _, m := range c.Messages {
					lines = append(lines, fmt.Sprintf("  %s %s at %s", oneLine(m.Type), pageText(m.Text), pageText(m.Source)))
				}
				return a.write(c, lines...)
			})
		},
	}
	cmd.Flags().BoolVar(&clear, "clear", false, "forget them after showing them")
	on.addFlags(cmd)
	return cmd
}
