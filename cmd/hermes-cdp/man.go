package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
)

type manJSON struct {
	Dir   string `json:"dir"`
	Pages int    `json:"pages"`
}

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the man pages of all commands into a directory",
		Long: "Write the man pages of all commands into a directory, which is made if it is missing: man -l DIR/hermes-cdp.1 shows one.\n" +
			"Packages have them installed. The date on them is that of $SOURCE_DATE_EPOCH, or else of the program's source.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			root := cmd.Root()
			root.InitDefaultCompletionCmd()
			root.DisableAutoGenTag = true // its date is that of the run
			header := &doc.GenManHeader{Source: "hermes-cdp " + version().Version, Manual: "hermes-cdp", Date: sourceDate()}
			if err := doc.GenManTree(root, header, dir); err != nil {
				return err
			}
			pages, err := os.ReadDir(dir)
			if err != nil {
				return err
			}
			n := 0
			for _, page := range pages {
				if strings.HasPrefix(page.Name(), root.Name()) && strings.HasSuffix(page.Name(), ".1") {
					n++
				}
			}
			return a.Write(manJSON{dir, n}, fmt.Sprintf("%d pages in %s", n, cli.OneLine(dir)))
		},
	}
}

// sourceDate is when the source of this program was committed; nil: unknown, or SOURCE_DATE_EPOCH says it.
func sourceDate() *time.Time {
	if os.Getenv("SOURCE_DATE_EPOCH") != "" {
		return nil // which cobra reads
	}
	at, err := time.Parse(time.RFC3339, buildSetting("vcs.time"))
	if err != nil {
		return nil
	}
	return &at
}
