package main

import (
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/config"
)

type configJSON struct {
	File   string         `json:"file,omitempty"`
	DotEnv string         `json:"dotenv,omitempty"`
	Values []config.Value `json:"values"`
}

func (a *app) configShowCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show",
		Short: "Print every key with its value and where it comes from, without secrets",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, report, err := a.load()
			if err != nil {
				return err
			}
			if a.json {
				return a.writeJSON(configJSON{File: report.File, DotEnv: report.DotEnvFile, Values: report.Values})
			}
			rows := [][]string{{"KEY", "VALUE", "ORIGIN"}}
			for _, v := range report.Values {
				rows = append(rows, []string{v.Key, v.Text(), v.Origin.String()})
			}
			return a.writeTable(rows)
		},
	}
}
