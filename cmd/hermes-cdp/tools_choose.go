package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/config"
)

func (a *app) toolsEnableCommand() *cobra.Command {
	return a.chooseCommand("enable", "Give agents tools or toolsets, by writing the configuration file", choice.enable)
}

func (a *app) toolsDisableCommand() *cobra.Command {
	return a.chooseCommand("disable", "Take tools or toolsets from agents, by writing the configuration file", choice.disable)
}

// choice is what the configuration file says of tools.
type choice struct {
	Toolsets []string `json:"toolsets"`
	Disabled []string `json:"disabled_tools"`
}

func (a *app) chooseCommand(verb, short string, change func(choice, *agent.Registry, string) (choice, error)) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " NAME...",
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, report, err := a.load()
			if err != nil {
				return err
			}
			file, err := a.writableFile(report)
			if err != nil {
				return err
			}
			chosen := choice{cfg.Toolsets, cfg.DisabledTools}
			err = a.withTools(cmd.Context(), cfg, report, func(r *agent.Registry) error {
				for _, name := range args {
					if err := r.CheckToolsets([]string{name}); err != nil {
						return usageError{err}
					}
					if chosen, err = change(chosen, r, name); err != nil {
						return usageError{err}
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			return a.writeChoice(file, chosen)
		},
	}
}

// writableFile is the file to write, unless a stronger layer has the keys: what is written would then change nothing.
func (a *app) writableFile(report *config.Report) (string, error) {
	for _, v := range report.Values {
		if v.Key != "toolsets" && v.Key != "disabled_tools" {
			continue
		}
		if v.Origin.Layer != config.LayerDefault && v.Origin.Layer != config.LayerFile {
			return "", usageError{fmt.Errorf("%s is set by %s, which is stronger than the file; change it there", v.Key, v.Origin)}
		}
	}
	file := a.configFile
	if file == "" {
		file = config.DefaultFile(a.environ)
	}
	if file == "" {
		return "", usageError{fmt.Errorf("there is no home folder for a configuration file; name one with --config")}
	}
	return file, nil
}

// enable takes a tool off the list of those that are disabled, and adds it, or a toolset, to what is in use unless that has
// it already.
func (c choice) enable(r *agent.Registry, name string) (choice, error) {
	c.Disabled = without(c.Disabled, name)
	if has(r, c.used(), name) {
		return c, nil
	}
	c.Toolsets = append(slices.Clone(c.used()), name)
	return c, nil
}

// disable takes a toolset out of those in use, and puts a tool on the list of those that are disabled.
func (c choice) disable(r *agent.Registry, name string) (choice, error) {
	isTool := slices.ContainsFunc(r.List(agent.View{}), func(t agent.Listing) bool { return t.Name == name })
	switch {
	case isTool && !slices.Contains(c.Disabled, name):
		c.Disabled = append(slices.Clone(c.Disabled), name)
		fallthrough
	case isTool:
		c.Toolsets = without(c.Toolsets, name)
		return c, nil
	case !slices.Contains(c.used(), name):
		return c, fmt.Errorf("the toolset %s is not in use; in use are %s", name, strings.Join(c.used(), ", "))
	case len(c.used()) == 1:
		return c, fmt.Errorf("%s is the only toolset in use, and none would mean the default one; enable another first", name)
	}
	c.Toolsets = without(c.used(), name)
	return c, nil
}

// used are the toolsets in use: one where none is named.
func (c choice) used() []string {
	if len(c.Toolsets) == 0 {
		return []string{"browser"}
	}
	return c.Toolsets
}

// has tells whether toolsets have a tool, or name a toolset.
func has(r *agent.Registry, toolsets []string, name string) bool {
	if slices.Contains(toolsets, name) {
		return true
	}
	for _, t := range r.List(agent.View{Toolsets: toolsets}) {
		if t.Name == name {
			return t.On || t.Disabled && slices.ContainsFunc(t.Toolsets, func(set string) bool { return slices.Contains(toolsets, set) })
		}
	}
	return false
}

func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == name })
}
