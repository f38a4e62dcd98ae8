//go:build tinygo.wasm || wasip1

package guest

import (
	"time"
	"unsafe"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The functions of the module hermes_v1. A pointer may be nil when the length is 0.

//go:wasmimport hermes_v1 features
func importFeatures() int64

//go:wasmimport hermes_v1 event_read
func importEventRead(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 result_write
func importResultWrite(ptr unsafe.Pointer, n uint32) int32

//go:wasmimport hermes_v1 error_write
func errorWrite(s string) int32

//go:wasmimport hermes_v1 config_read
func importConfigRead(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 log
func log(level int32, s string) int32

//go:wasmimport hermes_v1 log_enabled
func importLogEnabled(level int32) int32

// The optional functions. The linker drops those that a module does not reach, so only a module that uses sdk/kv or
// sdk/state imports them; the same holds for answer_read and sdk/embedder.

//go:wasmimport hermes_v1 state_get
func importStateGet(key string, buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 kv_get
func importKVGet(key string, buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 kv_set
func importKVSet(key string, value unsafe.Pointer, valueLen uint32) int32

//go:wasmimport hermes_v1 kv_delete
func kvDelete(key string) int32

//go:wasmimport hermes_v1 kv_list
func importKVList(prefix string, buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 kv_set_ttl
func importKVSetTTL(key string, value unsafe.Pointer, valueLen uint32, ttlMS int64) int32

//go:wasmimport hermes_v1 kv_compare_and_set
func importKVCompareAndSet(key string, old unsafe.Pointer, oldLen uint32, value unsafe.Pointer, valueLen uint32, ttlMS int64) int32

//go:wasmimport hermes_v1 answer_read
func importAnswerRead(buf unsafe.Pointer, limit uint32) int32

func answerRead(buf []byte) int32 { return importAnswerRead(data(buf), size(buf)) }

// Export does nothing: in a guest, the compiler exports functions with a wasmexport directive.
func Export(abi.Hook, func(n int32) int32) {}

func features() uint64 { return uint64(importFeatures()) }

func logEnabled(level int32) bool { return importLogEnabled(level) != 0 }

func eventRead(buf []byte) int32 { return importEventRead(data(buf), size(buf)) }

func resultWrite(b []byte) int32 { return importResultWrite(data(b), size(b)) }

func configRead(buf []byte) int32 { return importConfigRead(data(buf), size(buf)) }

func stateGet(key string, buf []byte) int32 { return importStateGet(key, data(buf), size(buf)) }

func kvGet(key string, buf []byte) int32 { return importKVGet(key, data(buf), size(buf)) }

func kvSet(key string, value []byte) int32 { return importKVSet(key, data(value), size(value)) }

func kvSetTTL(key string, value []byte, ttl time.Duration) int32 {
	return importKVSetTTL(key, data(value), size(value), ttl.Milliseconds())
}

func kvCompareAndSet(key string, old, value []byte, ttl time.Duration) int32 {
	expected := size(old)
	if old == nil {
		expected = abi.KVNoValue
	}
	return importKVCompareAndSet(key, data(old), expected, data(value), size(value), ttl.Milliseconds())
}

func kvList(prefix string, buf []byte) int32 { return importKVList(prefix, data(buf), size(buf)) }

func data(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

func size(b []byte) uint32 { return uint32(len(b)) }
