package guestio

import (
	"context"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Environment is what a guest can ask the host for during one call, beyond its event and its configuration. The
// module's grants, and the form and length of keys, are checked first. Values that it returns never change and stay
// valid until the call ends; values that it receives must be copied. A call uses it from a single goroutine.
//
// It runs on the goroutine of the guest, so it should answer from memory. An implementation that has to wait must be
// created for one call and end with that call's context. The host checks the clock when it returns: a call whose
// environment took too long ends there, as a plugin.FaultInternal and not as a timeout of the guest. Other calls have
// instances of their own and do not wait for it.
type Environment interface {
	// StateGet returns the host's state under a key, as JSON.
	StateGet(key string) (value []byte, code abi.Code)
	// KVGet returns the plugin's own value for the task.
	KVGet(key string) (value []byte, code abi.Code)
	// KVSet stores a value. It returns 0, or [abi.CodeTooLarge] if the value does not fit.
	KVSet(key string, value []byte) abi.Code
	// KVSetTTL is KVSet for a value that is gone after ttl, which is at most [abi.MaxKVTTL]; 0: it stays.
	KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code
	// KVCompareAndSet is KVSetTTL if the current value is old, or if there is none and old is nil. It returns
	// [abi.CodeConflict] otherwise. No other write comes between the comparison and the write.
	KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code
	// KVDelete removes a key. It returns 0, or [abi.CodeNotFound] if there is no such key.
	KVDelete(key string) abi.Code
	// KVList returns the keys with the prefix, sorted bytewise. Having none is not an error.
	KVList(prefix string) (keys []string, code abi.Code)
	// CallEmbedder calls a granted function of the embedder, within ctx. The code is 0, or says why there is no answer;
	// with [abi.CodeFailed] the answer is the reason.
	CallEmbedder(ctx context.Context, function string, request []byte) (answer []byte, code abi.Code)
}

// Exchange is one request of a guest to its environment, with the answer. Its exchanges, in order, replay a call.
type Exchange struct {
	Import  string   `json:"import"`            // abi.ImportStateGet, abi.ImportKVGet and so on; see [EmbedderImport]
	Key     string   `json:"key"`               // or the prefix
	Request []byte   `json:"request,omitempty"` // to a function of the embedder; or the value that a comparison expected
	Absent  bool     `json:"absent,omitempty"`  // the comparison expected that there is none
	TTLMS   int64    `json:"ttl_ms,omitempty"`  // of what is written, in milliseconds; 0: it stays
	Value   []byte   `json:"value,omitempty"`
	Keys    []string `json:"keys,omitempty"`
	Code    abi.Code `json:"code,omitempty"` // 0 or negative
}

// EmbedderImport is the name of an embedder's function in an [Exchange].
func EmbedderImport(function string) string { return embedderPrefix + function }

const embedderPrefix = abi.EmbedderModule + "."

// Embedder returns the embedder's function that was asked; ok is false if the exchange was with the host itself.
func (e *Exchange) Embedder() (function string, ok bool) {
	return strings.CutPrefix(e.Import, embedderPrefix)
}

// Nothing is the environment of a call without one: it has no state, and stores nothing.
type Nothing struct{}

// OrNothing is env, or [Nothing] for nil.
func OrNothing(env Environment) Environment {
	if env == nil {
		return Nothing{}
	}
	return env
}

func (Nothing) StateGet(string) ([]byte, abi.Code)              { return nil, abi.CodeNotFound }
func (Nothing) KVGet(string) ([]byte, abi.Code)                 { return nil, abi.CodeNotFound }
func (Nothing) KVSet(string, []byte) abi.Code                   { return abi.CodeTooLarge }
func (Nothing) KVSetTTL(string, []byte, time.Duration) abi.Code { return abi.CodeTooLarge }

func (Nothing) KVCompareAndSet(_ string, old, _ []byte, _ time.Duration) abi.Code {
	if old != nil {
		return abi.CodeConflict
	}
	return abi.CodeTooLarge
}

func (Nothing) KVDelete(string) abi.Code           { return abi.CodeNotFound }
func (Nothing) KVList(string) ([]string, abi.Code) { return nil, 0 }

func (Nothing) CallEmbedder(context.Context, string, []byte) ([]byte, abi.Code) {
	return nil, abi.CodeUnsupported
}
