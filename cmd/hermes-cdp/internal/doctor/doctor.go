// Package doctor checks whether hermes-cdp can work on this machine: its configuration, the browser, the plugins, the
// MCP servers whose tools it passes on, and the directories that it writes to.
package doctor

import (
	"context"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

// Status is the outcome of a check.
type Status string

// The outcomes. Only StatusFail means that something will not work.
const (
	StatusOK   Status = "ok"
	StatusWarn Status = "warn"
	StatusFail Status = "fail"
)

// Check is the result of one check.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Detail says what was found, without secrets.
	Detail string `json:"detail"`
	// Fix says what to do; empty for StatusOK.
	Fix string `json:"fix,omitempty"`
}

// Options says what is checked.
type Options struct {
	// Config, Report and ConfigError are the results of [config.Load].
	Config      *config.Config
	Report      *config.Report
	ConfigError error
	// Shipped is where the shipped modules come from.
	Shipped catalog.Shipped
}

// Run makes every check. Without a valid configuration the others use the defaults. It starts a browser, briefly,
// unless the configuration names a running one, and the MCP servers; ctx bounds all of it.
func Run(ctx context.Context, o Options) []Check {
	checks := checkConfig(o)
	cfg := o.Config
	if cfg == nil {
		defaults := config.Config{}.WithDefaults()
		cfg = &defaults
	}
	checks = append(checks, checkProvider(cfg, o.Report)...)
	checks = append(checks, checkBrowser(ctx, cfg)...)
	checks = append(checks, checkPlugins(ctx, cfg, o.Shipped)...)
	checks = append(checks, checkServers(ctx, cfg, o.Report)...)
	return append(checks, checkCacheDir(cfg.PluginCacheDir), checkTinyGo(ctx))
}

// Failed tells whether something will not work.
func Failed(checks []Check) bool {
	for _, check := range checks {
		if check.Status == StatusFail {
			return true
		}
	}
	return false
}

func ok(name, detail string) Check { return Check{Name: name, Status: StatusOK, Detail: detail} }

func warn(name, detail, fix string) Check {
	return Check{Name: name, Status: StatusWarn, Detail: detail, Fix: fix}
}

func fail(name, detail, fix string) Check {
	return Check{Name: name, Status: StatusFail, Detail: detail, Fix: fix}
}

// versionTimeout bounds a program that only prints its version.
const versionTimeout = 10 * time.Second
