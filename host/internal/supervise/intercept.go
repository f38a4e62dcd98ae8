package supervise

import (
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// intercepts says which requests of a session are paused. A session has one list of patterns, which every Fetch.enable
// replaces.
type intercepts struct {
	bridge    bool // requests of the bridge's script
	documents bool
	requests  bool // all, for the request hook
	guarded   bool // all, for the network guard
	routes    int  // the version of the task's rules; 0: none
	auth      bool // those of origins with credentials
	login     bool // all, for the proxy to ask for its password
}

// intercept makes a session pause the requests that it should.
func (s *State) intercept(ss *session) {
	if method, params := s.interception(ss); method != "" {
		s.send(ss.id, method, params)
	}
}

// interception returns the command that makes a session pause the requests that it should, if one is needed. Replacing
// the patterns keeps paused requests paused, but Fetch.disable continues them all, so documents and
// requests are intercepted until the last paused one has been decided.
func (s *State) interception(ss *session) (method string, _ any) {
	if s.sessions[ss.id] != ss || ss.task == nil || !ss.prepared {
		return "", nil
	}
	rules, version := ss.task.routes.Active()
	asks := !ss.task.Background
	want := intercepts{
		bridge:    ss.bridged && len(ss.task.bridge.script.RequestPatterns) > 0,
		documents: asks && !isWorker(ss.info.Type) && (s.navigateHook || ss.intercepts.documents && len(ss.navigations) > 0),
		requests:  asks && (s.requestHook || ss.intercepts.requests && len(ss.requests) > 0),
		guarded:   asks && ss.task.Guarded,
		routes:    version,
		auth:      len(ss.task.Credentials) > 0,
		login:     s.awaitsLogin(ss),
	}
	if want == ss.intercepts {
		return "", nil
	}
	ss.intercepts = want
	if want == (intercepts{}) {
		return fetch.CommandDisable, nil
	}
	asked := want.auth || want.login
	params := &fetch.EnableParams{HandleAuthRequests: &asked}
	if want.login {
		params.Patterns = append(params.Patterns, &fetch.RequestPattern{RequestStage: fetch.RequestStageRequest})
	}
	for _, origin := range sortedKeys(ss.task.Credentials) { // only what is paused is asked about
		params.Patterns = append(params.Patterns, &fetch.RequestPattern{URLPattern: origin + "/*", RequestStage: fetch.RequestStageRequest})
	}
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
	if want.requests || want.guarded {
		params.Patterns = append(params.Patterns, &fetch.RequestPattern{URLPattern: "*", RequestStage: fetch.RequestStageRequest})
	}
	for _, r := range rules {
		params.Patterns = append(params.Patterns, &fetch.RequestPattern{
			URLPattern: r.Pattern, ResourceType: network.ResourceType(route.Types[r.ResourceType]), RequestStage: fetch.RequestStageRequest,
		})
	}
	return fetch.CommandEnable, params
}

// isBridgeRequest reports whether the bridge's script may have made a request.
func (ss *session) isBridgeRequest(e RequestPaused) bool {
	matchesURL := func(pattern string) bool { return route.Matches(pattern, e.URL) }
	return ss.intercepts.bridge && slices.ContainsFunc(ss.task.bridge.script.RequestPatterns, matchesURL)
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

// withoutUser removes a user and password from a URL. Chromium keeps those of a document that it did not load.
func withoutUser(rawURL string) string {
	if !strings.Contains(rawURL, "@") {
		return rawURL
	}
	u, err := url.Parse(rawURL)
	if err != nil || u.User == nil {
		return rawURL
	}
	u.User = nil
	return u.String()
}

func withoutFragment(rawURL string) string {
	before, _, _ := strings.Cut(rawURL, "#")
	return before
}
