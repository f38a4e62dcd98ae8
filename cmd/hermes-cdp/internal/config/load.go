package config

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
)

// Sources says what [Load] reads. The zero value reads the default file and this process's environment.
type Sources struct {
	// File is the YAML file; it must exist. Empty: the default file, which may be missing.
	File string
	// Environ is the environment as "NAME=value". Nil: this process's.
	Environ []string
	// Flags are the command's own flags that set keys.
	Flags []Flag
	// Set are key=value pairs, the strongest layer. A value is a YAML scalar, flow list or flow map; a value for a text
	// key is taken as it is unless it is in quotes, and a list may be its items with commas between them.
	Set []string
	// ControlOnly leaves out all but where the daemon is: what is wrong elsewhere is a warning, and no error.
	ControlOnly bool
	// Modules says that the command names the module of a plugin itself, so that plugins may be configured without one.
	Modules bool
	// Check finds what those who use a configuration do not take: the first key that is wrong, and why. Nil: nobody is
	// asked.
	Check func(*Config) (key, problem string)
}

// Load reads all layers, checks them and merges them. If anything is wrong the error is an [*Error] with every problem.
// The report is never nil: it has the warnings even then.
func Load(sources Sources) (*Config, *Report, error) {
	if sources.Environ == nil {
		sources.Environ = os.Environ()
	}
	env := environMap(sources.Environ)
	r := newReader(homeDir(env))
	report := &Report{env: env}

	layers := r.readLayers(sources, env, report)
	if sources.ControlOnly {
		r.keepControl(layers, report)
	}
	cfg, err := merge(layers)
	if err != nil {
		return nil, report, err
	}
	if !sources.ControlOnly {
		r.modules = sources.Modules
		r.checkProvider(cfg.Provider)
		checkMembers(r, "plugins", cfg.Plugins, r.checkPlugin)
		checkMembers(r, "mcp_servers", cfg.MCPServers, r.checkServer)
		r.checkUse(sources.Check, cfg)
	}
	if len(r.problems) > 0 {
		return nil, report, &Error{Problems: r.problems}
	}
	cfg.PluginCacheDir = cmp.Or(cfg.PluginCacheDir, cacheDir(env, "wazero"))
	cfg.PluginStateDir = cmp.Or(cfg.PluginStateDir, stateDir(env, "plugins"))
	cfg.PluginDownloadDir = cmp.Or(cfg.PluginDownloadDir, cacheDir(env, "modules"))
	cfg.Browser.ScreenshotDir = cmp.Or(cfg.Browser.ScreenshotDir, cacheDir(env, "screenshots"))
	cfg.Browser.RecordingDir = cmp.Or(cfg.Browser.RecordingDir, cacheDir(env, "recordings"))
	cfg.Browser.ProfileDir = cmp.Or(cfg.Browser.ProfileDir, dataDir(env, "profiles"))
	cfg.Browser.LeaseDir = cmp.Or(cfg.Browser.LeaseDir, stateDir(env, "leases"))
	cfg.Audit.Dir = cmp.Or(cfg.Audit.Dir, stateDir(env, "audit"))
	cfg.Control.Socket = cmp.Or(cfg.Control.Socket, defaultSocket(env))
	cfg.Control.AgentsSocket = cmp.Or(cfg.Control.AgentsSocket, agentsSocketBeside(cfg.Control.Socket))
	cfg.Control.AgentTokens = cmp.Or(cfg.Control.AgentTokens, stateDir(env, "agent-tokens.json"))
	cfg.Control.TokenFile = cmp.Or(cfg.Control.TokenFile, defaultTokenFile(env))
	report.Values = r.values(*cfg)
	report.warnOfStart(cfg)
	return cfg, report, nil
}

// ofStart are the keys that only a browser that is started here follows.
var ofStart = []string{
	"browser.args", "browser.environment", "browser.executable", "browser.headless", "browser.height", "browser.isolation",
	"browser.profile", "browser.profile_busy", "browser.sandbox", "browser.user_agent", "browser.user_data_dir", "browser.width",
}

