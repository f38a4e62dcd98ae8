//go:build !(tinygo.wasm || wasip1)

package guest

import (
	"strings"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Host replaces the host for a plugin that is compiled natively, so that its tests need no WebAssembly.
type Host struct {
	Event    []byte
	Config   []byte
	Log      func(level abi.LogLevel, line string) // nil: no level is enabled
	Result   []byte                                // what result_write received last
	Decided  bool                                  // whether it was called
	Reason   string                                // what error_write received last
	Features uint64

	Capabilities []abi.Capability // granted
	Environment  Environment      // nil: nothing is found, and nothing can be stored
}

// native is the one guest in a native process: handlers are registered in package variables.
var native struct {
	sync.Mutex
	host  *Host
	heard []byte // the latest answer of the embedder
	hooks []nativeHook
}

type nativeHook struct {
	name abi.Hook
	run  func(n int32) int32
}

// Export replaces the export of a hook.
func Export(hook abi.Hook, run func(n int32) int32) {
	native.hooks = append(native.hooks, nativeHook{hook, run})
}

// NativeHooks lists the hooks in this process.
func NativeHooks() []abi.Hook {
	hooks := make([]abi.Hook, 0, len(native.hooks))
	for _, hook := range native.hooks {
		hooks = append(hooks, hook.name)
	}
	return hooks
}

// InitNative runs hermes_init, and decodes the configuration again.
func InitNative(h *Host) abi.Status {
	native.Lock()
	defer native.Unlock()
	native.host = h
	configuration.loaded = false
	return start()
}

// Forget undoes [Misuse], for tests of it.
func Forget() { misuse = nil }

// CallNative runs a hook on h.Event; found is false if the process does not have the hook. It decodes the configuration
// again, because several modules with different ones share the process.
func CallNative(h *Host, hook abi.Hook) (status abi.Status, found bool) {
	native.Lock()
	defer native.Unlock()
	for _, candidate := range native.hooks {
		if candidate.name == hook {
			native.host = h
			configuration.loaded = false
			if status := start(); status != abi.StatusDecided {
				return status, true
			}
			return abi.Status(candidate.run(int32(len(h.Event)))), true
		}
	}
	return 0, false
}

func features() uint64 { return native.host.Features }

func eventRead(buf []byte) int32 { return copyOut(native.host.Event, buf) }

func configRead(buf []byte) int32 { return copyOut(native.host.Config, buf) }

func copyOut(data, buf []byte) int32 {
	if len(data) <= len(buf) {
		copy(buf, data)
	}
	return int32(len(data))
}

func resultWrite(b []byte) int32 {
	native.host.Result, native.host.Decided = append([]byte(nil), b...), true
	return int32(len(b))
}

func errorWrite(s string) int32 {
	native.host.Reason = strings.Clone(s) // it may point into the event, whose buffer is reused
	return int32(len(s))
}

func log(level int32, s string) {
	if native.host.Log != nil {
		native.host.Log(abi.LogLevel(level), s)
	}
}

func logEnabled(int32) bool { return native.host.Log != nil }

// RunNative runs f as if in a call of the plugin, for tests of what a handler may use.
func RunNative(h *Host, f func()) {
	native.Lock()
	defer native.Unlock()
	native.host = h
	configuration.loaded = false
	f()
}
