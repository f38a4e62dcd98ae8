package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/keep"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	modules "github.com/hermes-cdp/hermes-cdp/host/internal/plugin/origin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/trial"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugintool"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
	"github.com/hermes-cdp/hermes-cdp/host/internal/taskstate"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// newPlugins returns the engine that runs the host's modules.
func (h *Host) newPlugins(o Options) (*lifecycle.Engine, error) {
	tried := trial.Options(o.PluginTrial)
	functions, err := h.useFunctions(o.Functions)
	if err != nil {
		return nil, err
	}
	policies, err := natives(o)
	if err != nil {
		return nil, err
	}
	if o.PluginStateDir != "" {
		if h.kept, err = keep.Open(o.PluginStateDir); err != nil {
			err = fmt.Errorf("option PluginStateDir: %w", err)
			if !o.PluginFallback {
				return nil, err
			}
			h.log.Error("what plugins serve with is not kept for the next start, and nothing of the last one is known", "error", err)
			h.unkept = err
		}
	}
	if err := h.openStore(o); err != nil {
		return nil, errors.Join(err, h.closeKept())
	}
	options := lifecycle.Options{
		Logger: o.Logger, CacheDir: o.PluginCacheDir, Fetch: h.fetchPlugin, Shipped: plugins.Module, CheckConfig: checkPluginConfig,
		Concluded:  h.concluded,
		AgentTools: h.toolsOfAgents,
		CheckTools: plugintool.CheckSchemas, CheckPolicies: h.checkPolicies,
		TaskConfig:  h.taskConfig,
		Environment: h.pluginEnvironment,
		Fork:        h.pluginFork,
		Faults:      o.PluginFaults, FaultWindow: o.PluginFaultWindow, DialogFailClosed: o.DialogFailClosed,
		Changed:   func() { h.group.HooksChanged(); h.pluginChanges.tell() },
		Masker:    h.journal.Masker,
		Trial:     &tried,
		Trusted:   shippedHashes(),
		Functions: functions,
		Natives:   policies,
		Keep:      h.kept, KeepProblem: h.unkept, VerifySigstore: h.verifySigstore(),
	}
	if h.journal.Keeps() {
		options.Journal = h.journal
	}
	return lifecycle.New(options), nil
}

// closePlugins unloads the plugins.
func (h *Host) closePlugins() error {
	h.plugins.Close()
	return errors.Join(h.closeStore(), h.closeKept())
}

func (h *Host) closeKept() error {
	if h.kept == nil {
		return nil
	}
	return h.kept.Close()
}

// shippedHashes returns a function that reports whether a module is one of those shipped with the host, under whatever
// name it is loaded.
func shippedHashes() func(sha256 string) bool {
	known := map[string]bool{}
	for _, name := range plugins.Names() {
		wasm, _ := plugins.Module(name)
		sum := sha256.Sum256(wasm)
		known[hex.EncodeToString(sum[:])] = true
	}
	return func(sha256 string) bool { return known[sha256] }
}

// loadPlugins loads the configured and the shipped modules in parallel: compiling them takes most of a host's start.
func (h *Host) loadPlugins(ctx context.Context) error {
	installed, err := h.plugins.Installed()
	if err != nil {
		h.log.Error("what operators added cannot be read, so it is not in service", "error", err)
	}
	names := slices.AppendSeq(plugins.Names(), maps.Keys(h.options.Plugins))
	names = slices.AppendSeq(names, maps.Keys(installed))
	slices.Sort(names)
	names = slices.Compact(names)
	failed := make([]error, len(names))
	var loading sync.WaitGroup
	for i, name := range names {
		loading.Go(func() {
			o, configured := h.options.Plugins[name]
			spec := pluginSpec(name, o)
			if added, is := installed[name]; is && !configured {
				spec = added
			}
			failed[i] = h.plugins.Start(ctx, name, spec, h.options.PluginFallback)
		})
	}
	loading.Wait()
	if err := errors.Join(failed...); err != nil {
		return errors.Join(err, h.closePlugins())
	}
	if err := h.plugins.Sweep(); err != nil {
		h.log.Warn("modules that are no longer needed are still kept", "error", err)
	}
	return nil
}

// usePolicyAtStart is UseDialogPolicy for the start. If the plugin that knows the word could not start, the host does
// not fail for that: a task that is to follow the word is refused until the plugin is back.
func (h *Host) usePolicyAtStart(word string) error {
	err := h.UseDialogPolicy(word)
	lacks := slices.ContainsFunc(h.plugins.Plugins(), func(p lifecycle.Info) bool { return p.Unlike != "" })
	if err == nil || !lacks {
		return err
	}
	h.log.Error("no plugin in service knows the dialog policy, so tasks that are to follow it are refused", "error", err)
	h.dialogPolicy.Store(&word)
	return nil
}

