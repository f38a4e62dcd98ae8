package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module.
type settings struct {
	calls, seconds int64
	tools          string
}

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{calls: r.Int("calls", 60, 1, 1_000_000), seconds: r.Int("seconds", 60, 1, 86_400), tools: r.String("tools", "*")}
	return s, r.Err()
}
