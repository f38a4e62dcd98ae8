package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolargs"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func (a *app) browserCommand() *cobra.Command {
	tools := agent.Builtins()
	commands := make([]*cobra.Command, len(tools))
	for i, tool := range tools {
		commands[i] = a.browserToolCommand(tool)
	}
	cmd := cli.Group("browser", "Read and work pages with the tools that agents have", commands...)
	cmd.Long = "Read and work pages with the tools that agents have: each tool is a command, and each of its parameters a flag.\n\n" +
		"An ELEMENT is a ref of hermes-cdp browser snapshot (e5), or a CSS selector. The first call starts the task, on the browser\n" +
		"that the daemon began with or the configured one. When a dialog opens meanwhile the exit code is 3: answer it, then\n" +
		"hermes-cdp browser resume CALL_ID gives the result. Ctrl-C ends the call in the page.\n\n" +
		"hermes-cdp tools call calls tools of plugins and of others by their names."
	return cmd
}

// browserToolCommand makes a command of a tool's own schema.
func (a *app) browserToolCommand(tool agent.Tool) *cobra.Command {
	line, err := toolargs.NewLine(tool)
	if err != nil {
		panic(err) // it is of this program, and every test would meet it
	}
	var o callOptions
	cmd := &cobra.Command{
		Use:   line.Use(),
		Short: strings.TrimSuffix(tool.Description, "."),
		Long:  line.About(),
		Args:  line.Check,
		RunE: func(cmd *cobra.Command, args []string) error {
			arguments, err := line.Arguments(a.Stdin, args)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			return a.callTool(cmd.Context(), o, tool.Name, arguments)
		},
	}
	line.AddFlags(cmd.Flags())
	o.addFlags(cmd, line.Pictures())
	a.completeTool(cmd, line)
	return cmd
}
