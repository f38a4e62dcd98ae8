package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance/remote"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/bindings"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func (a *app) abiCommand() *cobra.Command {
	return cli.Group("abi", "Show the contract between host and plugins, and hold hosts to it",
		a.abiProtoCommand(), a.abiKitCommand(), a.abiConformanceCommand(), a.abiHostCommand())
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

func (a *app) abiKitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kit DIR",
		Short: "Write the conformance kit into a directory that is not there yet: the cases for hosts and plugins, and how to read them",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.Mkdir(args[0], 0o755); err != nil {
				return err
			}
			if err := os.CopyFS(args[0], conformance.Files()); err != nil {
				return err
			}
			return a.WriteLines("wrote the conformance kit into " + cli.OneLine(args[0]) + "; begin with its README.md")
		},
	}
}

// conformanceJSON is the result of abi conformance.
type conformanceJSON struct {
	OK       bool                  `json:"ok"`
	Cases    int                   `json:"cases"`
	Findings []conformance.Finding `json:"findings"`
}

func (a *app) abiConformanceCommand() *cobra.Command {
	var command string
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "conformance --host COMMAND [FILE]",
		Short: "Put another host, or a module on it, through the cases of the ABI",
		Long: "Put another host through the conformance kit, in whatever language it is written; with FILE, put that module on this host\n" +
			"through the cases for plugins. COMMAND starts a program that loads and calls modules as it is asked on its standard input,\n" +
			"one JSON object a line (docs/abi.md). hermes-cdp abi host is such a program.",
		Example: "  hermes-cdp abi conformance --host 'node host.mjs'\n  hermes-cdp abi conformance --host 'hermes-cdp abi host' policy.wasm",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if command == "" {
				return errors.New("--host is missing: the command that starts the host")
			}
			host := remote.New(remote.Options{Command: []string{"sh", "-c", command}, Timeout: timeout, Stderr: a.Stderr})
			defer func() { err = errors.Join(err, host.Close()) }()
			result, err := conform(cmd.Context(), host, args)
			if err != nil {
				return err
			}
			return a.writeConformance(result)
		},
	}
	cmd.Flags().StringVar(&command, "host", "", "start the host with this shell `COMMAND`")
	cmd.Flags().DurationVar(&timeout, "timeout", 2*time.Minute, "how long it may take to answer one request: `TIME`")
	return cmd
}

// conform puts a host through the cases for hosts, or a module on it through those for plugins.
func conform(ctx context.Context, host conformance.Host, files []string) (conformanceJSON, error) {
	result := conformanceJSON{Findings: []conformance.Finding{}}
	if len(files) == 0 {
		list, err := conformance.HostFiles()
		if err != nil {
			return result, err
		}
		for _, file := range list {
			result.Cases += len(file.Cases)
		}
		result.Findings = append(result.Findings, conformance.CheckHost(ctx, host)...)
	} else {
		wasm, err := os.ReadFile(files[0])
		if err != nil {
			return result, err
		}
		list, err := conformance.GuestFiles()
		if err != nil {
			return result, err
		}
		for _, file := range list {
			result.Cases += len(file.Cases)
		}
		result.Findings = append(result.Findings, conformance.CheckGuest(ctx, host, wasm)...)
	}
	result.OK = true
	for _, f := range result.Findings {
		result.OK = result.OK && f.Level == conformance.Should
	}
	return result, nil
}

func (a *app) writeConformance(result conformanceJSON) error {
	lines := make([]string, 0, len(result.Findings)+1)
	for _, f := range result.Findings {
		lines = append(lines, cli.OneLine(f.String()))
	}
	lines = append(lines, fmt.Sprintf("%d cases, %d findings", result.Cases, len(result.Findings)))
	if err := a.Write(result, lines...); err != nil {
		return err
	}
	if !result.OK {
		return errors.New("it does not conform to version 1 of the ABI; each finding names the rule (docs/abi.md)")
	}
	return nil
}

func (a *app) abiHostCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "host",
		Short: "Serve this host for abi conformance, on standard input and output",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return remote.Serve(cmd.Context(), module.Conformance(module.Options{}), a.Stdin, a.Stdout)
		},
	}
}
