package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// OutlineDifference is a difference between the files of two modules.
type OutlineDifference struct {
	What   string `json:"what"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Outlines compares two modules without running them: size, hooks, imports, capabilities, memory and manifest.
func Outlines(before, after Module) ([]OutlineDifference, error) {
	a, err := module.Inspect(before.Wasm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", before.Name, err)
	}
	b, err := module.Inspect(after.Wasm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", after.Name, err)
	}
	list := []OutlineDifference{}
	rows, others := outline(a), outline(b)
	for i := range rows {
		if rows[i].text != others[i].text {
			list = append(list, OutlineDifference{rows[i].what, rows[i].text, others[i].text})
		}
	}
	return list, nil
}

type row struct{ what, text string }

// outline has the same rows for every module.
func outline(r module.Report) []row {
	var hooks, imports []string
	for _, h := range r.Hooks {
		hooks = append(hooks, string(h))
	}
	for _, i := range r.Imports {
		imports = append(imports, i.Module+"."+i.Name)
	}
	rows := []row{
		{"sha256", r.SHA256},
		{"size", fmt.Sprintf("%d bytes", r.Bytes)},
		{"hooks", sorted(hooks)},
		{"imports", sorted(imports)},
		{"memory", memory(r.Memory)},
	}
	m := r.Manifest
	if m == nil {
		m = new(module.Manifest)
	}
	return append(rows,
		row{"name", m.Name}, row{"version", m.Version}, row{"description", m.Description},
		row{"capabilities", sorted(m.Capabilities)}, row{"config schema", m.ConfigSchema},
		row{"fuel", fmt.Sprint(m.Fuel)}, row{"optional imports", sorted(m.OptionalImports)})
}

func sorted(list []string) string {
	return cmp.Or(strings.Join(slices.Sorted(slices.Values(list)), ", "), "none")
}

func memory(m *module.Memory) string {
	switch {
	case m == nil:
		return "none"
	case m.MaxBytes == 0:
		return fmt.Sprintf("from %d bytes", m.MinBytes)
	}
	return fmt.Sprintf("%d to %d bytes", m.MinBytes, m.MaxBytes)
}
