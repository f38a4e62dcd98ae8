// Package catalog tells which modules a configuration names: where each comes from, and what its file says about
// itself. It runs no module.
package catalog

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// Shipped is where the modules that need no path come from; package plugins has both functions.
type Shipped struct {
	// Names lists the modules.
	Names func() []string
	// Module returns the bytes of one; false if there is none of that name.
	Module func(name string) ([]byte, bool)
}

// Source is where a module comes from.
type Source string

// The sources.
const (
	SourceShipped Source = "shipped"
	SourceFile    Source = "file"
	// SourceAddress is a module that the host downloads when it starts. A catalog downloads nothing, so only what the
	// configuration says is known of it.
	SourceAddress Source = "address"
)

// Entry is one module.
type Entry struct {
	Name   string     `json:"name"`
	Source Source     `json:"source"`
	Path   string     `json:"path,omitempty"` // for SourceFile
	URL    string     `json:"url,omitempty"`  // for SourceAddress, without its secrets
	SHA256 string     `json:"sha256,omitempty"`
	Hooks  []abi.Hook `json:"hooks"`
	// Version is what the module's manifest says; empty without a manifest.
	Version string `json:"version,omitempty"`
	// Problem says why the module cannot be used, and what to do; empty if its file is readable and its digest right.
	Problem string `json:"problem,omitempty"`
	// Policies are the dialog policies that the module says it knows.
	Policies []string `json:"-"`
	// Bytes is the module; nil if there is a problem with reading it, and for SourceAddress.
	Bytes []byte `json:"-"`
}

// List tells about every module that is shipped or configured, by name.
func List(cfg *config.Config, shipped Shipped) []Entry {
	names := slices.Clone(shipped.Names())
	for name := range cfg.Plugins {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	entries := make([]Entry, len(names))
	for i, name := range names {
		entries[i] = entry(name, cfg.Plugins[name], shipped)
	}
	return entries
}

func entry(name string, plugin config.Plugin, shipped Shipped) Entry {
	e := Entry{Name: name, Source: SourceShipped, Path: plugin.Path, Hooks: []abi.Hook{}}
	switch {
	case plugin.URL != "":
		e.Source, e.URL, e.SHA256 = SourceAddress, config.RedactAddress(plugin.URL), plugin.SHA256
		return e
	case plugin.Path != "":
		e.Source = SourceFile
	}
	wasm, err := read(name, plugin, shipped)
	if err != nil {
		e.Problem = err.Error()
		return e
	}
	e.Bytes = wasm
	report, err := module.Inspect(wasm)
	if err != nil {
		e.Problem = err.Error()
		return e
	}
	e.SHA256, e.Hooks = report.SHA256, append(e.Hooks, report.Hooks...)
	if report.Manifest != nil {
		e.Version, e.Policies = report.Manifest.Version, report.Manifest.DialogPolicies
	}
	if problem := ungranted(name, plugin, report.Hooks); problem != "" {
		e.Problem = problem
	}
	if plugin.SHA256 != "" && plugin.SHA256 != report.SHA256 {
		e.Problem = fmt.Sprintf("its sha256 is %s, but plugins.%s.sha256 is %s: use the right file or correct the key", report.SHA256, name, plugin.SHA256)
	}
	return e
}

// ungranted says what a module exports that its plugin is not granted; empty where that does not keep it from serving.
func ungranted(name string, plugin config.Plugin, exported []abi.Hook) string {
	of := options.Plugin(plugin)
	granted := of.Hooks
	if len(granted) == 0 {
		granted = plugins.Hooks(name)
	}
	var extra []string
	for _, hook := range exported {
		if !slices.Contains(granted, hook) && !slices.Contains(extra, hook.Grant()) {
			extra = append(extra, hook.Grant())
		}
	}
	if len(extra) == 0 || of.IgnoreExtraHooks && len(granted) > 0 {
		return ""
	}
	return fmt.Sprintf("it serves %s, which plugins.%s.hooks does not grant: add what you have reviewed to that list, or use another module",
		strings.Join(extra, ", "), name)
}

func read(name string, plugin config.Plugin, shipped Shipped) ([]byte, error) {
	if plugin.Path == "" {
		wasm, ok := shipped.Module(name)
		if !ok {
			return nil, fmt.Errorf("no module of this name is shipped (%v are): set plugins.%s.path", shipped.Names(), name)
		}
		return wasm, nil
	}
	return ReadFile(plugin.Path, plugin.Limits)
}

// ReadFile reads a .wasm file, up to the limit on its size.
func ReadFile(path string, limits config.Limits) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	limit := int64(limits.WithDefaults().ModuleMB) << 20
	wasm, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(wasm)) > limit {
		return nil, fmt.Errorf("%s is larger than %d MiB: raise limits.module_mb of the plugin", path, limit>>20)
	}
	return wasm, nil
}

// Title is the name of a module with its version, for a line of text.
func (e Entry) Title() string { return e.Name + " " + cmp.Or(e.Version, "(no version)") }
