package options

import (
	"log/slog"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
)

// Agent says how the tools of agents work, and which of them agents get.
func Agent(c *config.Config) agent.Options {
	b := c.WithDefaults().Browser
	wipeable := ""
	if b.ProfileWipe && b.Profile != "" {
		wipeable = filepath.Join(b.ProfileDir, b.Profile)
	}
	return agent.Options{
		Toolsets: agent.Toolsets{Use: c.Toolsets, Custom: c.CustomToolsets, Platforms: c.PlatformToolsets, Disabled: c.DisabledTools},
		Sources:  Upstream(c, nil, "", nil).Sources(), EvaluateDisabled: !config.On(b.EvaluateEnabled),
		Browser: agent.BrowserOptions{
			Timeout: seconds(b.ToolTimeoutS), ScreenshotDir: b.ScreenshotDir, ScreenshotKeep: seconds(b.ScreenshotKeepH * 3600), ScreenshotBytes: int64(b.ScreenshotTotalMB) << 20,
			DownloadDir: b.DownloadDir, StateDir: b.StateDir, Wipeable: wipeable, Observe: b.Observe, Vision: model(c.Vision),
		},
	}
}

// Upstream says which MCP servers are passed through. Variables in their values are read with getenv, as
// [config.Report.Getenv].
func Upstream(c *config.Config, getenv func(string) string, version string, log *slog.Logger) upstream.Options {
	o := upstream.Options{
		Servers: make(map[string]upstream.Server, len(c.MCPServers)), Timeout: seconds(c.WithDefaults().Browser.ToolTimeoutS),
		Getenv: getenv, Version: version, Logger: log,
	}
	for name, s := range c.MCPServers {
		o.Servers[name] = upstream.Server{
			Command: s.Command, Args: s.Args, Dir: s.CWD, Env: s.Env, URL: s.URL, Headers: s.Headers,
			Include: s.Include, Exclude: s.Exclude, Timeout: seconds(s.TimeoutS), Disabled: !config.On(s.Enabled),
		}
	}
	return o
}
