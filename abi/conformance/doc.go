// Package conformance checks whether a plugin, or a host, conforms to docs/abi.md.
//
// The cases are files in the directory cases, in a format for any language; README.md describes them. This package runs
// them: [CheckGuest] on a module, with any host that can load it, and [CheckHost] on a host, with modules that probe
// it.
package conformance
