package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

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
