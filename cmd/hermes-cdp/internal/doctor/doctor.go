// Package doctor checks whether hermes-cdp can work on this machine: its configuration, the browser, the plugins, the
// MCP servers whose tools it passes on, the files and directories that it keeps, what hosts that are gone have left,
// and the MCP clients that are to start it.
package doctor

import (
	"context"
	"io"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/clients"
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
	// Fixable tells that [Mend] does it.
	Fixable bool `json:"fixable,omitempty"`

	// mend does it, and says what it has done.
	mend func(context.Context, io.Writer) (string, error)
}

// mendable adds what does what the fix says.
func (c Check) mendable(mend func(context.Context, io.Writer) (string, error)) Check {
	if c.Status != StatusOK {
		c.Fixable, c.mend = true, mend
	}
	return c
}

// Fixed is what [Mend] did about a check.
type Fixed struct {
	Name string `json:"name"`
	// Done says what was done, Error why it could not be.
	Done  string `json:"done,omitempty"`
	Error string `json:"error,omitempty"`
}

// Mend does what can be done about checks without a risk: nothing that anybody wrote, or uses, is changed or lost. What
// an installer says goes to out.
func Mend(ctx context.Context, checks []Check, out io.Writer) []Fixed {
	var list []Fixed
	for _, c := range checks {
		if c.mend == nil {
			continue
		}
		done, err := c.mend(ctx, out)
		one := Fixed{Name: c.Name, Done: done}
		if err != nil {
			one.Error = err.Error()
		}
		list = append(list, one)
	}
	return list
}

// Options says what is checked.
type Options struct {
	// Config, Report and ConfigError are the results of [config.Load].
	Config      *config.Config
	Report      *config.Report
	ConfigError error
	// Shipped is where the shipped modules come from.
	Shipped catalog.Shipped
	// Machine is where MCP clients are looked for, nil: nowhere; Self is how they start this program.
	Machine *clients.Machine
	Self    clients.Server
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
	checks = append(checks, checkLeftovers(ctx, cfg, o.Report)) // before a browser is started, which ends some of them
	checks = append(checks, checkProvider(cfg, o.Report)...)
	checks = append(checks, checkProxy(cfg, o.Report)...)
	checks = append(checks, checkBrowser(ctx, cfg)...)
	checks = append(checks, checkPlugins(ctx, cfg, o.Shipped)...)
	checks = append(checks, checkServers(ctx, cfg, o.Report)...)
	checks = append(checks, checkCacheDir(cfg.PluginCacheDir))
	checks = append(checks, checkSecrets(cfg, o.Report)...)
	checks = append(checks, checkDirectories(cfg)...)
	if o.Machine != nil {
		checks = append(checks, checkClients(*o.Machine, o.Self)...)
	}
	return append(checks, checkTinyGo(ctx))
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
