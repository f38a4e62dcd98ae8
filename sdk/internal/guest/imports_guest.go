//go:build tinygo.wasm || wasip1

package guest

import "unsafe"

// The functions of the module hermes_v1. A pointer may be nil when the length is 0.

//go:wasmimport hermes_v1 features
func importFeatures() int64

//go:wasmimport hermes_v1 event_read
func importEventRead(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 result_write
func importResultWrite(ptr unsafe.Pointer, n uint32) int32

//go:wasmimport hermes_v1 error_write
func importErrorWrite(ptr unsafe.Pointer, n uint32) int32

//go:wasmimport hermes_v1 config_read
func importConfigRead(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport hermes_v1 log
func importLog(level int32, ptr unsafe.Pointer, n uint32) int32

//go:wasmimport hermes_v1 log_enabled
func importLogEnabled(level int32) int32

func features() uint64 { return uint64(importFeatures()) }

func eventRead(buf []byte) int32 {
	return importEventRead(unsafe.Pointer(unsafe.SliceData(buf)), uint32(len(buf)))
}

func resultWrite(b []byte) int32 {
	return importResultWrite(unsafe.Pointer(unsafe.SliceData(b)), uint32(len(b)))
}

func errorWrite(s string) int32 {
	return importErrorWrite(unsafe.Pointer(unsafe.StringData(s)), uint32(len(s)))
}

func configRead(buf []byte) int32 {
	return importConfigRead(unsafe.Pointer(unsafe.SliceData(buf)), uint32(len(buf)))
}

func log(level int32, s string) {
	importLog(level, unsafe.Pointer(unsafe.StringData(s)), uint32(len(s)))
}

func logEnabled(level int32) bool { return importLogEnabled(level) != 0 }
