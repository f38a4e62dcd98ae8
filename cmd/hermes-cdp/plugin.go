package main

import "github.com/spf13/cobra"

func (a *app) pluginCommand() *cobra.Command {
	return group("plugin", "Look at, check and pack plugins",
		a.pluginListCommand(), a.pluginInspectCommand(), a.pluginCheckCommand(), a.pluginPackCommand())
}
