package options

import (
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// ChooseTools offers the tools that the configuration file names now, and returns what was read. Everything else that
// it says waits for a reload, unless first, which may be nil, uses it: it is called before the tools are chosen. A file
// that is gone since before is no wish to enable what it disabled: the tools stay as they are, and before is returned.
func ChooseTools(
	r *agent.Registry, load func() (*config.Config, *config.Report, error), before *config.Report, log *slog.Logger,
	first func(*config.Config, *config.Report),
) (now *config.Report) {
	c, report, err := load()
	if err == nil {
		err = before.Lost(report)
	}
	if err == nil {
		if first != nil {
			first(c, report)
		}
		err = r.ConfigureToolsets(Agent(c).Toolsets)
	}
	if err != nil {
		log.Error("the toolsets in the configuration file cannot be used; the previous ones stay", "error", err)
		return before
	}
	log.Info("the toolsets were read again, as the configuration file has changed", "toolsets", c.Toolsets)
	return report
}
