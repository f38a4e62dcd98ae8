package plugincmd

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/candidate"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

// Load reads the configuration for commands that name a module themselves: plugins.NAME may then say how to load it,
// and not where it is.
func (a app) Load() (*config.Config, *config.Report, error) {
	sources := a.Sources()
	sources.Modules = true
	return a.LoadFrom(sources)
}

// read is [candidate.Read], and warns of a module that is older than its sources.
func (a app) read(at, name string, settings *abi.Struct, cfg *config.Config) (candidate.Module, error) {
	m, err := candidate.Read(at, name, settings, cfg)
	if err == nil {
		a.warnOfSource(m.Path)
	}
	return m, err
}

// warnOfSource warns of a module that is older than its sources.
func (a app) warnOfSource(module string) {
	if newer := candidate.NewerSource(module); newer != "" {
		a.Warn(fmt.Sprintf("%s is newer than %s: build it again, with hermes-cdp plugin build", newer, module))
	}
}
