package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/standalone"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

func (a *app) mcpCommand() *cobra.Command {
	var r control.ConnectRequest
	var toolsets []string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the browser's tools to an agent over MCP, on standard input and output, until the agent leaves",
		Long: "Offer the browser's tools to an agent over MCP, on standard input and output, until the agent leaves. The log is on\n" +
			"standard error.\n\n" +
			"The first call that needs a browser starts one, or takes the one at browser.cdp_url. With --connect it must be there\n" +
			"from the beginning. hermes-cdp run offers the same over HTTP, at /mcp.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, report, err := a.Load()
			if err != nil {
				return err
			}
			return standalone.ServeMCP(cmd.Context(), a.Standalone(cfg, report), r, toolsets, os.Stdin, a.Stdout)
		},
	}
	cmd.Flags().StringSliceVar(&toolsets, "toolsets", nil, "`NAMES` of toolsets, with commas, in place of the configured ones")
	cmd.Flags().StringVar(&r.Address, "connect", "", "work on the browser at this `ADDRESS`")
	cmd.Flags().BoolVar(&r.Launch, "launch", false, "start a browser, whatever is configured")
	cmd.MarkFlagsMutuallyExclusive("connect", "launch")
	addScopeFlags(cmd, &r)
	return cmd
}
