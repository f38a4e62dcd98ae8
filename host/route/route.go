// Package route has the rules that an agent sets for the requests of a task, and decides which of them applies to a
// request. It does no I/O.
package route

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// The bounds of the rules of a task.
const (
	MaxRules = 100
	MaxBody  = 1 << 20 // bytes
)

// Rule says what is done with the requests that match it. Exactly one of Block, Fulfil and Change is set.
type Rule struct {
	// ID is given by the host, as route1.
	ID string
	// Pattern is matched with the whole URL without its fragment: * is any text, ? is any character, and a backslash
	// escapes the next one. Only http and https requests are ever matched.
	Pattern string
	// ResourceType is one of [Types]; empty: any.
	ResourceType string
	// Method is that of the request, such as POST; empty: any.
	Method string
	// Times is how many requests the rule is good for; 0: any number.
	Times int

	// Block fails the request with net::ERR_BLOCKED_BY_CLIENT.
	Block bool
	// Fulfil answers it in the server's place.
	Fulfil *Response
	// Change sends it with other headers.
	Change *Headers

	// Matched is how many requests the rule has decided on.
	Matched int
}

// Response is an answer. Pages see it as the server's, so what another origin may read needs its CORS headers.
type Response struct {
	Status  int
	Headers map[string]string
	Body    []byte
}

// Headers are changes to the headers of a request, whose names are compared in any case.
type Headers struct {
	Set    map[string]string
	Remove []string
}

// Header is one header of a request.
type Header struct{ Name, Value string }

// Request is what is known of a request.
type Request struct{ URL, Type, Method string }

// Types maps the kinds of requests to the browser's names.
var Types = map[string]string{
	"document": "Document", "stylesheet": "Stylesheet", "image": "Image", "media": "Media", "font": "Font", "script": "Script",
	"texttrack": "TextTrack", "xhr": "XHR", "fetch": "Fetch", "eventsource": "EventSource", "manifest": "Manifest", "ping": "Ping",
	"other": "Other",
}

// BadRuleError says which part of a rule is wrong. It wraps [fault.ErrBadArguments].
type BadRuleError struct{ Part, Problem string }

// Error names the part.
func (e *BadRuleError) Error() string { return e.Part + ": " + e.Problem }

// Unwrap returns [fault.ErrBadArguments].
func (e *BadRuleError) Unwrap() error { return fault.ErrBadArguments }

func bad(part, format string, args ...any) error {
	return &BadRuleError{Part: part, Problem: fmt.Sprintf(format, args...)}
}

var (
	otherScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
	token       = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
)

// Check reports what is wrong with a rule, as a [*BadRuleError].
func (r Rule) Check() error {
	scheme := strings.ToLower(otherScheme.FindString(r.Pattern))
	kinds := 0
	for _, is := range []bool{r.Block, r.Fulfil != nil, r.Change != nil} {
		if is {
			kinds++
		}
	}
	switch {
	case r.Pattern == "":
		return bad("pattern", "it is missing; give a URL in which * is any text, such as https://example.org/api/*")
	case len(r.Pattern) > 8<<10:
		return bad("pattern", "it is longer than 8 KiB")
	case scheme != "" && scheme != "http:" && scheme != "https:":
		return bad("pattern", "it begins with %s; rules are for http and https requests only, so begin with http, https or *", scheme)
	case r.ResourceType != "" && Types[r.ResourceType] == "":
		return bad("resource_type", "%q is no kind of request", r.ResourceType)
	case r.Method != "" && !token.MatchString(r.Method):
		return bad("method", "%q is no HTTP method", r.Method)
	case r.Times < 0:
		return bad("times", "it is a number from 1; without it the rule stays")
	case kinds != 1:
		return bad("do", "a rule does one of block, fulfil and change")
	case r.Fulfil != nil:
		return r.Fulfil.check()
	case r.Change != nil:
		return r.Change.check()
	}
	return nil
}

func (r *Response) check() error {
	if r.Status < 200 || r.Status > 599 {
		return bad("status", "%d is no status of a response; it is from 200 to 599", r.Status)
	}
	if len(r.Body) > MaxBody {
		return bad("body", "it has %d bytes; at most 1 MiB is allowed", len(r.Body))
	}
	return checkHeaders(r.Headers)
}

