package page

import (
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/secret"
)

// signatures are names of query parameters that hold what signs an address, beside those that package secret knows.
var signatures = map[string]bool{"sig": true, "signature": true, "x-amz-signature": true, "x-goog-signature": true, "key": true, "code": true}

// SafeURL is an address without what could be a secret in it: a password, and values of such query parameters. Data
// addresses are cut to their kind.
func SafeURL(address string) string {
	if strings.HasPrefix(address, "data:") {
		kind, _, _ := strings.Cut(address, ",")
		return kind + ",…"
	}
	address, fragment, ok := strings.Cut(address, "#")
	if ok {
		fragment = "#" + safeQuery(fragment) // where some sign-ins leave their tokens
	}
	if !strings.ContainsAny(address, "?@") {
		return address + fragment
	}
	u, err := url.Parse(address)
	if err != nil {
		return secret.Redacted
	}
	if u.User != nil {
		u.User = url.User(secret.Redacted)
	}
	u.RawQuery = safeQuery(u.RawQuery)
	return strings.ReplaceAll(u.String(), url.PathEscape(secret.Redacted), secret.Redacted) + fragment
}

func safeQuery(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, _, ok := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if ok && (err != nil || secret.Name(plain) || signatures[strings.ToLower(plain)]) {
			pairs[i] = name + "=" + secret.Redacted
		}
	}
	return strings.Join(pairs, "&")
}
