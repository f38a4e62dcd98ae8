package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

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
