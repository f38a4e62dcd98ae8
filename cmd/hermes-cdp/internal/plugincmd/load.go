package plugincmd

import "github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"

// Load reads the configuration for commands that name a module themselves: plugins.NAME may then say
// how to load it, and
// not where it is.
func (a app) Load() (*config.Config, *config.Report, error) {
	sources := a.Sources()
	sources.Modules = true
	return a.LoadFrom(sources)
}
