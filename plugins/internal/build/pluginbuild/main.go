// Command pluginbuild builds the modules of this repository; run it from the root. See the Makefile.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
)

func main() {
	tinygo := flag.String("tinygo", ".cache/tinygo", "directory of TinyGo, with bin/tinygo")
	check := flag.Bool("check", false, "compare the committed modules with their sources instead of writing them")
	goDir := flag.String("go", "", "build with the Go toolchain into this directory instead")
	languages := flag.String("languages", "", "build the examples in C and AssemblyScript instead; directory of AssemblyScript, with node_modules")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *tinygo, *check, *goDir, *languages); err != nil {
		fmt.Fprintln(os.Stderr, "pluginbuild:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, tinygo string, check bool, goDir, languages string) error {
	if goDir != "" {
		return build.WriteGo(ctx, ".", goDir, os.Stdout)
	}
	tools, choose := tinygo, build.Plugins
	if languages != "" {
		tools, choose = languages, build.Languages
	}
	tools, err := filepath.Abs(tools)
	if err != nil {
		return err
	}
	if check {
		return choose(".", tools).Check(ctx, os.Stdout)
	}
	return choose(".", tools).Update(ctx, os.Stdout)
}
