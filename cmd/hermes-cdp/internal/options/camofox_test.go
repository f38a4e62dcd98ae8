package options_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
)

// A Camofox server comes after what is named, and after the services with keys.
func TestACamofoxServerIsUsedIfNothingElseIsNamed(t *testing.T) {
	const at = "CAMOFOX_URL=http://127.0.0.1:9377"
	for name, c := range map[string]struct {
		environment []string
		flags       []string
		uses        bool
	}{
		"nothing":                 {nil, nil, false},
		"the server":              {[]string{at}, nil, true},
		"named":                   {[]string{at, "BROWSERBASE_API_KEY=k"}, []string{"browser.provider=camofox"}, true},
		"beside a key":            {[]string{at, "BROWSER_USE_API_KEY=k"}, nil, false},
		"beside an endpoint":      {[]string{at, "BROWSER_CDP_URL=127.0.0.1:9222"}, nil, false},
		"beside another provider": {[]string{at}, []string{"browser.provider=local"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, report := load(t, c.environment, c.flags...)
			if got := options.UsesCamofox(cfg, report); got != c.uses {
				t.Errorf("used: %v", got)
			}
			if c.uses && options.Rent(cfg, report) != nil {
				t.Error("a browser is rented as well")
			}
		})
	}
	cfg, report := load(t, nil, "browser.provider=camofox")
	if _, err := options.Camofox(cfg, report, slog.Default()); err == nil || !strings.Contains(err.Error(), "CAMOFOX_URL") {
		t.Errorf("without the server: %v", err)
	}
}

// A Camofox server knows nothing of the proxy and the networks of the configuration.
func TestACamofoxServerIsNotUsedInSpiteOfTheNetworkKeys(t *testing.T) {
	for _, c := range []struct {
		set  []string
		want string
	}{
		{[]string{"browser.proxy=socks5://127.0.0.1:1"}, "browser.proxy"},
		{[]string{"browser.network.allow=public,loopback"}, "browser.network.allow"},
		{[]string{"browser.network.allow=all"}, ""},
		{[]string{"browser.proxy=socks5://127.0.0.1:1", "browser.provider=local"}, ""}, // the server serves nobody then
	} {
		cfg, report := load(t, []string{"CAMOFOX_URL=http://127.0.0.1:9377"}, c.set...)
		_, err := options.Camofox(cfg, report, slog.Default())
		if refused := err != nil && strings.Contains(err.Error(), c.want+" does not hold"); refused != (c.want != "") {
			t.Errorf("%q: %v", c.set, err)
		}
	}
}

func load(t *testing.T, environment []string, set ...string) (*config.Config, *config.Report) {
	t.Helper()
	cfg, report, err := config.Load(config.Sources{Environ: append([]string{"HOME=" + t.TempDir()}, environment...), Set: set})
	if err != nil {
		t.Fatal(err)
	}
	return cfg, report
}
