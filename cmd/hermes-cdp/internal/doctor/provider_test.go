package doctor

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
)

func TestTheProviderIsChecked(t *testing.T) {
	for _, c := range []struct {
		environ []string
		status  Status
		want    string
	}{
		{nil, "", ""},
		{[]string{"BROWSERBASE_API_KEY=hidden"}, StatusOK, "rented from browserbase (nothing was sent)"},
		{[]string{"BROWSERBASE_API_KEY=hidden", "BROWSER_CDP_URL=localhost:1"}, "", ""},
		{[]string{"HERMES_CDP_BROWSER_PROVIDER=firecrawl"}, StatusWarn, "set FIRECRAWL_API_KEY"},
		{[]string{"HERMES_CDP_BROWSER_PROVIDER=cdp", "HERMES_CDP_BROWSER_PROVIDER_FALLBACK=fail"}, StatusFail, "set provider.url"},
	} {
		cfg, report, err := config.Load(config.Sources{Environ: append(c.environ, "HOME="+filepath.Join(t.TempDir(), "nobody"))})
		if err != nil {
			t.Fatal(err)
		}
		checks := checkProvider(cfg, report)
		if c.want == "" {
			if len(checks) > 0 {
				t.Errorf("%v gives %v", c.environ, checks)
			}
			continue
		}
		if len(checks) != 1 || checks[0].Status != c.status || !strings.Contains(checks[0].Detail, c.want) || strings.Contains(checks[0].Detail, "hidden") {
			t.Errorf("%v gives %v", c.environ, checks)
		}
	}
}

func TestAProxyThatWouldNotHoldIsFound(t *testing.T) {
	const proxy = "HERMES_CDP_BROWSER_PROXY=socks5://user:hidden@127.0.0.1:1"
	for _, c := range []struct {
		environ []string
		status  Status
		want    string
	}{
		{[]string{"BROWSER_CDP_URL=localhost:1"}, "", ""},
		{[]string{proxy}, StatusOK, "use browser.proxy"},
		{[]string{proxy, "BROWSER_CDP_URL=localhost:1"}, StatusFail, "browser.cdp_url"},
		{[]string{proxy, "BROWSERBASE_API_KEY=hidden"}, StatusFail, "rented from browserbase"},
		{[]string{proxy, "CAMOFOX_URL=http://localhost:1"}, StatusFail, "Camofox"},
	} {
		cfg, report, err := config.Load(config.Sources{Environ: append(c.environ, "HOME="+filepath.Join(t.TempDir(), "nobody"))})
		if err != nil {
			t.Fatal(err)
		}
		checks := checkProxy(cfg, report)
		if c.want == "" && len(checks) == 0 {
			continue
		}
		if len(checks) != 1 || checks[0].Status != c.status || !strings.Contains(checks[0].Detail, c.want) || strings.Contains(checks[0].Detail, "hidden") {
			t.Errorf("%v gives %v", c.environ, checks)
		}
	}
}
