package main

import (
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/demo"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
)

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show the main job on a real browser, on pages that the program serves itself",
		Long: "Show the main job on a real browser, on pages that the program serves itself: what the supervisor sees, which module\n" +
			"decides what, and what the page gets back. Installs Chromium from the distribution's packages if there is no browser\n" +
			"and this user may.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, report, err := a.Load()
			if err != nil {
				return err
			}
			return demo.Run(cmd.Context(), demo.Options{
				Out: a.Stdout, Progress: a.Stderr, JSON: a.JSON,
				Host: *options.Host(cfg, report, a.QuietLogger(cfg, report)), Launch: options.Launch(cfg.Browser), Task: options.Task(cfg, report),
			})
		},
	}
}
