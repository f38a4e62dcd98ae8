package guestio

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Recorder is an environment that passes everything on to another one and records the requests and answers. It is used
// for one call at a time. Reset prepares it for the next, so a pooled one costs a call without requests no memory. Its
// size is bounded by plugin.Limits.ExchangeBytes of the module and the size of one answer.
type Recorder struct {
	env       Environment
	exchanges []Exchange
}

// Reset starts a recording on top of env; nil is an empty environment, as for plugin.Module.CallIn.
func (r *Recorder) Reset(env Environment) {
	r.env, r.exchanges = OrNothing(env), nil
}

// Exchanges returns the exchanges since Reset, in order; nil if there were none. The caller may keep them.
func (r *Recorder) Exchanges() []Exchange { return r.exchanges }

func (r *Recorder) keep(e Exchange) { r.exchanges = append(r.exchanges, e) }

// StateGet implements [Environment].
func (r *Recorder) StateGet(key string) ([]byte, abi.Code) {
	value, c := r.env.StateGet(key)
	r.keep(Exchange{Import: abi.ImportStateGet, Key: key, Value: bytes.Clone(value), Code: Known(c)})
	return value, c
}

// KVGet implements [Environment].
func (r *Recorder) KVGet(key string) ([]byte, abi.Code) {
	value, c := r.env.KVGet(key)
	r.keep(Exchange{Import: abi.ImportKVGet, Key: key, Value: bytes.Clone(value), Code: Known(c)})
	return value, c
}

// KVSet implements [Environment].
func (r *Recorder) KVSet(key string, value []byte) abi.Code {
	c := r.env.KVSet(key, value)
	r.keep(Exchange{Import: abi.ImportKVSet, Key: key, Value: bytes.Clone(value), Code: Known(c)})
	return c
}

// KVSetTTL implements [Environment].
func (r *Recorder) KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code {
	c := r.env.KVSetTTL(key, value, ttl)
	r.keep(Exchange{Import: abi.ImportKVSetTTL, Key: key, Value: bytes.Clone(value), TTLMS: ttl.Milliseconds(), Code: Known(c)})
	return c
}

// KVCompareAndSet implements [Environment].
func (r *Recorder) KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code {
	c := r.env.KVCompareAndSet(key, old, value, ttl)
	asked := compareAndSet(key, bytes.Clone(old), bytes.Clone(value), ttl)
	asked.Code = KnownOfCompare(c)
	r.keep(asked)
	return c
}

// compareAndSet is the exchange of a comparison, without the answer.
func compareAndSet(key string, old, value []byte, ttl time.Duration) Exchange {
	return Exchange{
		Import: abi.ImportKVCompareAndSet, Key: key, Request: old, Absent: old == nil, Value: value, TTLMS: ttl.Milliseconds(),
	}
}

// KVDelete implements [Environment].
func (r *Recorder) KVDelete(key string) abi.Code {
	c := r.env.KVDelete(key)
	r.keep(Exchange{Import: abi.ImportKVDelete, Key: key, Code: Known(c)})
	return c
}

// KVList implements [Environment].
func (r *Recorder) KVList(prefix string) ([]string, abi.Code) {
	keys, c := r.env.KVList(prefix)
	r.keep(Exchange{Import: abi.ImportKVList, Key: prefix, Keys: slices.Clone(keys), Code: Known(c)})
	return keys, c
}

// CallEmbedder implements [Environment].
func (r *Recorder) CallEmbedder(ctx context.Context, function string, request []byte) ([]byte, abi.Code) {
	asked := bytes.Clone(request)
	value, c := r.env.CallEmbedder(ctx, function, request)
	r.keep(Exchange{Import: EmbedderImport(function), Request: asked, Value: bytes.Clone(value), Code: KnownOfEmbedder(c)})
	return value, c
}
