package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	hermescdp "github.com/hermes-cdp/hermes-cdp"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
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

var configuration = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The configuration in the README of each example is all that a host needs to start with it.
func TestTheConfigurationsOfTheExamplesStart(t *testing.T) {
	readmes, err := filepath.Glob("../../plugins/examples/*/README.md")
	if err != nil || len(readmes) < 10 {
		t.Fatalf("%d READMEs, %v", len(readmes), err)
	}
	for _, readme := range readmes {
		name := filepath.Base(filepath.Dir(readme))
		text, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		for _, yaml := range configuration.FindAllStringSubmatch(string(text), -1) {
			file := filepath.Join(t.TempDir(), "config.yaml")
			if err := os.WriteFile(file, []byte(yaml[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			module, err := filepath.Abs("../../plugins/examples/dist/" + name + ".wasm")
			if err != nil {
				t.Fatal(err)
			}
			set := []string{"plugins." + name + ".path=" + module}
			cfg, report, err := config.Load(config.Sources{File: file, Environ: []string{"HOME=" + t.TempDir()}, Set: set, Check: options.Check})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			h, err := host.New(t.Context(), options.Host(cfg, report, slog.New(slog.DiscardHandler)))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if err := h.Close(t.Context()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
