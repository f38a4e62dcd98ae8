package host

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	modules "github.com/hermes-cdp/hermes-cdp/host/internal/plugin/origin"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// shippedSource is how people are told of a module that comes with the host.
const shippedSource = "shipped"

// fetchPlugin gets a module from its source, and has it proven what the source asks for.
func (h *Host) fetchPlugin(ctx context.Context, name string, s lifecycle.Source, sources []string, limit int64) (lifecycle.Fetched, error) {
	spec := modules.Spec{
		Path: s.Path, URL: s.URL, Bytes: s.Wasm, SHA256: s.SHA256, PublicKey: s.PublicKey, Signature: s.Signature,
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
	m, err := modules.Fetch(ctx, spec, modules.Options{Dir: h.options.PluginDownloadDir, Progress: h.downloadProgress(name)})
	if err != nil {
		return fetchFailed(name, err)
	}
	return lifecycle.Fetched{Wasm: m.Wasm, Source: m.Source}, nil
}

// progressInterval is the time between two lines of the log about one download.
const progressInterval = time.Second

// downloadProgress logs how far a download is: its first bytes, its end, and not too often in between.
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
