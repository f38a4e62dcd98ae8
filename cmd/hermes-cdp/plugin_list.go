package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/catalog"
)

type pluginListJSON struct {
	Plugins []catalog.Entry `json:"plugins"`
}

func (a *app) pluginListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the shipped and the configured plugins",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			cfg, _, err := a.load()
			if err != nil {
				return err
			}
			entries := catalog.List(cfg, a.shipped)
			if a.json {
				return a.writeJSON(pluginListJSON{Plugins: entries})
			}
			rows := [][]string{{"NAME", "VERSION", "SOURCE", "SHA256", "HOOKS"}}
			for _, e := range entries {
				rows = append(rows, pluginRow(e))
			}
			return a.writeTable(rows)
		},
	}
}

func pluginRow(e catalog.Entry) []string {
	hooks := joinHooks(e.Hooks)
	if e.Problem != "" {
		hooks = "problem: " + e.Problem
	}
	return []string{e.Name, cmp.Or(e.Version, "-"), cmp.Or(e.Path, string(e.Source)), cmp.Or(short(e.SHA256), "-"), hooks}
}

// short is enough of a digest to tell modules apart in a table; --json has all of it.
func short(digest string) string { return digest[:min(12, len(digest))] }

func joinHooks(hooks []abi.Hook) string {
	texts := make([]string, len(hooks))
	for i, hook := range hooks {
		texts[i] = string(hook)
	}
	return cmp.Or(strings.Join(texts, ","), "-")
}
