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
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{
		stdin:   os.Stdin,
		stdout:  os.Stdout,
		stderr:  os.Stderr,
		environ: os.Environ(),
		shipped: catalog.Shipped{Names: plugins.Names, Module: plugins.Module},
	}
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
