package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/pack"
)

func (a *app) pluginPackCommand() *cobra.Command {
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
			if a.json {
				return a.writeJSON(packed)
			}
			_, err = fmt.Fprintf(a.stdout, "%s: %s %s, %d bytes, sha256 %s\n", packed.File, packed.Name, packed.Version, packed.Bytes, packed.SHA256)
			return err
		},
	}
	cmd.Flags().StringVar(&manifestFile, "manifest", "", "the `MANIFEST`, a JSON file")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to `OUT` instead of changing FILE")
	if err := cmd.MarkFlagRequired("manifest"); err != nil {
		panic(err) // only if the flag above had another name
	}
	return cmd
}
