package cdp

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Redact returns what may be shown of an endpoint: scheme, host and port. User information, path, query and fragment,
// where providers put their keys, are replaced by "/...".
func Redact(endpoint string) string {
	u, err := parseEndpoint(endpoint)
	if err != nil {
		return "[unreadable endpoint]"
	}
	shown := u.Scheme + "://" + u.Host
	if u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		shown += "/..."
	}
	return shown
}

// EndpointError is a failure to reach a browser. It holds no user information, path or query of the endpoint.
type EndpointError struct {
	// Endpoint is the redacted endpoint.
	Endpoint string
	// Step is what was tried, such as "WebSocket handshake".
	Step string
	// Status is the HTTP status of the response; 0 if there was none.
	Status int
	// Err is the reason; nil if Status says it all.
	Err error
}

// Error names the step, the redacted endpoint and the reason.
func (e *EndpointError) Error() string {
	text := fmt.Sprintf("%s with %s", e.Step, e.Endpoint)
	if e.Status != 0 {
		text += fmt.Sprintf(": HTTP status %d (%s)", e.Status, http.StatusText(e.Status))
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text + advice(e.Status)
}

// Unwrap returns the reason.
func (e *EndpointError) Unwrap() error { return e.Err }

// advice says what to do about a status.
func advice(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "; check the key or token in the URL (Chromium itself answers 403 when --remote-allow-origins is in the way)"
	case http.StatusNotFound:
		return "; the URL needs the full path of the browser's endpoint; http://host:port looks it up"
	case http.StatusInternalServerError:
		return "; Chromium answers so if the host name is neither localhost nor an IP address; use the IP address"
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return "; redirects are not followed, as the URL may contain a key; give the final URL"
	}
	return ""
}

func newAddressError(endpoint, step string, status int, err error) *EndpointError {
	e := &EndpointError{Endpoint: Redact(endpoint), Step: step, Status: status}
	if status == 0 {
		e.Err = scrub(endpoint, err)
	}
	return e
}

// scrub removes the endpoint from an error: url.Error prints all of it, and servers echo it.
func scrub(endpoint string, err error) error {
	u, unreadable := parseEndpoint(endpoint)
	if unreadable != nil {
		return unreadable
	}
	var withURL *url.Error
	if errors.As(err, &withURL) {
		err = withURL.Err
	}
	text := err.Error()
	for _, secret := range secrets(u) {
		text = strings.ReplaceAll(text, secret, "...")
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// secrets lists the parts of a URL that must not be shown, the longest first, as one may contain another.
func secrets(u *url.URL) []string {
	var parts []string
	add := func(values ...string) {
		for _, v := range values {
			if len(v) >= 4 && !publicSegments[v] { // shorter ones are no keys, and replacing them would garble the text
				parts = append(parts, v)
			}
		}
	}
	add(u.RawQuery)
	for _, pair := range strings.Split(u.RawQuery, "&") {
		_, value, _ := strings.Cut(pair, "=")
		add(pair, value)
	}
	for _, values := range u.Query() {
		add(values...)
	}
	add(u.Path, u.RawPath)
	add(strings.Split(u.EscapedPath(), "/")...)
	add(strings.Split(u.Path, "/")...)
	if u.User != nil {
		password, _ := u.User.Password()
		add(u.User.String(), u.User.Username(), password)
	}
	add(u.Fragment)
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
	return parts
}

// publicSegments are the path segments that every browser's URL has.
var publicSegments = map[string]bool{"json": true, "version": true, "devtools": true, "browser": true, "page": true}

// parseEndpoint parses what operators write: a URL, host:port, a bare host, or a port of this machine. Its errors do
// not contain the endpoint.
func parseEndpoint(endpoint string) (*url.URL, error) {
	endpoint = strings.TrimSpace(endpoint)
	if port, err := strconv.ParseUint(endpoint, 10, 16); err == nil && port > 0 {
		endpoint = "127.0.0.1:" + endpoint
	}
	if scheme, _, found := strings.Cut(endpoint, "://"); !found || strings.ContainsAny(scheme, "/?#@:") {
		endpoint = "http://" + endpoint
	}
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, errors.New("not a URL or host:port")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Host == "" {
		return nil, errors.New("no host in it")
	}
	return u, nil
}
