package control

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// PluginAPI is what can be asked about the life of a plugin; see the methods of the same names of [host.Host].
type PluginAPI interface {
	// SwapPlugin puts another module into service. A path in c is read by the daemon, so it must be absolute.
	SwapPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginGeneration, error)
	RollbackPlugin(ctx context.Context, name, reason string, dropHooks ...string) (host.PluginGeneration, error)
	PluginHistory(ctx context.Context, name string) ([]host.PluginGeneration, error)
	// ShadowPlugin starts a candidate; paths are as in SwapPlugin.
	ShadowPlugin(ctx context.Context, name string, c host.PluginChange) (host.PluginShadow, error)
	PluginShadow(ctx context.Context, name string) (host.PluginShadow, error)
	PromotePlugin(ctx context.Context, name, reason string) (host.PluginGeneration, error)
	DropPlugin(ctx context.Context, name string) (host.PluginGeneration, error)
}

// The triggers that a client can name, and the one that a request without any has.
const (
	// TriggerCommand is a command of hermes-cdp.
	TriggerCommand = "command"
	// TriggerHTTP is any other request.
	TriggerHTTP = "http"
)

// pluginName fits what a plugin can be called. No other name is sent: it would not survive in a path.
var pluginName = regexp.MustCompile(`^[a-z0-9-]+$`)

// checkChange refuses what only means something where the request came from, and what the daemon alone may say.
func checkChange(c *host.PluginChange) error {
	for key, path := range map[string]string{"path": c.Path, "signature": c.Signature} {
		if path != "" && !filepath.IsAbs(path) && !isAddress(path) {
			return badRequest("%s is %q, but the daemon has another working directory: give an absolute path", key, path)
		}
	}
	switch c.Trigger {
	case "":
		c.Trigger = TriggerHTTP
	case TriggerCommand:
	default:
		return badRequest("the trigger is %q; leave it out, or give %s", c.Trigger, TriggerCommand)
	}
	return nil
}

func isAddress(text string) bool { return strings.HasPrefix(text, "https://") }
