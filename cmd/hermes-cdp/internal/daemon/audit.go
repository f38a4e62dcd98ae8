package daemon

import (
	"context"
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
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

// maxReason is how many characters of a reason are recorded.
const maxReason = 300

// recordConclusion records what the host did with a plugin by itself.
func recordConclusion(log *audit.Log, c host.PluginConclusion) {
	of := map[host.PluginConcluded]struct{ action, via string }{
		host.PluginPromoted: {audit.PluginPromote, "canary"}, host.PluginDropped: {audit.PluginDrop, "canary"},
		host.PluginWentBack: {audit.PluginRollback, "faults"}, host.PluginGaveUp: {audit.PluginRemove, "faults"},
	}[c.Did]
	e := audit.Entry{Who: "daemon", Via: of.via, Action: of.action, Plugin: c.Plugin}
	e.Details = map[string]any{"generation": c.Generation.Number, "sha256": c.Generation.SHA256, "source": c.Generation.Source, "reason": pagetext.ShortenRunes(pagetext.Line(c.Reason), maxReason)}
	log.Record(e.Came(nil))
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
