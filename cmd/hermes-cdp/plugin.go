package main

import "github.com/spf13/cobra"

func (a *app) pluginCommand() *cobra.Command {
	return group("plugin", "Write, build, try, look at and swap plugins",
		a.pluginNewCommand(), a.pluginBuildCommand(), a.pluginTestCommand(), a.pluginRunCommand(), a.pluginBenchCommand(),
		a.pluginListCommand(), a.pluginToolsCommand(), a.pluginCallCommand(), a.pluginInspectCommand(), a.pluginCheckCommand(), a.pluginPackCommand(),
		a.pluginSwapCommand(), a.pluginRollbackCommand(), a.pluginHistoryCommand(),
		a.pluginShadowCommand(), a.pluginPromoteCommand(), a.pluginDropCommand(),
		a.pluginJournalCommand(), a.pluginReplayCommand(), a.pluginDiffCommand(), a.pluginRecordCommand())
}
