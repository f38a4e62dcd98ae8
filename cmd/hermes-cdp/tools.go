package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/standalone"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
)

func (a *app) toolsCommand() *cobra.Command {
	cmd := cli.Group("tools", "Choose the tools that agents get, and describe them",
		a.toolsListCommand(), a.toolsEnableCommand(), a.toolsDisableCommand(), a.toolsSchemaCommand(), a.toolsCallCommand())
	cmd.Long = "Choose the tools that agents get: alone in a terminal, on a screen whose choice is written to the configuration file,\n" +
		"else as tools list. With TERM=dumb or ACCESSIBLE=1 it asks line by line; NO_COLOR is honoured."
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return a.pickTools(cmd) }
	cmd.Annotations = map[string]string{cli.Alone: "Choose the tools of agents on a screen, in a terminal; elsewhere as tools list"}
	return cmd
}

// viewFlags choose for whom tools are listed.
func viewFlags(cmd *cobra.Command, v *agent.View) {
	cmd.Flags().StringSliceVar(&v.Toolsets, "toolsets", nil, "`NAMES` of toolsets, in place of those of the configuration")
	cmd.Flags().StringVar(&v.Client, "client", "", "`NAME` of a client, which may have toolsets of its own")
}

type toolsListJSON struct {
	Toolsets []string        `json:"toolsets"`
	Tools    []agent.Listing `json:"tools"`
	// MCPServers are those of the configuration, as far as they have started.
	MCPServers []upstream.Status `json:"mcp_servers,omitempty"`
}

func (a *app) toolsListCommand() *cobra.Command {
	var view agent.View
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List all tools, which of them agents get, and the toolsets that have them",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.listTools(cmd.Context(), view)
		},
	}
	viewFlags(cmd, &view)
	return cmd
}

func (a *app) listTools(ctx context.Context, view agent.View) error {
	cfg, report, err := a.Load()
	if err != nil {
		return err
	}
	return standalone.WithTools(ctx, a.Standalone(cfg, report), func(r *agent.Registry, servers *upstream.Servers) error {
		if err := r.CheckToolsets(view.Toolsets); err != nil {
			return err
		}
		list := r.List(view)
		if a.JSON {
			return a.WriteJSON(toolsListJSON{Toolsets: r.Toolsets(), Tools: list, MCPServers: servers.Status()})
		}
		if err := a.WriteTable(listingRows(list)); err != nil || len(cfg.MCPServers) == 0 {
			return err
		}
		return a.WriteTable(append([][]string{{}}, serverRows(servers.Status())...))
	})
}

func listingRows(list []agent.Listing) [][]string {
	rows := [][]string{{"TOOL", "STATE", "TOOLSETS", "DESCRIPTION"}}
	for _, t := range list {
		state := "off"
		switch {
		case t.On:
			state = "on"
		case t.Disabled:
			state = "disabled"
		}
		rows = append(rows, []string{t.Name, state, strings.Join(t.Toolsets, ","), t.Description})
	}
	return rows
}

func (a *app) toolsSchemaCommand() *cobra.Command {
	var view agent.View
	var format string
	cmd := &cobra.Command{
		Use:   "schema [TOOL...]",
		Short: "Print the tools that agents get as a model's interface takes them, in JSON",
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, report, err := a.Load()
			if err != nil {
				return err
			}
			return standalone.WithTools(cmd.Context(), a.Standalone(cfg, report), func(r *agent.Registry, _ *upstream.Servers) error {
				if len(args) > 0 { // a single tool is a toolset of itself
					view.Toolsets = args
				}
				if err := r.CheckToolsets(view.Toolsets); err != nil {
					return err
				}
				exported, err := agent.Export(format, r.Tools(view))
				if err != nil {
					return err
				}
				return a.WriteJSON(exported)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", agent.FormatMCP, "`FORMAT`: "+strings.Join(agent.Formats(), ", "))
	viewFlags(cmd, &view)
	return cmd
}

type skillJSON struct {
	Skill string `json:"skill"`
}

func (a *app) skillCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "skill",
		Short: "Print a page that teaches a model to use the tools well, as a SKILL.md",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.Write(skillJSON{agent.Skill}, strings.TrimSpace(agent.Skill))
		},
	}
}
