// Package plugin runs WebAssembly modules: it loads and verifies them, calls their hooks within limits, and contains
// their faults.
//
// A [Module] is one generation of a module: one wazero runtime, one compiled binary and a pool of instances that all
// tasks share. Closing the module closes all of it. Generations share nothing, because closing one compiled module of
// wazero can break an identical one in the same engine.
//
// Ownership: an instance has exactly one caller at a time. The caller's goroutine takes the instance from the pool,
// runs the hook, and gives the instance back or closes it. Goroutines of the pool create and initialise new instances.
// After a fault an instance is always closed, because the memory of a guest that trapped may be corrupt.
//
// The Go scheduler cannot pre-empt a running guest: a guest in an endless loop would stop the whole process at the next
// garbage collection. So every module is metered when it is loaded (see package wasmfile): it counts its work and
// returns to the host for more fuel, at least every few milliseconds. There garbage collection can proceed, and the
// host ends calls that are out of fuel or time, or whose caller gave up. Nothing else is needed to bound a guest.
// wazero's own interruption, which makes calls several times slower, is off, and there is no timer and no goroutine per
// call. No running guest is ever abandoned: a call returns only when its guest has stopped.
//
// Fuel is a count, so it ends a call at the same point on every machine and in every replay. Time is the last resort.
package plugin
