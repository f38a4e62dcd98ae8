package supervise

import (
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
)

// Credentials are a user and a password for the HTTP authentication of an origin.
type Credentials struct{ User, Password string }

// String hides the password, and the user that it may have been mistaken for.
func (Credentials) String() string { return "[redacted]" }

// GoString does the same for %#v.
func (Credentials) GoString() string { return "[redacted]" }

// credentials are those of a task, by origin, and what became of them.
type credentials struct {
	tried   map[fetch.RequestID]bool // requests that got theirs
	refused map[string]bool          // origins that did not take them
}

// authRequired answers the browser's own proxy, and servers with the credentials of their origin. Everything else is
// for the browser to decide, as without interception.
func (s *State) authRequired(e AuthRequired) {
	ss := s.sessions[e.Session]
	if ss == nil {
		s.counters.EventsIgnored++
		return
	}
	var answer *fetch.AuthChallengeResponse
	switch {
	case e.Proxy:
		answer = s.answerProxy(ss, e)
	case ss.task != nil:
		answer = ss.task.answerServer(e)
	}
	if answer == nil {
		answer = &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseDefault}
	}
	s.send(ss.id, fetch.CommandContinueWithAuth, &fetch.ContinueWithAuthParams{RequestID: e.Request, AuthChallengeResponse: answer})
}

// answerServer answers with the credentials of the origin that asks, and of no other; nil: there are none. A server
// that asks again has refused them: they are not sent again, as it may lock the user out, and the page is what the
// server says instead.
func (t *task) answerServer(e AuthRequired) *fetch.AuthChallengeResponse {
	with, known := t.Credentials[e.Origin]
	switch {
	case !known:
		return nil
	case t.auth.refused[e.Origin]:
		return refusedAuth
	case t.auth.tried[e.Request]:
		t.auth.refused[e.Origin] = true
		delete(t.auth.tried, e.Request)
		return refusedAuth
	}
	t.auth.tried[e.Request] = true
	return provided(with.User, with.Password)
}

// refusedAuth makes the document what the server, or the proxy, says to those who do not know.
var refusedAuth = &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseCancelAuth}

func provided(user, password string) *fetch.AuthChallengeResponse {
	return &fetch.AuthChallengeResponse{Response: fetch.AuthChallengeResponseResponseProvideCredentials, Username: user, Password: password}
}

// CredentialsRefused reports whether an origin has refused the credentials that a task has for it.
func (s *State) CredentialsRefused(task, origin string) bool {
	t := s.tasks[task]
	return t != nil && t.auth.refused[origin]
}

// The browser asks for the password of its proxy once in each browser context, and then sends it with every request of
// that context, WebSockets included. It only asks about requests that the Fetch domain intercepts, and interception
// costs as much as the request itself. So a session intercepts everything from its preparation until the document
// after the answer, and sessions that come later do not intercept at all.

// ProxyLogin is what the browser's proxy wants to know. Pages and agents never learn it.
type ProxyLogin struct {
	Origin         string // as a challenge names it
	User, Password string
}

// proxyState is what a session has to do with the proxy of its browser.
type proxyState struct {
	answered map[fetch.RequestID]bool // challenges; a second one for the same request means that the answer was wrong
	done     bool                     // its next document has committed since the context was answered for
}

// awaitsLogin reports whether the proxy may ask a session for its password.
func (s *State) awaitsLogin(ss *session) bool {
	if s.config.Proxy == (ProxyLogin{}) || ss.agent != nil || ss.proxy.done {
		return false
	}
	return ss.intercepts.login || !s.proxyKnows[ss.info.BrowserContextID]
}

// answerProxy answers the browser's own proxy; nil: it is another.
func (s *State) answerProxy(ss *session, e AuthRequired) *fetch.AuthChallengeResponse {
	switch {
	case e.Origin != s.config.Proxy.Origin || s.config.Proxy == (ProxyLogin{}):
		return nil
	case ss.proxy.answered[e.Request]:
		return refusedAuth
	case ss.proxy.answered == nil:
		ss.proxy.answered = map[fetch.RequestID]bool{}
	}
	ss.proxy.answered[e.Request] = true
	s.proxyKnows[ss.info.BrowserContextID] = true
	return provided(s.config.Proxy.User, s.config.Proxy.Password)
}

// loginOver ends the interception for the proxy in a session whose document has arrived. Requests of the document
// before it may have waited for an answer until then.
func (s *State) loginOver(ss *session, frame cdproto.FrameID) {
	if ss.intercepts.login && frame == ss.frameID() && s.proxyKnows[ss.info.BrowserContextID] {
		ss.proxy = proxyState{done: true}
		s.intercept(ss)
	}
}
