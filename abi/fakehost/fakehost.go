// Package fakehost is what a host answers the calls of a plugin, without a host: for tests of plugins, and for the kit
// of package conformance.
package fakehost

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Answer is the result of a call that did not fault.
type Answer struct {
	Status  abi.Status
	Verdict []byte // encoded; only with abi.StatusDecided
	Reason  string // only with abi.StatusError
}

// Environment is what a call can ask for beyond its event and its configuration. The zero value grants nothing. A call
// changes KV; so calls at the same time need environments of their own.
type Environment struct {
	Capabilities []abi.Capability  // granted; functions of others answer [abi.CodeDenied]
	KV           map[string][]byte // the store of the plugin for the task; a nil one is made when needed
	KVBytes      int               // of keys and values that fit into the store; 0: [abi.DefaultKVBytes]
	State        map[string][]byte // the host's state: JSON by key
	// Embedder has the answers of an embedder's functions: by the function's name with its version, then by request.
	Embedder map[string]map[string][]byte
}

func (e *Environment) grants(c abi.Capability) bool { return slices.Contains(e.Capabilities, c) }

// StateGet returns the host's state under a key. With the methods below it is what a host answers a plugin; the code is
// 0, or negative.
func (e *Environment) StateGet(key string) ([]byte, abi.Code) {
	if !e.grants(abi.CapabilityState) {
		return nil, abi.CodeDenied
	}
	return lookUp(e.State, key)
}

// KVGet returns the value of a key of the store.
func (e *Environment) KVGet(key string) ([]byte, abi.Code) {
	if !e.grants(abi.CapabilityKV) {
		return nil, abi.CodeDenied
	}
	return lookUp(e.KV, key)
}

func lookUp(values map[string][]byte, key string) ([]byte, abi.Code) {
	value, ok := values[key]
	if !ok {
		return nil, abi.CodeNotFound
	}
	return value, 0
}

// KVSet stores a copy of a value if it fits: KVBytes, and at most [abi.MaxKVKeys] keys.
func (e *Environment) KVSet(key string, value []byte) abi.Code {
	if !e.grants(abi.CapabilityKV) {
		return abi.CodeDenied
	}
	_, replaced := e.KV[key]
	total := len(key) + len(value)
	for k, v := range e.KV {
		if k != key {
			total += len(k) + len(v)
		}
	}
	if total > cmp.Or(e.KVBytes, abi.DefaultKVBytes) || !replaced && len(e.KV) >= abi.MaxKVKeys {
		return abi.CodeTooLarge
	}
	if e.KV == nil {
		e.KV = make(map[string][]byte)
	}
	e.KV[strings.Clone(key)] = append([]byte{}, value...)
	return 0
}

// KVSetTTL is KVSet: no time passes during a call.
func (e *Environment) KVSetTTL(key string, value []byte, _ time.Duration) abi.Code {
	return e.KVSet(key, value)
}

// KVCompareAndSet is KVSetTTL if the store has the old value, or none and old is nil.
func (e *Environment) KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code {
	current, code := e.KVGet(key)
	switch {
	case code == abi.CodeDenied:
		return code
	case (code < 0) != (old == nil) || !bytes.Equal(current, old):
		return abi.CodeConflict
	}
	return e.KVSetTTL(key, value, ttl)
}

// KVDelete deletes a key of the store.
func (e *Environment) KVDelete(key string) abi.Code {
	if !e.grants(abi.CapabilityKV) {
		return abi.CodeDenied
	}
	if _, ok := e.KV[key]; !ok {
		return abi.CodeNotFound
	}
	delete(e.KV, key)
	return 0
}

// KVList lists the keys of the store with a prefix, sorted by their bytes.
func (e *Environment) KVList(prefix string) ([]string, abi.Code) {
	if !e.grants(abi.CapabilityKV) {
		return nil, abi.CodeDenied
	}
	keys := slices.DeleteFunc(slices.Sorted(maps.Keys(e.KV)), func(key string) bool { return !strings.HasPrefix(key, prefix) })
	return keys, 0
}

// CallEmbedder returns the answer of an embedder's function; [abi.CodeUnsupported] if there is no such function, and
// [abi.CodeNotFound] if it has no answer to the request.
func (e *Environment) CallEmbedder(_ context.Context, function string, request []byte) ([]byte, abi.Code) {
	answers, ok := e.Embedder[function]
	if !ok {
		return nil, abi.CodeUnsupported
	}
	return lookUp(answers, string(request))
}