func pluginSpec(name string, o PluginOptions) lifecycle.Spec {
	hooks := o.Hooks
	if len(hooks) == 0 {
		hooks = plugins.Hooks(name)
	}
	source := o.PluginSource.source()
	source.Sigstore = signer.Sigstore(o.Sigstore)
	return lifecycle.Spec{
		Source: source, Sources: o.Sources, Shipped: slices.Contains(plugins.Names(), name), Priority: o.Priority,
		Hooks: hooks, ConfigWins: o.ConfigWins, IgnoreExtraHooks: o.IgnoreExtraHooks, Config: o.Config, Capabilities: o.Capabilities, Functions: o.Functions, Limits: plugin.Limits(o.Limits), Durable: o.StoreOnDisk,
	}
}

// checkPluginConfig validates what a module would read against the schema of its manifest: Go's numbers have become
// JSON's by then.
func checkPluginConfig(text string, config map[string]any) error {
	compiled, err := schema.Compile(text)
	if err != nil {
		return fmt.Errorf("config_schema of its manifest: %w", err)
	}
	encoded, err := abijson.FromMap(config)
	if err != nil {
		return err
	}
	return compiled.Check(abijson.ToMap(encoded))
}

// pluginEnvironment is what a plugin's module can ask the host for during a call for a task.
func (h *Host) pluginEnvironment(task, name string) guestio.Environment {
	in := h.store.Environment(name, task, h.plugins.StoreQuota(name), h.taskState(task))
	if len(h.functions) == 0 {
		return in
	}
	return embedded{in, h, name, task}
}

// pluginFork is pluginEnvironment with a copy of the store, and without functions that may have an effect.
func (h *Host) pluginFork(task, name string) guestio.Environment {
	return h.store.Fork(name, task, h.plugins.StoreQuota(name), h.taskState(task))
}

func (h *Host) taskState(task string) func(key string) ([]byte, abi.Code) {
	return taskstate.Of(func() *Snapshot {
		if t := h.Task(task); t != nil {
			return t.Snapshot()
		}
		return nil
	})
}

// PluginInfo describes a plugin and its module in service.
type PluginInfo struct {
	Name string `json:"name"`
	// State is serving, or "out of service" if the host decides instead.
	State string `json:"state"`
	// Outage says why no module is in service, or why the host decides on some of its hooks; otherwise empty.
	Outage string `json:"outage,omitempty"`
	// Problem says why the host did not start with the configured module, and what serves in its place; otherwise empty.
	Problem string `json:"problem,omitempty"`
	// Unkept says why the next host would not know of what serves; empty: it would, or nothing is kept.
	Unkept string `json:"unkept,omitempty"`
	// Store is where what the plugin stores is: disk, or memory.
	Store string `json:"store"`
	// StoreProblem says why the next host would not have what the plugin stores, although it is to be on disk; otherwise
	// empty.
	StoreProblem string `json:"store_problem,omitempty"`
	Generation   int    `json:"generation,omitempty"`
	Version      string `json:"version,omitempty"` // from its manifest
	Source       string `json:"source,omitempty"`  // shipped, a path, or a URL without its query
	SHA256       string `json:"sha256"`
	// ConfiguredSHA256 is the hash of the module that the configuration last put into service; empty: it never did.
	ConfiguredSHA256 string   `json:"configured_sha256,omitempty"`
	ConfigHash       string   `json:"config_hash"`
	Hooks            []string `json:"hooks"`
	// Functions are the embedder's functions that the module imports.
	Functions []string `json:"functions,omitempty"`
	// Since is when the module came into service.
	Since time.Time `json:"since,omitzero"`
	// GenerationCalls and GenerationFaults count since the module came into service.
	GenerationCalls  uint64 `json:"generation_calls"`
	GenerationFaults uint64 `json:"generation_faults"`
	// Calls and Faults count since the host started, including those of earlier modules.
	Calls  uint64 `json:"calls"`
	Faults uint64 `json:"faults"`
	// Returns counts how often the host returned to another module on its own because of faults.
	Returns uint64 `json:"returns,omitempty"`
	// LastFault is the latest fault that counts against the plugin.
	LastFault *PluginFault `json:"last_fault,omitempty"`
	// Candidate is the module beside the one in service.
	Candidate *PluginCandidate `json:"candidate,omitempty"`
}

// PluginFault is a call on which a module failed.
type PluginFault struct {
	Time   time.Time `json:"time"`
	Kind   string    `json:"kind"`
	Detail string    `json:"detail"`
}

// PluginCandidate is the short form of a [PluginShadow].
type PluginCandidate struct {
	Generation int      `json:"generation"`
	SHA256     string   `json:"sha256"`
	Tasks      []string `json:"tasks,omitempty"` // that it serves itself
	Compared   uint64   `json:"compared"`
	Differing  uint64   `json:"differing"`
	Skipped    uint64   `json:"skipped"`
}

// Plugins describes all plugins in the order in which they are asked.
func (h *Host) Plugins() []PluginInfo {
	list := []PluginInfo{}
	for _, p := range h.plugins.Plugins() {
		info := publicPlugin(p)
		info.Store, info.StoreProblem = h.storeOf(p.Name)
		list = append(list, info)
	}
	return list
}

