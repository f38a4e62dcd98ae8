package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

type pluginHistoryJSON struct {
	Plugin      string                  `json:"plugin"`
	Generations []host.PluginGeneration `json:"generations"` // newest first
}

func (a *app) pluginHistoryCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "history NAME",
		Short: "List the modules that served under a name, and those that were refused, newest first",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDaemon(func(api control.API) error {
				list, err := api.PluginHistory(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.writeJSON(pluginHistoryJSON{Plugin: args[0], Generations: list})
				}
				return a.writeTable(historyRows(list))
			})
		},
	}
}

func historyRows(list []host.PluginGeneration) [][]string {
	rows := [][]string{{"GENERATION", "STATE", "SINCE", "SHA256", "CONFIG", "VERSION", "TRIGGER", "CALLS", "FAULTS", "REPLAYED", "OTHERWISE", "SOURCE", "REMARK"}}
	for _, g := range list {
		rows = append(rows, []string{
			fmt.Sprint(g.Number), g.State, moment(g.Since), cmp.Or(short(g.SHA256), "-"), cmp.Or(short(g.ConfigHash), "-"), cmp.Or(g.Version, "-"),
			g.Trigger, fmt.Sprint(g.Calls), fmt.Sprint(g.Faults), fmt.Sprint(g.Replayed), fmt.Sprint(g.Differences), cmp.Or(g.Source, "-"),
			cmp.Or(g.Error, g.Reason),
		})
	}
	return rows
}
