// Package state reads what the host knows about the current task: its tabs, frames, dialogs and console. It is
// read-only, and needs the capability state:
//
//	"capabilities": ["state"]    in manifest.json, and granted in the host's configuration
//
// docs/abi.md lists the keys. Text from pages in the state is untrusted. Only modules that import this package import
// the host's function for it.
package state

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// The errors of this package; compare with ==.
const (
	// ErrDenied says that the operator did not grant the capability state.
	ErrDenied = guest.Error("state: denied; grant the plugin the capability state in the host's configuration")
	// ErrTooLarge says that the answer is over the host's limit, or that one call exchanged more data with the host than a
	// call may.
	ErrTooLarge = guest.Error("state: too large; ask for less, or raise the plugin's limits in the host's configuration")
	// ErrUnsupported says that this host gives no state.
	ErrUnsupported = guest.Error("state: this host gives no state")
	// ErrKey says that the key is invalid.
	ErrKey = guest.Error("state: a key is 1 to 256 bytes of UTF-8")
	// ErrInternal says that the host failed.
	ErrInternal = guest.Error("state: the host failed")
)

// Get returns the state under a key as JSON, which the caller may keep; ok is false if there is none.
func Get(key string) (json []byte, ok bool, err error) {
	if !guest.IsKey(key) {
		return nil, false, ErrKey
	}
	json, code := guest.StateGet(key)
	switch code {
	case 0:
		return json, true, nil
	case abi.CodeNotFound:
		return nil, false, nil
	case abi.CodeDenied:
		return nil, false, ErrDenied
	case abi.CodeTooLarge:
		return nil, false, ErrTooLarge
	case abi.CodeUnsupported:
		return nil, false, ErrUnsupported
	default:
		return nil, false, ErrInternal
	}
}
