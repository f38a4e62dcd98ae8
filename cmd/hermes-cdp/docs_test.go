package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
)

const (
	docsFile  = "../../docs/cli.md"
	docsBegin = "-update -->\n"
	docsEnd   = "<!-- end of commands -->"
)

// The table of commands in docs/cli.md is made from the commands, and every exit code is explained there.
func TestTheDocumentationHasEveryCommand(t *testing.T) {
	text, err := os.ReadFile(docsFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), docsBegin)
	_, tail, ends := strings.Cut(rest, docsEnd)
	if !found || !ends {
		t.Fatal("the marks around the table of commands are missing")
	}
	got := head + docsBegin + commandTable((&app{}).rootCommand()) + docsEnd + tail
	for code := exitOK; code <= exitDegraded; code++ {
		if !strings.Contains(tail, fmt.Sprintf("\n| %d | ", code)) || !strings.Contains(exitCodes, fmt.Sprintf("%d ", code)) {
			t.Errorf("the exit code %d is not explained", code)
		}
	}
	if *update {
		if err := os.WriteFile(docsFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(text) {
		t.Errorf("%s is out of date; run the test with -update", docsFile)
	}
}

func commandTable(root *cobra.Command) string {
	var out strings.Builder
	out.WriteString("\n| command | what it does |\n|---|---|\n")
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, child := range cmd.Commands() {
			if child.HasSubCommands() {
				if does := child.Annotations[cli.Alone]; does != "" {
					fmt.Fprintf(&out, "| `%s` | %s |\n", strings.TrimPrefix(child.CommandPath(), root.Name()+" "), does)
				}
				walk(child)
				continue
			}
			name := strings.TrimPrefix(strings.TrimSuffix(child.UseLine(), " [flags]"), root.Name()+" ")
			fmt.Fprintf(&out, "| `%s` | %s |\n", strings.ReplaceAll(name, "|", `\|`), child.Short)
		}
	}
	walk(root)
	return out.String() + "\n"
}
