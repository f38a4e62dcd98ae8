// Command hermes-cdp supervises a Chromium over the Chrome DevTools Protocol, with plugins that decide.
//
// Its commands, exit codes and examples are in docs/cli.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

func main() {
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
