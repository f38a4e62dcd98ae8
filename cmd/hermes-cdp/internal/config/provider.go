package config

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// credential fits the keys that people try for the services with keys of their own, in capitals.
var credential = regexp.MustCompile(`(?:^|[._-])(BROWSERBASE|BROWSER[_-]?USE|FIRECRAWL|CAMOFOX)(?:$|[._-])`)

// variableOf is the variable with the key of a service that credential has found.
func variableOf(service string) string {
	if strings.HasPrefix(service, "BROWSER") && strings.HasSuffix(service, "USE") {
		return "BROWSER_USE_API_KEY"
	}
	return service + "_API_KEY"
}

// keyName fits further names of headers and parameters with a key, beside those that [secret.Name] knows.
var keyName = regexp.MustCompile(`(?i)(auth|key)`)

func isKey(name string) bool { return secret.Name(name) || keyName.MatchString(name) }

// checkProvider refuses keys of the service that are written down where others see them: in the file, or on the command
// line.
func (r *reader) checkProvider(p Provider) {
	for _, name := range slices.Sorted(maps.Keys(p.Headers)) {
		if isKey(name) {
			r.checkReference("provider.headers."+name, p.Headers[name])
		}
	}
	r.checkBody("provider.body", p.Body)
	r.checkBody("provider.release_body", p.ReleaseBody)
	for _, one := range [][2]string{
		{"provider.url", p.URL}, {"provider.renew_url", p.RenewURL}, {"provider.keep_alive_url", p.KeepAliveURL}, {"provider.release_url", p.ReleaseURL},
	} {
		r.checkQuery(one[0], one[1])
	}
}

// checkQuery checks the query of a URL.
func (r *reader) checkQuery(path, at string) {
	u, err := url.Parse(at)
	if err != nil {
		return
	}
	for name, values := range u.Query() {
		if isKey(name) {
			r.checkReference(path, values[0])
			return
		}
	}
}

// checkBody checks the texts below a part of a body.
func (r *reader) checkBody(path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			r.checkBody(path+"."+name, v[name])
		}
	case string:
		if secret.Name(path[strings.LastIndex(path, ".")+1:]) {
			r.checkReference(path, v)
		}
	}
}

// checkReference refuses a key that is written out where others can see it.
func (r *reader) checkReference(path, value string) {
	origin := r.originBelow(path)
	if value == "" || strings.Contains(value, "${") || origin.Layer == LayerEnvironment || origin.Layer == LayerDotEnv {
		return
	}
	r.fail(ProblemBadValue, strings.Split(path, "."), origin,
		"%s has a key in it, which belongs into the environment, or into the file .env beside the configuration; write ${NAME} here, with the name of that variable", path)
}
