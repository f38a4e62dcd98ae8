// Package abi is the contract between the host and its WebAssembly plugins: messages, codec, codes, limits and names.
//
// The host calls an export of the guest with the length of an event; the guest reads the event and writes its verdict
// through imports. No pointer crosses a call. The schema is hermes.proto, the specification is docs/abi.md.
//
// TinyGo compiles the package into guests, so it uses no reflection, fmt, strconv, errors or encoding/json, and imports
// nothing else of this project.
package abi
