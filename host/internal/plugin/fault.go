package plugin

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// FaultKind says how a module failed.
type FaultKind uint8

// The kinds of faults. All but FaultCanceled count against the module.
const (
	FaultTrap       FaultKind = iota + 1 // unreachable, out of bounds, division by zero and the like
	FaultDeadline                        // the module's own time limit passed
	FaultFuel                            // the fuel of the call was used up
	FaultCanceled                        // the caller gave up before the module's time limit; not the module's fault
	FaultExit                            // the module called proc_exit
	FaultMemory                          // it failed, or hit another limit, after its memory could not grow
	FaultBadMemory                       // decided, but its result_write named a range outside its memory
	FaultOversize                        // decided, but its result was over the limit
	FaultNoResult                        // decided, but wrote no result
	FaultBadStatus                       // returned a status that the ABI does not have
	FaultBadVerdict                      // the caller could not decode or accept the verdict
	FaultInit                            // a later instance could not be created, though the first one was
	FaultInternal                        // a function of the host failed during the call
	FaultStack                           // its calls nested deeper than its stack allows
	faultKinds      = iota + 1
)

var faultNames = [faultKinds]string{"", "trap", "deadline", "fuel", "canceled", "exit", "memory", "bad_memory", "oversize",
	"no_result", "bad_status", "bad_verdict", "init", "internal", "stack"}

// String returns the name of the kind in statistics and logs.
func (k FaultKind) String() string {
	if int(k) < len(faultNames) && k > 0 {
		return faultNames[k]
	}
	return fmt.Sprintf("fault %d", uint8(k))
}

// FaultKinds lists every kind.
func FaultKinds() []FaultKind {
	kinds := make([]FaultKind, 0, faultKinds-1)
	for k := FaultKind(1); k < faultKinds; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// Fault is a call that the module did not complete properly. The instance that ran it is closed and never used again.
// The module itself stays usable.
type Fault struct {
	Kind   FaultKind
	Module string   // name
	SHA256 string   // of the module, in hexadecimal
	Hook   abi.Hook // or the name of another export, such as hermes_init
	Detail string   // one line, with the guest's text escaped
	Trace  string   // the functions on the guest's stack, innermost first, one per line, escaped; may be empty
	Output string   // the message of the guest's panic, else the last line that it wrote during the call; escaped
	Err    error    // the cause: context.DeadlineExceeded, context.Canceled, the decoder's error, or nil
}

// Error says what went wrong and what to do about it.
func (f *Fault) Error() string {
	msg := fmt.Sprintf("plugin %q (sha256 %s): %s: %s: %s", f.Module, short(f.SHA256), f.Hook, f.Kind, f.Detail)
	if f.Output != "" {
		msg += "; it last wrote: " + f.Output
	}
	return msg
}

// Unwrap returns [fault.ErrPluginFault] and the cause.
func (f *Fault) Unwrap() []error {
	if f.Err == nil {
		return []error{fault.ErrPluginFault}
	}
	return []error{fault.ErrPluginFault, f.Err}
}

// The errors of a call that are not faults of the module. Compare with errors.Is.
var (
	// ErrClosed is returned by calls on a module that is closed or closing.
	ErrClosed = fmt.Errorf("plugin is %w", fault.ErrClosed)
	// ErrNoHook is returned for a hook that the module does not export; see [Module.Serves].
	ErrNoHook = errors.New("plugin does not export the hook")
	// ErrEventTooLarge is returned for an event over Limits.EventBytes. The module does not get to see it.
	ErrEventTooLarge = errors.New("event is over the limit")
	// ErrBusy is returned when the caller's context ended before an instance was free; it wraps the context's error.
	ErrBusy = errors.New("no instance was free in time")
)
