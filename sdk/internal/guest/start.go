package guest

import "github.com/hermes-cdp/hermes-cdp/abi"

var starters []func(config abi.Struct) error

// OnStart adds a function that hermes_init runs.
func OnStart(f func(config abi.Struct) error) { starters = append(starters, f) }

// start is hermes_init: it refuses a configuration that the plugin does not understand.
func start() abi.Status {
	config, err := Config()
	if err != nil {
		return Fail(err.Error())
	}
	for _, f := range starters {
		if err := f(config); err != nil {
			return Fail(err.Error())
		}
	}
	return abi.StatusDecided
}
