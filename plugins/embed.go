// Package plugins holds the modules that ship with the host. Their sources are in the directories beside it; `make plugins`
// builds them into dist.
package plugins

import (
	_ "embed" // for the modules

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The names of the shipped modules.
const (
	BridgeScript = "bridge-script" // takes dialogs from the page's own functions
	DialogPolicy = "dialog-policy" // decides on dialogs
	FrameFilter  = "frame-filter"  // trims frame trees
)

//go:embed dist/bridge-script.wasm
var bridgeScript []byte

//go:embed dist/dialog-policy.wasm
var dialogPolicy []byte

//go:embed dist/frame-filter.wasm
var frameFilter []byte

// Names lists the shipped modules, sorted.
func Names() []string { return []string{BridgeScript, DialogPolicy, FrameFilter} }

// Hooks lists the hooks that are granted to a shipped name where an operator says nothing: those of its module, and of one that
// takes its place. There are none for other names.
func Hooks(name string) []abi.Hook {
	switch name {
	case BridgeScript:
		return []abi.Hook{abi.HookBridgeScript, abi.HookBridgeRequest, abi.HookBridgeReply}
	case DialogPolicy:
		return []abi.Hook{abi.HookDialog, abi.HookDialogClosed}
	case FrameFilter:
		return []abi.Hook{abi.HookFrames}
	default:
		return nil
	}
}

// Module returns the binary of a shipped module, which must not be changed; ok is false for a name that is not shipped.
func Module(name string) (wasm []byte, ok bool) {
	switch name {
	case BridgeScript:
		return bridgeScript, true
	case DialogPolicy:
		return dialogPolicy, true
	case FrameFilter:
		return frameFilter, true
	default:
		return nil, false
	}
}
