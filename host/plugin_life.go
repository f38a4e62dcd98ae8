package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sync"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
)

// PluginSource says where a module comes from. Of Path, URL and Wasm one is given at most; none is the shipped module of the
// plugin's name.
type PluginSource struct {
	// Path is a .wasm file.
	Path string `json:"path,omitempty"`
	// URL is an https address; SHA256 is then required. What was downloaded once is kept by its hash.
	URL string `json:"url,omitempty"`
	// Wasm is the module itself.
	Wasm []byte `json:"wasm,omitempty"`
	// SHA256 is the hash, in hex, that the module must have; empty: any.
	SHA256 string `json:"sha256,omitempty"`
	// PublicKey is the minisign key, in base64, that must have signed the module. Empty: no signature is asked for.
	PublicKey string `json:"public_key,omitempty"`
	// Signature is where the signature is: a path, or an https address. Empty: beside the module, with .minisig at the end.
	Signature string `json:"signature,omitempty"`
}

// PluginChange asks for another module under a plugin's name.
type PluginChange struct {
	PluginSource
	// Config replaces the module's configuration; nil keeps it.
	Config map[string]any `json:"config,omitzero"`
	// Trigger is what caused the change: command, file, reload, http or api; empty: api.
	Trigger string `json:"trigger,omitempty"`
	// Reason is for the history; may be empty.
	Reason string `json:"reason,omitempty"`
	// RequireSame refuses a module that decides any call of the recent journal otherwise than the one in service.
	RequireSame bool `json:"require_same,omitempty"`
	// Tasks are those that a candidate serves for real, in place of the module in service; empty: it only shadows.
	Tasks []string `json:"tasks,omitempty"`
	// DropHooks are hooks, by their words or exports, that the plugin may cease to serve. A module that leaves another one
	// unserved is refused.
	DropHooks []string `json:"drop_hooks,omitempty"`
}

// PluginGeneration is one module that served, or tried to.
type PluginGeneration struct {
	Number     int       `json:"number"` // 1 is what the host began with
	State      string    `json:"state"`  // serving, candidate, draining, retired or refused
	SHA256     string    `json:"sha256,omitempty"`
	ConfigHash string    `json:"config_hash,omitempty"`
	Version    string    `json:"version,omitempty"` // of its manifest
	Source     string    `json:"source"`            // shipped, a path, or an address without its query
	Trigger    string    `json:"trigger"`           // start, command, file, reload, http, api, rollback, promote or faults
	Reason     string    `json:"reason,omitempty"`
	Error      string    `json:"error,omitempty"` // why it was refused, or ended by the host
	Since      time.Time `json:"since"`           // when it came into this state of service, or was refused
	Calls      uint64    `json:"calls"`
	Faults     uint64    `json:"faults"`
	// Replayed are calls of the recent journal that it was tried on before it served, and Differences those on which it
	// decided otherwise than what was in service.
	Replayed    int `json:"replayed"`
	Differences int `json:"differences"`
	// NewPowers are powers over pages that the module in service had not when this one was loaded; see [module.Power].
	NewPowers []string `json:"new_powers,omitempty"`
}

// PluginDifference is a call on which a candidate decided otherwise. Verdicts are JSON as hermes.proto names it, or the
// outcome; secrets of the configurations in them are masked.
type PluginDifference struct {
	Sequence  uint64    `json:"sequence"`
	Time      time.Time `json:"time"`
	Task      string    `json:"task"`
	Hook      string    `json:"hook"`
	Subject   string    `json:"subject,omitempty"` // the dialog, or the target
	Serving   string    `json:"serving"`
	Candidate string    `json:"candidate"`
}

// PluginShadow is a candidate beside the module in service.
type PluginShadow struct {
	Generation  PluginGeneration   `json:"generation"`
	Tasks       []string           `json:"tasks,omitempty"` // that it serves for real
	Compared    uint64             `json:"compared"`        // calls that both were asked
	Differing   uint64             `json:"differing"`
	Skipped     uint64             `json:"skipped"` // calls that it was not asked, as it was busy with others
	Differences []PluginDifference `json:"differences,omitempty"`
}

// SwapPlugin puts another module into service under a plugin's name, after it passed every step of loading, its self-test
// and a replay of the recent journal. The one before it serves until then, and to the end what it has begun. On an error
// nothing changed; it is a [*module.LoadError], [ErrUnknownPlugin], [ErrUnknownHook] or [ErrClosed].
func (h *Host) SwapPlugin(ctx context.Context, name string, c PluginChange) (PluginGeneration, error) {
	change, err := privateChange(c)
	if err != nil {
		return PluginGeneration{}, err
	}
	g, err := h.plugins.Swap(ctx, name, change)
	return PluginGeneration(g), publicLifeError(err)
}

// RollbackPlugin puts the module back that served before the current one, with its configuration, after it passed every
// step once more. Another rollback goes further back. The hooks to drop are as in [PluginChange]. The error is
// [ErrNoGeneration] where there is none, or as of [Host.SwapPlugin].
func (h *Host) RollbackPlugin(ctx context.Context, name, reason string, dropHooks ...string) (PluginGeneration, error) {
	drop, err := parseHooks(dropHooks)
	if err != nil {
		return PluginGeneration{}, err
	}
	g, err := h.plugins.Rollback(ctx, name, reason, drop...)
	return PluginGeneration(g), publicLifeError(err)
}

// PluginHistory lists a plugin's generations, newest first; refused ones are among them. It keeps the last 100. The error
// is [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) PluginHistory(name string) ([]PluginGeneration, error) {
	list, err := h.plugins.History(name)
	if err != nil {
		return nil, publicLifeError(err)
	}
	out := make([]PluginGeneration, len(list))
	for i, g := range list {
		out[i] = PluginGeneration(g)
	}
	return out, nil
}

