package control

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// PluginAPI changes plugins; see the methods of the same names of [host.Host].
type PluginAPI interface {
	// SwapPlugin puts another module into service. Paths in c must be absolute, as the daemon reads them.
	SwapPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error)
	// InstallPlugin adds a plugin, or puts back one that was removed; paths are as in SwapPlugin. WithdrawPlugin removes
	// one, and ReconfigurePlugin gives the module in service another configuration.
	InstallPlugin(ctx context.Context, name string, a host.PluginAddition) (host.PluginGeneration, error)
	WithdrawPlugin(ctx context.Context, name string, r host.PluginRemoval) (host.WithdrawnPlugin, error)
	ReconfigurePlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error)
	RollbackPlugin(ctx context.Context, name, reason string, dropHooks ...string) (host.PluginGeneration, error)
	PluginHistory(ctx context.Context, name string) ([]host.PluginGeneration, error)
	// ShadowPlugin starts a candidate; paths are as in SwapPlugin.
	ShadowPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginShadow, error)
	PluginShadow(ctx context.Context, name string) (host.PluginShadow, error)
	PromotePlugin(ctx context.Context, name, reason string) (host.PluginGeneration, error)
	DropPlugin(ctx context.Context, name string) (host.PluginGeneration, error)
}

// The trigger that a client can name, and that of a request without one.
const (
	// TriggerCommand is a command of hermes-cdp.
	TriggerCommand = "command"
	// TriggerHTTP is any other request.
	TriggerHTTP = "http"
)

// pluginName matches valid plugin names. Others are not sent, as they would not survive in a path.
var pluginName = regexp.MustCompile(`^[a-z0-9-]+$`)

// checkChange refuses what is only meaningful to the sender of the request, and what only the daemon may set.
func checkChange(c *host.PluginChange) error {
	return cmp.Or(checkSource(c.PluginSource), checkTrigger(&c.Trigger))
}

func checkSource(s host.PluginSource) error {
	for key, path := range map[string]string{"path": s.Path, "signature": s.Signature} {
		if path != "" && !filepath.IsAbs(path) && !isAddress(path) {
			return badRequest("%s is %q, but the daemon has another working directory: give an absolute path", key, path)
		}
	}
	return nil
}

func checkTrigger(trigger *string) error {
	switch *trigger {
	case "":
		*trigger = TriggerHTTP
	case TriggerCommand:
	default:
		return badRequest("the trigger is %q; leave it out, or give %s", *trigger, TriggerCommand)
	}
	return nil
}

func isAddress(text string) bool { return strings.HasPrefix(text, "https://") }
