// Package sdk is for every plugin: configuration, initialization and log. Each hook has its own package (sdk/dialog,
// sdk/dialogclosed, sdk/frames, sdk/bridge, sdk/navigate, sdk/request, sdk/tool,
// sdk/beforetool, sdk/aftertool, sdk/console, sdk/snapshot, sdk/download, sdk/upload), because importing one makes the
// module export that hook. What a module may ask the host for is in sdk/kv and sdk/state.
//
// A plugin registers its handlers in func init; main is empty and never runs:
//
//	func init() {
//		sdk.OnInit(func(config abi.Struct) error { ... })
//		dialog.Handle(func(e dialog.Event) dialog.Verdict { ... })
//	}
//
//	func main() {}
//
// Instances are interchangeable, and one module serves every task: keep nothing between calls except what hermes_init
// derives from the configuration. Time and randomness are in the event's header, so that a replay decides the same.
//
// Build with TinyGo (see tools/tinygo) or with GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared. The packages also
// compile natively; package sdktest runs a plugin in tests, and with host/module/plugintest the built module.
package sdk

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// OnInit registers a function that runs once per instance, before the first event. It receives the module-wide
// configuration, which is constant for the life of the instance. An error makes the host refuse the module: name the
// key, its value, and what is allowed.
func OnInit(f func(config abi.Struct) error) { guest.OnStart(f) }

// Config returns the module-wide configuration; it is empty if the operator gave none.
func Config() abi.Struct {
	config, _ := guest.Config() // hermes_init has already reported an error
	return config
}

// Log writes a line to the host's log, under the name of the module. The host truncates long lines, and drops lines if
// there are too many.
func Log(level abi.LogLevel, line string) { guest.Log(level, line) }

// LogEnabled reports whether the host keeps lines of a level. Call it before building an expensive line.
func LogEnabled(level abi.LogLevel) bool { return guest.LogEnabled(level) }

// Features returns a bit for each optional function of the ABI that the host has: [abi.FeatureKV], [abi.FeatureState].
func Features() uint64 { return guest.Features() }

// Decimal formats a whole number. Package strconv would cost a module 25 KB.
func Decimal(n int64) string { return guest.Decimal(n) }

// Error returns an error whose text is the parts joined. It costs a module nothing; fmt.Errorf costs it 80 KB.
func Error(parts ...string) error {
	text := ""
	for _, part := range parts {
		text += part
	}
	return guest.Error(text)
}
