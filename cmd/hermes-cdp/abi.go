package main

import (
	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/bindings"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
)

func (a *app) abiCommand() *cobra.Command {
	return cli.Group("abi", "Show the contract between host and plugins", a.abiProtoCommand())
}

func (a *app) abiProtoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "proto",
		Short: "Show hermes.proto, the schema of all messages between host and plugins",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := a.Stdout.Write(bindings.Schema())
			return err
		},
	}
}
