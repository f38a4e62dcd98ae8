package module

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/selftest"
)

// MadeUpEvent returns the encoded event with which [Check] tests a hook; ok is false for a hook that this host does not
// know. It is the same each time.
func MadeUpEvent(hook abi.Hook) (event []byte, ok bool) { return selftest.Event(hook) }
