package main

import "github.com/spf13/cobra"

func (a *app) dialogCommand() *cobra.Command {
	return group("dialog", "List, answer and explain dialogs",
		a.dialogListCommand(), a.dialogAnswerCommand("accept", "Accept a dialog", true), a.dialogAnswerCommand("dismiss", "Dismiss a dialog", false),
		a.dialogArmCommand(), a.dialogDisarmCommand(), a.dialogExplainCommand())
}
