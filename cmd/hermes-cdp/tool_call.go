package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolargs"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolresult"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
	"github.com/hermes-cdp/hermes-cdp/host/server/httpapi"
)

// clientName is the name by which the toolsets of this command are configured.
const clientName = "hermes-cli"

// callOptions say for whom a tool is called, and where its pictures go.
type callOptions struct {
	task     string
	toolsets []string
	output   string
	base64   bool
}

func (o *callOptions) addFlags(cmd *cobra.Command, pictures bool) {
	cli.AddTaskFlag(cmd, &o.task)
	cmd.Flags().StringSliceVar(&o.toolsets, "toolsets", nil,
		"`NAMES` of toolsets, with commas, in place of those of "+clientName+" (default: all tools, unless any are configured)")
	if pictures {
		cmd.Flags().StringVarP(&o.output, "output", "o", "", "write the picture to this `FILE`; of several, the others to FILE-2 and so on")
		cmd.Flags().BoolVar(&o.base64, "base64", false, "with --json: pictures in base64, and not as files")
		cmd.MarkFlagsMutuallyExclusive("output", "base64")
	}
}

// view is for whom tools are listed and called. No model pays for the schemas here, so all tools are there unless it is
// configured which are.
func (o callOptions) view(cfg *config.Config) agent.View {
	v := agent.View{Task: o.task, Client: clientName, Toolsets: o.toolsets}
	if len(v.Toolsets) == 0 && len(cfg.Toolsets) == 0 && len(cfg.PlatformToolsets[clientName]) == 0 {
		v.Toolsets = []string{"all"}
	}
	return v
}

func (a *app) toolsCallCommand() *cobra.Command {
	var o callOptions
	var pairs []string
	var file string
	cmd := &cobra.Command{
		Use:   "call NAME [JSON|-]",
		Short: "Call any tool that the daemon has, also of a plugin or of an MCP server",
		Long: "Call any tool that the daemon has, also of a plugin or of an MCP server. Its arguments are a JSON object, - for one on\n" +
			"standard input, and over it what --arg says: texts are taken as they are where the tool's schema wants a text, else as\n" +
			"JSON; an --arg that is repeated makes a list. hermes-cdp browser has a command for each tool of this program.",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			object, err := toolargs.Object(a.Stdin, args[1:], file)
			if err != nil {
				return cli.UsageError{Err: err}
			}
			return a.withTool(cmd.Context(), o, args[0], func(tool agent.Tool) (json.RawMessage, error) {
				return toolargs.AddPairs(tool, object, pairs)
			})
		},
	}
	cmd.Flags().StringArrayVar(&pairs, "arg", nil, "an argument, as `NAME=VALUE`; may be repeated")
	cmd.Flags().StringVarP(&file, "file", "f", "", "take the arguments from the JSON object in this `FILE` (- is standard input)")
	o.addFlags(cmd, true)
	a.completeCall(cmd, &o)
	return cmd
}

// callTool calls a tool of the daemon and shows what it answers.
func (a *app) callTool(ctx context.Context, o callOptions, name string, arguments json.RawMessage) error {
	return a.withAgent(ctx, o, func(c agentCaller) error { return c.call(ctx, name, arguments) })
}

// withTool is callTool with arguments that depend on the tool's schema.
func (a *app) withTool(ctx context.Context, o callOptions, name string, arguments func(agent.Tool) (json.RawMessage, error)) error {
	return a.withAgent(ctx, o, func(c agentCaller) error {
		list, err := c.client.Tools(ctx, c.view)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(t agent.Tool) bool { return t.Name == name })
		tool := agent.Tool{Name: name} // the daemon says why there is none
		if i >= 0 {
			tool = list[i]
		}
		content, err := arguments(tool)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		return c.call(ctx, name, content)
	})
}

// agentCaller calls tools for one view.
type agentCaller struct {
	app     *app
	config  *config.Config
	client  *httpapi.Client
	view    agent.View
	options callOptions
}

// withAgent connects to the daemon, and finds the task that is meant.
func (a *app) withAgent(ctx context.Context, o callOptions, use func(agentCaller) error) error {
	cfg, _, err := a.Load()
	if err == nil {
		err = a.OnlySetsControl("toolsets", "platform_toolsets") // see view
	}
	if err != nil {
		return err
	}
	return a.WithClient(cfg, func(daemon *control.Client) error {
		c := agentCaller{app: a, config: cfg, client: httpapi.NewClient(daemon), view: o.view(cfg), options: o}
		if c.view.Task == "" && !a.IsAgent() { // what the token is bound to says which task an agent means
			var err error
			if c.view.Task, err = onlyTask(ctx, daemon); err != nil {
				return err
			}
		}
		return use(c)
	})
}

// onlyTask is the task that is meant where none is named, as for every other command; one that is not there yet is
// started by the first call.
func onlyTask(ctx context.Context, api control.API) (string, error) {
	status, err := api.Status(ctx)
	if err != nil {
		return "", err
	}
	names := make([]string, len(status.Tasks))
	for i, t := range status.Tasks {
		names[i] = t.ID
	}
	switch {
	case len(names) == 1:
		return names[0], nil
	case len(names) == 0 || slices.Contains(names, control.DefaultTask):
		return control.DefaultTask, nil
	}
	return "", fmt.Errorf("%w, name one of them with --task: %s", fault.ErrAmbiguousTask, strings.Join(names, ", "))
}

func (c agentCaller) call(ctx context.Context, name string, arguments json.RawMessage) error {
	result, err := c.client.Call(ctx, agent.Call{
		Task: c.view.Task, Client: c.view.Client, Toolsets: c.view.Toolsets, Name: name, Arguments: arguments,
	})
	switch {
	case ctx.Err() != nil:
		return &control.Error{Code: fault.ErrAborted, Message: "interrupted: the call is ended in the page, and what it did until then remains"}
	case err != nil:
		return err
	}
	pictures, err := toolresult.Pictures(result, toolresult.Place{Output: c.options.output, Dir: c.config.Browser.ScreenshotDir, Base64: c.options.base64})
	if err != nil {
		return err
	}
	if c.app.JSON {
		err = c.app.WriteJSON(toolresult.WithPictures(result.Structured, pictures))
	} else if !result.IsError {
		err = c.app.WriteLines(toolresult.Lines(result, pictures)...)
	}
	if err == nil && result.IsError {
		err = toolresult.Failure{Result: result, Tool: name, Task: c.options.task}
	}
	return err
}
