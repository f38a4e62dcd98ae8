package plugin

import (
	"cmp"
	"runtime"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Limits bound what a module may use. A zero field means its default.
type Limits struct {
	ModuleBytes  int64 // size of the .wasm file; default [abi.DefaultModuleBytes]
	MemoryBytes  int64 // linear memory of one instance, in whole pages of 64 KiB; default [abi.DefaultMemoryBytes]
	StackBytes   int64 // native stack of one call; default [abi.DefaultStackBytes]
	EventBytes   int   // an encoded event; default [abi.DefaultEventBytes]
	ResultBytes  int   // an encoded verdict that is no bridge script; default [abi.DefaultResultBytes]
	KVBytes      int   // a plugin's own store for one task, keys and values; default [abi.DefaultKVBytes]
	KVTotalBytes int   `json:",omitzero"` // of all tasks; default [abi.DefaultKVTotalBytes], or KVBytes
	KVTotalKeys  int   `json:",omitzero"` // keys in them; default [abi.DefaultKVTotalKeys]
	LogLineBytes int   // a line of the guest's log, longer ones are cut; default [abi.DefaultLogLineBytes]
	LogLines     int   // log lines per second and module, more are counted and dropped; default [abi.DefaultLogLines]

	ExchangeBytes int // bytes that one call may exchange with state and store; default [abi.DefaultExchangeBytes]

	InitTimeout time.Duration // instantiation and hermes_init together; default [abi.DefaultInitTimeout]
	HookTimeout time.Duration // one hook call, excluding the wait for an instance; default [abi.DefaultHookTimeout]
	Fuel        int64         // units of one hook call, less if the manifest asks for less; default [abi.DefaultFuel]

	Instances          int   // maximum number of instances; default GOMAXPROCS
	CallsPerInstance   int   // an instance is replaced after this many calls; default 10,000
	RecycleMemoryBytes int64 // an instance whose memory grew beyond this is replaced; default half of MemoryBytes
}

// defaultCallsPerInstance limits the damage of a slow leak or corruption in a guest's heap.
const defaultCallsPerInstance = 10_000

// WithDefaults returns the limits with every zero field replaced by its default.
func (l Limits) WithDefaults() Limits {
	l.ModuleBytes = cmp.Or(l.ModuleBytes, abi.DefaultModuleBytes)
	l.MemoryBytes = cmp.Or(l.MemoryBytes, abi.DefaultMemoryBytes)
	l.StackBytes = cmp.Or(l.StackBytes, abi.DefaultStackBytes)
	l.EventBytes = cmp.Or(l.EventBytes, abi.DefaultEventBytes)
	l.ResultBytes = cmp.Or(l.ResultBytes, abi.DefaultResultBytes)
	l.KVBytes = cmp.Or(l.KVBytes, abi.DefaultKVBytes)
	l.KVTotalBytes = cmp.Or(l.KVTotalBytes, max(l.KVBytes, abi.DefaultKVTotalBytes))
	l.KVTotalKeys = cmp.Or(l.KVTotalKeys, abi.DefaultKVTotalKeys)
	l.LogLineBytes = cmp.Or(l.LogLineBytes, abi.DefaultLogLineBytes)
	l.LogLines = cmp.Or(l.LogLines, abi.DefaultLogLines)
	l.ExchangeBytes = cmp.Or(l.ExchangeBytes, abi.DefaultExchangeBytes)
	l.InitTimeout = cmp.Or(l.InitTimeout, abi.DefaultInitTimeout)
	l.HookTimeout = cmp.Or(l.HookTimeout, abi.DefaultHookTimeout)
	l.Fuel = cmp.Or(l.Fuel, abi.DefaultFuel)
	l.Instances = cmp.Or(l.Instances, runtime.GOMAXPROCS(0))
	l.CallsPerInstance = cmp.Or(l.CallsPerInstance, defaultCallsPerInstance)
	l.RecycleMemoryBytes = cmp.Or(l.RecycleMemoryBytes, l.MemoryBytes/2)
	return l
}

// event is the maximum size of a hook's event. The result of a tool is larger than what a page can make of others.
func (l Limits) event(hook abi.Hook) int {
	if hook == abi.HookBeforeTool || hook == abi.HookAfterTool {
		return max(l.EventBytes, abi.DefaultToolBytes)
	}
	if hook == abi.HookSnapshot {
		return max(l.EventBytes, abi.DefaultEventBytes) // within which the host keeps each part of a reading
	}
	return l.EventBytes
}

// result is the maximum size of a hook's verdict. Scripts, and changed results of tools, are larger than others.
func (l Limits) result(hook abi.Hook) int {
	switch hook {
	case abi.HookBridgeScript:
		return max(l.ResultBytes, abi.DefaultScriptBytes)
	case abi.HookBeforeTool, abi.HookAfterTool:
		return max(l.ResultBytes, abi.DefaultToolBytes)
	case abi.HookSnapshot:
		return max(l.ResultBytes, abi.DefaultEventBytes) // it may mask all of a part
	}
	return l.ResultBytes
}
