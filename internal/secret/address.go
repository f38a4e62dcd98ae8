package secret

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
)

// plainSegment matches a part of a path that is a word, a version, or the name of a module's file, but not a token.
var plainSegment = regexp.MustCompile(`^([a-z]{1,16}|v[0-9]{1,2}|[a-z0-9]{1,16}([-_.][a-z0-9]{1,16})*\.wasm(\.minisig)?)$`)

// embeddedURL matches an absolute URL within other text.
var embeddedURL = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>,;|]+`)

// URLs applies [Address] to every URL in a text.
func URLs(text string) string { return embeddedURL.ReplaceAllStringFunc(text, Address) }

// Address removes what may be secret from the address of a browser or a module: user and password, query, fragment, and
// each part of the path that is not a plain word. A text that is not an address is redacted completely.
func Address(address string) string {
	if _, err := ociref.Parse(address); err == nil || address == "" {
		return address // nothing in a reference is secret
	}
	withScheme := strings.Contains(address, "://")
	toParse := address
	if !withScheme {
		toParse = "//" + address
	}
	u, err := url.Parse(toParse)
	if err != nil || u.Host == "" || !withScheme && u.Port() == "" {
		return Redacted
	}
	var out strings.Builder
	if withScheme {
		out.WriteString(u.Scheme + "://")
	}
	if u.User != nil {
		out.WriteString(Redacted + "@")
	}
	out.WriteString(u.Host + redactPath(u.EscapedPath()))
	if u.RawQuery != "" || u.ForceQuery {
		out.WriteString("?" + Redacted)
	}
	if u.Fragment != "" {
		out.WriteString("#" + Redacted)
	}
	return out.String()
}

func redactPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if segment != "" && (!plainSegment.MatchString(segment) || Name(segment)) {
			segments[i] = Redacted
		}
	}
	return strings.Join(segments, "/")
}

// WithoutQuery removes the query and fragment of a URL of a page; data: and blob: URLs are cut to their scheme.
func WithoutQuery(url string) string {
	if scheme, _, ok := strings.Cut(url, ":"); ok && (scheme == "data" || scheme == "blob") {
		return scheme + ":"
	}
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	return url
}

// WithoutUser removes a user and password from a URL.
func WithoutUser(address string) string {
	if !strings.Contains(address, "@") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = url.User("redacted")
	return u.String()
}
