package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/host/catalog"
	"github.com/hermes-cdp/hermes-cdp/host/config"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// inspectLimits bounds the file only against reading something that is no module at all.
var inspectLimits = config.Limits{ModuleMB: 1024}

func (a *app) pluginInspectCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "inspect FILE|DIR",
		Short: "Show what a module is, without running it",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := candidate.Locate(args[0])
			if err != nil {
				return err
			}
			wasm, err := catalog.ReadFile(path, inspectLimits)
			if err != nil {
				return err
			}
			report, err := module.Inspect(wasm)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			if a.json {
				return a.writeJSON(report)
			}
			return a.writeTable(inspectRows(report))
		},
	}
}

func inspectRows(r module.Report) [][]string {
	rows := powerRows(r.Powers)
	rows = append(rows, [][]string{
		{"sha256", r.SHA256},
		{"size", fmt.Sprintf("%d bytes", r.Bytes)},
		{"ABI", map[bool]string{true: "1", false: "none: the marker export is missing"}[r.ABI]},
		{"hooks", joinHooks(r.Hooks)},
		{"functions", fmt.Sprint(r.Functions)},
	}...)
	if m := r.Manifest; m != nil {
		rows = append(rows,
			[]string{"name", m.Name},
			[]string{"version", m.Version},
			[]string{"description", cmp.Or(m.Description, "-")},
			[]string{"capabilities", cmp.Or(strings.Join(m.Capabilities, ","), "-")},
			[]string{"config schema", cmp.Or(m.ConfigSchema, "-")})
		if len(m.OptionalImports) > 0 {
			rows = append(rows, []string{"optional imports", strings.Join(m.OptionalImports, ",")})
		}
		for _, t := range m.Tools {
			rows = append(rows, []string{"tool", t.Name + ": " + t.Description})
		}
	} else {
		rows = append(rows, []string{"manifest", "none; hermes-cdp plugin pack adds one"})
	}
	if m := r.Memory; m != nil {
		rows = append(rows, []string{"memory", memoryText(*m)})
	}
	for _, i := range r.Imports {
		rows = append(rows, []string{"import", i.Module + "." + i.Name + " " + cmp.Or(i.Signature, i.Kind)})
	}
	for _, e := range r.Exports {
		rows = append(rows, []string{"export", e.Name + " " + cmp.Or(e.Signature, e.Kind)})
	}
	for _, s := range r.Sections {
		rows = append(rows, []string{"section", fmt.Sprintf("%s, %d bytes at %d", s.Name, s.Bytes, s.Offset)})
	}
	return rows
}

// powerRows come first: they are what an operator has to agree to.
func powerRows(powers []module.Power) [][]string {
	if len(powers) == 0 {
		return [][]string{{"powers", "none over pages"}}
	}
	var rows [][]string
	for _, p := range powers {
		rows = append(rows, []string{"power", string(p) + ": " + p.Meaning()})
	}
	return rows
}

func memoryText(m module.Memory) string {
	if m.MaxBytes == 0 {
		return fmt.Sprintf("from %d bytes, no maximum of its own", m.MinBytes)
	}
	return fmt.Sprintf("from %d to %d bytes", m.MinBytes, m.MaxBytes)
}
