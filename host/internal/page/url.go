package page

import (
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// signatures are names of query parameters that hold the signature of a URL, in addition to those that package secret
// knows.
var signatures = map[string]bool{"sig": true, "signature": true, "x-amz-signature": true, "x-goog-signature": true, "key": true, "code": true}

// SafeURL is a URL without anything that may be secret: a password, or values of such query parameters. A data URL is
// cut to its media type.
func SafeURL(text string) string {
	if strings.HasPrefix(text, "data:") {
		mediaType, _, _ := strings.Cut(text, ",")
		return mediaType + ",…"
	}
	text, fragment, ok := strings.Cut(text, "#")
	if ok {
		fragment = "#" + safeQuery(fragment) // some sign-ins leave their tokens there
	}
	if !strings.ContainsAny(text, "?@") {
		return text + fragment
	}
	u, err := url.Parse(text)
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
