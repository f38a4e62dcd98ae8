package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// PluginSource says where a module comes from. Set at most one of Path, URL and Wasm; if none is set, it is the shipped
// module of the plugin's name.
type PluginSource struct {
	// Path is a .wasm file.
	Path string `json:"path,omitempty"`
	// URL is an https URL, and SHA256 is then required; or oci://REGISTRY/REPOSITORY@sha256:DIGEST, a module in a
	// registry by the digest of its manifest. Downloads are kept by their hash. A registry that wants credentials gets
	// those of the file that REGISTRY_AUTH_FILE names, else of Docker's config.json.
	URL string `json:"url,omitempty"`
	// Wasm is the module itself.
	Wasm []byte `json:"wasm,omitempty"`
	// SHA256 is the hash, in hex, that the module must have; empty: any.
	SHA256 string `json:"sha256,omitempty"`
	// PublicKey is the minisign key, in base64, that must have signed the module. Empty: no signature is required.
	PublicKey string `json:"public_key,omitempty"`
	// Signature is the path or https URL of the signature. Empty: that of the module with .minisig appended, or
	// .sigstore.json for a bundle of Sigstore, or one of those that are attached to it in its registry.
	Signature string `json:"signature,omitempty"`
}

func (s PluginSource) source() lifecycle.Source {
	return lifecycle.Source{
		Path: s.Path, URL: s.URL, Wasm: s.Wasm, SHA256: s.SHA256, Signer: signer.Signer{PublicKey: s.PublicKey}, Signature: s.Signature,
	}
}

// Sigstore names who must have signed a module, by the certificate that an instance of Sigstore has issued for the
// signature (https://docs.sigstore.dev/certificate_authority/oidc-in-fulcio/).
type Sigstore struct {
	// Issuer is the URL of the OpenID Connect provider that vouched for the identity, such as
	// https://token.actions.githubusercontent.com.
	Issuer string `json:"issuer"`
	// Identity is the certificate's subject alternative name, such as
	// https://github.com/acme/guard/.github/workflows/release.yml@refs/tags/v1.2.
	Identity string `json:"identity,omitempty"`
	// IdentityPattern is a regular expression (RE2) that all of the name matches. Set either this or Identity.
	IdentityPattern string `json:"identity_pattern,omitempty"`
	// TrustedRoot is the file with the certificates and keys of the instance (trusted_root.json). It is read for each
	// signature, and nothing is fetched.
	TrustedRoot string `json:"trusted_root"`
}

// PluginChange describes another module to use under a plugin's name.
type PluginChange struct {
	PluginSource
	// Config replaces the module's configuration; nil keeps it.
	Config map[string]any `json:"config,omitzero"`
	// Trigger is what caused the change: command, file, reload, http or api; empty: api.
	Trigger string `json:"trigger,omitempty"`
	// Reason is shown in the history; it may be empty.
	Reason string `json:"reason,omitempty"`
	// RequireSame refuses a module that decides any call of the recent journal differently from the one in service.
	RequireSame bool `json:"require_same,omitempty"`
	// Tasks are those that a candidate serves instead of the module in service. ServePercent is the share of all tasks
	// that it serves beside them: always the same ones, by their names. Without both it only shadows.
	Tasks        []string `json:"tasks,omitempty"`
	ServePercent float64  `json:"serve_percent,omitempty"`
	// PromoteAfter is after how many calls, served or compared, the host promotes a candidate by itself; 0: never. DropOn
	// is on what it drops it before: fault (its first one), difference (the first compared call that it decides
	// otherwise), fuel (more than twice that of the module in service, on average over at least 20 compared calls).
	PromoteAfter uint64   `json:"promote_after,omitempty"`
	DropOn       []string `json:"drop_on,omitempty"`
	// DropHooks are hooks, by their short names or exports, that the plugin may cease to serve. A module that stops
	// serving any other hook is refused.
	DropHooks []string `json:"drop_hooks,omitempty"`
	// DropTools are tools, by their names in the plugin's manifest, that agents have and may lose. A module without
	// another such tool is refused.
	DropTools []string `json:"drop_tools,omitempty"`
}