// ShadowPlugin loads a candidate as SwapPlugin would, and lets it see live events from now on: its verdicts are compared
// and not used, but for the tasks that c names. A candidate that is there already is dropped once the new one is loaded.
func (h *Host) ShadowPlugin(ctx context.Context, name string, c PluginChange) (PluginShadow, error) {
	change, err := privateChange(c)
	if err != nil {
		return PluginShadow{}, err
	}
	s, err := h.plugins.Shadow(ctx, name, change)
	if err != nil {
		return PluginShadow{}, publicLifeError(err)
	}
	return publicShadow(s), nil
}

// PluginShadow describes the candidate; the error is [ErrNoCandidate] where there is none.
func (h *Host) PluginShadow(name string) (PluginShadow, error) {
	s, err := h.plugins.Candidate(name)
	if err != nil {
		return PluginShadow{}, publicLifeError(err)
	}
	return publicShadow(s), nil
}

// PromotePlugin puts the candidate into service: the same module, which is not loaded again. The error is
// [ErrNoCandidate], [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) PromotePlugin(ctx context.Context, name, reason string) (PluginGeneration, error) {
	g, err := h.plugins.Promote(ctx, name, reason)
	return PluginGeneration(g), publicLifeError(err)
}

// DropPlugin ends the candidate. The error is [ErrNoCandidate], [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) DropPlugin(ctx context.Context, name string) (PluginGeneration, error) {
	g, err := h.plugins.Drop(ctx, name)
	return PluginGeneration(g), publicLifeError(err)
}

// The errors of a plugin's life.
var (
	// ErrUnknownPlugin says that no plugin has the name.
	ErrUnknownPlugin = lifecycle.ErrUnknownPlugin
	// ErrKnownPlugin says that a plugin of the name is there already.
	ErrKnownPlugin = lifecycle.ErrKnownPlugin
	// ErrNoGeneration says that there is nothing to roll back to.
	ErrNoGeneration = lifecycle.ErrNoGeneration
	// ErrNoCandidate says that the plugin has no candidate.
	ErrNoCandidate = lifecycle.ErrNoCandidate
	// ErrUnknownHook says that a word is no hook.
	ErrUnknownHook = errors.New("unknown hook")
)

// publicLifeError gives the end of the host the name that it has here.
func publicLifeError(err error) error {
	if errors.Is(err, plugin.ErrClosed) {
		return ErrClosed
	}
	return err
}

func privateChange(c PluginChange) (lifecycle.Change, error) {
	drop, err := parseHooks(c.DropHooks)
	return lifecycle.Change{
		Source: lifecycle.Source(c.PluginSource), Config: c.Config, Trigger: c.Trigger, Reason: c.Reason,
		RequireSame: c.RequireSame, Tasks: c.Tasks, DropHooks: drop,
	}, err
}

func parseHooks(words []string) ([]abi.Hook, error) {
	var all []abi.Hook
	for _, word := range words {
		hooks := abi.ParseHooks(word)
		if hooks == nil {
			return nil, fmt.Errorf("%w %q; there are %s", ErrUnknownHook, word, strings.Join(abi.Grants(), ", "))
		}
		all = append(all, hooks...)
	}
	return all, nil
}

func publicShadow(s lifecycle.Shadow) PluginShadow {
	out := PluginShadow{
		Generation: PluginGeneration(s.Generation), Tasks: s.Tasks, Compared: s.Compared, Differing: s.Differing, Skipped: s.Skipped,
	}
	for _, d := range s.Differences {
		out.Differences = append(out.Differences, PluginDifference(d))
	}
	return out
}

// ConfigurePlugin makes a plugin be as o says in all that o has: module, configuration, capabilities, limits and priority.
// A name that the host has not is added. One that it has is taken over by a swap, as SwapPlugin makes it, and its candidate
// dropped; empty options give a shipped plugin its own module and defaults back. Trigger is as in [PluginChange]. On an
// error nothing changed; it is a [*module.LoadError] or [ErrClosed].
func (h *Host) ConfigurePlugin(ctx context.Context, name string, o PluginOptions, trigger string) (PluginGeneration, error) {
	g, err := h.plugins.Configure(ctx, name, pluginSpec(name, o), trigger)
	return PluginGeneration(g), publicLifeError(err)
}

// AddPlugin adds a plugin to the host, which asks it in its turn from now on. The error is a [*module.LoadError],
// [ErrKnownPlugin] or [ErrClosed]; nothing changed then.
func (h *Host) AddPlugin(ctx context.Context, name string, o PluginOptions) (PluginGeneration, error) {
	g, err := h.plugins.Add(ctx, name, pluginSpec(name, o), "api")
	return PluginGeneration(g), publicLifeError(err)
}

// RemovePlugin takes a plugin out of the host; its module ends what it has begun. A shipped plugin can be removed too. The
// error is [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) RemovePlugin(ctx context.Context, name string) error {
	return publicLifeError(h.plugins.Remove(ctx, name))
}

// broadcast lets any number of goroutines wait for the next of something. The zero value is ready.
type broadcast struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait gives a channel that the next tell closes.
func (b *broadcast) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = make(chan struct{})
	}
	return b.next
}

func (b *broadcast) tell() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next != nil {
		close(b.next)
		b.next = nil
	}
}

// PluginsChanged gives a channel that is closed when other modules come into service than now, so that PluginTools may list
// others. Take it before you look.
func (h *Host) PluginsChanged() <-chan struct{} { return h.pluginChanges.wait() }
