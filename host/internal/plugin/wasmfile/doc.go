// Package wasmfile reads the outline of a WebAssembly binary without running or compiling it: its sections, types,
// imports, exports, memories, tables and custom sections.
//
// It also rewrites a binary so that it counts its work and the host can always stop it; see [File.Metered].
//
// The format is described in https://webassembly.github.io/spec/core/binary/modules.html. The package does not validate
// code; the engine does that when it compiles the module.
package wasmfile
