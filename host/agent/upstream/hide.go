package upstream

import (
	"errors"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

const (
	// minSecret is the length in bytes from which a value is hidden: shorter ones are words like "true", not secrets.
	minSecret = 6
	// maxReason limits the text of an error, in bytes.
	maxReason = 500
)

// hider removes a server's secrets from texts.
type hider struct{ replacer *strings.Replacer }

// newHider returns a hider of a server's expanded values.
func newHider(address string, values ...map[string]string) hider {
	var pairs []string
	hide := func(text, shown string) {
		if len(text) >= minSecret {
			pairs = append(pairs, text, shown)
		}
	}
	if address != "" {
		hide(address, secret.Address(address))
		if u, err := url.Parse(address); err == nil {
			hide(u.Redacted(), secret.Address(address)) // the form in which net/http shows it
			hide(u.RawQuery, secret.Redacted)
			for _, values := range u.Query() {
				for _, value := range values {
					hide(value, secret.Redacted)
				}
			}
		}
	}
	for _, byName := range values {
		for _, value := range byName {
			hide(value, secret.Redacted)
			if _, token, ok := strings.Cut(value, " "); ok { // the TOKEN in "Bearer TOKEN"
				hide(token, secret.Redacted)
			}
		}
	}
	return hider{strings.NewReplacer(pairs...)}
}

// newNamedHider returns a hider of those values whose names mark them as secrets. A server may have good reasons to
// mention the others, such as the name of a region.
func newNamedHider(env, headers map[string]string) hider {
	named := map[string]string{}
	for name, value := range env {
		if secret.Name(name) || strings.Contains(strings.ToUpper(name), "KEY") {
			named[name] = value
		}
	}
	return newHider("", named, headers)
}

func (h hider) text(s string) string { return h.replacer.Replace(s) }

// reason describes an error for people and models, on one line.
func (h hider) reason(err error) string {
	text := err.Error()
	var of *url.Error
	if errors.As(err, &of) { // its URL may be one that the server redirected to
		text = of.Err.Error()
	}
	return pagetext.Line(pagetext.Shorten(h.text(text), maxReason))
}
