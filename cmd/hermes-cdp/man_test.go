package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestEveryCommandHasAManPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	if exit, out, errs := runInProcess(t, []string{"man", dir}, nil); exit != exitOK || !strings.Contains(out, " pages in "+dir) {
		t.Fatalf("exit %d: %s%s", exit, out, errs)
	}
	pages := 0
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		page, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil {
			t.Error(err)
		}
		pages++
		// The same input gives the same page, whenever that is.
		if text := string(page); !strings.Contains(text, `"Nov 2023"`) || !strings.Contains(text, strings.Fields(cmd.Short)[0]) {
			t.Errorf("the page of %s is %s", name, text)
		}
		for _, child := range cmd.Commands() {
			walk(child)
		}
	}
	root := (&app{}).rootCommand()
	root.InitDefaultCompletionCmd()
	walk(root)
	if all, err := os.ReadDir(dir); err != nil || len(all) != pages {
		t.Errorf("there are %d pages, %v, and %d commands", len(all), err, pages)
	}
}
