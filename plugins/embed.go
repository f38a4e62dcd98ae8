// Package plugins has the modules that ship with the host. Their sources are in the directories next to it; `make
// plugins` builds them into dist.
package plugins

import (
	_ "embed" // for the modules

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// The names of the shipped modules.
const (
	BridgeScript = "bridge-script" // replaces the page's dialog functions
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

// Hooks lists the hooks that a shipped name is granted by default: those of its module, and of a module that replaces
// it. There are none for other names.
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

// Module returns the binary of a shipped module, which must not be modified; ok is false for other names.
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
