// Package abi is the contract between the host and its WebAssembly plugins: messages, codec, codes, limits and names.
//
// The host calls one export of the guest with the length of an event; the guest reads the event and writes its verdict
// through imports. No pointer crosses a call. hermes.proto is the schema, docs/abi.md the specification.
//
// The package is compiled into guests by TinyGo, so it uses no reflection, fmt, strconv, errors or encoding/json, and
// imports nothing of this project.
package abi
