package main

import (
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
)

func (a *app) recordCommand() *cobra.Command {
	return cli.Group("record", "Start and stop a video of what a task shows, its dialogs included",
		a.recordActionCommand("start", "Record the tab in use from now on, with its dialogs drawn in"),
		a.recordActionCommand("stop", "Complete the video, and print where it is"))
}

// recordActionCommand is a shorter name of an action of hermes-cdp browser record.
func (a *app) recordActionCommand(action, short string) *cobra.Command {
	var o callOptions
	cmd := &cobra.Command{
		Use:   action,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.callTool(cmd.Context(), o, "browser_record", []byte(`{"action":"`+action+`"}`))
		},
	}
	o.addFlags(cmd, false)
	return cmd
}
