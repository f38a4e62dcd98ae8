// Package kv is the plugin's own store for the task of the current call: what it keeps from one call to the next. The
// host keeps it until the task ends, also when another build of the plugin takes over; no other plugin and no other task
// sees it. It is small (64 KiB by default, keys and values together) and needs the capability kv:
//
//	"capabilities": ["kv"]    in manifest.json, and granted in the host's configuration
//
// Only modules that import this package import the store's functions.
package kv

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// The errors of this package; compare with ==.
const (
	// ErrDenied says that the operator did not grant the capability kv.
	ErrDenied = guest.Error("kv: denied; grant the plugin the capability kv in the host's configuration")
	// ErrTooLarge says that the store would exceed its quota, and nothing was stored; or that one call asked for more than
	// the host moves for a call.
	ErrTooLarge = guest.Error("kv: too large; delete keys, or raise the plugin's limits in the host's configuration")
	// ErrUnsupported says that this host has no store.
	ErrUnsupported = guest.Error("kv: this host has no store")
	// ErrKey says that the key cannot be one.
	ErrKey = guest.Error("kv: a key is 1 to 256 bytes of UTF-8")
	// ErrInternal says that the host failed.
	ErrInternal = guest.Error("kv: the host failed")
)

// Get returns the value of a key, which the caller may keep; ok is false where there is none.
func Get(key string) (value []byte, ok bool, err error) {
	if !guest.IsKey(key) {
		return nil, false, ErrKey
	}
	value, code := guest.KVGet(key)
	if code == abi.CodeNotFound {
		return nil, false, nil
	}
	return value, code == 0, errorOf(code)
}

// Set stores a value, which may be empty. Where the error is not nil, the old value is still there.
func Set(key string, value []byte) error {
	if !guest.IsKey(key) {
		return ErrKey
	}
	return errorOf(guest.KVSet(key, value))
}

// Delete deletes a key; one that is not there is not an error.
func Delete(key string) error {
	if !guest.IsKey(key) {
		return ErrKey
	}
	code := guest.KVDelete(key)
	if code == abi.CodeNotFound {
		return nil
	}
	return errorOf(code)
}

// List returns the keys that start with the prefix, sorted by their bytes; an empty prefix lists all.
func List(prefix string) ([]string, error) {
	if !guest.IsPrefix(prefix) {
		return nil, ErrKey
	}
	keys, code := guest.KVList(prefix)
	return keys, errorOf(code)
}

func errorOf(code abi.Code) error {
	switch code {
	case 0:
		return nil
	case abi.CodeDenied:
		return ErrDenied
	case abi.CodeTooLarge:
		return ErrTooLarge
	case abi.CodeUnsupported:
		return ErrUnsupported
	default:
		return ErrInternal
	}
}
