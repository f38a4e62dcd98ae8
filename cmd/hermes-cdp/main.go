// Command hermes-cdp supervises a Chromium over the Chrome DevTools Protocol, with plugins that decide.
//
// Its commands, exit codes and examples are in docs/cli.md.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
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

type versionJSON struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"` // built from a changed working copy
	ABI      string `json:"abi"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of hermes-cdp, of its plugin ABI and of Go",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := version()
			return a.Write(v, fmt.Sprintf("hermes-cdp %s (ABI %s, %s, %s)", v.Version, v.ABI, v.Go, v.Platform))
		},
	}
}

func version() versionJSON {
	v := versionJSON{Version: "unknown", ABI: abi.ExportMarker, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Version = cmp.Or(info.Main.Version, "(devel)")
	v.Revision, v.Modified = buildSetting("vcs.revision"), buildSetting("vcs.modified") == "true"
	return v
}

// buildSetting is what the build has noted under a name; empty: nothing.
func buildSetting(name string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, setting := range info.Settings {
		if setting.Key == name {
			return setting.Value
		}
	}
	return ""
}
