package options

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/agent/camofox"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// Camofox returns the Camofox server that the environment names; nil if it names none and none is asked for.
func Camofox(c *config.Config, report *config.Report, log *slog.Logger) (*camofox.Server, error) {
	address, key := camofox.FromEnvironment(report.Getenv)
	if address == "" && c.Browser.Provider != camofox.Name {
		return nil, nil
	}
	if err := CheckCamofoxNetwork(c.Browser); err != nil && UsesCamofox(c, report) {
		return nil, err
	}
	schemes, err := scheme.New(c.Browser.AllowSchemes)
	if err != nil {
		return nil, err
	}
	o := camofox.Options{
		URL: address, Key: key, Schemes: schemes, EvaluateDisabled: !config.On(c.WithDefaults().Browser.EvaluateEnabled), Timeout: seconds(c.WithDefaults().Browser.ToolTimeoutS), Vision: model(c.Vision), Logger: log,
	}
	if c.Browser.Camofox.ManagedPersistence {
		o.Profile = cmp.Or(c.Browser.Profile, c.Browser.UserDataDir, "default")
	}
	return camofox.New(o)
}

// CheckCamofoxNetwork refuses what a configuration says about the network: a Camofox server would do nothing about it.
func CheckCamofoxNetwork(b config.Browser) error {
	var key string
	switch {
	case b.Proxy != "":
		key = "browser.proxy"
	case len(b.Network.Allow) > 0 && !slices.Contains(b.Network.Allow, netrules.All):
		key = "browser.network.allow"
	default:
		return nil
	}
	return fmt.Errorf("%s does not hold in the browsers of a Camofox server, which would reach the network regardless: restrict that server, and "+
		"leave %s out, or set browser.provider: local", key, key)
}

// UsesCamofox reports whether the tasks of agents have their browsers at a Camofox server.
func UsesCamofox(c *config.Config, report *config.Report) bool {
	if c.Browser.CDPURL != "" {
		return false
	}
	address, _ := camofox.FromEnvironment(report.Getenv)
	return c.Browser.Provider == camofox.Name || c.Browser.Provider == "" && address != "" && provider.Choose("", report.Getenv, nil) == nil
}