// warnOfStart warns of keys that do nothing because the browser is one at an address.
func (r *Report) warnOfStart(cfg *Config) {
	if cfg.Browser.CDPURL == "" {
		return
	}
	for _, v := range r.Values {
		if slices.Contains(ofStart, v.Key) && v.Origin.Layer != LayerDefault {
			r.Warnings = append(r.Warnings, Warning{
				Origin: v.Origin, Text: v.Key + " has no effect on the browser at browser.cdp_url, which is not started here",
			})
		}
	}
}

// keepControl drops all but the section that says where the daemon is, and what is wrong with the rest. A file without
// sense says nothing of the daemon, which is then looked for as if there were no file. What is wrong on the command
// line stays an error, as does a file that cannot be read.
func (r *reader) keepControl(layers []map[string]any, report *Report) {
	for _, layer := range layers {
		maps.DeleteFunc(layer, func(key string, _ any) bool { return key != "control" })
	}
	r.problems = slices.DeleteFunc(r.problems, func(p Problem) bool {
		switch {
		case p.Origin.Layer == LayerSet, p.Origin.Layer == LayerFlag, p.Kind == ProblemUnreadable,
			p.Key == "control", strings.HasPrefix(p.Key, "control."):
			return false
		}
		report.Warnings = append(report.Warnings, Warning{Text: p.Reason, Origin: p.Origin})
		return true
	})
}

// checkUse asks those who use the configuration, unless the section has a problem of its own, so that a value is left
// out.
func (r *reader) checkUse(check func(*Config) (key, problem string), cfg *Config) {
	if check == nil {
		return
	}
	key, problem := check(cfg)
	if path := strings.Split(key, "."); key != "" && !r.hasProblem(path[0]) {
		r.fail(ProblemBadValue, path, r.originBelow(key), "%s: %s", key, problem)
	}
}

// readLayers reads every layer, least strong first.
func (r *reader) readLayers(sources Sources, env map[string]string, report *Report) []map[string]any {
	path := cmp.Or(sources.File, defaultFile(env))
	var layers []map[string]any
	if path != "" {
		layer, found, empty := r.readFile(path, sources.File != "")
		if found {
			report.File, report.FileEmpty = path, empty
		}
		report.Private = []string{path, filepath.Join(filepath.Dir(path), ".env")}
		r.knowNames(layer)
		report.DotEnvFile, report.dotEnv = r.readDotEnv(filepath.Dir(path))
		fromDotEnv, warnings := r.readEnviron(report.dotEnv, Origin{Layer: LayerDotEnv, File: report.DotEnvFile})
		report.Warnings = append(report.Warnings, warnings...)
		layers = append(layers, layer, fromDotEnv)
	}
	fromEnviron, warnings := r.readEnviron(env, Origin{Layer: LayerEnvironment})
	report.Warnings = append(report.Warnings, warnings...)
	return append(layers, fromEnviron, r.readFlags(sources.Flags), r.readSet(sources.Set))
}

// merge lays the layers over each other. The defaults need no layer: a field that no layer sets is zero, and zero means
// the default.
func merge(layers []map[string]any) (*Config, error) {
	k := koanf.New(".")
	for _, layer := range layers {
		if err := k.Load(confmap.Provider(layer, ""), nil); err != nil {
			return nil, fmt.Errorf("configuration: merging: %w", err)
		}
	}
	var cfg Config
	if err := k.Unmarshal("", &cfg); err != nil {
		return nil, fmt.Errorf("configuration: merging: %w", err)
	}
	cfg = cfg.WithDefaults()
	return &cfg, nil
}

// hasProblem tells whether something below a path is wrong already.
func (r *reader) hasProblem(path string) bool {
	return slices.ContainsFunc(r.problems, func(p Problem) bool { return strings.HasPrefix(p.Key+".", path+".") })
}
