package main

import (
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) dialogAnswerCommand(verb, short string, accept bool) *cobra.Command {
	var on onTask
	var text string
	cmd := &cobra.Command{
		Use:   verb + " [ID]",
		Short: short + ": the one of this id, else the only pending one",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			answer := control.DialogAnswer{Accept: accept}
			if len(args) == 1 {
				answer.DialogID = args[0]
			}
			if accept && cmd.Flags().Changed("text") {
				answer.PromptText = &text
			}
			return a.withTask(cmd.Context(), on, func(api control.API) error {
				d, err := api.RespondDialog(cmd.Context(), on.task, answer)
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(d)
				}
				return a.writeLines([]string{dialogLine(d)})
			})
		},
	}
	if accept {
		cmd.Flags().StringVar(&text, "text", "", "`TEXT` that a prompt returns (default: the page's own)")
	}
	on.addFlags(cmd)
	return cmd
}
