package plugincmd

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/scaffold"
)

func (a app) upgradeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "upgrade-sdk [DIR]",
		Short: "Bring what a plugin's directory has of the ABI to the version of this command: the SDK beside Go sources, or the generated file",
		Long: "Bring what a plugin's directory has of the ABI to the version of this command: the copy of the SDK beside Go sources, or the\n" +
			"file that plugin generate writes. Your own files stay as they are. Build and test afterwards.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			done, err := scaffold.Upgrade(cmd.Context(), folder(args))
			if err != nil {
				return err
			}
			return a.Write(done, fmt.Sprintf("%s: %d files changed", done.Dir, len(done.Changed)))
		},
	}
}
