package supervise

import (
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// intercepts says which requests of a session are paused. A session has one list of patterns, which every Fetch.enable
// replaces.
type intercepts struct {
	bridge    bool // requests of the bridge's script
	documents bool
}

// intercept makes a session pause the requests that it should. Replacing the patterns keeps paused requests paused, but
// Fetch.disable continues them all, so documents are intercepted until the last paused one has been decided.
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

// isBridgeRequest reports whether the bridge's script may have made a request.
func (ss *session) isBridgeRequest(e RequestPaused) bool {
	if !e.Document {
		return true
	}
	matchesURL := func(pattern string) bool { return matches(pattern, e.URL) }
	return ss.intercepts.bridge && slices.ContainsFunc(ss.task.bridge.script.RequestPatterns, matchesURL)
}

// matches reports whether a text matches a pattern as defined for Fetch.RequestPattern: * is any text, ? is any byte,
// and a backslash escapes the next byte.
func matches(pattern, text string) bool {
	star, mark := -1, 0 // the last star, and where the text after it begins
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

// matchByte reports whether a pattern begins with a byte, and how long that part of the pattern is.
func matchByte(pattern string, b byte) (width int, is bool) {
	switch {
	case pattern[0] == '?':
		return 1, true
	case pattern[0] == '\\' && len(pattern) > 1:
		return 2, pattern[1] == b
	}
	return 1, pattern[0] == b
}

// originOf is the origin of a URL, serialised as in the HTML specification.
//
// https://html.spec.whatwg.org/multipage/browsers.html#ascii-serialisation-of-an-origin
func originOf(rawURL string) string {
	u, err := url.Parse(rawURL)
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

func withoutFragment(rawURL string) string {
	before, _, _ := strings.Cut(rawURL, "#")
	return before
}
