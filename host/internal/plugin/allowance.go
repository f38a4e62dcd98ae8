package plugin

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// ration is the most fuel that a guest gets at once. When it is used up, control returns to the host, so that garbage
// collection can proceed and the clock is checked. Ordinary code uses it up in some 30 µs, and code that waits for
// memory in every iteration of a loop in half a millisecond; see TestEveryGuestIsBackInTheHostAfterFiveMilliseconds. A
// call of the host takes far less than a microsecond, so the cost of these calls does not matter.
//
// A single bulk instruction is not divided: it may touch all the memory of the instance, which takes 1 ms for the
// default of 16 MiB.
const ration = 400_000

// initFuel is the fuel for starting an instance. Like the time limit, it is larger than that of a hook.
func initFuel(hook int64) int64 {
	const factor = int64(abi.DefaultInitTimeout / abi.DefaultHookTimeout)
	return min(hook, math.MaxInt64/factor) * factor
}

// allowance is what the current call of an instance may still use: fuel, which ends a call at the same point on every
// machine, and time, which is the last resort. It belongs to the goroutine that runs the guest.
type allowance struct {
	left   api.MutableGlobal // the guest's counter: what is left of its current ration
	budget int64             // fuel for the whole call
	given  int64             // fuel given out so far, to the guest and to host functions
	copied int64             // by host functions since the clock was last checked, as fuel

	parent      context.Context
	deadline    time.Time
	callerFirst bool // the caller's deadline is before the module's
}

// begin starts a call that ends after timeout or with the parent context, whichever is first.
func (a *allowance) begin(parent context.Context, now time.Time, timeout time.Duration, fuel int64) {
	a.parent, a.deadline = parent, now.Add(timeout)
	d, ok := parent.Deadline()
	a.callerFirst = ok && d.Before(a.deadline)
	a.budget, a.given, a.copied = fuel, 0, 0
	if a.left != nil {
		a.give(min(fuel, ration))
	}
}

// end returns how much fuel the call has used.
func (a *allowance) end() int64 {
	a.parent = nil
	return a.used()
}

func (a *allowance) give(fuel int64) {
	a.given += fuel
	a.left.Set(uint64(fuel))
}

func (a *allowance) used() int64 {
	if a.left == nil {
		return a.given
	}
	return a.given - int64(a.left.Get())
}

// refuel gives the guest its next ration. Fuel is deducted in advance, so a negative counter is work that comes next. A
// bulk instruction that takes a whole ration or more gets nothing on top.
func (a *allowance) refuel() {
	a.check(FaultDeadline)
	used := a.used()
	if used > a.budget {
		panic(&stop{kind: FaultFuel})
	}
	a.given = used
	a.give(min(max(0, ration+int64(a.left.Get())), a.budget-used))
}

// spend deducts the fuel for the work of a host function.
func (a *allowance) spend(fuel int) {
	a.given += int64(fuel)
	if a.copied += int64(fuel); a.copied < ration {
		return
	}
	a.copied = 0
	a.check(FaultDeadline)
	if a.used() > a.budget {
		panic(&stop{kind: FaultFuel})
	}
}

// charge deducts fuel for work that is not that of copying, and ends the call if that is more than it has.
func (a *allowance) charge(fuel int64) {
	a.given += fuel
	if a.used() > a.budget {
		panic(&stop{kind: FaultFuel})
	}
}

// check ends the call if its time is over, as a fault of the given kind.
func (a *allowance) check(kind FaultKind) {
	if err := a.parent.Err(); err != nil {
		panic(&stop{kind: FaultCanceled, cause: err})
	}
	if !time.Now().Before(a.deadline) {
		if a.callerFirst {
			kind = FaultCanceled // its context is about to end
		}
		panic(&stop{kind: kind, cause: context.DeadlineExceeded})
	}
}

// stop ends a guest from within a host function: the engine unwinds it and returns the stop as an error of the call.
type stop struct {
	kind  FaultKind
	cause error
}

func (s *stop) Error() string { return "the host stopped the guest: " + s.kind.String() }

// instantiateMeter provides what metered guests import.
func instantiateMeter(ctx context.Context, r wazero.Runtime) error {
	_, err := r.NewHostModuleBuilder(wasmfile.RefuelModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, _ []uint64) {
			callingInstance(ctx).allowance.refuel()
		}), nil, nil).
		Export(wasmfile.RefuelImport).Instantiate(ctx)
	return err
}

// stopped describes a stop by the host as a fault.
func (i *instance) stopped(export string, s *stop) *Fault {
	f := i.stoppedBy(export, s)
	if i.linear.refused && (f.Kind == FaultFuel || f.Kind == FaultDeadline) {
		f.Kind, f.Detail = FaultMemory, i.outgrown(f.Detail) // an allocator that tries forever
	}
	return f
}

// stoppedBy is the fault of a stop, whatever led to it.
func (i *instance) stoppedBy(export string, s *stop) *Fault {
	m := i.module
	limit := m.limits.HookTimeout
	if hookIndex(abi.Hook(export)) < 0 {
		limit = m.limits.InitTimeout
	}
	switch s.kind {
	case FaultFuel:
		detail := fmt.Sprintf("used more than its limit of %d units of fuel and was stopped; ", i.allowance.budget)
		if m.wished {
			detail += fmt.Sprintf("its manifest asks for %d per call: raise fuel there", m.fuel)
		} else {
			detail += fmt.Sprintf("raise limits.fuel of the plugin, which is %d per call", m.fuel)
		}
		return i.fault(FaultFuel, export, detail+", or make it do less", nil)
	case FaultDeadline:
		return i.fault(FaultDeadline, export, fmt.Sprintf("ran longer than its limit of %v and was stopped", limit), s.cause)
	case FaultInternal:
		return i.fault(FaultInternal, export,
			fmt.Sprintf("the host took the rest of the limit of %v to answer from its state, its store or a function of the embedder", limit), s.cause)
	}
	return i.fault(FaultCanceled, export,
		fmt.Sprintf("the caller's context ended (%v) before the module's limit of %v", s.cause, limit), s.cause)
}

// asStop finds the stop in the error of a call.
func asStop(err error) (*stop, bool) {
	var s *stop
	return s, errors.As(err, &s)
}
