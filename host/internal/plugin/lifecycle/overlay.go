package lifecycle

import (
	"bytes"
	"context"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// overlay is the environment of one shadow call. It answers as the module in service was answered in the same call, so
// that what that module wrote meanwhile does not affect the candidate. What that module did not ask comes from a copy
// of the store, which takes the writes of the candidate and is discarded after the call.
type overlay struct {
	guestio.Environment // the copy
	answered            map[question]guestio.Exchange
	written             map[string]bool
}

type question struct{ what, key string }

// newOverlay puts the answers to the module in service on top of a copy. Answers after a write of its own are left out,
// because they depend on that write.
func newOverlay(fork guestio.Environment, exchanges []guestio.Exchange) *overlay {
	o := &overlay{Environment: fork, answered: map[question]guestio.Exchange{}, written: map[string]bool{}}
	wrote := map[string]bool{}
	for _, x := range exchanges {
		own := false
		switch x.Import {
		case abi.ImportKVCompareAndSet: // says what KVGet would have answered, if it was what the module expected
			own = x.Code != 0 || wrote[x.Key]
			wrote[x.Key] = wrote[x.Key] || x.Code == 0
			expected := guestio.Exchange{Import: abi.ImportKVGet, Key: x.Key, Value: x.Request}
			if x.Absent {
				expected.Code = abi.CodeNotFound
			}
			x = expected
		case abi.ImportKVSet, abi.ImportKVSetTTL, abi.ImportKVDelete:
			wrote[x.Key], own = true, true
		case abi.ImportKVGet:
			own = wrote[x.Key]
		case abi.ImportKVList:
			own = len(wrote) > 0
		}
		about := question{x.Import, x.Key}
		if _, embedder := x.Embedder(); embedder {
			about.key = string(x.Request)
		}
		if _, asked := o.answered[about]; !asked && !own {
			o.answered[about] = x
		}
	}
	return o
}

// StateGet implements [guestio.Environment].
func (o *overlay) StateGet(key string) ([]byte, abi.Code) {
	if x, ok := o.answered[question{abi.ImportStateGet, key}]; ok {
		return x.Value, x.Code
	}
	return o.Environment.StateGet(key)
}

// KVGet implements [guestio.Environment].
func (o *overlay) KVGet(key string) ([]byte, abi.Code) {
	if x, ok := o.answered[question{abi.ImportKVGet, key}]; ok && !o.written[key] {
		return x.Value, x.Code
	}
	return o.Environment.KVGet(key)
}

// KVSet implements [guestio.Environment].
func (o *overlay) KVSet(key string, value []byte) abi.Code {
	code := o.Environment.KVSet(key, value)
	o.written[key] = o.written[key] || code == 0
	return code
}

// KVSetTTL implements [guestio.Environment].
func (o *overlay) KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code {
	code := o.Environment.KVSetTTL(key, value, ttl)
	o.written[key] = o.written[key] || code == 0
	return code
}

// KVCompareAndSet implements [guestio.Environment]. It compares with what KVGet answers, where the copy may differ.
func (o *overlay) KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code {
	current, there := o.KVGet(key)
	if (there < 0) != (old == nil) || !bytes.Equal(current, old) {
		return abi.CodeConflict
	}
	return o.KVSetTTL(key, value, ttl)
}

// KVDelete implements [guestio.Environment].
func (o *overlay) KVDelete(key string) abi.Code {
	_, there := o.KVGet(key)
	o.written[key] = true
	_ = o.Environment.KVDelete(key) // the copy may differ from the answer
	if there < 0 {
		return abi.CodeNotFound
	}
	return 0
}

// KVList implements [guestio.Environment].
func (o *overlay) KVList(prefix string) ([]string, abi.Code) {
	if x, ok := o.answered[question{abi.ImportKVList, prefix}]; ok && len(o.written) == 0 {
		return x.Keys, x.Code
	}
	return o.Environment.KVList(prefix)
}

// CallEmbedder implements [guestio.Environment]. A shadow has no effect, so the embedder is not called for it: it has
// the answers to the module in service, and no others.
func (o *overlay) CallEmbedder(_ context.Context, function string, request []byte) ([]byte, abi.Code) {
	if x, ok := o.answered[question{guestio.EmbedderImport(function), string(request)}]; ok {
		return x.Value, x.Code
	}
	return nil, abi.CodeUnsupported
}
