package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/host/sigstore"
)

// checkPlugins takes every shipped and configured module through the steps of loading.
func checkPlugins(ctx context.Context, cfg *config.Config, shipped catalog.Shipped) []Check {
	var checks []Check
	entries := catalog.List(cfg, shipped)
	for _, entry := range entries {
		checks = append(checks, checkPlugin(ctx, cfg, entry))
	}
	if cfg.Browser.DialogPolicy != "" {
		checks = append(checks, checkDialogPolicy(cfg.Browser.DialogPolicy, entries))
	}
	if slices.ContainsFunc(slices.Collect(maps.Values(cfg.Plugins)), func(p config.Plugin) bool { return p.Store == "disk" }) {
		checks = append(checks, checkPluginStore(cfg.PluginStateDir))
	}
	return checks
}

// checkDialogPolicy finds a policy that no module knows, with which the daemon does not start. A module that is not
// here, or cannot be used, may know it, and so may all if none says what it knows.
func checkDialogPolicy(word string, entries []catalog.Entry) Check {
	const name = "dialog policy"
	var known []string
	for _, entry := range entries {
		if entry.Source == catalog.SourceAddress || entry.Problem != "" {
			return ok(name, word+", which was not compared with modules that are not checked here")
		}
		known = append(known, entry.Policies...)
	}
	if len(known) > 0 && !slices.Contains(known, word) {
		return fail(name, fmt.Sprintf("no module knows the policy %q: they know %s", word, strings.Join(known, ", ")),
			"set browser.dialog_policy to one of them, or configure a module that knows it")
	}
	return ok(name, word)
}

// checkPluginStore looks at what plugins have on disk.
func checkPluginStore(dir string) Check {
	const name = "plugin stores"
	if err := host.CheckPluginStore(dir); err != nil {
		return fail(name, err.Error(), "do that while no daemon runs; until then, plugins with store: disk begin with nothing and keep nothing")
	}
	return ok(name, "what plugins have on disk can be read")
}

func checkPlugin(ctx context.Context, cfg *config.Config, entry catalog.Entry) Check {
	name := "plugin " + entry.Name
	fix := "run: hermes-cdp plugin check FILE; or remove plugins." + entry.Name
	if entry.Problem != "" {
		return fail(name, entry.Problem, fix)
	}
	if entry.Source == catalog.SourceAddress {
		return warn(name, "it is downloaded from "+entry.URL+" when the host starts, and was not checked",
			"download it and run: hermes-cdp plugin check FILE")
	}
	if p, configured := cfg.Plugins[entry.Name]; configured {
		if _, err := host.FetchPlugin(ctx, entry.Name, options.Plugin(p), &host.Options{VerifySigstore: sigstore.Verify}); err != nil {
			return fail(name, err.Error(), "put the right module there, or correct plugins."+entry.Name)
		}
	}
	o, err := options.Module(entry.Name, cfg.Plugins[entry.Name])
	if err != nil {
		return fail(name, err.Error(), "correct plugins."+entry.Name+".config")
	}
	described, err := module.Inspect(entry.Bytes)
	if err != nil {
		return fail(name, err.Error(), fix)
	}
	if err := module.CheckConfig(entry.Name, described.Manifest, o.Config); err != nil {
		return fail(name, err.Error(), "correct plugins."+entry.Name+".config")
	}
	report, err := module.Check(ctx, entry.Bytes, o)
	if err != nil {
		return fail(name, "not checked to the end: "+err.Error(), "try again with more time")
	}
	for _, step := range report.Steps {
		if step.Outcome == module.OutcomeFailed {
			return fail(name, step.Name+": "+step.Detail, fix)
		}
	}
	if remark := report.Remark(); remark != "" && remark != module.NoManifest {
		return warn(name, remark, "grant in plugins."+entry.Name+".capabilities what you have reviewed; have its author correct the manifest")
	}
	hooks := make([]string, len(entry.Hooks))
	for i, hook := range entry.Hooks {
		hooks[i] = string(hook)
	}
	return ok(name, entry.Title()+", "+string(entry.Source)+", serves "+strings.Join(hooks, ", "))
}
