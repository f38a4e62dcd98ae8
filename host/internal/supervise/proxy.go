package supervise

import (
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
)

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
