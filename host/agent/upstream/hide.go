package upstream

import (
	"errors"
	"net/url"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/secret"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

const (
	// minSecret is how many bytes a value must have to be searched for: a shorter one is a word like "true", and no secret.
	minSecret = 6
	// maxReason is how many bytes of the text of an error are shown.
	maxReason = 500
)

// hider takes the secrets of a server out of texts.
type hider struct{ replacer *strings.Replacer }

// newHider knows the expanded values of a server.
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
			hide(u.Redacted(), secret.Address(address)) // so net/http writes it
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
			if _, token, ok := strings.Cut(value, " "); ok { // of "Bearer TOKEN"
				hide(token, secret.Redacted)
			}
		}
	}
	return hider{strings.NewReplacer(pairs...)}
}

// newNamedHider knows those of the values whose names say that they are secrets: a server may say the others, such as the name
// of a region, for good reasons.
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

// reason words an error for people and models, on one line.
func (h hider) reason(err error) string {
	text := err.Error()
	var of *url.Error
	if errors.As(err, &of) { // its address may be one that the server sent us to
		text = of.Err.Error()
	}
	return pagetext.Line(pagetext.Shorten(h.text(text), maxReason))
}
