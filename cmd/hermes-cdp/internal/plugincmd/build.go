package plugincmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/pack"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/scaffold"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

type buildJSON struct {
	Built builder.Built      `json:"built"`
	Check module.CheckReport `json:"check"`
}

func (a app) buildCommand() *cobra.Command {
	var o builder.Options
	var language, command string
	cmd := &cobra.Command{
		Use:   "build [DIR]",
		Short: "Compile a plugin's directory into NAME.wasm, pack its manifest, and check the module",
		Long: "Compile a plugin's directory into NAME.wasm, pack its manifest.json, and check the module as plugin check does.\n\n" +
			"Go sources are compiled by TinyGo where it is found (TINYGO, PATH, .cache/tinygo of this directory or one above), else by\n" +
			"Go; *.c by clang (CC, PATH), what has an asconfig.json by the asc that npm install puts into the directory, what has a\n" +
			"Cargo.toml by cargo (CARGO, PATH), main.zig by zig (ZIG, PATH). For any other language, the key build of manifest.json or\n" +
			"--command has a command that writes the module, which has no manifest yet, to {out}.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Dir, o.Language, o.Environ = folder(args), builder.Language(language), a.Environ
			if command != "" {
				o.Command = []string{"sh", "-c", command}
			}
			_, err := a.build(cmd.Context(), o)
			return err
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "compile as this `LANGUAGE`: "+builder.Words(builder.Languages())+" (default: by the sources)")
	cmd.Flags().StringVar(&command, "command", "", "compile with this shell `COMMAND`, which writes the module to {out}")
	cmd.Flags().StringVarP(&o.Output, "output", "o", "", "write to `OUT` (default NAME.wasm in DIR)")
	cmd.Flags().BoolVar(&o.Debug, "debug", false, "keep the names of functions, for the traces of faults; the module gets larger")
	return cmd
}

// build compiles a directory, checks the module, and shows both.
func (a app) build(ctx context.Context, o builder.Options) (builder.Built, error) {
	built, err := builder.Build(ctx, o)
	var compile *builder.CompileError
	if errors.As(err, &compile) && !a.JSON {
		_, _ = fmt.Fprintln(a.Stderr, compile.Output) // the lines are the compiler's, and read as they are
		return built, fmt.Errorf("%s does not compile the plugin", compile.Compiler)
	}
	if err != nil {
		return built, err
	}
	cfg, _, err := a.Load()
	if err != nil {
		return built, err
	}
	m, err := a.read(built.File, built.Name, nil, cfg)
	if err != nil {
		return built, err
	}
	report, err := module.Check(ctx, m.Wasm, m.Options)
	if err != nil {
		return built, err
	}
	return built, a.writeBuilt(buildJSON{built, report})
}

// directory is the first argument, or the working directory.
func folder(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}

func (a app) writeBuilt(result buildJSON) error {
	if a.JSON {
		if err := a.WriteJSON(result); err != nil {
			return err
		}
	} else if _, err := fmt.Fprintf(a.Stdout, "%s: %s %s by %s, %d bytes, sha256 %s\n", result.Built.File, result.Built.Name,
		result.Built.Version, result.Built.Language, result.Built.Bytes, result.Built.SHA256); err != nil {
		return err
	}
	if result.Check.OK {
		if remark := result.Check.Remark(); remark != "" && !a.JSON {
			_, _ = fmt.Fprintln(a.Stderr, "warning:", remark)
		}
		return nil
	}
	if !a.JSON {
		if err := a.writeCheckReport(result.Check); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s was built and did not pass the check", result.Built.File)
}

func (a app) packCommand() *cobra.Command {
	var manifestFile, out string
	cmd := &cobra.Command{
		Use:   "pack FILE --manifest MANIFEST",
		Short: "Write a manifest into a module",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			packed, err := pack.Pack(args[0], manifestFile, out)
			if err != nil {
				return err
			}
			return a.Write(packed, fmt.Sprintf("%s: %s %s, %d bytes, sha256 %s", packed.File, packed.Name, packed.Version, packed.Bytes, packed.SHA256))
		},
	}
	cmd.Flags().StringVar(&manifestFile, "manifest", "", "the `MANIFEST`, a JSON file")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to `OUT` instead of changing FILE")
	cli.Require(cmd, "manifest")
	return cmd
}

func (a app) newCommand() *cobra.Command {
	var o scaffold.Options
	var hook, language string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write the directory of a new plugin, which builds, tests and runs at once",
		Long: "Write the directory of a new plugin: sources, manifest, golden table, and for Go the SDK beside them, so that it builds\n" +
			"without a network. AssemblyScript needs npm install once. A directory that exists is not touched.",
		Example: "  hermes-cdp plugin new my-policy\n  hermes-cdp plugin new gate --hook navigate --lang c --dir plugins/gate",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Name, o.Hook, o.Language = args[0], scaffold.Hook(hook), builder.Language(language)
			written, err := scaffold.Write(cmd.Context(), o)
			var option *scaffold.OptionError
			if errors.As(err, &option) {
				return cli.UsageError{Err: err}
			}
			if err != nil {
				return err
			}
			return a.writeNew(written)
		},
	}
	cmd.Flags().StringVar(&hook, "hook", string(scaffold.HookDialog), "what it decides on, a `HOOK`: "+builder.Words(scaffold.Hooks()))
	cmd.Flags().StringVar(&language, "lang", string(builder.TinyGo), "`LANGUAGE`: "+builder.Words(builder.Languages()))
	cmd.Flags().StringVar(&o.Dir, "dir", "", "the directory to make (default NAME, here; a `DIR`)")
	return cmd
}

func (a app) writeNew(written scaffold.Written) error {
	var lines []string
	for _, file := range written.Files {
		lines = append(lines, written.Dir+"/"+file)
	}
	return a.Write(written, append(lines, "next: cd "+written.Dir+" && hermes-cdp plugin build && hermes-cdp plugin test")...)
}
