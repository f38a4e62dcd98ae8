package supervise

import (
	"net/url"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

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

// The rules of a task decide on requests that nothing else holds. The bridge and the hooks come first, so that no rule
// evades what a module denies.

func (s *State) addRoute(e AddRoute) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, &TaskError{Task: e.Task, Reason: "there is no such task"})
		return
	}
	id, err := t.routes.Add(e.Rule)
	if err != nil {
		s.fail(e.Request, err)
		return
	}
	s.reroute(t, func() { s.do(Reply{Request: e.Request, Route: id}) })
}

func (s *State) removeRoute(e RemoveRoute) {
	t := s.tasks[e.Task]
	if t == nil {
		s.fail(e.Request, &TaskError{Task: e.Task, Reason: "there is no such task"})
		return
	}
	if err := t.routes.Remove(e.Route); err != nil {
		s.fail(e.Request, err)
		return
	}
	s.reroute(t, func() { s.do(Reply{Request: e.Request}) })
}

// Routes lists the rules of a task, newest first.
func (s *State) Routes(task string) []route.Rule {
	if t := s.tasks[task]; t != nil {
		return t.routes.List()
	}
	return nil
}

// reroute makes the sessions of a task pause what its rules are for. The browser confirms when its renderers know, for
// which it needs their main threads: one that spins is not waited for longer than for an answer.
func (s *State) reroute(t *task, done func()) {
	waiting := 1
	one := func() {
		if waiting--; waiting == 0 {
			done()
		}
	}
	for _, ss := range s.sessionsOf(t) {
		if method, params := s.interception(ss); method != "" {
			waiting++
			s.sendWithin(s.config.AnswerTimeout, ss, method, params, one)
		}
	}
	one()
}

// sessionsOf are the supervisor's sessions of a task that are prepared, in the order of their attachment.
func (s *State) sessionsOf(t *task) (list []*session) {
	for _, ss := range s.sessions {
		if ss.task == t && ss.agent == nil && ss.prepared {
			list = append(list, ss)
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return a.number - b.number })
	return list
}

// letGo answers a paused request: as the newest rule of its task that matches says, else by continuing it. What the
// browser refuses to do is continued, too, so that no request is left paused.
func (s *State) letGo(ss *session, e RequestPaused) {
	goOn := func() {
		s.gate.noteLet(ss, e)
		s.send(ss.id, fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: e.Request})
	}
	r := ss.task.routes.Decide(route.Request{URL: e.URL, Type: e.Type, Method: e.Method})
	if r == nil {
		goOn()
		return
	}
	method, params := answerBy(r, e)
	if method == fetch.CommandContinueRequest {
		s.gate.noteLet(ss, e)
	}
	s.sendThen(ss.id, method, params, WantNothing, func(reply CommandReply) {
		if reply.Err != nil && (ss.id == "" || s.sessions[ss.id] == ss) {
			goOn()
		}
	})
	if r.Spent() {
		s.reroute(ss.task, func() {})
	}
}

// answerBy is the command that does what a rule says.
func answerBy(r *route.Rule, e RequestPaused) (method string, params any) {
	switch {
	case r.Fulfil != nil:
		p := &fetch.FulfillRequestParams{
			RequestID: e.Request, ResponseCode: int64(r.Fulfil.Status), ResponsePhrase: r.Fulfil.Phrase(), Body: r.Fulfil.Body,
		}
		for _, h := range (&route.Headers{Set: r.Fulfil.Headers}).Apply(nil) {
			p.ResponseHeaders = append(p.ResponseHeaders, &fetch.HeaderEntry{Name: h.Name, Value: h.Value})
		}
		return fetch.CommandFulfillRequest, p
	case r.Change != nil:
		p := &fetch.ContinueRequestParams{RequestID: e.Request}
		for _, h := range r.Change.Apply(e.Headers) {
			p.Headers = append(p.Headers, &fetch.HeaderEntry{Name: h.Name, Value: h.Value})
		}
		return fetch.CommandContinueRequest, p
	}
	return fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: e.Request, ErrorReason: deniedReason}
}

// The browser keeps the bodies of responses for each session that reports its requests, in the renderer and up to these
// sizes in bytes. It drops the oldest ones first.
var maxBodies, maxBody int64 = 32 << 20, 8 << 20

func (s *State) watchNetwork(e WatchNetwork) {
	t := s.tasks[e.Task]
	if t == nil || t.network {
		return
	}
	t.network = true
	for _, ss := range s.preparedSessions(t) {
		s.reportRequests(ss)
	}
}

// preparedSessions lists the sessions of a task that commands may be sent to, in the order of attachment.
func (s *State) preparedSessions(t *task) (list []*session) {
	for _, ss := range s.sessions {
		if ss.task == t && (ss.prepared || isWorker(ss.info.Type)) {
			list = append(list, ss)
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return a.number - b.number })
	return list
}

// reportRequests makes a session report its requests if its task wants to know them. It is part of preparing every
// session, so nothing is missed of a frame that moves to another process, or after a lost connection.
func (s *State) reportRequests(ss *session) {
	if ss.task.network {
		s.send(ss.id, network.CommandEnable, &network.EnableParams{MaxTotalBufferSize: &maxBodies, MaxResourceBufferSize: &maxBody})
	}
}

// RequestsOf returns the task whose requests a session reports, the tab, which is empty for a worker that several tabs
// share, and the session's target. Without a task, the session reports none to the supervisor.
func (s *State) RequestsOf(id target.SessionID) (task string, place ScriptTarget) {
	ss := s.sessions[id]
	if ss == nil || ss.agent != nil || ss.task == nil || !ss.task.network {
		return "", place
	}
	return ss.task.ID, ScriptTarget{Page: ss.pageID(), Session: id, Target: ss.info.TargetID, Root: true, Isolate: ss.isolate}
}
