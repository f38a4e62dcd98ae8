package module

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
)

// Options say how a module is loaded. The zero value works.
type Options struct {
	Name   string     // in logs and errors; default: the file's base name, else "module"
	Config abi.Struct // the configuration that the module reads
	SHA256 string     // in hexadecimal: refuse a module with another hash; empty: accept any
	// Functions are the functions of an embedder that the module may import, by their names with the version.
	Functions []string
	// Granted are the capabilities that [Check] compares with what the module asks for and imports; nil: all of them.
	Granted  []abi.Capability
	Limits   Limits       // zero fields take their defaults
	Logger   *slog.Logger // receives what the module logs and prints; default: nothing is logged
	CacheDir string       // directory for compiled code, used only if it is private to this user; empty: no cache
	Trial    Trial        // how [Try] and [Check] run it in a child process; [Open] runs it in this process
}

// Limits bound what a module may use. A zero field takes its default.
type Limits struct {
	ModuleBytes int64 // size of the .wasm file; default [abi.DefaultModuleBytes]
	MemoryBytes int64 // linear memory of one instance; default [abi.DefaultMemoryBytes]
	StackBytes  int64 // native stack of one call; default [abi.DefaultStackBytes]
	EventBytes  int   // an encoded event; default [abi.DefaultEventBytes]
	// An encoded verdict; default [abi.DefaultResultBytes], for a bridge script [abi.DefaultScriptBytes].
	ResultBytes  int
	KVBytes      int // a plugin's store for one task, keys and values; default [abi.DefaultKVBytes]
	KVTotalBytes int // its stores for all tasks; default [abi.DefaultKVTotalBytes], or KVBytes if that is more
	KVTotalKeys  int // keys in them; default [abi.DefaultKVTotalKeys]
	LogLineBytes int // a line of the module's log, longer ones are truncated; default [abi.DefaultLogLineBytes]
	LogLines     int // log lines per second, more are dropped; default [abi.DefaultLogLines]

	ExchangeBytes int // what one call may exchange with state and store; default [abi.DefaultExchangeBytes]

	InitTimeout time.Duration // instantiation and hermes_init together; default [abi.DefaultInitTimeout]
	HookTimeout time.Duration // one call; default [abi.DefaultHookTimeout]
	Fuel        int64         // units per call, or less if the manifest asks for less; default [abi.DefaultFuel]

	Instances          int   // maximum number of instances; default GOMAXPROCS
	CallsPerInstance   int   // an instance is replaced after this many calls; default 10,000
	RecycleMemoryBytes int64 // an instance is replaced when its memory exceeds this; default half of MemoryBytes
}

// Module is a loaded module. Its methods may be called from any goroutine; concurrent calls run on separate instances.
type Module struct{ plugin *plugin.Module }

// The errors of Open and Call; use errors.As for the first two and errors.Is for the others.
type (
	// LoadError says at which step a module was refused, and why.
	LoadError = plugin.LoadError
	// Fault says how a module's code failed.
	Fault = plugin.Fault
	// FaultKind is the kind of a [Fault].
	FaultKind = plugin.FaultKind
	// Step is a stage of loading a module.
	Step = plugin.Step
	// Power is something that a module can do to pages, beyond deciding on what they do.
	Power = plugin.Power
)

// The errors of a call that are not the module's fault.
var (
	ErrClosed        = plugin.ErrClosed        // the module is closed
	ErrNoHook        = plugin.ErrNoHook        // the module does not export the hook
	ErrEventTooLarge = plugin.ErrEventTooLarge // the event is over Limits.EventBytes
	ErrBusy          = plugin.ErrBusy          // the context ended before an instance was free
)

// Open loads a module from its bytes. The error is a [*LoadError]. Close the module when it is no longer needed.
func Open(ctx context.Context, wasm []byte, opts Options) (*Module, error) {
	return open(ctx, opts.source("", wasm), opts)
}

// OpenFile is [Open] for a .wasm file; one over Limits.ModuleBytes is not read.
func OpenFile(ctx context.Context, path string, opts Options) (*Module, error) {
	return open(ctx, opts.source(path, nil), opts)
}

func open(ctx context.Context, source plugin.Source, opts Options) (*Module, error) {
	m, err := plugin.Load(ctx, source, opts.host())
	if err != nil {
		return nil, err
	}
	return &Module{plugin: m}, nil
}

func (o Options) source(path string, wasm []byte) plugin.Source {
	name := o.Name
	if name == "" && path != "" {
		name = strings.TrimSuffix(filepath.Base(path), ".wasm")
	}
	if name == "" {
		name = "module"
	}
	if path == "" && wasm == nil {
		wasm = []byte{}
	}
	return plugin.Source{
		Name:   name,
		Path:   path,
		Bytes:  wasm,
		SHA256: o.SHA256,
		Config: o.Config.Append(nil),
		Limits: plugin.Limits(o.Limits),

		Functions:    o.grants(),
		Capabilities: abi.Capabilities(), // the Environment of a call says which ones it may use
	}
}

func (o Options) grants() []plugin.Grant {
	var grants []plugin.Grant
	for _, name := range o.Functions {
		grants = append(grants, plugin.Grant{Name: name})
	}
	return grants
}

func (o Options) host() plugin.Options {
	return plugin.Options{Logger: o.Logger, CacheDir: o.CacheDir}
}

// Result is the result of a call.
type Result struct {
	Status   abi.Status
	Verdict  []byte        // the encoded verdict of a decided call; nil if there is none
	Reason   string        // with abi.StatusError: the module's reason, escaped; may be empty
	Duration time.Duration // in the guest
	Fuel     int64         // used by the call, in units; the same on every machine
}

// Call runs a hook on an encoded event. It returns when the guest has stopped: at the latest when ctx ends,
// Limits.HookTimeout has passed, or Limits.Fuel is used up. The error is a [*Fault], or wraps [ErrNoHook],
// [ErrEventTooLarge], [ErrBusy] or [ErrClosed]; after a fault the module can be called again. Call does not decode the
// verdict.
func (m *Module) Call(ctx context.Context, hook abi.Hook, event []byte) (Result, error) {
	return m.CallIn(ctx, new(Environment), hook, event)
}

// Hooks lists the hooks that the module exports.
func (m *Module) Hooks() []abi.Hook { return append([]abi.Hook(nil), m.plugin.Info().Hooks...) }

// SHA256 returns the hash of the binary in hexadecimal.
func (m *Module) SHA256() string { return m.plugin.Info().SHA256 }

// Close waits for calls in flight and frees the module. It may be called more than once.
func (m *Module) Close() error { return m.plugin.Close() }

// Stats counts what a module did since it was opened.
type Stats = plugin.Stats

// Stats returns the module's counters.
func (m *Module) Stats() Stats { return m.plugin.Stats() }
