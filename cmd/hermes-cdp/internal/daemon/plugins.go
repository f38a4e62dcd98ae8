package daemon

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// The triggers of a keeper, as the history has them.
const (
	triggerFile   = "file"
	triggerReload = "reload"
)

// pluginHost is what a keeper needs of [host.Host].
type pluginHost interface {
	Plugins() []host.PluginInfo
	WithdrawnPlugins() []host.WithdrawnPlugin
	SwapPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error)
	ConfigurePlugin(ctx context.Context, name string, o host.PluginOptions, trigger string) (host.PluginGeneration, error)
	RemovePlugin(ctx context.Context, name string) error
}

// keeper keeps the plugins of a host as the configuration wants them, and as their files are. What a command puts into
// service stays until one of these changes. All but its problems is used by the daemon's own goroutine only.
type keeper struct {
	host    pluginHost
	log     *slog.Logger
	files   *files
	wanted  map[string]host.PluginOptions // by name, shipped ones included
	applied map[string]host.PluginOptions // the same as far as the host took it

	mu       sync.Mutex
	problems map[string]string // why a wanted plugin is not in service
}

// newKeeper begins with a host that was made with this configuration.
func newKeeper(h pluginHost, log *slog.Logger, c *config.Config) *keeper {
	k := &keeper{host: h, log: log, files: newFiles(log), wanted: pluginOptions(c), applied: pluginOptions(c), problems: map[string]string{}}
	for _, p := range h.Plugins() {
		k.files.serves(p.Name, cmp.Or(p.ConfiguredSHA256, p.SHA256))
		if o, wanted := k.wanted[p.Name]; wanted && p.Problem != "" {
			delete(k.applied, p.Name)
			k.files.tries(p.Name, o)
			k.setProblem(p.Name, config.RedactText(p.Problem)) // the host has logged it
		}
	}
	return k
}

// pluginOptions are those of every plugin that the host is to have; a shipped one needs no configuration.
func pluginOptions(c *config.Config) map[string]host.PluginOptions {
	all := map[string]host.PluginOptions{}
	for _, name := range config.KnownPlugins() {
		all[name] = options.Plugin(config.Plugin{})
	}
	for name, p := range c.Plugins {
		all[name] = options.Plugin(p)
	}
	return all
}

// start watches the files, and looks at them once: they may have changed since the host read them.
func (k *keeper) start(ctx context.Context, watches bool) {
	k.files.watch(k.wanted, watches)
	for _, name := range slices.Sorted(maps.Keys(k.wanted)) {
		if _, err := contentOf(k.wanted[name]); err != nil && k.Problems()[name] != "" {
			continue // what the host said of the missing file also says what serves in its place
		}
		k.look(ctx, name, triggerFile)
	}
}

// configure makes the plugins what a new configuration says, those alone that differ. Files that could not be watched
// are looked at too. What is no longer wanted goes last, so that what takes its place is there.
func (k *keeper) configure(ctx context.Context, c *config.Config) {
	before := k.wanted
	k.wanted = pluginOptions(c)
	k.files.watch(k.wanted, config.On(c.PluginWatch))
	for _, name := range slices.Sorted(maps.Keys(k.wanted)) {
		if k.isWithdrawn(name) && reflect.DeepEqual(before[name], k.wanted[name]) {
			continue // an operator removed it, and its configuration does not contradict
		}
		if k.isApplied(name) {
			k.look(ctx, name, triggerReload)
			continue
		}
		k.files.tries(name, k.wanted[name])
		k.change(ctx, name, triggerReload)
	}
	k.removeUnwanted(ctx)
	k.forget()
}

// removeUnwanted takes out of service what is no longer configured. Where a wanted plugin is not in service, perhaps
// the one that was to take its place, it stays if nobody else would decide on one of its hooks.
func (k *keeper) removeUnwanted(ctx context.Context) {
	for _, name := range slices.Sorted(maps.Keys(k.applied)) {
		if _, stays := k.wanted[name]; stays {
			continue
		}
		if alone := k.decidesAlone(name); len(alone) > 0 && k.lacks() {
			k.problem(name, "it is no longer configured, and stays in service until every configured plugin is in service: no other plugin decides on "+strings.Join(alone, ", "))
			continue
		}
		k.remove(ctx, name)
	}
}

