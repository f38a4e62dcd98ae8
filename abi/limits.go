package abi

import "time"

// The default limits of a module. The host's configuration can change each of them.
const (
	DefaultModuleBytes  = 4 << 20   // size of the .wasm file
	DefaultMemoryBytes  = 16 << 20  // linear memory of one instance
	DefaultStackBytes   = 1 << 20   // native stack of one call
	DefaultEventBytes   = 256 << 10 // an encoded event
	DefaultResultBytes  = 64 << 10  // an encoded verdict
	DefaultScriptBytes  = 1 << 20   // an encoded [BridgeScript]
	DefaultToolBytes    = 1 << 20   // an encoded [ToolUseEvent] or [ToolVerdict]
	DefaultKVBytes      = 64 << 10  // a plugin's store for one task, keys and values together
	DefaultKVTotalBytes = 64 << 20  // a plugin's stores for all tasks
	DefaultKVTotalKeys  = 64 << 10  // keys in them
	DefaultLogLineBytes = 4 << 10   // one line of the log import; longer ones are cut
	DefaultLogLines     = 100       // log lines per second and module; more are counted and dropped

	DefaultExchangeBytes = 1 << 20 // what one call may exchange with state and store, see [ExchangeOverhead]

	DefaultInitTimeout = 2 * time.Second
	DefaultHookTimeout = 50 * time.Millisecond

	// DefaultFuel is what one hook call may use, in units: about one for each cheap instruction, one for each byte of a
	// bulk instruction, and ten for each iteration of a loop. Fuel is counted, not measured: a call that needs more fails
	// at the same place on every machine. An endless loop uses it up in about 40 ms.
	DefaultFuel = 500_000_000
)

// The default limits of an embedder's function, which the embedder can change for each.
const (
	DefaultFunctionRequestBytes = 64 << 10
	DefaultFunctionAnswerBytes  = 64 << 10
	DefaultFunctionCalls        = 16                    // in one hook call
	DefaultFunctionTimeout      = 20 * time.Millisecond // of one call
)

// Limits that cannot be configured.
const (
	MaxKeyBytes      = 256                  // a key of state or store, or the prefix of a list
	MaxKVKeys        = 1024                 // keys of a plugin's store for one task
	MaxKVTTL         = 365 * 24 * time.Hour // the time to live of an entry of the store
	ExchangeOverhead = 64                   // what each access to state or store counts, plus its key, values and list
)

// KVNoValue is the length that kv_compare_and_set has for the old value if there must be none.
const KVNoValue = 1<<32 - 1

// The host truncates texts that a page can make as long as it likes, so that no page can make an event too large for
// its plugin. What a page gets back is never truncated: a prompt that is accepted without a text returns the whole
// default.
const (
	MaxFrameURLBytes   = 2 << 10  // the URL and the name of a [Frame], and the URL of a [DialogEvent]
	MaxDialogTextBytes = 64 << 10 // the message, and the default text, of a [DialogEvent]

	// MaxSnapshotBytes is the size of the nodes of a [SnapshotEvent], unless it has a single one; those that are left come
	// with the next. The collector of TinyGo looks for the beginning of what each text points into, which would take the
	// square of the size for larger ones.
	MaxSnapshotBytes     = 32 << 10
	MaxSnapshotTextBytes = 32 << 10 // each text of a [SnapshotNode]

	MaxRequestURLBytes     = 8 << 10  // the URL of a [RequestEvent]
	MaxRequestHeadersBytes = 16 << 10 // its headers, names and values together
)
