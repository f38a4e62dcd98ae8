package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) dialogArmCommand() *cobra.Command {
	var task string
	var answer host.ArmedAnswer
	var text string
	cmd := &cobra.Command{
		Use:       "arm accept|dismiss",
		Short:     "Answer the next dialog before it opens, once, unless the policy's verdict is final",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"accept", "dismiss"},
		RunE: func(cmd *cobra.Command, args []string) error {
			answer.Accept = args[0] == "accept"
			if cmd.Flags().Changed("text") {
				if !answer.Accept {
					return usageError{fmt.Errorf("--text is for accept: a prompt that is dismissed returns nothing")}
				}
				answer.PromptText = &text
			}
			return a.withDaemon(func(api control.API) error {
				armed, err := api.ArmDialog(cmd.Context(), task, answer)
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(armed)
				}
				return a.writeLines([]string{armedLine(armed)})
			})
		},
	}
	cmd.Flags().StringVar(&text, "text", "", "`TEXT` that a prompt returns (default: the page's own)")
	cmd.Flags().DurationVar(&answer.Expires, "expires", time.Minute, "how long the answer waits, as `90s`")
	cmd.Flags().StringVar(&answer.Type, "type", "", "only for a dialog of this `TYPE`: alert, confirm, prompt or beforeunload")
	cmd.Flags().StringVar(&task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
	return cmd
}

type disarmedJSON struct {
	Disarmed *host.ArmedAnswer `json:"disarmed"` // null: nothing was armed
}

func (a *app) dialogDisarmCommand() *cobra.Command {
	var task string
	cmd := &cobra.Command{
		Use:   "disarm",
		Short: "Take an armed answer back",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDaemon(func(api control.API) error {
				was, err := api.DisarmDialog(cmd.Context(), task)
				if err != nil {
					return err
				}
				switch {
				case a.json:
					return a.writeJSON(disarmedJSON{was})
				case was == nil:
					return a.writeLines([]string{"nothing was armed"})
				}
				return a.writeLines([]string{"taken back, was " + armedLine(*was)})
			})
		},
	}
	cmd.Flags().StringVar(&task, "task", "", "`NAME` of the task (default: the only one, else \"default\")")
	return cmd
}
