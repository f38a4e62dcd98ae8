package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

type framesJSON struct {
	Targets []control.TargetFrames `json:"targets"`
}

type framesExplainedJSON struct {
	Targets []host.FramesExplanation `json:"targets"`
}

func (a *app) framesCommand() *cobra.Command {
	var on cli.OnTask
	var explain, raw bool
	cmd := &cobra.Command{
		Use:   "frames",
		Short: "Show the frame trees as the frame filter keeps them",
		Args:  cobra.NoArgs,
		RunE: a.OnTask(&on, func(ctx context.Context, api control.API, _ []string) error {
			if explain {
				return a.explainFrames(ctx, api, on.Task)
			}
			list, err := api.Frames(ctx, on.Task, raw)
			if err != nil {
				return err
			}
			var lines []string
			for _, f := range list {
				lines = append(lines, "page "+f.TargetID)
				if f.FrameTree != nil {
					lines = append(lines, indent(frameLines(f.FrameTree))...)
				}
			}
			return a.Write(framesJSON{list}, lines...)
		}),
	}
	cmd.Flags().BoolVar(&explain, "explain", false, "say which module kept which frames, and why others were left out")
	cmd.Flags().BoolVar(&raw, "raw", false, "show the whole tree, unfiltered")
	cmd.MarkFlagsMutuallyExclusive("explain", "raw")
	on.AddFlags(cmd)
	return cmd
}

func (a *app) explainFrames(ctx context.Context, api control.API, task string) error {
	list, err := api.ExplainFrames(ctx, task)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range list {
		lines = append(lines, fmt.Sprintf("page %s, tree %d, decided in %s", e.TargetID, e.Revision, e.Took))
		lines = append(lines, indent(callLines(e.Calls))...)
		for _, f := range e.Frames {
			verdict := "kept"
			if !f.Kept {
				verdict = "left out: " + cli.OneLine(f.Reason)
			}
			lines = append(lines, "  "+frameLine(f.Frame, 0)+" "+verdict)
		}
	}
	return a.Write(framesExplainedJSON{list}, lines...)
}

// frameLines shows a tree by indentation; frames come with their parents before them.
func frameLines(tree *host.FrameTree) []string {
	depth := map[string]int{tree.Top.FrameID: 0}
	lines := []string{frameLine(tree.Top, 0)}
	for _, f := range tree.Children {
		// The parent of a frame that was kept may have been left out; then it stands below the top.
		depth[f.FrameID] = depth[f.ParentFrameID] + 1
		lines = append(lines, frameLine(f, depth[f.FrameID]))
	}
	if tree.Truncated {
		lines = append(lines, "  (more frames were left out: "+cli.OneLine(tree.DecidedBy.Rule)+")")
	}
	return lines
}

func frameLine(f host.Frame, depth int) string {
	line := strings.Repeat("  ", depth) + f.FrameID + " " + cli.PageText(f.URL)
	if f.Name != "" {
		line += " name " + cli.PageText(f.Name)
	}
	if f.IsOOPIF {
		line += " out-of-process"
	}
	if f.HasPendingDialog {
		line += " has a dialog"
	}
	return line
}

func indent(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = "  " + line
	}
	return out
}