// lacks tells whether a wanted plugin is not as it is configured.
func (k *keeper) lacks() bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(k.wanted)), func(name string) bool { return !k.isApplied(name) })
}

// decidesAlone are the hooks that no other plugin serves; one that only is told of what happened decides nothing.
func (k *keeper) decidesAlone(name string) []string {
	var alone []string
	others := map[string]bool{string(abi.HookDialogClosed): true}
	for _, p := range k.host.Plugins() {
		if p.Name == name {
			alone = slices.Clone(p.Hooks)
			continue
		}
		for _, hook := range p.Hooks {
			others[hook] = true
		}
	}
	return slices.DeleteFunc(alone, func(hook string) bool { return others[hook] })
}

// isWithdrawn tells whether an operator removed the plugin.
func (k *keeper) isWithdrawn(name string) bool {
	return slices.ContainsFunc(k.host.WithdrawnPlugins(), func(w host.WithdrawnPlugin) bool { return w.Name == name })
}

func (k *keeper) isApplied(name string) bool {
	applied, there := k.applied[name]
	return there && reflect.DeepEqual(applied, k.wanted[name])
}

// look swaps a plugin whose file has another content than the one that serves, and than the one that was refused.
func (k *keeper) look(ctx context.Context, name, trigger string) {
	o, there := k.wanted[name]
	if !there || o.Path == "" || k.isWithdrawn(name) {
		return
	}
	switch k.files.compare(name, o, k.isApplied(name)) {
	case fileServes:
		k.solved(name)
	case fileGone:
		k.problem(name, "its file "+o.Path+" cannot be read: put it back, or correct plugins."+name+".path; what was in service before serves on")
	case fileNew:
		k.change(ctx, name, trigger)
	}
}

// change puts what is wanted into service.
func (k *keeper) change(ctx context.Context, name, trigger string) {
	o := k.wanted[name]
	var g host.PluginGeneration
	var err error
	if k.isApplied(name) { // only the module is another
		c := host.PluginChange{PluginSource: o.PluginSource, Config: o.Config, Trigger: trigger}
		if c.Config == nil {
			c.Config = map[string]any{} // not what a command may have given to another module
		}
		g, err = k.host.SwapPlugin(ctx, name, c)
	} else {
		g, err = k.host.ConfigurePlugin(ctx, name, o, trigger)
	}
	switch {
	case err == nil:
		k.applied[name] = o
		k.files.serves(name, g.SHA256)
		k.solved(name)
	case ctx.Err() == nil: // else the daemon ends
		k.problem(name, config.RedactText(err.Error()))
	}
}

func (k *keeper) remove(ctx context.Context, name string) {
	err := k.host.RemovePlugin(ctx, name)
	switch {
	case err == nil || errors.Is(err, host.ErrUnknownPlugin):
		delete(k.applied, name)
		k.files.forget(name)
		k.solved(name)
	case ctx.Err() == nil:
		k.problem(name, "it is no longer configured, but could not be taken out of service: "+err.Error())
	}
}

// problem keeps why a plugin is not as it is configured, and logs it once.
func (k *keeper) problem(name, text string) {
	if k.setProblem(name, text) {
		k.log.Error("a plugin does not match its configuration", "plugin", name, "problem", text)
	}
}

func (k *keeper) setProblem(name, text string) (isNew bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	isNew = k.problems[name] != text
	k.problems[name] = text
	return isNew
}

func (k *keeper) solved(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.problems, name)
}

// forget drops the problems of plugins that are neither wanted nor there any more.
func (k *keeper) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.DeleteFunc(k.problems, func(name, _ string) bool {
		_, wanted := k.wanted[name]
		_, there := k.applied[name]
		return !wanted && !there
	})
}

// Problems are by name why plugins are not as they are configured. It may be called from any goroutine.
func (k *keeper) Problems() map[string]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.problems)
}
