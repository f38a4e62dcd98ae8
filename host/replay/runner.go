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
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Module is a module to try, with the limits of its host. Its configuration comes from the calls.
type Module struct {
	Name   string // for errors, and where the manifest has none
	Wasm   []byte
	Limits module.Limits // zero fields take their defaults; time limits do not apply
	// Trial says how it is tried in a child process with each configuration, before it runs here.
	Trial module.Trial
	// CacheDir keeps compiled code, if it is private to this user. Empty: each configuration compiles the module anew.
	CacheDir string
}

// patience takes the place of a host's time limits: what a module computes is bounded by its fuel.
const patience = 10 * time.Minute

// maxOpen is how many configurations of a module are kept ready.
const maxOpen = 8

// runner runs calls on a module, with the configuration of each.
type runner struct {
	module   Module
	identity Identity
	open     []*opened // the last used one last
}

// opened is the module with one configuration.
type opened struct {
	config       []byte
	capabilities []abi.Capability
	module       *plugin.Module
	refused      *Decision // it does not take this configuration; module is nil
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
	if o.module == nil {
		return nil
	}
	return o.module.Close()
}

// call is one call to run again.
type call struct {
	journal.Entry
	environment plugin.Environment
}

// run gives the decision of a call and the fuel that it took. The error is ctx's, or says why the module can not be run
// at all.
func (r *runner) run(ctx context.Context, c call) (Decision, int64, error) {
	o, err := r.with(ctx, c.Config, c.Capabilities)
	if err != nil {
		return Decision{}, 0, err
	}
	if o.refused != nil {
		return *o.refused, 0, nil
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

// with gives the module with a configuration, ready for calls.
func (r *runner) with(ctx context.Context, config []byte, granted []abi.Capability) (*opened, error) {
	for i, o := range r.open {
		if bytes.Equal(o.config, config) && slices.Equal(o.capabilities, granted) {
			r.open = append(slices.Delete(r.open, i, i+1), o)
			return o, nil
		}
	}
	o := &opened{config: config, capabilities: granted}
	var err error
	if o.module, err = r.load(ctx, config, granted); err != nil {
		var failed *plugin.LoadError
		if !errors.As(err, &failed) || failed.Step != plugin.StepInit || ctx.Err() != nil {
			return nil, err
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

func (r *runner) load(ctx context.Context, config []byte, granted []abi.Capability) (*plugin.Module, error) {
	limits := plugin.Limits(r.module.Limits)
	limits.InitTimeout, limits.HookTimeout = patience, patience
	source := plugin.Source{Name: r.identity.Name, Bytes: r.module.Wasm, Config: config, Limits: limits, Capabilities: granted}
	tried := module.Options{Name: r.identity.Name, Limits: module.Limits(limits), CacheDir: r.module.CacheDir, Trial: r.module.Trial}
	if err := tried.Config.Unmarshal(config); err != nil {
		return nil, err
	}
	if err := module.Try(ctx, r.module.Wasm, tried); err != nil {
		return nil, err
	}
	return plugin.Load(ctx, source, plugin.Options{CacheDir: r.module.CacheDir})
}
