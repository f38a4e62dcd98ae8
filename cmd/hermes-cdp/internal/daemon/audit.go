package daemon

import (
	"context"
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
)

// openAudit returns the record of what operators do, or nil where there is to be none.
func openAudit(c config.Audit, log *slog.Logger) (*audit.Log, error) {
	if !config.On(c.Enabled) {
		return nil, nil
	}
	return audit.Open(options.Audit(c, log))
}

// recordedHost records what a change of the configuration, or of a file, does to plugins.
type recordedHost struct {
	pluginHost
	log *audit.Log
}

func (r recordedHost) record(action, name, trigger string, g host.PluginGeneration, err error) {
	e := audit.Entry{Who: "daemon", Via: trigger, Action: action, Plugin: name}
	if err == nil && g.Number > 0 {
		e.Details = map[string]any{"generation": g.Number, "sha256": g.SHA256, "source": g.Source}
	}
	r.log.Record(e.Came(err))
}

func (r recordedHost) SwapPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error) {
	g, err := r.pluginHost.SwapPlugin(ctx, name, c)
	r.record(audit.PluginSwap, name, c.Trigger, g, err)
	return g, err
}

func (r recordedHost) ConfigurePlugin(ctx context.Context, name string, o host.PluginOptions, trigger string) (host.PluginGeneration, error) {
	g, err := r.pluginHost.ConfigurePlugin(ctx, name, o, trigger)
	r.record(audit.PluginConfigure, name, trigger, g, err)
	return g, err
}

func (r recordedHost) RemovePlugin(ctx context.Context, name string) error {
	err := r.pluginHost.RemovePlugin(ctx, name)
	r.record(audit.PluginRemove, name, triggerReload, host.PluginGeneration{}, err)
	return err
}
