package plugin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// Options are the options of [Load]. The zero value works.
type Options struct {
	Logger   *slog.Logger // nil: nothing is logged
	CacheDir string       // directory for compiled code; if empty, or unsafe to trust, nothing is cached
}

// Load reads, verifies, compiles and initialises a module. Its error is a [*LoadError]. The module serves calls until
// [Module.Close].
func Load(ctx context.Context, source Source, opts Options) (*Module, error) {
	p, err := Prepare(ctx, source, opts)
	if err != nil {
		return nil, err
	}
	if err := p.Verify(); err != nil {
		p.Close()
		return nil, err
	}
	return p.Start(ctx)
}

// Prepared is a module whose bytes have been read and hashed, on its way through the steps of [Load].
type Prepared struct {
	source  Source
	opts    Options
	wasm    []byte
	sha256  string
	file    *wasmfile.File
	runtime wazero.Runtime
	cache   wazero.CompilationCache
	wasi    map[string]api.FunctionDefinition
	logger  *slog.Logger
}

// Prepare reads and hashes the module, checks the pin and parses the outline. The result must be closed or started.
func Prepare(ctx context.Context, source Source, opts Options) (*Prepared, error) {
	source.Limits = source.Limits.WithDefaults()
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	p := &Prepared{source: source, opts: opts}
	wasm, err := source.read()
	if err != nil {
		return nil, p.failed(StepRead, err)
	}
	p.wasm, p.sha256 = wasm, hashHex(wasm)
	p.logger = opts.Logger.With("plugin", source.Name, "sha256", short(p.sha256))
	if err := checkPin(source.SHA256, p.sha256); err != nil {
		return nil, p.failed(StepPin, err)
	}
	if p.file, err = wasmfile.Parse(wasm); err != nil {
		return nil, p.failed(StepParse, err)
	}
	p.cache = openCache(opts.CacheDir, p.logger)
	if err := p.openRuntime(ctx); err != nil {
		p.Close()
		return nil, p.failed(StepImports, err)
	}
	return p, nil
}

func (p *Prepared) failed(step Step, err error) *LoadError {
	return &LoadError{Step: step, Module: p.source.Name, SHA256: p.sha256, Detail: err.Error(), Err: err}
}

// openRuntime creates the runtime of this generation with everything that a guest can import.
func (p *Prepared) openRuntime(ctx context.Context) error {
	config := wazero.NewRuntimeConfigCompiler().
		// The engine must not support what the metering does not.
		WithCoreFeatures(wasmfile.Features).
		// Debug sections are untrusted input to one more parser, and function names come from the name section anyway.
		WithDebugInfoEnabled(false)
	if p.cache != nil {
		config = config.WithCompilationCache(p.cache)
	}
	// The runtime does not keep this context.
	p.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	var err error
	if p.wasi, err = instantiateWASI(ctx, p.runtime); err != nil {
		return fmt.Errorf("the host's WASI functions: %w", err)
	}
	if err := instantiateMeter(ctx, p.runtime); err != nil {
		return fmt.Errorf("the host's %s functions: %w", wasmfile.RefuelModule, err)
	}
	if err := instantiateEmbedder(ctx, p.runtime, p.source.Functions); err != nil {
		return fmt.Errorf("the functions of the embedder: %w", err)
	}
	if err := instantiateHostModule(ctx, p.runtime, optionalImports(p.file)); err != nil {
		return fmt.Errorf("the host's %s functions: %w", abi.ImportModule, err)
	}
	return nil
}

// Check runs one of the static steps, from [StepImports] to [StepMemory]. The remark, which may be empty, is for
// people. The error is a [*LoadError].
func (p *Prepared) Check(step Step) (remark string, err error) {
	switch step {
	case StepImports:
		err = checkImports(p.file, p.wasi, p.source.Functions)
	case StepExports:
		err = checkExports(p.file)
	case StepManifest:
		remark, err = checkManifest(p.file, p.source.Capabilities)
	case StepMemory:
		err = checkMemory(p.file, p.source.Limits)
	}
	if err != nil {
		return "", p.failed(step, err)
	}
	return remark, nil
}

// StaticSteps lists the steps that [Prepared.Check] runs.
func StaticSteps() []Step { return []Step{StepImports, StepExports, StepManifest, StepMemory} }

// Verify runs all static steps and returns the first failure.
func (p *Prepared) Verify() error {
	for _, step := range StaticSteps() {
		if _, err := p.Check(step); err != nil {
			return err
		}
	}
	return nil
}

// SHA256 returns the hash of the module in hexadecimal.
func (p *Prepared) SHA256() string { return p.sha256 }

// Bytes returns the binary, which must not be modified.
func (p *Prepared) Bytes() []byte { return p.wasm }

