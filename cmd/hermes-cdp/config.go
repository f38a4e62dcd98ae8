package main

import "github.com/spf13/cobra"

func (a *app) configCommand() *cobra.Command {
	return group("config", "Look at the configuration", a.configShowCommand())
}
