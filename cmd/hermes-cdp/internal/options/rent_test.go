package options_test

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/agent/camofox"
	"github.com/hermes-cdp/hermes-cdp/host/provider"
	"github.com/hermes-cdp/hermes-cdp/host/provider/providertest"
)

func TestWhereABrowserComesFrom(t *testing.T) {
	const keys = "BROWSERBASE_API_KEY=a\nBROWSER_USE_API_KEY=b\nFIRECRAWL_API_KEY=c\n"
	for name, c := range map[string]struct {
		yaml, dotEnv, environ string
		address, provider     string
		fallback              bool
	}{
		"nothing is configured":     {},
		"the variable is strongest": {yaml: "browser: {cdp_url: 'ws://file', provider: firecrawl}", dotEnv: keys, environ: "BROWSER_CDP_URL=ws://variable", address: "ws://variable", provider: "firecrawl", fallback: true},
		"then the address":          {yaml: "browser: {cdp_url: 'ws://file', provider: firecrawl}", dotEnv: keys, address: "ws://file", provider: "firecrawl", fallback: true},
		"then the name":             {yaml: "browser: {provider: firecrawl, provider_fallback: fail}", dotEnv: keys, provider: "firecrawl"},
		"then the first key":        {dotEnv: keys, provider: "browserbase", fallback: true},
		"in the environment, too":   {environ: "BROWSER_USE_API_KEY=b", provider: "browser-use", fallback: true},
		"not of Firecrawl":          {dotEnv: "FIRECRAWL_API_KEY=c\n"},
		"none if that is said":      {yaml: "browser: {provider: local}", dotEnv: keys},
		"a service":                 {yaml: "browser: {provider: cdp}\nprovider: {url: 'https://a.test', release_url: 'https://a.test/{id}'}", provider: "cdp", fallback: true},
	} {
		_, environ := home(t, c.yaml, c.dotEnv)
		cfg, report, err := config.Load(config.Sources{Environ: append(environ, c.environ)})
		if err != nil {
			t.Fatal(err)
		}
		s := options.Connection(cfg, report)
		named, fallback := "", false
		if s.Rent != nil {
			named, fallback = s.Rent.Provider.Name(), s.Rent.Fallback != nil
			if err := provider.Reason(s.Rent.Provider); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if s.Address != c.address || named != c.provider || fallback != c.fallback {
			t.Errorf("%s: at %q, from %q, fallback %v", name, s.Address, named, fallback)
		}
	}
}

func TestTheHostReleasesWithEveryKeyThatThereIs(t *testing.T) {
	dir, environ := home(t, "", "BROWSER_USE_API_KEY=b\nFIRECRAWL_API_KEY=c\n")
	cfg, report, err := config.Load(config.Sources{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	o := options.Host(cfg, report, nil)
	var names []string
	for _, p := range o.Rental.Providers {
		names = append(names, p.Name())
	}
	if len(names) != 2 || names[0] != "browser-use" || names[1] != "firecrawl" || o.Rental.Journal != filepath.Join(dir, ".local", "state", "hermes-cdp", "leases") {
		t.Errorf("they are %v, in %s", names, o.Rental.Journal)
	}
}

func TestAServiceIsAskedAsItIsDescribed(t *testing.T) {
	service := providertest.New(t, "")
	_, environ := home(t, strings.ReplaceAll(`
browser: {provider: cdp}
provider:
  url: URL/rent
  headers: {Authorization: "Bearer ${RENT_TOKEN}"}
  body: {region: eu, size: {width: 800}}
  id: /browser/name
  endpoint: /browser/sockets/0
  expires_at: /browser/until
  live_view: /browser/watch
  renew_url: "URL/rent/{id}"
  keep_alive_url: "URL/rent/{id}/longer"
  release_url: "URL/rent/{id}/end"
  release_method: POST
  release_body: {of: "{id}"}
`, "URL", service.URL), "RENT_TOKEN="+service.Getenv("RENT_TOKEN")+"\n")
	cfg, report, err := config.Load(config.Sources{Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	p := options.Rent(cfg, report).Provider
	rented, err := p.Create(t.Context(), provider.Request{})
	if err != nil || rented.Endpoint == "" || rented.LiveView == "" || rented.ExpiresAt.IsZero() {
		t.Fatalf("rented %#v, shown at %q until %v, %v", rented, rented.LiveView, rented.ExpiresAt, err)
	}
	_, renewed := p.Renew(t.Context(), rented)
	_, kept := p.KeepAlive(t.Context(), rented)
	if err := errors.Join(renewed, kept, p.Release(t.Context(), rented.ID)); err != nil {
		t.Error(err)
	}
	want := []providertest.Request{
		{Line: "POST /rent", Body: `{"region":"eu","size":{"width":800}}`}, {Line: "GET /rent/{id}"}, {Line: "POST /rent/{id}/longer"},
		{Line: "POST /rent/{id}/end", Body: `{"of":"{id}"}`},
	}
	if got := service.Requests(); !reflect.DeepEqual(got, want) {
		t.Errorf("the service got\n%v, want\n%v", got, want)
	}
}

// The schema has the names that package provider takes, and Camofox.
func TestTheNamesOfProviders(t *testing.T) {
	want := append(provider.Names(), camofox.Name)
	for _, key := range config.Keys() {
		if key.Path == "browser.provider" && !slices.Equal(key.Allowed, want) {
			t.Errorf("the names are %v, want %v", key.Allowed, want)
		}
	}
}
