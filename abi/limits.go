package abi

import "time"

// The default limits of a module. The host's configuration can change each.
const (
	DefaultModuleBytes  = 4 << 20   // size of the .wasm file
	DefaultMemoryBytes  = 16 << 20  // linear memory of one instance
	DefaultStackBytes   = 1 << 20   // native stack of one call
	DefaultEventBytes   = 256 << 10 // an encoded event
	DefaultResultBytes  = 64 << 10  // an encoded verdict
	DefaultScriptBytes  = 1 << 20   // an encoded [BridgeScript]
	DefaultKVBytes      = 64 << 10  // a plugin's own store for one task, keys and values together
	DefaultLogLineBytes = 4 << 10   // one line of the log import; longer ones are cut
	DefaultLogLines     = 100       // log lines per second and module; more are counted and dropped

	DefaultExchangeBytes = 1 << 20 // what one call may ask of state and store, see [ExchangeOverhead]

	DefaultInitTimeout = 2 * time.Second
	DefaultHookTimeout = 50 * time.Millisecond

	// DefaultFuel is what one hook call may use, in units: about one for each cheap instruction, each byte of a bulk
	// instruction, and ten for each turn of a loop. Fuel is counted, not measured: a call that needs more fails in the
	// same place on every machine. A loop that never ends uses this much up in some 40 ms.
	DefaultFuel = 500_000_000
)

// What does not depend on configuration.
const (
	MaxKeyBytes      = 256  // a key of state and store, and the prefix of a list
	MaxKVKeys        = 1024 // keys of a plugin's store for one task
	ExchangeOverhead = 64   // what each question to state and store counts, beside the bytes of its key, value and list
)

// Where the host cuts texts that a page can make as long as it likes, so that no page can make an event too large for the
// plugin that is to judge it. What a page gets back is never cut: a prompt that is accepted without a text returns the
// whole default.
const (
	MaxFrameURLBytes   = 2 << 10  // the URL and the name of a [Frame], and the URL of a [DialogEvent]
	MaxDialogTextBytes = 64 << 10 // the message, and the default text, of a [DialogEvent]
)
