// Package kv is the plugin's private store for the task of the current call, for data that must outlive a call. The
// host keeps it until the task ends, even if another build of the plugin takes over; no other plugin or task sees it.
// It is small (64 KiB by default, keys and values together) and needs the capability kv:
//
//	"capabilities": ["kv"]    in manifest.json, and granted in the host's configuration
//
// Only modules that import this package import the store's functions.
package kv

import (
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// The errors of this package; compare with ==.
const (
	// ErrDenied says that the operator did not grant the capability kv.
	ErrDenied = guest.Error("kv: denied; grant the plugin the capability kv in the host's configuration")
	// ErrTooLarge says that the store would exceed its quota, and nothing was stored; or that one call exchanged more data
	// with the host than a call may.
	ErrTooLarge = guest.Error("kv: too large; delete keys, or raise the plugin's limits in the host's configuration")
	// ErrUnsupported says that this host has no store.
	ErrUnsupported = guest.Error("kv: this host has no store")
	// ErrKey says that the key is invalid.
	ErrKey = guest.Error("kv: a key is 1 to 256 bytes of UTF-8")
	// ErrTTL says that the time to live is invalid.
	ErrTTL = guest.Error("kv: a time to live is 1 ms to 365 days, or 0 for none")
	// ErrInternal says that the host failed.
	ErrInternal = guest.Error("kv: the host failed")
)

// Get returns the value of a key, which the caller may keep; ok is false if there is none.
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

// Set stores a value, which may be empty. If there is an error, the old value is still there.
func Set(key string, value []byte) error {
	if !guest.IsKey(key) {
		return ErrKey
	}
	return errorOf(guest.KVSet(key, value))
}

// SetTTL stores a value that is gone after a time, by the host's clock: at most [abi.MaxKVTTL], in whole milliseconds.
// With 0 it stays, as after Set. Hosts before this function answer [ErrUnsupported], if the manifest has its import
// under optional_imports, as "kv_set_ttl".
func SetTTL(key string, value []byte, ttl time.Duration) error {
	switch {
	case !guest.IsKey(key):
		return ErrKey
	case !isTTL(ttl):
		return ErrTTL
	}
	return errorOf(guest.KVSetTTL(key, value, ttl))
}

// CompareAndSet stores a value as SetTTL does, but only if the current one is old, or if there is none and old is nil;
// ok says whether. No other call changes the key in between, so that of several calls that try, one succeeds. Its
// import is "kv_compare_and_set".
func CompareAndSet(key string, old, value []byte, ttl time.Duration) (ok bool, err error) {
	switch {
	case !guest.IsKey(key):
		return false, ErrKey
	case !isTTL(ttl):
		return false, ErrTTL
	}
	code := guest.KVCompareAndSet(key, old, value, ttl)
	if code == abi.CodeConflict {
		return false, nil
	}
	return code == 0, errorOf(code)
}

func isTTL(ttl time.Duration) bool {
	return ttl == 0 || ttl >= time.Millisecond && ttl <= abi.MaxKVTTL
}

// Delete deletes a key; a missing key is not an error.
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

// List returns the keys with a prefix, sorted by their bytes; an empty prefix lists all keys.
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
