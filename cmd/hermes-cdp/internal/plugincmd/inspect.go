package plugincmd

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
)

func (a app) inspectCommand() *cobra.Command {
	var signed signerFlags
	cmd := &cobra.Command{
		Use:   "inspect FILE|DIR|REFERENCE",
		Short: "Show what a module is, without running it",
		Long: "Show what a module is, without running it. Of one in a registry (oci://HOST/REPOSITORY, with :TAG or @DIGEST), it first shows\n" +
			"the reference for the configuration, the annotations, and what is attached: signatures, lists of components (SBOMs),\n" +
			"statements of provenance. Only signatures are verified, with --public-key\n" +
			"or --sigstore-issuer; a verified statement of provenance of the signer is one.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			by, err := signed.signer()
			if err != nil {
				return err
			}
			if ociref.Is(args[0]) {
				return a.inspectArtifact(cmd.Context(), args[0], by)
			}
			if by.Required() {
				return cli.UsageError{Err: errors.New("signatures are of modules in registries here; verify a file with minisign -V or cosign verify-blob")}
			}
			path, wasm, err := candidate.ReadFile(args[0])
			if err != nil {
				return err
			}
			report, err := module.Inspect(wasm)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			return a.WriteRows(report, inspectRows(report))
		},
	}
	signed.add(cmd)
	return cmd
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
	for _, name := range r.Embedder {
		rows = append(rows, []string{"needs", abi.EmbedderModule + "." + name + ", a function of the program that embeds the host, which has to grant it"})
	}
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
		if len(m.DialogPolicies) > 0 {
			rows = append(rows, []string{"dialog policies", strings.Join(m.DialogPolicies, ",")})
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

func (a app) checkCommand() *cobra.Command {
	var name, configJSON string
	cmd := &cobra.Command{
		Use:   "check FILE|DIR",
		Short: "Take a module through every step of loading, and each of its hooks through the cases of the ABI",
		Long: "Take a module through every step of loading, and each of its hooks through the cases of the ABI.\n\n" +
			"It runs with the limits and the configuration of plugins.NAME, where NAME is its manifest's name unless --name\n" +
			"is given; so --set plugins.NAME.config.KEY=VALUE works. --config-json replaces that configuration.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := candidate.ParseSettings(configJSON)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			cfg, _, err := a.Load()
			if err != nil {
				return err
			}
			m, err := a.read(args[0], name, settings, cfg)
			if err != nil {
				return err
			}
			report, err := module.CheckFully(cmd.Context(), m.Wasm, m.Options)
			if err != nil {
				return err
			}
			if err := a.writeCheckReport(report); err != nil {
				return err
			}
			if !report.OK {
				return fmt.Errorf("%s did not pass", m.Path)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "`NAME` of the plugin in the configuration")
	cmd.Flags().StringVar(&configJSON, "config-json", "", "the module's configuration as a JSON `OBJECT`")
	return cmd
}

func (a app) writeCheckReport(report module.CheckReport) error {
	rows := make([][]string, len(report.Steps))
	for i, step := range report.Steps {
		rows[i] = []string{string(step.Outcome), step.Name, step.Detail}
	}
	return a.WriteRows(report, rows)
}