func publicPlugin(p lifecycle.Info) PluginInfo {
	out := PluginInfo{
		Name: p.Name, State: p.State, Outage: p.Outage, Generation: p.Serving.Number, Version: p.Serving.Version,
		Source: p.Serving.Source, SHA256: p.Serving.SHA256, ConfigHash: p.Serving.ConfigHash, Since: p.Serving.Since,
		Problem: p.Unlike, Unkept: p.Unkept, ConfiguredSHA256: p.Configured,
		GenerationCalls: p.Serving.Calls, GenerationFaults: p.Serving.Faults,
		Calls: p.Stats.Calls, Faults: p.Stats.FaultsCounted(), Returns: p.Tally.Returns,
	}
	out.Functions = p.Functions
	for _, hook := range p.Hooks {
		out.Hooks = append(out.Hooks, string(hook))
	}
	if !p.LastFault.Time.IsZero() {
		fault := PluginFault(p.LastFault)
		out.LastFault = &fault
	}
	if c := p.Candidate; c != nil {
		out.Candidate = &PluginCandidate{
			Generation: c.Generation.Number, SHA256: c.Generation.SHA256, Tasks: c.Tasks,
			Compared: c.Compared, Differing: c.Differing, Skipped: c.Skipped,
		}
	}
	return out
}

// frameDeadline is how long the modules of the frames hook may take in total.
func (h *Host) frameDeadline() time.Duration {
	return h.plugins.Deadline(abi.HookFrames) + pluginDeadlineSlack
}

// shippedSource is the source that is shown for a module shipped with the host.
const shippedSource = "shipped"

// FetchPlugin gets the module of a plugin, and has it prove what the options require: its hash, its signature, and
// where it comes from. That is the first step of a host with these options; nothing of the module runs. The error is a
// [*module.LoadError].
func FetchPlugin(ctx context.Context, name string, plugin PluginOptions, o *Options) ([]byte, error) {
	h := &Host{log: slog.New(slog.DiscardHandler)}
	if o != nil {
		h.options = *o
	}
	spec := pluginSpec(name, plugin)
	m, err := h.fetchPlugin(ctx, name, spec.Source, spec.Sources, cmp.Or(spec.Limits.ModuleBytes, abi.DefaultModuleBytes))
	return m.Wasm, err
}

// fetchPlugin gets a module from its source and verifies its hash and signature.
func (h *Host) fetchPlugin(ctx context.Context, name string, s lifecycle.Source, sources []string, limit int64) (lifecycle.Fetched, error) {
	spec := modules.Spec{
		Path: s.Path, URL: s.URL, Bytes: s.Wasm, SHA256: s.SHA256, Signer: s.Signer, Signature: s.Signature,
		Sources: sources, Limit: limit,
	}
	if s.Path == "" && s.URL == "" && s.Wasm == nil {
		wasm, ok := plugins.Module(name)
		if !ok {
			return lifecycle.Fetched{}, &plugin.LoadError{
				Step: plugin.StepRead, Module: name,
				Detail: fmt.Sprintf("no module of this name is shipped (shipped: %v); set its path", plugins.Names()),
			}
		}
		spec.Bytes, spec.Shipped = wasm, shippedSource
	}
	m, err := modules.Fetch(ctx, spec, modules.Options{
		VerifySigstore: h.verifySigstore(), Dir: h.options.PluginDownloadDir, Progress: h.downloadProgress(name),
	})
	if err != nil {
		return fetchFailed(name, err)
	}
	return lifecycle.Fetched{Wasm: m.Wasm, Source: m.Source, Signature: m.Signature, Manifest: m.Manifest}, nil
}

// verifySigstore verifies bundles as the program does; nil: it does not.
func (h *Host) verifySigstore() signer.Verifier {
	verify := h.options.VerifySigstore
	if verify == nil {
		return nil
	}
	return func(by signer.Sigstore, bundle []byte, contents ...[]byte) error {
		return verify(Sigstore(by), bundle, contents...)
	}
}

// progressInterval is the time between two log lines about one download.
const progressInterval = time.Second

// downloadProgress logs the progress of a download: its start, its end, and once per interval in between.
func (h *Host) downloadProgress(name string) func(source string, done, total int64) {
	var last time.Time
	return func(source string, done, total int64) {
		if now := time.Now(); done == total || now.Sub(last) >= progressInterval {
			last = now
			h.log.Info("downloading a plugin", "plugin", name, "source", source, "bytes", done, "of", total)
		}
	}
}

func fetchFailed(name string, err error) (lifecycle.Fetched, error) {
	out := &plugin.LoadError{Step: plugin.StepRead, Module: name, Detail: err.Error(), Err: err}
	var failed *modules.Error
	if !errors.As(err, &failed) {
		return lifecycle.Fetched{}, out
	}
	out.Step, out.SHA256 = plugin.Step(failed.Step), failed.SHA256
	out.Detail = failed.Source + ": " + failed.Detail
	return lifecycle.Fetched{Source: failed.Source}, out
}
