// Command pluginbuild builds the modules of this repository; run it from the root. See the Makefile.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/plugins/internal/build"
)

func main() {
	tinygo := flag.String("tinygo", ".cache/tinygo", "folder of TinyGo, with bin/tinygo")
	check := flag.Bool("check", false, "compare the committed modules with their sources instead of writing them")
	goFolder := flag.String("go", "", "build with the Go toolchain into this folder instead")
	languages := flag.String("languages", "", "build the examples in C and AssemblyScript instead; folder of AssemblyScript, with node_modules")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *tinygo, *check, *goFolder, *languages); err != nil {
		fmt.Fprintln(os.Stderr, "pluginbuild:", err)
		os.Exit(1)
	}
}

// compiler keeps committed modules in line with their sources.
type compiler interface {
	Check(ctx context.Context, w io.Writer) error
	Update(ctx context.Context, w io.Writer) error
}

func run(ctx context.Context, tinygo string, check bool, goFolder, languages string) error {
	if goFolder != "" {
		return build.WriteGo(ctx, ".", goFolder, os.Stdout)
	}
	c, err := choose(tinygo, languages)
	switch {
	case err != nil:
		return err
	case check:
		return c.Check(ctx, os.Stdout)
	default:
		return c.Update(ctx, os.Stdout)
	}
}

func choose(tinygo, languages string) (compiler, error) {
	if languages != "" {
		folder, err := filepath.Abs(languages)
		return build.Languages{Repository: ".", AssemblyScript: folder}, err
	}
	root, err := filepath.Abs(tinygo)
	return build.TinyGo{Repository: ".", Root: root}, err
}
