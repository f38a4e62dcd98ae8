package plugin

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Step is a step of loading a module, in the order of [Steps].
type Step string

// The steps of [Load]. No code of the module runs before StepInstantiate.
const (
	StepRead        Step = "read"        // the file exists and is within the size limit
	StepPin         Step = "pin"         // it has the sha256 that the configuration names
	StepParse       Step = "parse"       // it is a WebAssembly binary
	StepImports     Step = "imports"     // the host has every function that it imports, with that signature
	StepExports     Step = "exports"     // it has the ABI marker and at least one hook, and no unknown hook
	StepManifest    Step = "manifest"    // the manifest, if any, agrees with the exports
	StepMemory      Step = "memory"      // its memory and tables fit the limits
	StepCompile     Step = "compile"     // its code is valid
	StepInstantiate Step = "instantiate" // data, start function and _initialize ran
	StepInit        Step = "init"        // hermes_init accepted the configuration
)

// The steps that a host adds before a module may serve. They are not part of [Load] and [Steps].
const (
	StepTrust     Step = "trust"     // it meets the requirements of the configuration; before StepRead
	StepSource    Step = "source"    // its source is allowed for the plugin; before StepRead
	StepSignature Step = "signature" // it is signed with the required key; after StepPin
	StepConfig    Step = "config"    // the configuration fits the manifest's schema; after StepMemory
	StepHooks     Step = "hooks"     // it serves all hooks that the plugin is granted, and no other; after StepMemory
	StepTools     Step = "tools"     // agents lose no tool that they have; before StepManifest
	StepTrial     Step = "trial"     // a child process passed the following steps; before StepCompile
	StepSelfTest  Step = "self-test" // every hook answered an artificial event; after StepInit
	StepReplay    Step = "replay"    // it answered the recent calls of its plugin; the last step
)

// Steps lists the steps of [Load] in their order.
func Steps() []Step {
	return []Step{StepRead, StepPin, StepParse, StepImports, StepExports, StepManifest, StepMemory, StepCompile,
		StepInstantiate, StepInit}
}

// LoadError says why a module was not loaded. A module that fails a step never serves an event.
type LoadError struct {
	Step   Step
	Module string // the name of the source
	SHA256 string // in hexadecimal; empty if the file could not be read
	Detail string // what is wrong and what to do about it
	Err    error  // the cause, which may be nil; a *Fault if the module's own code failed
}

// Error says what is wrong and what to do about it.
func (e *LoadError) Error() string {
	msg := fmt.Sprintf("plugin %q refused at step %s: %s", e.Module, e.Step, e.Detail)
	if e.SHA256 != "" {
		msg += " (sha256 " + short(e.SHA256) + ")"
	}
	return msg
}

// Unwrap returns [fault.ErrPluginRefused] and the cause.
func (e *LoadError) Unwrap() []error {
	if e.Err == nil {
		return []error{fault.ErrPluginRefused}
	}
	return []error{fault.ErrPluginRefused, e.Err}
}

// short cuts a hash to the twelve digits that people compare.
func short(sha256 string) string {
	if len(sha256) > 12 {
		return sha256[:12]
	}
	return sha256
}