// Manifest returns the manifest; nil if the module has none. It must only be called after every static step has passed.
func (p *Prepared) Manifest() *abi.Manifest {
	m, _ := Manifest(p.file) // the manifest step has seen its error
	return m
}

// Exported lists the hooks that the module exports.
func (p *Prepared) Exported() []abi.Hook { return HooksOf(p.file) }

// served lists the exported hooks that the module may serve.
func (p *Prepared) served() []abi.Hook {
	return slices.DeleteFunc(p.Exported(), func(h abi.Hook) bool { return p.source.Hooks != nil && !slices.Contains(p.source.Hooks, h) })
}

// Start compiles the module and creates its first instance. It must only be called after every static step has passed.
// Afterwards p is used up: its resources belong to the module or are released.
func (p *Prepared) Start(ctx context.Context) (*Module, error) {
	metered, err := p.file.Metered(maxTableElements)
	var compiled wazero.CompiledModule
	if err == nil {
		compiled, err = p.compile(ctx, metered)
	}
	if err != nil {
		p.Close()
		return nil, p.failed(StepCompile, err)
	}
	m := p.module(compiled)
	first, step, err := newInstance(ctx, m)
	if err != nil {
		p.Close()
		failed := p.failed(step, err)
		if f := (*Fault)(nil); errors.As(err, &f) {
			failed.Detail = f.Kind.String() + ": " + f.Detail
			if f.Output != "" {
				failed.Detail += "; it last wrote: " + f.Output
			}
		}
		return nil, failed
	}
	m.born(first)
	m.pool.put(first)
	if m.info.Ungranted = ungranted(p.file, m.info.Manifest, m.info.Granted); m.info.Ungranted != "" {
		p.logger.Warn("plugin asks for more than it is granted", "remark", m.info.Ungranted)
	}
	return m, nil
}

// compile compiles the rewritten module. If the cache fails (a damaged entry, a full disk), the module is compiled
// without it.
func (p *Prepared) compile(ctx context.Context, wasm []byte) (wazero.CompiledModule, error) {
	compiled, err := p.runtime.CompileModule(ctx, wasm)
	if err == nil || p.cache == nil {
		return compiled, err
	}
	cause := err
	p.Close()
	p.cache = nil
	if err := p.openRuntime(ctx); err != nil {
		return nil, err
	}
	if compiled, err = p.runtime.CompileModule(ctx, wasm); err == nil {
		p.logger.Warn("the compilation cache failed and is not used for this plugin; empty the directory if this happens again",
			"directory", p.opts.CacheDir, "error", cause)
	}
	return compiled, err
}

func (p *Prepared) module(compiled wazero.CompiledModule) *Module {
	manifest := p.Manifest()
	m := &Module{
		info: Info{
			Name:         p.source.Name,
			SHA256:       p.sha256,
			ConfigSHA256: hashHex(p.source.Config),
			Bytes:        len(p.wasm),
			Hooks:        p.served(),
			Manifest:     manifest,
			Asked:        AskedBy(manifest),
			Granted:      slices.Clone(p.source.Capabilities),
			Functions:    slices.Clone(p.source.Functions),
			Calls:        FunctionsOf(p.file),
		},
		limits:   p.source.Limits,
		config:   p.source.Config,
		log:      &guestLog{logger: p.logger, lineBytes: p.source.Limits.LogLineBytes, perSecond: p.source.Limits.LogLines, now: time.Now},
		runtime:  p.runtime,
		cache:    p.cache,
		compiled: compiled,
		serves:   make([]bool, len(hooks)),

		importedFunctions: countFunctions(p.file.Imports),
	}
	m.fuel, m.wished = m.limits.Fuel, false
	if manifest != nil && manifest.Fuel > 0 && manifest.Fuel < uint64(m.fuel) {
		m.fuel, m.wished = int64(manifest.Fuel), true
	}
	m.mayStore, m.mayRead = m.info.Has(abi.CapabilityKV), m.info.Has(abi.CapabilityState)
	for _, h := range m.info.Hooks {
		m.serves[hookIndex(h)] = true
	}
	m.pool = &pool{max: m.limits.Instances, make: m.replacement, ended: m.buried}
	return m
}

// replacement creates an instance for the pool when all others are in use or gone.
func (m *Module) replacement() (*instance, error) {
	i, _, err := newInstance(context.Background(), m)
	if err != nil {
		m.countFault(err)
		return nil, err
	}
	m.born(i)
	return i, nil
}

func (m *Module) born(i *instance) {
	m.counters.created.Add(1)
	m.counters.weigh(i, i.memoryBytes())
}

func (m *Module) buried(i *instance) {
	m.counters.closed.Add(1)
	m.counters.weigh(i, 0)
}

// Close releases a Prepared that was not started.
func (p *Prepared) Close() {
	if p.runtime != nil {
		_ = closeRuntime(p.runtime, p.cache)
	}
}
