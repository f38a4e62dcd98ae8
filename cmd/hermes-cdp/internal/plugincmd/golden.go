package plugincmd

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/incident"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/trial"
)

func (a app) testCommand() *cobra.Command {
	var table, file string
	cmd := &cobra.Command{
		Use:   "test [DIR]",
		Short: "Run the golden table of a plugin's directory on the module that was built from it",
		Long: "Run the golden table of a plugin's directory (" + incident.Table + ") on the module that plugin build made of it.\n\n" +
			"A case has a configuration and an event, and one of verdict, abstain, error and init_error. If it has a document, that is\n" +
			"opened in a browser, where the tool's page script must return the event's page.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := folder(args)
			return a.golden(cmd.Context(), cmp.Or(file, dir), cmp.Or(table, filepath.Join(dir, filepath.FromSlash(incident.Table))))
		},
	}
	cmd.Flags().StringVar(&table, "table", "", "the golden table (default "+incident.Table+" in DIR; a `FILE`)")
	cmd.Flags().StringVar(&file, "module", "", "the module (default NAME.wasm in DIR; a `FILE`)")
	return cmd
}

// golden runs a table on a module, a file or the directory of a plugin, and shows how it went.
func (a app) golden(ctx context.Context, at, table string) error {
	cfg, _, err := a.Load()
	if err != nil {
		return err
	}
	m, err := a.read(at, "", nil, cfg)
	if err != nil {
		return err
	}
	// What is right does not depend on how busy a machine is.
	m.Options.Limits.InitTimeout, m.Options.Limits.HookTimeout = 0, 0
	launch := options.Launch(cfg.Browser)
	launch.UserDataDir = "" // nothing of a profile
	report, err := trial.Golden(ctx, m.Wasm, m.Options, table, launch)
	if err != nil {
		return err
	}
	return a.writeGolden(m.Path, report)
}

func (a app) writeGolden(path string, report trial.GoldenReport) error {
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
	err := a.WriteRows(report, rows)
	if err == nil && failed > 0 {
		err = fmt.Errorf("%s: %d of %d cases failed", path, failed, len(report.Cases))
	}
	return err
}
