package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// triggerFaults is the trigger of changes that the host makes because of faults.
const triggerFaults = "faults"

// faultWindow counts the recent faults of one generation.
type faultWindow struct {
	most   int // 0 or less: any number is allowed
	window time.Duration

	mu    sync.Mutex
	times []time.Time // of the latest faults, at most `most`
	over  bool
}

func newFaultWindow(most int, window time.Duration) faultWindow {
	return faultWindow{most: most, window: window}
}

// add counts a fault. It returns true once: for the one that is too many.
func (w *faultWindow) add(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.most <= 0 || w.over {
		return false
	}
	w.times = append(w.times, now)
	if len(w.times) > w.most {
		w.times = w.times[1:]
	}
	w.over = len(w.times) == w.most && now.Sub(w.times[0]) <= w.window
	return w.over
}

func (w *faultWindow) condemned() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

// faulted counts a failed call that is the module's own fault, and ends the service of a module that has failed too
// often.
func (e *Engine) faulted(m *member, g *generation, err error) {
	var fault *plugin.Fault
	if !errors.As(err, &fault) || fault.Kind == plugin.FaultCanceled {
		return
	}
	now := e.options.Now()
	m.mu.Lock()
	m.lastFault = LastFault{Time: now, Kind: fault.Kind.String(), Detail: fault.Detail}
	m.mu.Unlock()
	if !g.fault.add(now) || !e.begin() {
		return
	}
	go func() {
		defer e.work.Done()
		e.endService(m, g, fmt.Errorf("%d faults within %v; the last: %w", e.options.Faults, e.options.FaultWindow, fault))
	}()
}

// endService takes a module that failed too often out of service, unless it has left service already.
func (e *Engine) endService(m *member, g *generation, reason error) {
	ctx, end, err := e.turn(e.running, m)
	if err != nil {
		return // the host is closing, or the plugin was removed
	}
	defer end()
	s := m.seat.Load()
	switch {
	case s.candidate != nil && s.candidate.generation == g:
		e.log.Error("a candidate failed too often and is dropped", "plugin", m.name, "generation", g.number, "reason", reason)
		m.count(func(t *Tally) { t.Returns++ })
		e.drop(m, s, reason.Error())
	case s.serving == g:
		e.log.Error("a plugin failed too often; going back to an earlier module", "plugin", m.name, "generation", g.number, "reason", reason)
		m.count(func(t *Tally) { t.Returns++ })
		e.goBack(ctx, m, g, reason)
	default:
		return
	}
	e.options.Changed()
}

// goBack puts the first module into service that passes its steps: the last good one, unless that is the one that
// failed, then the shipped one. If none passes, the host decides itself.
func (e *Engine) goBack(ctx context.Context, m *member, from *generation, reason error) {
	for _, a := range e.fallbacks(m, from) {
		a.trigger, a.reason, a.failsafe, a.drop, a.anyTools = triggerFaults, reason.Error(), true, abi.Hooks(), true
		if next, err := e.try(ctx, m, a); err == nil {
			m.count(func(t *Tally) { t.Swaps++ })
			m.serve(e, next, m.outageAfter(next), "", "")
			e.save(m)
			e.concluded(m, WentBack, next, reason.Error())
			return
		}
	}
	s := m.seat.Load()
	m.seat.Store(&seat{candidate: s.candidate, outage: &outage{
		hooks:  from.module.Info().Hooks,
		reason: fmt.Errorf("plugin %q is %w: %w; swap its module or roll it back", m.name, fault.ErrOutOfService, reason),
	}})
	m.leaveService(from)
	e.save(m)
	e.log.Error("no module is left; the host decides instead of the plugin", "plugin", m.name, "reason", reason)
	e.concluded(m, GaveUp, from, reason.Error())
}

// outageAfter covers the hooks that the module after a fault does not serve, so that the host decides on them; nil if
// it serves all. The dialog-closed hook is left out, because it decides nothing.
func (m *member) outageAfter(next *generation) *outage {
	left := m.lostHooks(next.module.Info().Hooks, []abi.Hook{abi.HookDialogClosed})
	if len(left) == 0 {
		return nil
	}
	return &outage{left, fmt.Errorf("plugin %q is %w on %s: the module that the host went back to does not serve it; swap its module",
		m.name, fault.ErrOutOfService, listHooks(left))}
}

// fallbacks lists the modules that can replace one that failed. If the host has already gone back once, no earlier
// module follows: the cause may be the events.
func (e *Engine) fallbacks(m *member, from *generation) []attempt {
	var list []attempt
	if n := len(m.earlier); n > 0 && m.describe(from).Trigger != triggerFaults {
		list = append(list, attempt{made: &m.earlier[n-1]})
	}
	if wasm, ok := e.shipped(m.name, from.module.Info().Hooks); ok && hashOf(wasm) != from.recipe.sha256 {
		list = append(list, toShipped(from.recipe.config)...)
	}
	return list
}

// shipped is the shipped module that may replace one with these hooks.
func (e *Engine) shipped(name string, hooks []abi.Hook) (wasm []byte, ok bool) {
	if e.options.Shipped == nil || e.options.DialogFailClosed && slices.Contains(hooks, abi.HookDialog) {
		return nil, false
	}
	return e.options.Shipped(name)
}

// toShipped are the attempts with the shipped module, which may not understand the configuration.
func toShipped(config map[string]any) []attempt {
	if len(config) == 0 {
		return []attempt{{}}
	}
	return []attempt{{config: config}, {}}
}
