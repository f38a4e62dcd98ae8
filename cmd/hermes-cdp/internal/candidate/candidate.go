// Package candidate reads a module that is not configured yet, with the configuration that it would get.
package candidate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/catalog"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// anyModule bounds the reading of a file whose plugin, and so whose limit, is not known yet.
var anyModule = config.Limits{ModuleMB: 1024}

// Module is a module with the options to load it with.
type Module struct {
	Path    string
	Wasm    []byte
	Options module.Options
}

// Read reads a module, a file or the directory of a plugin, to be loaded as plugins.NAME, where NAME is name, else what
// the manifest says, else the name of the file. The digest that is configured is not used, as it is that of another
// file. Settings that are not nil replace the configuration. A configuration that the module's schema does not allow is
// refused, as the daemon refuses it.
func Read(at, name string, settings *abi.Struct, cfg *config.Config) (Module, error) {
	path, wasm, err := ReadFile(at)
	if err != nil {
		return Module{}, err
	}
	described := manifestOf(wasm)
	if described != nil {
		name = cmp.Or(name, described.Name)
	}
	name = cmp.Or(name, strings.TrimSuffix(filepath.Base(path), ".wasm"))
	plugin, configured := cfg.Plugins[name]
	plugin.SHA256 = ""
	o, err := options.Module(name, plugin)
	if err != nil {
		return Module{}, err
	}
	if !configured {
		o.Granted = nil // nobody has said yet what it will be granted
	}
	o.Trial = options.Trial(cfg)
	if settings != nil {
		o.Config = *settings
	}
	if settings != nil || plugin.Config != nil {
		if err := module.CheckConfig(name, described, o.Config); err != nil {
			return Module{}, err
		}
	}
	return Module{Path: path, Wasm: wasm, Options: o}, nil
}

// ReadFile reads a module alone, and tells which file it is in.
func ReadFile(at string) (path string, wasm []byte, err error) {
	if path, err = locate(at); err != nil {
		return path, nil, err
	}
	wasm, err = catalog.ReadFile(path, anyModule)
	return path, wasm, err
}

// ParseSettings reads a module's configuration, the JSON object of --config-json; nil for an empty text.
func ParseSettings(text string) (*abi.Struct, error) {
	if text == "" {
		return nil, nil
	}
	settings, err := abijson.ParseStruct([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("--config-json: %w", err)
	}
	return &settings, nil
}

// manifestOf is nil for a module whose manifest is missing or broken; the check that follows says so.
func manifestOf(wasm []byte) *module.Manifest {
	report, err := module.Inspect(wasm)
	if err != nil {
		return nil
	}
	return report.Manifest
}

// locate returns the module of a path: the file itself, or in a plugin's directory the file that hermes-cdp plugin
// build writes.
func locate(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, err
	}
	m, err := manifest.ReadFile(filepath.Join(path, "manifest.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s is a directory without a manifest: %w", path, err)
	case err != nil:
		return "", err
	}
	file := filepath.Join(path, m.Name+".wasm")
	if _, err := os.Stat(file); err != nil {
		return "", fmt.Errorf("%w; build it first: hermes-cdp plugin build %s", err, path)
	}
	return file, nil
}
