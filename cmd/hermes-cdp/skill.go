package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

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
