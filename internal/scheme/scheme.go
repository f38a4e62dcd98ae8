// Package scheme decides by their scheme which URLs a browser may load documents from. It is the only place that does:
// navigations by callers, new tabs, raw commands and pages are all checked against the same [Policy].
package scheme

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Key is the configuration key that allows more schemes.
const Key = "browser.allow_schemes"

// JavaScript is the scheme of URLs that load nothing: a browser runs them in the current page.
const JavaScript = "javascript"

// always are the schemes that need no configuration. So does about:blank.
var always = []string{"http", "https", "data", "blob"}

// nested are the schemes whose URLs contain another URL, which is checked, too.
var nested = []string{"blob", "view-source", "filesystem"}

// Policy says which schemes are allowed. The zero value allows http, https, about:blank, data and blob.
type Policy struct{ more []string }

// New returns a policy that allows more schemes. Its error names the first one that is invalid or cannot be allowed.
func New(more []string) (Policy, error) {
	for _, name := range more {
		if err := CheckName(name); err != nil {
			return Policy{}, err
		}
	}
	return Policy{slices.Clone(more)}, nil
}

// names matches valid schemes (RFC 3986, section 3.1), in the form that [Of] returns.
var names = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)

// CheckName returns why a scheme cannot be allowed.
func CheckName(name string) error {
	switch {
	case name == JavaScript:
		return fmt.Errorf("%q cannot be allowed: such a URL loads nothing, it runs in the current page", name)
	case !names.MatchString(name):
		return fmt.Errorf("%q is not the name of a scheme: want one such as file or chrome, in lower case and without the colon", name)
	}
	return nil
}

// Of returns the scheme of a URL in lower case. Like a browser it ignores control characters and spaces before it, and
// tabs and line ends in it. It is empty if there is none, so that a browser does not take the URL for an absolute one.
//
// https://url.spec.whatwg.org/#concept-basic-url-parser
func Of(url string) string {
	name, _, _ := cut(url)
	return name
}

// ignored removes the characters that a browser ignores anywhere in a URL.
var ignored = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// cut returns the scheme of a URL, and what comes after its colon.
func cut(url string) (name, rest string, ok bool) {
	url = strings.TrimLeftFunc(ignored.Replace(url), func(r rune) bool { return r <= ' ' })
	if name, rest, ok = strings.Cut(url, ":"); !ok {
		return "", "", false
	}
	return strings.ToLower(name), rest, true
}

// Error says that a URL is not loaded because of its scheme.
type Error struct {
	// Scheme is not allowed; it is empty if the URL has none.
	Scheme string
	// Allowed are the schemes that are allowed, and about:blank.
	Allowed []string
	// Port says that a digit follows the colon, so that the scheme may be meant as a host.
	Port bool
}

// maxShown is how much of a scheme an error shows, in bytes: it can be any text before a colon.
const maxShown = 40

// Error names the scheme, what is allowed, and how to allow more. It does not repeat the URL, which may have secrets.
func (e *Error) Error() string {
	if e.Scheme == "" {
		return "the URL has no scheme: give an absolute one, such as https://example.com/"
	}
	if e.Scheme == JavaScript {
		return "a javascript: URL is script and loads nothing"
	}
	text := fmt.Sprintf("URLs with the scheme %.*q are not loaded here: allowed are %s; %s allows others",
		maxShown, e.Scheme, strings.Join(e.Allowed, ", "), Key)
	if e.Port {
		text += "; a host and its port begin with http:// or https://"
	}
	return text
}

// Check returns why a document may not be loaded from a URL; the error is an [*Error].
func (p Policy) Check(url string) error {
	name, rest, ok := cut(url)
	switch {
	case !ok || name == "":
		return p.refuse("", "")
	case slices.Contains(p.more, name):
	case name == "about" && isBlank(rest):
	case !slices.Contains(always, name):
		return p.refuse(name, rest)
	}
	if inner, _, ok := cut(rest); ok && slices.Contains(nested, name) && inner != "" {
		return p.Check(rest)
	}
	return nil
}

// CheckDocument returns why a document that a frame shows may not stay. In addition to what may be loaded, it allows
// the browser's own URLs for an empty or failed document and, below the top frame, what only the browser itself loads
// there: its PDF viewer is an extension.
func (p Policy) CheckDocument(url string, top bool) error {
	name, rest, _ := cut(url)
	switch {
	case url == "", name == "chrome-error":
		return nil
	case !top && (name == "about" && rest == "srcdoc" || name == "chrome-extension" || name == "chrome-untrusted"):
		return nil
	}
	return p.Check(url)
}

// isBlank reports whether what follows about: is blank, optionally with a query or a fragment.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#matches-about:blank
func isBlank(rest string) bool {
	rest = strings.TrimRightFunc(rest, func(r rune) bool { return r <= ' ' })
	after, ok := strings.CutPrefix(rest, "blank")
	return ok && (after == "" || after[0] == '?' || after[0] == '#')
}

func (p Policy) refuse(name, rest string) error {
	return &Error{Scheme: name, Port: rest != "" && rest[0] >= '0' && rest[0] <= '9', Allowed: slices.Concat([]string{"http", "https", "about:blank", "data", "blob"}, p.more)}
}
