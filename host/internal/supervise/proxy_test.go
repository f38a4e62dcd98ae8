package supervise_test

import (
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

var login = supervise.ProxyLogin{Origin: "http://proxy:1", User: "browser", Password: "secret"}

func challenge(session target.SessionID, id fetch.RequestID, origin string) supervise.AuthRequired {
	return supervise.AuthRequired{Session: session, Request: id, Proxy: true, Origin: origin}
}

// Everything is intercepted until the proxy has the password and the next document is there, and nothing after that.
func TestTheProxyIsToldItsPasswordOnceInAContext(t *testing.T) {
	s := newScriptWith(t, supervise.Config{Proxy: login})
	s.on(supervise.AddTask{Request: 1000, Settings: supervise.TaskSettings{ID: "task", TargetID: "tab", Bridge: supervise.BridgeOff}})
	s.on(pageAttached("tab", "page"))
	s.wantFetches("page Fetch.enable")
	s.on(popup("early", "popped", "tab"))
	s.wantFetches("popped Fetch.enable")
	s.on(asset("one"))
	s.wantFetches("page Fetch.continueRequest")
	s.on(challenge("page", "one", login.Origin))
	s.wantFetches("page Fetch.continueWithAuth")
	s.on(navigated("page", document("tab", "", "https://top/next")))
	s.wantFetches("page Fetch.disable")
	s.on(popup("late", "other", "tab"))
	s.wantFetches() // the context is known to the proxy
	s.on(challenge("popped", "two", login.Origin))
	s.wantFetches("popped Fetch.continueWithAuth") // it had begun before
	s.on(navigated("popped", document("early", "", "https://top/")))
	s.wantFetches("popped Fetch.disable")
}

// Who else asks for a password does not get this one, nor does the proxy that says that it is wrong.
func TestNobodyElseIsToldThePasswordOfTheProxy(t *testing.T) {
	server := challenge("page", "two", login.Origin)
	server.Proxy = false
	for name, events := range map[string][]supervise.AuthRequired{
		"a server":              {server},
		"another proxy":         {challenge("page", "three", "http://proxy:2")},
		"asked again, in vain":  {challenge("page", "four", login.Origin), challenge("page", "four", login.Origin)},
		"a proxy without login": {challenge("page", "five", "")},
	} {
		c := supervise.Config{Proxy: login}
		if name == "a proxy without login" {
			c = supervise.Config{}
		}
		s := newStoryWith(t, c)
		var last *fetch.ContinueWithAuthParams
		for _, e := range events {
			for _, effect := range s.state.Apply(s.now, e) {
				if send, is := effect.(supervise.SendCommand); is && send.Method == fetch.CommandContinueWithAuth {
					last = send.Params.(*fetch.ContinueWithAuthParams)
				}
			}
		}
		if last == nil || last.AuthChallengeResponse.Password != "" {
			t.Errorf("%s: got %+v", name, last)
		}
	}
}