func (h *Headers) check() error {
	if len(h.Set)+len(h.Remove) == 0 {
		return bad("headers", "nothing is changed; give headers to set, or remove_headers")
	}
	for _, name := range h.Remove {
		if !token.MatchString(name) {
			return bad("remove_headers", "%q is no name of a header", name)
		}
	}
	return checkHeaders(h.Set)
}

func checkHeaders(set map[string]string) error {
	size := 0
	for name, value := range set {
		size += len(name) + len(value)
		switch {
		case !token.MatchString(name):
			return bad("headers", "%q is no name of a header", name)
		case strings.ContainsAny(value, "\r\n\x00"):
			return bad("headers", "the value of %s has a line break or a zero byte", name)
		}
	}
	if size > 64<<10 {
		return bad("headers", "they are longer than 64 KiB")
	}
	return nil
}

// Phrase is the text that goes with the status.
func (r *Response) Phrase() string {
	if text := http.StatusText(r.Status); text != "" {
		return text
	}
	return "Status " + strconv.Itoa(r.Status)
}

// Apply returns the headers as they are to be sent.
func (h *Headers) Apply(sent []Header) []Header {
	var out []Header
	for _, one := range sent {
		same := func(name string) bool { return strings.EqualFold(name, one.Name) }
		if !slices.ContainsFunc(h.Remove, same) && !slices.ContainsFunc(names(h.Set), same) {
			out = append(out, one)
		}
	}
	for _, name := range names(h.Set) {
		out = append(out, Header{Name: name, Value: h.Set[name]})
	}
	return out
}

func names(set map[string]string) []string { return slices.Sorted(maps.Keys(set)) }

// Table has the rules of a task. The zero value has none.
type Table struct {
	rules   []*Rule // oldest first
	made    int
	version int
}

// Add adds a rule and returns its id.
func (t *Table) Add(r Rule) (string, error) {
	if err := r.Check(); err != nil {
		return "", err
	}
	if len(t.rules) >= MaxRules {
		return "", bad("action", "the task has %d rules already; remove some", MaxRules)
	}
	t.made++
	t.version++
	r.ID, r.Matched = "route"+strconv.Itoa(t.made), 0
	t.rules = append(t.rules, &r)
	return r.ID, nil
}

// Remove removes a rule or, with an empty id, all of them.
func (t *Table) Remove(id string) error {
	n := len(t.rules)
	t.rules = slices.DeleteFunc(t.rules, func(r *Rule) bool { return id == "" || r.ID == id })
	if id != "" && len(t.rules) == n {
		return bad("id", "there is no rule %q; list them", id)
	}
	t.version++
	return nil
}

// List returns the rules, newest first: the order in which they are tried.
func (t *Table) List() []Rule {
	list := make([]Rule, 0, len(t.rules))
	for _, r := range slices.Backward(t.rules) {
		list = append(list, *r)
	}
	return list
}

// Active returns the rules that may still match, and a number that changes with them; it is 0 if there are none.
func (t *Table) Active() (list []Rule, version int) {
	for _, r := range t.List() {
		if !r.Spent() {
			list = append(list, r)
		}
	}
	if len(list) > 0 {
		version = t.version
	}
	return list, version
}

// Spent reports whether a rule has matched as often as it may.
func (r *Rule) Spent() bool { return r.Times > 0 && r.Matched >= r.Times }

// Decide returns the newest rule that matches a request, and counts it; nil: there is none.
func (t *Table) Decide(q Request) *Rule {
	if scheme, _, _ := strings.Cut(q.URL, ":"); scheme != "http" && scheme != "https" {
		return nil
	}
	for _, r := range slices.Backward(t.rules) {
		if r.Spent() || !r.matches(q) {
			continue
		}
		r.Matched++
		if r.Spent() {
			t.version++
		}
		return r
	}
	return nil
}

func (r *Rule) matches(q Request) bool {
	return (r.ResourceType == "" || strings.EqualFold(r.ResourceType, q.Type)) && (r.Method == "" || strings.EqualFold(r.Method, q.Method)) && Matches(r.Pattern, q.URL)
}
