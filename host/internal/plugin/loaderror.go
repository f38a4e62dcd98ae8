package plugin

import "fmt"

// Step is a stage of loading a module, in the order of [Steps].
type Step string

// The steps of [Load]. Nothing of the module's code runs before StepInstantiate.
const (
	StepRead        Step = "read"        // the file exists and is within the size limit
	StepPin         Step = "pin"         // the sha256 is the one that the configuration asks for
	StepParse       Step = "parse"       // it is a WebAssembly binary
	StepImports     Step = "imports"     // the host has every function that it imports, with that signature
	StepExports     Step = "exports"     // it has the ABI marker and at least one hook, and no unknown hook
	StepManifest    Step = "manifest"    // the manifest, if there is one, agrees with the exports
	StepMemory      Step = "memory"      // its memory and tables fit the limits
	StepCompile     Step = "compile"     // its code is valid
	StepInstantiate Step = "instantiate" // data, start function and _initialize ran
	StepInit        Step = "init"        // hermes_init accepted the configuration
)

// The steps that a host adds before a module may serve. [Load] does not take them, and [Steps] does not list them.
const (
	StepTrust     Step = "trust"     // it is what the plugin's configuration asks every module for; before StepRead
	StepSource    Step = "source"    // it comes from where the plugin's modules may come from; before StepRead
	StepSignature Step = "signature" // the key that the configuration asks for has signed it; after StepPin
	StepConfig    Step = "config"    // the configuration is what the manifest's schema allows; after StepMemory
	StepHooks     Step = "hooks"     // it serves what is granted to the plugin, and leaves nothing unserved; after StepMemory
	StepTrial     Step = "trial"     // it did all that follows in a child process, which lived; before StepCompile
	StepSelfTest  Step = "self-test" // every hook answered a made-up event; after StepInit
	StepReplay    Step = "replay"    // it answered the recent calls of its plugin; the last
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
	SHA256 string // in hexadecimal; empty when the file could not be read
	Detail string // what is wrong and what to do about it
	Err    error  // the cause, which may be nil; a *Fault when the module's own code failed
}

// Error says what is wrong, and what to do about it.
func (e *LoadError) Error() string {
	msg := fmt.Sprintf("plugin %q refused at step %s: %s", e.Module, e.Step, e.Detail)
	if e.SHA256 != "" {
		msg += " (sha256 " + short(e.SHA256) + ")"
	}
	return msg
}

// Unwrap returns the cause.
func (e *LoadError) Unwrap() error { return e.Err }

// short cuts a hash to the twelve digits that people compare.
func short(sha256 string) string {
	if len(sha256) > 12 {
		return sha256[:12]
	}
	return sha256
}
