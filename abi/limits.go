package abi

import "time"

// The default limits of a module. The host's configuration can change each.
const (
	DefaultModuleBytes  = 4 << 20   // size of the .wasm file
	DefaultMemoryBytes  = 16 << 20  // linear memory of one instance
	DefaultEventBytes   = 256 << 10 // an encoded event
	DefaultResultBytes  = 64 << 10  // an encoded verdict
	DefaultLogLineBytes = 4 << 10   // one line of the log import; longer ones are cut
	DefaultLogLines     = 100       // log lines per second and module; more are counted and dropped

	DefaultInitTimeout = 2 * time.Second
	DefaultHookTimeout = 50 * time.Millisecond
)

// MaxFrameURLBytes is where the host cuts the URL of a [Frame].
const MaxFrameURLBytes = 2 << 10