// PluginGeneration is one module that has served, or was meant to.
type PluginGeneration struct {
	Number     int    `json:"number"` // from 1
	State      string `json:"state"`  // serving, candidate, draining, retired or refused
	SHA256     string `json:"sha256,omitempty"`
	ConfigHash string `json:"config_hash,omitempty"`
	Version    string `json:"version,omitempty"` // from its manifest
	Source     string `json:"source"`            // shipped, a path, or a URL without its query
	// Trigger is start, command, file, reload, http, api, rollback, promote, canary, faults, restore or fallback.
	Trigger string    `json:"trigger"`
	Reason  string    `json:"reason,omitempty"`
	Error   string    `json:"error,omitempty"` // why the host refused or ended it
	Since   time.Time `json:"since"`           // when it entered this state
	Calls   uint64    `json:"calls"`
	Faults  uint64    `json:"faults"`
	// Fuel and TotalTime are what its calls used, in units and in the module.
	Fuel      int64         `json:"fuel"`
	TotalTime time.Duration `json:"total_ns"`
	// Replayed is how many calls of the recent journal it was tried on before it served, and Differences on how many of
	// them it decided differently from the module in service.
	Replayed    int `json:"replayed"`
	Differences int `json:"differences"`
	// NewPowers are powers over pages that the module in service did not have when this one was loaded; see
	// [module.Power].
	NewPowers []string `json:"new_powers,omitempty"`
	// Ungranted says which capabilities it asks for and is not granted, so that calls that need them are denied; empty:
	// none.
	Ungranted string `json:"ungranted,omitempty"`
	// Unkept says why the next host would not know of it; empty: it would, or nothing is kept.
	Unkept string `json:"unkept,omitempty"`
}

// PluginDifference is a call on which a candidate decided differently. Verdicts are JSON with the names of
// hermes.proto, or the outcome; secrets from configurations are masked in them.
type PluginDifference struct {
	Sequence  uint64    `json:"sequence"`
	Time      time.Time `json:"time"`
	Task      string    `json:"task"`
	Hook      string    `json:"hook"`
	Subject   string    `json:"subject,omitempty"` // the dialog or target
	Serving   string    `json:"serving"`
	Candidate string    `json:"candidate"`
}

// PluginShadow is a candidate beside the module in service.
type PluginShadow struct {
	Generation PluginGeneration `json:"generation"`
	Tasks      []string         `json:"tasks,omitempty"` // that it serves itself
	// ServePercent, PromoteAfter and DropOn are those of the [PluginChange]. Answered counts the calls that it served or
	// that were compared since it was put there, or since the host began.
	ServePercent float64            `json:"serve_percent,omitempty"`
	PromoteAfter uint64             `json:"promote_after,omitempty"`
	DropOn       []string           `json:"drop_on,omitempty"`
	Answered     uint64             `json:"answered"`
	Compared     uint64             `json:"compared"` // calls on which both were asked
	Differing    uint64             `json:"differing"`
	Skipped      uint64             `json:"skipped"` // calls on which it was not asked because it was busy
	Differences  []PluginDifference `json:"differences,omitempty"`
}

// SwapPlugin puts another module into service under a plugin's name, after the module has passed every loading step,
// its self-test and a replay of the recent journal. The old module serves until then, and finishes the calls that it
// has begun. If there is an error, nothing has changed; it is a [*module.LoadError], [ErrUnknownPlugin],
// [ErrUnknownHook] or [ErrClosed].
func (h *Host) SwapPlugin(ctx context.Context, name string, c PluginChange) (_ PluginGeneration, err error) {
	defer fault.During("swap_plugin", &err)
	change, err := privateChange(c)
	if err != nil {
		return PluginGeneration{}, err
	}
	g, err := h.plugins.Swap(ctx, name, change)
	return PluginGeneration(g), err
}

// RollbackPlugin puts back the module that served before the current one, with its configuration, after it has passed
// every step again. Another rollback goes back further. dropHooks are as in [PluginChange]. The error is
// [ErrNoGeneration] if there is no earlier module, or one of those of [Host.SwapPlugin].
func (h *Host) RollbackPlugin(ctx context.Context, name, reason string, dropHooks ...string) (_ PluginGeneration, err error) {
	defer fault.During("rollback_plugin", &err)
	drop, err := parseHooks(dropHooks)
	if err != nil {
		return PluginGeneration{}, err
	}
	g, err := h.plugins.Rollback(ctx, name, reason, drop...)
	return PluginGeneration(g), err
}

// PluginHistory lists a plugin's last 100 generations, newest first, including refused ones. The error is
// [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) PluginHistory(name string) (_ []PluginGeneration, err error) {
	defer fault.During("plugin_history", &err)
	list, err := h.plugins.History(name)
	if err != nil {
		return nil, err
	}
	out := make([]PluginGeneration, len(list))
	for i, g := range list {
		out[i] = PluginGeneration(g)
	}
	return out, nil
}

// ShadowPlugin loads a candidate as SwapPlugin would, and shows it live events from now on. Its verdicts are compared
// and not used, except for the tasks that c names. An existing candidate is dropped once the new one is loaded.
func (h *Host) ShadowPlugin(ctx context.Context, name string, c PluginChange) (_ PluginShadow, err error) {
	defer fault.During("shadow_plugin", &err)
	change, err := privateChange(c)
	if err != nil {
		return PluginShadow{}, err
	}
	s, err := h.plugins.Shadow(ctx, name, change)
	if err != nil {
		return PluginShadow{}, err
	}
	return publicShadow(s), nil
}

