package main

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// pageText shows what a page chose, in quotes: it can not pretend to be ours, as it can not leave them, and what could
// steer a terminal or turn the direction of writing is escaped.
func pageText(text string) string { return pagetext.Quote(text) }

// escapeJSON makes JSON that holds a page's texts fit for a terminal, and leaves it the same JSON: an unprintable rune
// stands in JSON only within a text, but for the spaces between its tokens.
func escapeJSON(text []byte) string {
	var out strings.Builder
	whole := string(text)
	for at, r := range whole {
		switch {
		case r == '\n' || !pagetext.Unprintable(r) || pagetext.Joins(whole, at):
			out.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// dialogLine is a dialog on one line.
func dialogLine(d host.Dialog) string {
	line := fmt.Sprintf("%s %s, the page says %s", d.ID, d.Type, pageText(d.Message))
	if d.DefaultPrompt != "" {
		line += ", default " + pageText(d.DefaultPrompt)
	}
	if d.ArmedUnused != "" {
		line += ", armed answer not used: " + oneLine(d.ArmedUnused)
	}
	if d.ClosedBy == "" {
		return line + ", on " + pageText(d.URL)
	}
	line += ", closed by " + d.ClosedBy
	if d.CloseReason != "" {
		line += " (" + oneLine(d.CloseReason) + ")"
	}
	if d.Accepted {
		line += ", accepted"
	} else {
		line += ", dismissed"
	}
	if d.DecidedBy.Rule != "" {
		line += ", rule " + oneLine(d.DecidedBy.Rule)
	}
	return line
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
		lines = append(lines, "  (more frames were left out: "+oneLine(tree.DecidedBy.Rule)+")")
	}
	return lines
}

func frameLine(f host.Frame, depth int) string {
	line := strings.Repeat("  ", depth) + f.FrameID + " " + pageText(f.URL)
	if f.Name != "" {
		line += " name " + pageText(f.Name)
	}
	if f.IsOOPIF {
		line += " out-of-process"
	}
	if f.HasPendingDialog {
		line += " has a dialog"
	}
	return line
}
