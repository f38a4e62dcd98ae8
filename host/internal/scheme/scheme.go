// Package scheme decides which addresses a browser may load documents from, by their scheme. It is the one place that does:
// navigations by address, by tabs, by raw commands and by pages are all held against the same [Policy].
package scheme

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Key is the configuration key that allows further schemes.
const Key = "browser.allow_schemes"

// JavaScript is the scheme of addresses that load nothing: a browser runs them in the page that it shows.
const JavaScript = "javascript"

// always are the schemes that need no configuration, beside about:blank.
var always = []string{"http", "https", "data", "blob"}

// nested are the schemes whose addresses hold another one, which decides, too.
var nested = []string{"blob", "view-source", "filesystem"}

// Policy says which schemes are allowed. The zero value allows http, https, about:blank, data and blob.
type Policy struct{ more []string }

// New allows further schemes. Its error names the first that is none, or that no configuration allows.
func New(more []string) (Policy, error) {
	for _, name := range more {
		if err := CheckName(name); err != nil {
			return Policy{}, err
		}
	}
	return Policy{slices.Clone(more)}, nil
}

// names is what a scheme may be called (RFC 3986, section 3.1), in the form in which [Of] gives it.
var names = regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`)

// CheckName reports whether a scheme can be allowed.
func CheckName(name string) error {
	switch {
	case name == JavaScript:
		return fmt.Errorf("%q cannot be allowed: such an address loads nothing, it runs in the page that is shown", name)
	case !names.MatchString(name):
		return fmt.Errorf("%q is not the name of a scheme: want one such as file or chrome, in lower case and without the colon", name)
	}
	return nil
}

// Of is the scheme of an address in lower case, as a browser reads it: past control characters and spaces in front of it, and
// past tabs and line ends within it. Empty: there is none, so that no browser takes it for a whole address.
//
// https://url.spec.whatwg.org/#concept-basic-url-parser
func Of(address string) string {
	name, _, _ := cut(address)
	return name
}

// ignored is what a browser removes from an address wherever it is.
var ignored = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// cut returns the scheme of an address and what comes after its colon.
func cut(address string) (name, rest string, ok bool) {
	address = strings.TrimLeftFunc(ignored.Replace(address), func(r rune) bool { return r <= ' ' })
	if name, rest, ok = strings.Cut(address, ":"); !ok {
		return "", "", false
	}
	return strings.ToLower(name), rest, true
}

// Error says that an address is not loaded because of its scheme.
type Error struct {
	// Scheme is the one that is not allowed; empty where the address has none.
	Scheme string
	// Allowed are those that are.
	Allowed []string
}

// maxShown is how much of a scheme an error shows, in bytes: where an address has none, it can be all that is before a colon.
const maxShown = 40

// Error names the scheme, what is allowed, and how to allow more. It does not repeat the address, which may hold secrets.
func (e *Error) Error() string {
	if e.Scheme == "" {
		return "the address has no scheme: want a whole one, such as https://example.com/"
	}
	if e.Scheme == JavaScript {
		return "a javascript: address is script and loads nothing"
	}
	return fmt.Sprintf("addresses of the scheme %.*q are not loaded here: allowed are %s; %s allows others",
		maxShown, e.Scheme, strings.Join(e.Allowed, ", "), Key)
}

// Check reports whether a document may be loaded from an address; the error is an [*Error].
func (p Policy) Check(address string) error {
	name, rest, ok := cut(address)
	switch {
	case !ok || name == "":
		return p.refuse("")
	case slices.Contains(p.more, name):
	case name == "about" && isBlank(rest):
	case !slices.Contains(always, name):
		return p.refuse(name)
	}
	if inner, _, ok := cut(rest); ok && slices.Contains(nested, name) && inner != "" {
		return p.Check(rest)
	}
	return nil
}

// CheckDocument reports whether a document that a frame shows may stay. Beside what may be loaded these are the browser's own
// words for an empty or failed document and, below a page, what only the browser itself puts there: its viewer for PDF
// files is an extension.
func (p Policy) CheckDocument(address string, top bool) error {
	name, rest, _ := cut(address)
	switch {
	case address == "", name == "chrome-error":
		return nil
	case !top && (name == "about" && rest == "srcdoc" || name == "chrome-extension" || name == "chrome-untrusted"):
		return nil
	}
	return p.Check(address)
}

// isBlank reports whether what follows about: is blank, with a query or a fragment.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#matches-about:blank
func isBlank(rest string) bool {
	rest = strings.TrimRightFunc(rest, func(r rune) bool { return r <= ' ' })
	after, ok := strings.CutPrefix(rest, "blank")
	return ok && (after == "" || after[0] == '?' || after[0] == '#')
}

func (p Policy) refuse(name string) error {
	return &Error{Scheme: name, Allowed: slices.Concat([]string{"http", "https", "about:blank", "data", "blob"}, p.more)}
}
