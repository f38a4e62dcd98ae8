//go:build !(tinygo.wasm || wasip1)

package guest

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Environment is what a call can access beyond its event and its configuration. A code is 0 or negative.
type Environment interface {
	StateGet(key string) (value []byte, code abi.Code)
	KVGet(key string) (value []byte, code abi.Code)
	KVSet(key string, value []byte) abi.Code
	KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code
	KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code
	KVDelete(key string) abi.Code
	KVList(prefix string) (keys []string, code abi.Code)
	CallEmbedder(ctx context.Context, function string, request []byte) (answer []byte, code abi.Code)
}

// in asks the environment of the current call, if the host grants the capability. Without an environment it returns the
// code absent.
func in(wanted abi.Capability, absent abi.Code, ask func(Environment) int32) int32 {
	h := native.host
	switch {
	case !slices.Contains(h.Capabilities, wanted):
		return int32(abi.CodeDenied)
	case h.Environment == nil:
		return int32(absent)
	default:
		return ask(h.Environment)
	}
}

func stateGet(key string, buf []byte) int32 {
	return in(abi.CapabilityState, abi.CodeNotFound, func(e Environment) int32 {
		value, code := e.StateGet(key)
		return copyAnswer(value, code, buf)
	})
}

func kvGet(key string, buf []byte) int32 {
	return in(abi.CapabilityKV, abi.CodeNotFound, func(e Environment) int32 {
		value, code := e.KVGet(key)
		return copyAnswer(value, code, buf)
	})
}

func kvSet(key string, value []byte) int32 {
	return in(abi.CapabilityKV, abi.CodeTooLarge, func(e Environment) int32 {
		// The host would copy both: the handler may change them afterwards.
		return int32(e.KVSet(strings.Clone(key), bytes.Clone(value)))
	})
}

func kvSetTTL(key string, value []byte, ttl time.Duration) int32 {
	return in(abi.CapabilityKV, abi.CodeTooLarge, func(e Environment) int32 {
		return int32(e.KVSetTTL(strings.Clone(key), bytes.Clone(value), ttl))
	})
}

func kvCompareAndSet(key string, old, value []byte, ttl time.Duration) int32 {
	return in(abi.CapabilityKV, abi.CodeTooLarge, func(e Environment) int32 {
		return int32(e.KVCompareAndSet(strings.Clone(key), old, bytes.Clone(value), ttl))
	})
}

func kvDelete(key string) int32 {
	return in(abi.CapabilityKV, abi.CodeNotFound, func(e Environment) int32 { return int32(e.KVDelete(key)) })
}

func kvList(prefix string, buf []byte) int32 {
	return in(abi.CapabilityKV, 0, func(e Environment) int32 {
		keys, code := e.KVList(prefix)
		list := abi.KeyList{Keys: keys}
		return copyAnswer(list.Append(nil), code, buf)
	})
}

// copyAnswer copies a value out, unless there is a code instead.
func copyAnswer(value []byte, code abi.Code, buf []byte) int32 {
	if code < 0 {
		return int32(code)
	}
	return copyOut(value, buf)
}

// CallNativeEmbedder replaces an import from the embedder.
func CallNativeEmbedder(function string, request, buf []byte) int32 {
	native.heard = nil
	e := native.host.Environment
	if e == nil {
		return int32(abi.CodeUnsupported)
	}
	answer, code := e.CallEmbedder(context.Background(), function, bytes.Clone(request))
	if code == 0 || code == abi.CodeFailed {
		native.heard = append([]byte{}, answer...)
	}
	return copyAnswer(answer, code, buf)
}

func answerRead(buf []byte) int32 {
	if native.heard == nil {
		return int32(abi.CodeNotFound)
	}
	return copyOut(native.heard, buf)
}
