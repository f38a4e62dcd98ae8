package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func (a *app) pluginCheckCommand() *cobra.Command {
	var name, configJSON string
	cmd := &cobra.Command{
		Use:   "check FILE|DIR",
		Short: "Take a module through every step of loading, and each of its hooks through the cases of the ABI",
		Long: "Take a module through every step of loading, and each of its hooks through the cases of the ABI.\n\n" +
			"It runs with the limits and the configuration of plugins.NAME, where NAME is its manifest's name unless --name\n" +
			"is given; so --set plugins.NAME.config.KEY=VALUE works. --config-json replaces that configuration.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := candidate.ParseSettings(configJSON)
			if err != nil {
				return usageError{fmt.Errorf("--config-json: %w", err)}
			}
			path, err := candidate.Locate(args[0])
			if err != nil {
				return err
			}
			cfg, _, err := a.load()
			if err != nil {
				return err
			}
			wasm, options, err := candidate.Read(path, name, settings, cfg)
			if err != nil {
				return err
			}
			report, err := module.CheckFully(cmd.Context(), wasm, options)
			if err != nil {
				return err
			}
			if err := a.writeCheckReport(report); err != nil {
				return err
			}
			if !report.OK {
				return fmt.Errorf("%s did not pass", path)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "`NAME` of the plugin in the configuration")
	cmd.Flags().StringVar(&configJSON, "config-json", "", "the module's configuration as a JSON `OBJECT`")
	return cmd
}

func (a *app) writeCheckReport(report module.CheckReport) error {
	if a.json {
		return a.writeJSON(report)
	}
	rows := make([][]string, len(report.Steps))
	for i, step := range report.Steps {
		rows[i] = []string{string(step.Outcome), step.Name, step.Detail}
	}
	return a.writeTable(rows)
}
