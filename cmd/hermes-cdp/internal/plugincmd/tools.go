package plugincmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolargs"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

// ToolsJSON is the JSON of plugin tools.
type ToolsJSON struct {
	Tools []host.PluginTool `json:"tools"`
}

func (a app) toolsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tools",
		Short: "List the tools that the daemon's plugins offer to agents",
		Args:  cobra.NoArgs,
		RunE: a.OnlyDaemon(func(ctx context.Context, api control.API, _ []string) error {
			list, err := api.Tools(ctx)
			if err != nil {
				return err
			}
			return a.WriteRows(ToolsJSON{Tools: list}, toolRows(list))
		}),
	}
}

func toolRows(list []host.PluginTool) [][]string {
	rows := [][]string{{"PLUGIN", "TOOL", "ARGUMENTS", "DESCRIPTION"}}
	for _, t := range list {
		rows = append(rows, []string{t.Plugin, t.Name, cmp.Or(argumentNames(t.InputSchema), "-"), t.Description})
	}
	return rows
}

// argumentNames are the names that a schema has in its own order; --json has all of it.
func argumentNames(schema json.RawMessage) string {
	parameters, _ := toolargs.Parameters(schema) // as far as it is understood
	var names []string
	for _, p := range parameters {
		names = append(names, p.Name)
	}
	return strings.Join(names, ",")
}

func (a app) callCommand() *cobra.Command {
	var on cli.OnTask
	var arguments string
	var timeout time.Duration
	call := host.PluginToolCall{}
	cmd := &cobra.Command{
		Use:   "call PLUGIN TOOL",
		Short: "Call a tool of a plugin on a tab, as an agent would",
		Long: "Call a tool of a plugin on a tab, as an agent would. What it answers may be made of what the page says.\n" +
			"When a dialog opens meanwhile the exit code is 3: answer the dialog, then hermes-cdp resume CALL_ID gives the result.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			call.Plugin, call.Tool = args[0], args[1]
			if err := json.Unmarshal([]byte(arguments), &call.Arguments); err != nil || call.Arguments == nil {
				return cli.UsageError{Err: errors.New("--args is no JSON object")}
			}
			return a.WithTask(cmd.Context(), on, func(api control.API) error {
				ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
				defer cancel()
				r, err := api.CallTool(ctx, on.Task, call)
				if err != nil {
					return err
				}
				return cmp.Or(a.Write(r, ToolLines(r)...), ToolFailure(r))
			})
		},
	}
	cmd.Flags().StringVar(&arguments, "args", "{}", "the arguments, a `JSON` object; see plugin tools --json for what is allowed")
	cmd.Flags().StringVar(&call.TargetID, "target", "", "`ID` of the tab (default: the first)")
	cmd.Flags().DurationVar(&timeout, "timeout", cli.CallTimeout, "end what still runs after this `TIME`")
	on.AddFlags(cmd)
	return cmd
}

// errTool makes the exit code that of a failure; the tool has said why.
var errTool = errors.New("the tool did not do what was asked")

// ToolFailure is an error if the tool did not do what was asked.
func ToolFailure(r host.PluginToolResult) error {
	if r.IsError {
		return errTool
	}
	return nil
}

// ToolLines are the text of a result. What could steer a terminal is escaped in it already; what a page may have
// said is set in, so that it cannot pretend to be ours.
func ToolLines(r host.PluginToolResult) []string {
	lines := strings.Split(r.Text, "\n")
	if r.Untrusted {
		for i := range lines {
			lines[i] = "  " + lines[i]
		}
		lines = append([]string{"made from what the page at " + cli.PageText(r.Origin) + " says:"}, lines...)
	}
	return lines
}
