package main

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/trial"
)

// goldenTable is where a plugin's folder has its table.
const goldenTable = "testdata/golden.json"

func (a *app) pluginTestCommand() *cobra.Command {
	var table, file string
	cmd := &cobra.Command{
		Use:   "test [DIR]",
		Short: "Run the golden table of a plugin's folder on the module that was built from it",
		Long: "Run the golden table of a plugin's folder (" + goldenTable + ") on the module that plugin build made of it.\n\n" +
			"A case has a configuration and an event, and one of verdict, abstain, error and init_error.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := folder(args)
			path, err := candidate.Locate(cmp.Or(file, dir))
			if err != nil {
				return err
			}
			cfg, _, err := a.load()
			if err != nil {
				return err
			}
			wasm, options, err := candidate.Read(path, "", nil, cfg)
			if err != nil {
				return err
			}
			options.Limits.InitTimeout, options.Limits.HookTimeout = 0, 0 // what is right does not depend on how busy a machine is
			report, err := trial.Golden(cmd.Context(), wasm, options, cmp.Or(table, filepath.Join(dir, filepath.FromSlash(goldenTable))))
			if err != nil {
				return err
			}
			return a.writeGolden(path, report)
		},
	}
	cmd.Flags().StringVar(&table, "table", "", "the golden table (default "+goldenTable+" in DIR; a `FILE`)")
	cmd.Flags().StringVar(&file, "module", "", "the module (default NAME.wasm in DIR; a `FILE`)")
	return cmd
}

func (a *app) writeGolden(path string, report trial.GoldenReport) error {
	failed := 0
	rows := make([][]string, 0, len(report.Cases))
	for _, c := range report.Cases {
		outcome := "ok"
		if !c.OK {
			outcome = "FAILED"
			failed++
		}
		rows = append(rows, []string{outcome, c.Name, c.Detail})
	}
	var err error
	if a.json {
		err = a.writeJSON(report)
	} else {
		err = a.writeTable(rows)
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%s: %d of %d cases failed", path, failed, len(report.Cases))
	}
	return err
}
