package cdp

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Redact gives an address that may be shown: scheme, host and port. User information, path, query and fragment, where
// providers put their keys, are left out; "/..." stands for them.
func Redact(address string) string {
	u, err := parseAddress(address)
	if err != nil {
		return "[unreadable address]"
	}
	shown := u.Scheme + "://" + u.Host
	if u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		shown += "/..."
	}
	return shown
}

// AddressError is a failure to reach a browser. It holds no user information, path or query of the address.
type AddressError struct {
	// Address is the redacted address.
	Address string
	// Step is what was tried, such as "WebSocket handshake".
	Step string
	// Status is the HTTP status of the answer; 0 when there was none.
	Status int
	// Err is the reason; nil when Status says it all.
	Err error
}

// Error names the step, the redacted address and the reason.
func (e *AddressError) Error() string {
	text := fmt.Sprintf("%s with %s", e.Step, e.Address)
	if e.Status != 0 {
		text += fmt.Sprintf(": HTTP status %d (%s)", e.Status, http.StatusText(e.Status))
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text + advice(e.Status)
}

// Unwrap gives the reason.
func (e *AddressError) Unwrap() error { return e.Err }

// advice says what to do about a status.
func advice(status int) string {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "; check the key or token in the address (Chromium itself answers 403 when --remote-allow-origins is in the way)"
	case http.StatusNotFound:
		return "; the address needs the full path of the browser's endpoint: give http://host:port to look it up"
	case http.StatusInternalServerError:
		return "; Chromium answers so when the host name is neither localhost nor an IP address: use the IP address"
	case http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return "; redirects are not followed, as the address may carry a key: give the final address"
	}
	return ""
}

func newAddressError(address, step string, status int, err error) *AddressError {
	e := &AddressError{Address: Redact(address), Step: step, Status: status}
	if status == 0 {
		e.Err = scrub(address, err)
	}
	return e
}

// scrub takes the address out of an error: url.Error prints it whole, and servers echo it.
func scrub(address string, err error) error {
	u, unreadable := parseAddress(address)
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

// secrets lists the parts of an address that must not be shown, longest first where one holds another.
func secrets(u *url.URL) []string {
	var parts []string
	add := func(values ...string) {
		for _, v := range values {
			if len(v) >= 4 && !publicSegments[v] { // shorter ones are no keys, and would cut words to pieces
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

// publicSegments are parts of a path that every browser's address has.
var publicSegments = map[string]bool{"json": true, "version": true, "devtools": true, "browser": true, "page": true}

// parseAddress reads what operators write: a URL, host:port, or a bare host. Its errors do not hold the address.
func parseAddress(address string) (*url.URL, error) {
	address = strings.TrimSpace(address)
	if scheme, _, found := strings.Cut(address, "://"); !found || strings.ContainsAny(scheme, "/?#@:") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("not a URL or host:port")
	}
	u.Scheme = strings.ToLower(u.Scheme)
	if u.Host == "" {
		return nil, errors.New("no host in it")
	}
	return u, nil
}
