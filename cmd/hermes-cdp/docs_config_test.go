package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	hermescdp "github.com/hermes-cdp/hermes-cdp"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/internal/book"
)

func documents(t *testing.T) *book.Book {
	t.Helper()
	b, err := book.Read(hermescdp.Documents)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var variable = regexp.MustCompile(`\$\{(\w+)\}`)

// Every configuration in the book is one that a daemon takes, as far as that can be told without its modules.
func TestTheConfigurationsOfTheBookAreValid(t *testing.T) {
	found := 0
	for name, page := range documents(t).Pages {
		for _, block := range page.Blocks {
			if block.Language != "yaml" || block.NotRun() != "" {
				continue
			}
			found++
			file := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(file, []byte(block.Text), 0o600); err != nil {
				t.Fatal(err)
			}
			environ := []string{"HOME=" + t.TempDir()}
			for _, m := range variable.FindAllStringSubmatch(block.Text, -1) {
				environ = append(environ, m[1]+"=secret")
			}
			if _, _, err := config.Load(config.Sources{File: file, Environ: environ, Check: options.Check}); err != nil {
				t.Errorf("%s, line %d: %v", name, block.Line, err)
			}
		}
	}
	if found < 10 {
		t.Errorf("the book has %d configurations", found)
	}
}
