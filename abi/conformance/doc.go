// Package conformance reports whether a plugin, or a host, keeps to docs/abi.md.
//
// The cases are files below cases, made to be read from any language; README.md describes them. This package runs them:
// [CheckGuest] on a module, by whatever host can load it, and [CheckHost] on a host, with modules that probe it.
package conformance
