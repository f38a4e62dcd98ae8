package guest

import "github.com/hermes-cdp/hermes-cdp/abi"

var starters []func(config abi.Struct) error

// misuse is the first mistake in how the plugin uses the SDK. Where it is made, before hermes_init, nobody would hear
// of it.
var misuse error

// Misuse makes hermes_init fail: the plugin uses the SDK in a way that cannot be meant.
func Misuse(reason string) {
	if misuse == nil {
		misuse = Error(reason)
	}
}

// OnStart registers a function for hermes_init to run.
func OnStart(f func(config abi.Struct) error) { starters = append(starters, f) }

// start is hermes_init: it refuses a configuration that the plugin does not understand.
func start() abi.Status {
	if misuse != nil {
		return fail(misuse)
	}
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
