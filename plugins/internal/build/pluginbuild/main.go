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
	tinygo := flag.String("tinygo", ".cache/tinygo", "folder of TinyGo, with bin/tinygo")
	check := flag.Bool("check", false, "compare the committed modules with their sources instead of writing them")
	goFolder := flag.String("go", "", "build with the Go toolchain into this folder instead")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *tinygo, *check, *goFolder); err != nil {
		fmt.Fprintln(os.Stderr, "pluginbuild:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, tinygo string, check bool, goFolder string) error {
	if goFolder != "" {
		return build.WriteGo(ctx, ".", goFolder, os.Stdout)
	}
	root, err := filepath.Abs(tinygo)
	if err != nil {
		return err
	}
	compiler := build.TinyGo{Repository: ".", Root: root}
	if check {
		return compiler.Check(ctx, os.Stdout)
	}
	return compiler.Update(ctx, os.Stdout)
}
