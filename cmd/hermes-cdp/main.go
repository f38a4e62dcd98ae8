// Command hermes-cdp supervises a Chromium over the Chrome DevTools Protocol, with plugins that decide.
//
// Its commands, exit codes and examples are in docs/cli.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// heapGrowth is by how many percent the heap grows before it is collected. After readings of large pages, a daemon has
// a sixth less memory with half of Go's default, and it waits for browsers most of the time.
const heapGrowth = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{App: cli.App{
		Stdin:   os.Stdin,
		Stdout:  os.Stdout,
		Stderr:  os.Stderr,
		Environ: os.Environ(),
		Shipped: catalog.Shipped{Names: plugins.Names, Module: plugins.Module},
		Version: version().Version,
	}}
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
