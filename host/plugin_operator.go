package host

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
)

// PluginAddition describes a plugin that an operator adds to a running host. Without a source it puts a plugin back
// that was withdrawn, as it is configured.
type PluginAddition struct {
	PluginSource
	// Hooks are the hooks, by their short names or exports, that its modules may serve, and Capabilities what they may ask
	// of the host: kv, state, page.
	Hooks        []string `json:"hooks,omitempty"`
	Capabilities []string `json:"capabilities,omitempty"`
	// Sigstore, Sources, IgnoreExtraHooks, Priority, Config and StoreOnDisk are those of [PluginOptions].
	Sigstore         Sigstore       `json:"sigstore,omitzero"`
	Sources          []string       `json:"sources,omitempty"`
	IgnoreExtraHooks bool           `json:"ignore_extra_hooks,omitempty"`
	Priority         int            `json:"priority,omitempty"`
	Config           map[string]any `json:"config,omitzero"`
	StoreOnDisk      bool           `json:"store_on_disk,omitempty"`
	// Trigger and Reason are those of [PluginChange].
	Trigger string `json:"trigger,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// PluginRemoval says what the removal of a plugin may cost.
type PluginRemoval struct {
	// DropHooks are hooks, by their short names or exports, on which no plugin may decide afterwards.
	DropHooks []string `json:"drop_hooks,omitempty"`
	// DropTools are tools, by their names in the plugin's manifest, that agents have and may lose.
	DropTools []string `json:"drop_tools,omitempty"`
	// Trigger and Reason are those of [PluginChange].
	Trigger string `json:"trigger,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// WithdrawnPlugin is a configured plugin that an operator took out of service.
type WithdrawnPlugin struct {
	Name    string    `json:"name"`
	Since   time.Time `json:"since"`
	Trigger string    `json:"trigger"` // as in [PluginChange]
	Reason  string    `json:"reason,omitempty"`
	Hooks   []string  `json:"hooks,omitempty"` // that it served
	// Unkept says why the next host would not know of it; empty: it would, or nothing is kept.
	Unkept string `json:"unkept,omitempty"`
}

// InstallPlugin adds a plugin that no options name, or puts a withdrawn one back, after its module has passed every
// step that [Host.SwapPlugin] takes. With Options.PluginStateDir it is there in the next host too, until that one's
// options have a plugin of the name. If there is an error, nothing has changed; it is a [*module.LoadError],
// [ErrKnownPlugin], [ErrUnknownPlugin], [ErrUnknownHook] or [ErrClosed].
func (h *Host) InstallPlugin(ctx context.Context, name string, a PluginAddition) (_ PluginGeneration, err error) {
	defer fault.During("install_plugin", &err)
	if a.Path == "" && a.URL == "" && a.Wasm == nil {
		g, err := h.plugins.Reinstate(ctx, name, a.Trigger, a.Reason)
		return PluginGeneration(g), err
	}
	o := PluginOptions{
		PluginSource: a.PluginSource, Sigstore: a.Sigstore, Sources: a.Sources, IgnoreExtraHooks: a.IgnoreExtraHooks, Priority: a.Priority, Config: a.Config,
		StoreOnDisk: a.StoreOnDisk,
	}
	if o.Hooks, err = parseHooks(a.Hooks); err != nil {
		return PluginGeneration{}, err
	}
	for _, word := range a.Capabilities {
		c := abi.Capability(word)
		if !slices.Contains(abi.Capabilities(), c) {
			return PluginGeneration{}, fmt.Errorf("%w: %q is no capability; there are %s", ErrBadArguments, word, listCapabilities())
		}
		o.Capabilities = append(o.Capabilities, c)
	}
	if a.StoreOnDisk && h.storeFile == nil && h.storeProblem == nil {
		return PluginGeneration{}, fmt.Errorf("%w: %w", ErrBadArguments, errNoStoreFile)
	}
	g, err := h.plugins.Install(ctx, name, pluginSpec(name, o), a.Trigger, a.Reason)
	return PluginGeneration(g), err
}

func listCapabilities() string {
	var words []string
	for _, c := range abi.Capabilities() {
		words = append(words, string(c))
	}
	return strings.Join(words, ", ")
}

// WithdrawPlugin takes a plugin out of service at the request of an operator; its module finishes what it has begun. It
// is refused if a hook would be left on which no plugin decides, or a tool that agents have would go, unless r names
// it.
// A plugin of the options stays out, in later hosts with the same Options.PluginStateDir too, until its options change
// or [Host.InstallPlugin] puts it back. The error is a [*module.LoadError], [ErrUnknownPlugin], [ErrUnknownHook] or
// [ErrClosed].
func (h *Host) WithdrawPlugin(ctx context.Context, name string, r PluginRemoval) (_ WithdrawnPlugin, err error) {
	defer fault.During("withdraw_plugin", &err)
	drop, err := parseHooks(r.DropHooks)
	if err != nil {
		return WithdrawnPlugin{}, err
	}
	w, err := h.plugins.Withdraw(ctx, name, lifecycle.Removal{Trigger: r.Trigger, Reason: r.Reason, DropHooks: drop, DropTools: r.DropTools})
	return publicWithdrawn(w), err
}

// WithdrawnPlugins lists the plugins of the options that an operator took out of service, by name.
func (h *Host) WithdrawnPlugins() []WithdrawnPlugin {
	var list []WithdrawnPlugin
	for _, w := range h.plugins.Withdrawn() {
		list = append(list, publicWithdrawn(w))
	}
	return list
}

func publicWithdrawn(w lifecycle.Withdrawn) WithdrawnPlugin {
	out := WithdrawnPlugin{Name: w.Name, Since: w.Since, Trigger: w.Trigger, Reason: w.Reason, Unkept: w.Unkept}
	for _, hook := range w.Hooks {
		out.Hooks = append(out.Hooks, string(hook))
	}
	return out
}

// ReconfigurePlugin gives the module in service another configuration, c.Config, after the module has passed every step
// with it. The source and the tasks of c are not used. If there is an error, nothing has changed; it is
// [ErrOutOfService] if no module is in service, or one of those of [Host.SwapPlugin].
func (h *Host) ReconfigurePlugin(ctx context.Context, name string, c PluginChange) (_ PluginGeneration, err error) {
	defer fault.During("reconfigure_plugin", &err)
	change, err := privateChange(c)
	if err != nil {
		return PluginGeneration{}, err
	}
	g, err := h.plugins.Reconfigure(ctx, name, change)
	return PluginGeneration(g), err
}

// GuardTools has the host refuse changes that would take a tool from agents, unless they name it. has returns the tools
// of a plugin that agents have at that moment, by their names in its manifest.
func (h *Host) GuardTools(has func(plugin string) []string) { h.agentTools.Store(&has) }

func (h *Host) toolsOfAgents(plugin string) []string {
	if has := h.agentTools.Load(); has != nil {
		return (*has)(plugin)
	}
	return nil
}

// PluginConcluded is what the host did with a module by itself.
type PluginConcluded string

// What the host does with a module by itself.
const (
	PluginPromoted PluginConcluded = lifecycle.Promoted // a candidate, by the rules of its canary
	PluginDropped  PluginConcluded = lifecycle.Dropped  // a candidate, by those rules
	PluginWentBack PluginConcluded = lifecycle.WentBack // to another module, after too many faults
	PluginGaveUp   PluginConcluded = lifecycle.GaveUp   // after too many faults, as there is no other module
)

// PluginConclusion is a change of a plugin that the host made by itself.
type PluginConclusion struct {
	Plugin string
	Did    PluginConcluded
	// Generation is what was promoted, dropped, gone back to, or given up.
	Generation PluginGeneration
	Reason     string
}

func (c PluginConclusion) String() string {
	of := map[PluginConcluded]string{
		PluginPromoted: "the candidate %d of plugin %s was promoted: %s", PluginDropped: "the candidate %d of plugin %s was dropped: %s",
		PluginWentBack: "the host went back to the module that is now generation %d of plugin %s: %s",
		PluginGaveUp:   "the host took generation %d of plugin %s out of service, and there is no other: %s",
	}
	return fmt.Sprintf(of[c.Did], c.Generation.Number, c.Plugin, c.Reason)
}

// concluded tells the embedder, and the readers of all tasks, what the host did with a plugin by itself.
func (h *Host) concluded(lc lifecycle.Conclusion) {
	c := PluginConclusion{Plugin: lc.Plugin, Did: PluginConcluded(lc.Did), Generation: PluginGeneration(lc.Generation), Reason: lc.Reason}
	if h.options.PluginConcluded != nil {
		h.options.PluginConcluded(c)
	}
	text, at := c.String(), UnixTime{Time: time.Now()}
	for _, t := range h.Tasks() {
		t.hub.Publish(Event{Kind: EventPluginChanged, TaskID: t.ID(), At: at, Reason: text})
	}
}
