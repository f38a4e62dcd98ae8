package guest

import "github.com/hermes-cdp/hermes-cdp/abi"

var starters []func(config abi.Struct) error

// OnStart registers a function for hermes_init to run.
func OnStart(f func(config abi.Struct) error) { starters = append(starters, f) }

// start is hermes_init: it refuses a configuration that the plugin does not understand.
func start() abi.Status {
	config, err := Config()
	if err != nil {
		return fail(err)
	}
	for _, f := range starters {
		if err := f(config); err != nil {
			return fail(err)
		}
	}
	return abi.StatusDecided
}
