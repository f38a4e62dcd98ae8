package options

import (
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// ChooseTools offers the tools that the configuration file names now. Everything else that it says waits for a reload.
// A file that is gone since before is no wish to enable what it disabled.
func ChooseTools(r *agent.Registry, load func() (*config.Config, *config.Report, error), before *config.Report, log *slog.Logger) {
	c, report, err := load()
	if err == nil {
		err = before.Lost(report)
	}
	if err == nil {
		err = r.ConfigureToolsets(Agent(c).Toolsets)
	}
	if err != nil {
		log.Error("the toolsets in the configuration file cannot be used; the previous ones stay", "error", err)
		return
	}
	log.Info("the toolsets were read again, as the configuration file has changed", "toolsets", c.Toolsets)
}
