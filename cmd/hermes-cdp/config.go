package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

func (a *app) configCommand() *cobra.Command {
	return cli.Group("config", "Look at the configuration", a.configShowCommand(), a.configSchemaCommand())
}

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
			_, report, err := a.Load()
			if err != nil {
				return err
			}
			rows := [][]string{{"KEY", "VALUE", "ORIGIN"}}
			for _, v := range report.Values {
				rows = append(rows, []string{v.Key, v.Text(), v.Origin.String()})
			}
			return a.WriteRows(configJSON{File: report.File, DotEnv: report.DotEnvFile, Values: report.Values}, rows)
		},
	}
}

func (a *app) configSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print a JSON Schema of the configuration file, for editors",
		Long: "Print a JSON Schema of the configuration file. With it, editors complete keys, say what they mean and mark errors. A file\n" +
			"names it in its first line:\n\n" +
			"    # yaml-language-server: $schema=config.schema.json",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.WriteLines(strings.TrimSpace(config.JSONSchema())) },
	}
}
