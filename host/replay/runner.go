package replay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Module is a module to try, with the limits of its host. Its configuration comes from the calls.
type Module struct {
	Name   string // for errors, and if there is no manifest
	Wasm   []byte
	Limits module.Limits // zero fields take their defaults; time limits do not apply
	// Trial says how it is tried in a child process: with each configuration, and on each call, before it runs here.
	Trial module.Trial
	// CacheDir is for compiled code, if it is private to this user. Empty: each configuration compiles the module again.
	CacheDir string
}

// patience replaces a host's time limits: fuel bounds what a module computes.
const patience = 10 * time.Minute

// maxOpen is how many configurations of a module are kept ready.
const maxOpen = 8

// runner runs calls on a module, with the configuration of each.
type runner struct {
	module   Module
	identity Identity
	open     []*opened // the most recently used one last
}

// opened is the module with one configuration.
type opened struct {
	config       []byte
	capabilities []abi.Capability
	functions    []plugin.Grant
	session      *trial.Session // of its trial; nil if trials are off
	module       *plugin.Module
	refused      *Decision // it refuses this configuration; module is nil
}

func newRunner(m Module) (*runner, error) {
	report, err := module.Inspect(m.Wasm)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	r := &runner{module: m, identity: Identity{Name: m.Name, SHA256: report.SHA256}}
	if report.Manifest != nil {
		r.identity.Name, r.identity.Version = report.Manifest.Name, report.Manifest.Version
	}
	return r, nil
}

func (r *runner) close() error {
	var errs []error
	for _, o := range r.open {
		errs = append(errs, o.close())
	}
	r.open = nil
	return errors.Join(errs...)
}

func (o *opened) close() error {
	if o.session != nil {
		o.session.Close()
	}
	if o.module == nil {
		return nil
	}
	return o.module.Close()
}

// call is a call to run again.
type call struct {
	journal.Entry
	environment guestio.Environment
}

// run returns the decision of a call and the fuel that it used. The error is that of ctx, or says why the module cannot
// be run at all.
func (r *runner) run(ctx context.Context, c call) (Decision, int64, error) {
	o, err := r.with(ctx, c.Config, c.Capabilities, c.Functions)
	if err != nil {
		return Decision{}, 0, err
	}
	if o.refused != nil {
		return *o.refused, 0, nil
	}
	if err := r.try(ctx, o, c); err != nil && ctx.Err() == nil {
		return Decision{}, 0, err
	}
	var verdict []byte
	res, err := o.module.CallFresh(ctx, c.environment, c.Hook, c.Event, func(b []byte) error {
		verdict = bytes.Clone(b)
		return usable(c.Hook, c.Event, b)
	})
	if ctx.Err() != nil {
		return Decision{}, 0, context.Cause(ctx)
	}
	d, err := decisionOf(c.Hook, res, verdict, err)
	return d, res.Fuel, err
}

// with returns the module with a configuration, ready for calls.
func (r *runner) with(ctx context.Context, config []byte, granted []abi.Capability, functions []plugin.Grant) (*opened, error) {
	for i, o := range r.open {
		if bytes.Equal(o.config, config) && slices.Equal(o.capabilities, granted) && slices.Equal(o.functions, functions) {
			r.open = append(slices.Delete(r.open, i, i+1), o)
			return o, nil
		}
	}
	o := &opened{config: config, capabilities: granted, functions: functions}
	if err := r.load(ctx, o); err != nil {
		var failed *plugin.LoadError
		if !errors.As(err, &failed) || failed.Step != plugin.StepInit || ctx.Err() != nil {
			return nil, errors.Join(err, o.close())
		}
		o.refused = &Decision{Outcome: string(journal.OutcomeFault), Fault: plugin.FaultInit.String(), Detail: failed.Detail}
	}
	if len(r.open) == maxOpen {
		if err := r.open[0].close(); err != nil {
			return nil, err
		}
		r.open = slices.Delete(r.open, 0, 1)
	}
	r.open = append(r.open, o)
	return o, nil
}

// load makes the module ready for calls: in a child process, and then here.
func (r *runner) load(ctx context.Context, o *opened) (err error) {
	limits := plugin.Limits(r.module.Limits)
	limits.InitTimeout, limits.HookTimeout = patience, patience
	source := plugin.Source{Name: r.identity.Name, Bytes: r.module.Wasm, Config: o.config, Limits: limits, Capabilities: o.capabilities, Functions: o.functions}
	if !r.module.Trial.Off {
		if o.session, err = trial.Start(ctx, source, r.module.CacheDir, trial.Options(r.module.Trial), nil); err != nil {
			return r.lost(err)
		}
	}
	o.module, err = plugin.Load(ctx, source, plugin.Options{CacheDir: r.module.CacheDir})
	return err
}

// try makes a call on the module in the child. Only whether it answers matters, not what.
func (r *runner) try(ctx context.Context, o *opened, c call) error {
	if o.session == nil {
		return nil
	}
	doing := fmt.Sprintf("call %d of %s", c.Sequence, c.Hook)
	_, _, _, lost := o.session.Ask(ctx, doing, trial.Call{Hook: c.Hook, Event: c.Event, Exchanges: c.Exchanges})
	return r.lost(lost)
}

// lost turns the error of a trial that did not finish into a load error, and returns others unchanged.
func (r *runner) lost(err error) error {
	var lost *trial.Error
	if !errors.As(err, &lost) {
		return err
	}
	return &plugin.LoadError{Step: plugin.StepTrial, Module: r.identity.Name, SHA256: r.identity.SHA256, Detail: lost.Error(), Err: lost}
}
