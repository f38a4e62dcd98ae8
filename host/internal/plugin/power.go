package plugin

import (
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Power is something that a module can do to pages, beyond deciding on events.
type Power string

// The powers.
const (
	PowerBridge   Power = "bridge"   // its script runs in every document of a task with the dialog bridge
	PowerNavigate Power = "navigate" // it allows, denies and rewrites navigations
	PowerRequest  Power = "request"  // it sees, allows and blocks every request
	PowerTools    Power = "tools"    // it sees, allows, denies and changes calls of tools, or their results
	PowerConsole  Power = "console"  // it sees what pages log, keeps it from agents and changes it
	PowerReadings Power = "readings" // it sees what readings of pages show, keeps it from agents and changes it
	PowerFiles    Power = "files"    // it sees which files pages offer and get, and allows or denies them
	PowerPage     Power = "page"     // scripts of its tools run in pages and read them
)

// Meaning says what the power lets a module do; empty for an unknown power.
func (p Power) Meaning() string {
	switch p {
	case PowerBridge:
		return "injects a script into every document"
	case PowerNavigate:
		return "allows, denies and rewrites navigations"
	case PowerRequest:
		return "sees every request, and allows or blocks it"
	case PowerTools:
		return "sees calls of tools or their results, and allows, denies or changes them"
	case PowerConsole:
		return "sees what pages log, and keeps, drops or masks it"
	case PowerReadings:
		return "sees what readings of pages show, and masks, drops or annotates it"
	case PowerFiles:
		return "sees which files pages offer and get, and allows or denies them"
	case PowerPage:
		return "runs scripts of its tools in pages and reads what is there"
	default:
		return ""
	}
}

// PowersOf lists the powers that come with hooks and capabilities.
func PowersOf(hooks []abi.Hook, capabilities []abi.Capability) []Power {
	powers := []Power{}
	if slices.Contains(hooks, abi.HookBridgeScript) {
		powers = append(powers, PowerBridge)
	}
	if slices.Contains(hooks, abi.HookNavigate) {
		powers = append(powers, PowerNavigate)
	}
	if slices.Contains(hooks, abi.HookRequest) {
		powers = append(powers, PowerRequest)
	}
	if slices.Contains(hooks, abi.HookBeforeTool) || slices.Contains(hooks, abi.HookAfterTool) {
		powers = append(powers, PowerTools)
	}
	if slices.Contains(hooks, abi.HookConsole) {
		powers = append(powers, PowerConsole)
	}
	if slices.Contains(hooks, abi.HookSnapshot) {
		powers = append(powers, PowerReadings)
	}
	if slices.Contains(hooks, abi.HookDownload) || slices.Contains(hooks, abi.HookUpload) {
		powers = append(powers, PowerFiles)
	}
	if slices.Contains(capabilities, abi.CapabilityPage) {
		powers = append(powers, PowerPage)
	}
	return powers
}

// Powers lists the powers that the module is granted and makes use of.
func (i Info) Powers() []Power {
	used := slices.DeleteFunc(slices.Clone(i.Asked), func(c abi.Capability) bool { return !i.Has(c) })
	return PowersOf(i.Hooks, used)
}
