//go:build tinygo.wasm || wasip1

package guest

import "unsafe"

// The optional functions of the module hermes_v1. A linker leaves out those that a module does not reach, so only a
// module that uses sdk/kv or sdk/state imports them.

//go:wasmimport hermes_v1 state_get
func importStateGet(key unsafe.Pointer, keyLen uint32, buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 kv_get
func importKVGet(key unsafe.Pointer, keyLen uint32, buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 kv_set
func importKVSet(key unsafe.Pointer, keyLen uint32, value unsafe.Pointer, valueLen uint32) int32

//go:wasmimport hermes_v1 kv_delete
func importKVDelete(key unsafe.Pointer, keyLen uint32) int32

//go:wasmimport hermes_v1 kv_list
func importKVList(prefix unsafe.Pointer, prefixLen uint32, buf unsafe.Pointer, limit uint32) int32

func text(s string) (unsafe.Pointer, uint32) {
	return unsafe.Pointer(unsafe.StringData(s)), uint32(len(s))
}

func data(b []byte) (unsafe.Pointer, uint32) {
	return unsafe.Pointer(unsafe.SliceData(b)), uint32(len(b))
}

func stateGet(key string, buf []byte) int32 {
	k, kn := text(key)
	b, bn := data(buf)
	return importStateGet(k, kn, b, bn)
}

func kvGet(key string, buf []byte) int32 {
	k, kn := text(key)
	b, bn := data(buf)
	return importKVGet(k, kn, b, bn)
}

func kvSet(key string, value []byte) int32 {
	k, kn := text(key)
	v, vn := data(value)
	return importKVSet(k, kn, v, vn)
}

func kvDelete(key string) int32 {
	k, kn := text(key)
	return importKVDelete(k, kn)
}

func kvList(prefix string, buf []byte) int32 {
	p, pn := text(prefix)
	b, bn := data(buf)
	return importKVList(p, pn, b, bn)
}
