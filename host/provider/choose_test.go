package provider_test

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/provider"
)

func TestTheProviderIsTheNamedOneOrTheFirstWithAKey(t *testing.T) {
	all := map[string]string{"BROWSERBASE_API_KEY": "a", "BROWSER_USE_API_KEY": "b", "FIRECRAWL_API_KEY": "c"}
	for _, c := range []struct {
		named string
		env   map[string]string
		want  string
	}{
		{"", nil, ""},
		{"", all, "browserbase"},
		{"", map[string]string{"BROWSER_USE_API_KEY": "b", "FIRECRAWL_API_KEY": "c"}, "browser-use"},
		{"", map[string]string{"FIRECRAWL_API_KEY": "c"}, ""},
		{"firecrawl", all, "firecrawl"},
		{"browser-use", all, "browser-use"},
		{"local", all, ""},
	} {
		p := provider.Choose(c.named, func(name string) string { return c.env[name] }, nil)
		if name := nameOf(p); name != c.want {
			t.Errorf("%q with %v is %q, want %q", c.named, c.env, name, c.want)
		}
	}
}

func nameOf(p provider.Provider) string {
	if p == nil {
		return ""
	}
	return p.Name()
}

func TestAProviderThatCannotBeUsedSaysWhy(t *testing.T) {
	for _, c := range []struct {
		named   string
		env     map[string]string
		service *provider.Service
		want    string
	}{
		{"browserbase", nil, nil, "browserbase: create failed: the key is missing: set BROWSERBASE_API_KEY in the environment, or in the file .env"},
		{"browser-use", nil, nil, "set BROWSER_USE_API_KEY"},
		{"firecrawl", nil, nil, "set FIRECRAWL_API_KEY"},
		{"browserbase", map[string]string{"BROWSERBASE_API_KEY": "hidden\nkey"}, nil, "BROWSERBASE_API_KEY is no key"},
		{"browserbase", map[string]string{"BROWSERBASE_API_KEY": "hidden", "BROWSERBASE_PROXIES": "hidden"}, nil, "BROWSERBASE_PROXIES must be true or false"},
		{"browserbase", map[string]string{"BROWSERBASE_API_KEY": "hidden", "BROWSERBASE_SESSION_TIMEOUT": "0"}, nil, "a whole number of milliseconds"},
		{"browserbase", map[string]string{"BROWSERBASE_API_KEY": "hidden", "BROWSERBASE_BASE_URL": "http://example.org/hidden"}, nil, "must begin with https://"},
		{"browser-use", map[string]string{"BROWSER_USE_API_KEY": "hidden", "BROWSER_USE_BASE_URL": "ftp://hidden"}, nil, "is no https:// URL"},
		{"firecrawl", map[string]string{"FIRECRAWL_API_KEY": "hidden", "FIRECRAWL_BROWSER_TTL": "hidden"}, nil, "a whole number of seconds"},
		{"cdp", nil, nil, "nothing describes the service"},
		{"cdp", nil, &provider.Service{URL: "https://a.test", ReleaseURL: "https://a.test/{id}", Headers: map[string]string{"X-Key": "${NO_KEY}"}}, "the environment has no NO_KEY"},
		{"cdp", nil, &provider.Service{URL: "https://a.test"}, "provider.release_url"},
		{"cdp", nil, &provider.Service{URL: "https://a.test", ReleaseURL: "https://a.test", ID: "id"}, "must begin with /"},
		{"cdp", map[string]string{"KEY": "hidden"}, &provider.Service{URL: "http://a.test/${KEY}", ReleaseURL: "https://a.test"}, "must begin with https://"},
		{"another", nil, nil, "the names are local, browserbase, browser-use, firecrawl, cdp"},
	} {
		if c.service != nil {
			c.service.Getenv = func(name string) string { return c.env[name] }
		}
		p := provider.Choose(c.named, func(name string) string { return c.env[name] }, c.service)
		if p == nil {
			t.Errorf("%s with %v can be used", c.named, c.env)
			continue
		}
		_, err := p.Create(t.Context(), provider.Request{})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") || p.Name() != c.named {
			t.Errorf("%s with %v gives %v, want %q", c.named, c.env, err, c.want)
		}
	}
}
