package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// attempt is a module on its way into a seat.
type attempt struct {
	source      Source
	config      map[string]any
	made        *recipe // how an earlier module was made, instead of source and config
	trigger     string
	reason      string
	requireSame bool
	settings    *settings  // for the module; nil: those of the plugin
	drop        []abi.Hook // hooks that the plugin may lose
	phase       *phase     // of the module
	dropTools   []string   // tools that agents may lose
	anyTools    bool       // they may lose any
	failsafe    bool       // after faults: it must not fail on recorded calls, even if others did
}

// try takes a module through every step, and adds it to the history if it is refused. The caller has the turn. The
// generation has one user, who must add it to the history and seat it.
func (e *Engine) try(ctx context.Context, m *member, a attempt) (*generation, error) {
	line := &entry{Generation: Generation{Number: m.number(), Trigger: a.trigger, Reason: a.reason}}
	g, err := e.load(ctx, m, a, line)
	if err == nil {
		return g, nil
	}
	m.refuse(line, err, e.options.Now())
	e.log.Warn("plugin refused; what served goes on", "plugin", m.name, "generation", line.Number, "source", line.Source,
		"trigger", a.trigger, "error", err)
	return nil, err
}

func (e *Engine) load(ctx context.Context, m *member, a attempt, line *entry) (*generation, error) {
	if a.settings == nil {
		a.settings = m.settings.Load()
	}
	made, err := e.ingredients(ctx, m, a)
	line.Source, line.SHA256 = made.source, made.sha256
	if err != nil {
		return nil, err
	}
	// The reason of a refusal must not reveal the configuration.
	v := e.options.Masker.Veil(journal.Entry{Config: made.encoded})
	a.phase = newPhase()
	module, err := e.start(ctx, m, a, made, line)
	if err != nil {
		return nil, veiled(v, err)
	}
	g := &generation{number: line.Number, module: module, recipe: made, phase: a.phase, ended: make(chan struct{}), entry: line}
	line.NewPowers, line.Ungranted = m.newPowers(g), module.Info().Ungranted
	g.fault = newFaultWindow(e.options.Faults, e.options.FaultWindow)
	g.users.Store(1)
	g.close = func() { e.end(m, g) }
	line.live = g
	e.mu.Lock()
	e.alive[g] = struct{}{}
	e.mu.Unlock()
	return g, nil
}

func (e *Engine) ingredients(ctx context.Context, m *member, a attempt) (recipe, error) {
	source, err := e.admit(m, a)
	switch {
	case a.made != nil:
		return *a.made, err
	case err != nil:
		return recipe{source: source.String()}, err
	}
	a.source = source
	return e.recipe(ctx, m, a)
}

// start takes the steps up to a module that has shown how it decides: first in a child process, unless trials are off
// or the module is trusted.
func (e *Engine) start(ctx context.Context, m *member, a attempt, r recipe, line *entry) (*plugin.Module, error) {
	functions, err := e.functions(m, a.settings.functions, r.sha256)
	if err != nil {
		return nil, err
	}
	source := plugin.Source{
		Name: m.name, Bytes: r.wasm, SHA256: r.sha256, Config: r.encoded, Limits: a.settings.limits, Capabilities: a.settings.capabilities,
		Hooks: a.settings.hooks, Functions: functions,
	}
	log := e.moduleLog(m, a, r, line)
	prepared, err := plugin.Prepare(ctx, source, plugin.Options{Logger: log, CacheDir: e.options.CacheDir})
	if err != nil {
		return nil, err
	}
	if err := e.verify(m, prepared, a, r); err != nil {
		prepared.Close()
		return nil, err
	}
	line.ConfigHash = hashOf(r.encoded)
	if manifest := prepared.Manifest(); manifest != nil {
		line.Version = manifest.Version
	}
	if e.needsTrial(r) {
		if err := e.rehearseInChild(ctx, source, m, a, line, log); err != nil {
			prepared.Close()
			return nil, err
		}
		return prepared.Start(ctx)
	}
	module, err := prepared.Start(ctx)
	if err != nil {
		return nil, err
	}
	a.phase.set(DuringTrial)
	defer a.phase.set(DuringStart)
	if err := e.rehearse(ctx, inProcess{module}, m, a, line); err != nil {
		return nil, errors.Join(err, module.Close())
	}
	return module, nil
}

// functions are the embedder's functions of these names. A name that the embedder does not have is a mistake in its
// code, or a plugin that was kept by an earlier version of it.
func (e *Engine) functions(m *member, names []string, sha256 string) ([]plugin.Grant, error) {
	var granted []plugin.Grant
	for _, name := range names {
		i := slices.IndexFunc(e.options.Functions, func(g plugin.Grant) bool { return g.Name == name })
		if i < 0 {
			return nil, &plugin.LoadError{Step: plugin.StepImports, Module: m.name, SHA256: sha256, Detail: fmt.Sprintf(
				"it is granted the function %q, which this program does not offer to plugins; add it to Options.Functions, or take it out of PluginOptions.Functions", name)}
		}
		granted = append(granted, e.options.Functions[i])
	}
	return granted, nil
}

// verify takes the steps that run no code of the module.
func (e *Engine) verify(m *member, p *plugin.Prepared, a attempt, r recipe) error {
	if err := p.Verify(); err != nil {
		return err
	}
	if err := e.verifyHooks(m, a, r, p.Exported()); err != nil {
		return err
	}
	manifest := p.Manifest()
	if err := e.verifyTools(m, a, manifest, r); err != nil {
		return err
	}
	if err := e.verifyPolicies(m, a, manifest, r); err != nil {
		return err
	}
	if manifest == nil || manifest.ConfigSchema == "" || e.options.CheckConfig == nil {
		return nil
	}
	if err := e.options.CheckConfig(manifest.ConfigSchema, r.config); err != nil {
		return &plugin.LoadError{Step: plugin.StepConfig, Module: m.name, SHA256: r.sha256, Err: err,
			Detail: "the module's schema does not allow its configuration: " + err.Error()}
	}
	return nil
}

// end closes a generation without users.
func (e *Engine) end(m *member, g *generation) {
	if err := g.module.Close(); err != nil {
		e.log.Warn("a retired plugin did not close cleanly", "plugin", m.name, "generation", g.number, "error", err)
	}
	m.recordClosed(g)
	e.log.Debug("plugin closed", "plugin", m.name, "generation", g.number)
	e.mu.Lock()
	delete(e.alive, g)
	e.mu.Unlock()
	close(g.ended) // must be last: Close waits for this, or finds that the generation is forgotten
}
