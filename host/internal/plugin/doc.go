// Package plugin runs the host's WebAssembly modules: it loads and verifies them, calls their hooks within limits, and
// contains their faults.
//
// A [Module] is one generation of a module: one wazero runtime, one compiled binary, and a pool of instances that all
// tasks share. Closing the module closes all of it; nothing is shared between generations, because closing one compiled
// module of wazero can break an identical one in the same engine.
//
// Who owns what: an instance has exactly one caller at a time. The caller's goroutine runs the guest's hook; it takes the
// instance from the pool, and gives it back or closes it. Goroutines of the pool make and initialise new instances. After
// a fault an instance is always closed, because a guest that trapped may look healthy and be corrupt.
//
// A running guest can not be pre-empted by the Go scheduler: one that spins stops the whole process at the next garbage
// collection. So every module is metered when it is loaded (see package wasmfile): it counts its work and comes back to the
// host for more fuel at the latest every few milliseconds. There the collection can take place, and the host ends calls
// that are over their fuel or their time, or whose caller gave up. Nothing else is needed to bound a guest: wazero's own
// interruption, which makes calls several times dearer, is off, and there is no timer and no goroutine per call. No
// running guest is ever abandoned: a call returns only when its guest has stopped.
//
// Fuel is a count, so it ends a call in the same place on every machine and in every replay. Time is the last resort.
package plugin