// PluginShadow describes the candidate; the error is [ErrNoCandidate] if there is none.
func (h *Host) PluginShadow(name string) (_ PluginShadow, err error) {
	defer fault.During("plugin_shadow", &err)
	s, err := h.plugins.Candidate(name)
	if err != nil {
		return PluginShadow{}, err
	}
	return publicShadow(s), nil
}

// PromotePlugin puts the candidate into service without loading it again. The error is [ErrNoCandidate],
// [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) PromotePlugin(ctx context.Context, name, reason string) (_ PluginGeneration, err error) {
	defer fault.During("promote_plugin", &err)
	g, err := h.plugins.Promote(ctx, name, reason)
	return PluginGeneration(g), err
}

// DropPlugin ends the candidate. The error is [ErrNoCandidate], [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) DropPlugin(ctx context.Context, name string) (_ PluginGeneration, err error) {
	defer fault.During("drop_plugin", &err)
	g, err := h.plugins.Drop(ctx, name)
	return PluginGeneration(g), err
}

func privateChange(c PluginChange) (lifecycle.Change, error) {
	drop, err := parseHooks(c.DropHooks)
	if !(c.ServePercent >= 0 && c.ServePercent <= 100) {
		err = fmt.Errorf("%w: a candidate cannot serve %v percent of the tasks; want 0 to 100", ErrBadArguments, c.ServePercent)
	}
	for _, word := range c.DropOn {
		if !slices.Contains(lifecycle.DropReasons(), word) {
			err = fmt.Errorf("%w: %q is nothing on which a candidate is dropped; want %s", ErrBadArguments, word, strings.Join(lifecycle.DropReasons(), ", "))
		}
	}
	return lifecycle.Change{
		Source: c.PluginSource.source(), Config: c.Config, Trigger: c.Trigger, Reason: c.Reason,
		RequireSame: c.RequireSame, Tasks: c.Tasks, DropHooks: drop, DropTools: c.DropTools,
		Canary: lifecycle.Canary{Share: c.ServePercent, PromoteAfter: c.PromoteAfter, DropOn: c.DropOn},
	}, err
}

func parseHooks(words []string) ([]abi.Hook, error) {
	var all []abi.Hook
	for _, word := range words {
		hooks := abi.ParseHooks(word)
		if hooks == nil {
			return nil, fmt.Errorf("%w %q; the hooks are %s", ErrUnknownHook, word, strings.Join(abi.Grants(), ", "))
		}
		all = append(all, hooks...)
	}
	return all, nil
}

func publicShadow(s lifecycle.Shadow) PluginShadow {
	out := PluginShadow{
		Generation: PluginGeneration(s.Generation), Tasks: s.Tasks, ServePercent: s.Canary.Share, PromoteAfter: s.Canary.PromoteAfter, DropOn: s.Canary.DropOn, Answered: s.Answered,
		Compared: s.Compared, Differing: s.Differing, Skipped: s.Skipped,
	}
	for _, d := range s.Differences {
		out.Differences = append(out.Differences, PluginDifference(d))
	}
	return out
}

// ConfigurePlugin applies all of o to a plugin: module, configuration, capabilities, limits and priority. A plugin that
// does not exist is added. An existing one is changed by a swap, as by SwapPlugin, and its candidate is dropped; empty
// options restore a shipped plugin's own module and defaults. trigger is as in [PluginChange]. If there is an error,
// nothing has changed; it is a [*module.LoadError] or [ErrClosed].
func (h *Host) ConfigurePlugin(ctx context.Context, name string, o PluginOptions, trigger string) (_ PluginGeneration, err error) {
	defer fault.During("configure_plugin", &err)
	g, err := h.plugins.Configure(ctx, name, pluginSpec(name, o), trigger)
	return PluginGeneration(g), err
}

// AddPlugin adds a plugin to the host, which asks it from now on in the order of priorities. If there is an error,
// nothing has changed; it is a [*module.LoadError], [ErrKnownPlugin] or [ErrClosed].
func (h *Host) AddPlugin(ctx context.Context, name string, o PluginOptions) (_ PluginGeneration, err error) {
	defer fault.During("add_plugin", &err)
	g, err := h.plugins.Add(ctx, name, pluginSpec(name, o), "api")
	return PluginGeneration(g), err
}

// RemovePlugin removes a plugin from the host; its module finishes what it has begun. A shipped plugin can be removed,
// too. The error is [ErrUnknownPlugin] or [ErrClosed].
func (h *Host) RemovePlugin(ctx context.Context, name string) error {
	return fault.Of("remove_plugin", h.plugins.Remove(ctx, name))
}

// broadcast lets any number of goroutines wait for the next event of some kind. The zero value is ready to use.
type broadcast struct {
	mu   sync.Mutex
	next chan struct{}
}

// wait returns a channel that the next tell closes.
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

// PluginsChanged returns a channel that is closed when the modules in service change, as PluginTools may then list
// other tools. Call it before reading the list.
func (h *Host) PluginsChanged() <-chan struct{} { return h.pluginChanges.wait() }
