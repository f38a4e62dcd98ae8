package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/scaffold"
)

func (a *app) pluginNewCommand() *cobra.Command {
	var o scaffold.Options
	var hook, language string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write the directory of a new plugin, which builds, tests and runs at once",
		Long: "Write the directory of a new plugin: sources, manifest, golden table, and for Go the SDK beside them, so that it builds\n" +
			"without a network. AssemblyScript needs npm install once. A directory that exists is not touched.",
		Example: "  hermes-cdp plugin new my-policy\n  hermes-cdp plugin new gate --hook navigate --lang c --dir plugins/gate",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.Name, o.Hook, o.Language = args[0], scaffold.Hook(hook), scaffold.Language(language)
			written, err := scaffold.Write(o)
			var option *scaffold.OptionError
			if errors.As(err, &option) {
				return usageError{err}
			}
			if err != nil {
				return err
			}
			return a.writeNew(written)
		},
	}
	cmd.Flags().StringVar(&hook, "hook", string(scaffold.HookDialog), "what it decides on: dialog, frames, bridge, navigate or tool (a `HOOK`)")
	cmd.Flags().StringVar(&language, "lang", string(scaffold.LanguageTinyGo), "`LANGUAGE`: tinygo, go, assemblyscript or c")
	cmd.Flags().StringVar(&o.Dir, "dir", "", "the directory to make (default NAME, here; a `DIR`)")
	return cmd
}

func (a *app) writeNew(written scaffold.Written) error {
	var lines []string
	for _, file := range written.Files {
		lines = append(lines, written.Dir+"/"+file)
	}
	return a.write(written, append(lines, "next: cd "+written.Dir+" && hermes-cdp plugin build && hermes-cdp plugin test")...)
}
