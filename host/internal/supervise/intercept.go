package supervise

import (
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// intercepts is what of a session's requests is paused: a session has one list of patterns, which every Fetch.enable
// replaces.
type intercepts struct {
	bridge    bool // what the bridge's script asks for
	documents bool
}

// intercept makes a session pause what it is to. Requests that are paused stay so when the list is replaced, but
// Fetch.disable lets them all go: so documents are intercepted until the last one is decided on.
func (s *State) intercept(ss *session) {
	if !s.owns(ss) || !ss.prepared {
		return
	}
	want := intercepts{
		bridge:    ss.bridged && len(ss.task.bridge.script.RequestPatterns) > 0,
		documents: s.navigateHook || ss.intercepts.documents && len(ss.navigations) > 0,
	}
	if want == ss.intercepts {
		return
	}
	ss.intercepts = want
	if want == (intercepts{}) {
		s.send(ss.id, fetch.CommandDisable, nil)
		return
	}
	params := &fetch.EnableParams{}
	if want.bridge {
		for _, pattern := range ss.task.bridge.script.RequestPatterns {
			params.Patterns = append(params.Patterns, &fetch.RequestPattern{URLPattern: pattern})
		}
	}
	if want.documents {
		params.Patterns = append(params.Patterns, &fetch.RequestPattern{
			ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest,
		})
	}
	s.send(ss.id, fetch.CommandEnable, params)
}

// isBridges tells whether a request is one that the bridge's script may have made.
func (ss *session) isBridgeRequest(e RequestPaused) bool {
	return !e.Document || ss.intercepts.bridge && slices.ContainsFunc(ss.task.bridge.script.RequestPatterns, func(pattern string) bool {
		return matches(pattern, e.URL)
	})
}

// matches holds a text against a pattern as Fetch.RequestPattern has it: * is any text, ? any byte, a backslash takes the
// next byte as it is.
func matches(pattern, text string) bool {
	star, mark := -1, 0 // the last star, and what of the text it has taken
	p, t := 0, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, t
			p++
			continue
		}
		if p < len(pattern) {
			width, is := matchByte(pattern[p:], text[t])
			if is {
				p += width
				t++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		p, t = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// literal tells whether a byte is what a pattern begins with, and how much of the pattern that is.
func matchByte(pattern string, b byte) (width int, is bool) {
	switch {
	case pattern[0] == '?':
		return 1, true
	case pattern[0] == '\\' && len(pattern) > 1:
		return 2, pattern[1] == b
	}
	return 1, pattern[0] == b
}

// originOf is the origin of an address, serialised as in the HTML specification.
//
// https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return opaque
	}
	host, port := u.Host, u.Port()
	if u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		host = u.Hostname()
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
	}
	return u.Scheme + "://" + strings.ToLower(host)
}

func withoutFragment(address string) string {
	before, _, _ := strings.Cut(address, "#")
	return before
}
