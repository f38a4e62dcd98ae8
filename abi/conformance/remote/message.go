// Package remote puts a host that is another program, in any language, through the conformance kit: [New] returns
// such a host for package conformance, and [Serve] makes a host such a program.
//
// The program reads requests from its standard input and writes one response to each to its standard output, in order.
// Both are JSON, one object a line, with bytes in base64 (RFC 4648, section 4). It ends when its input does.
package remote

import "github.com/hermes-cdp/hermes-cdp/abi"

// Request has exactly one of its fields.
type Request struct {
	Load  *Load  `json:"load,omitempty"`
	Call  *Call  `json:"call,omitempty"`
	Close *Close `json:"close,omitempty"`
}

// Load loads a module until it can be called, hermes_init included.
type Load struct {
	// Plugin is the number by which later requests name what was loaded. It is used once.
	Plugin int    `json:"plugin"`
	Wasm   []byte `json:"wasm"`
	// Config is an encoded google.protobuf.Struct; absent: the host's own configuration of the module.
	Config *[]byte `json:"config,omitempty"`
}

// Call runs a hook on an event.
type Call struct {
	Plugin int      `json:"plugin"`
	Hook   abi.Hook `json:"hook"`
	Event  []byte   `json:"event"` // need not be a message: it is passed on as it is
	// Capabilities are granted for this call, and no others.
	Capabilities []abi.Capability `json:"capabilities"`
	// KV is the store of the plugin before the call, and State the host's state.
	KV    map[string][]byte `json:"kv"`
	State map[string][]byte `json:"state"`
}

// Close ends a plugin.
type Close struct {
	Plugin int `json:"plugin"`
}

// Response is the response to a request.
type Response struct {
	// Error says why the module was refused, or how it failed (its fault); empty: neither. Init says that it was
	// hermes_init that refused the configuration with status 2; Error is then its reason alone.
	Error string `json:"error,omitempty"`
	Init  bool   `json:"init,omitempty"`

	// Hooks are those that the loaded module exports.
	Hooks []abi.Hook `json:"hooks,omitempty"`

	// Status is what the hook returned, with the verdict for 0 and the reason for 2. KV is the whole store afterwards.
	Status  abi.Status        `json:"status,omitempty"`
	Verdict []byte            `json:"verdict,omitempty"`
	Reason  string            `json:"reason,omitempty"`
	KV      map[string][]byte `json:"kv,omitempty"`
}
