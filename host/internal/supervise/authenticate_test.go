package supervise_test

import (
	"testing"

	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Only the origin that asks gets its credentials, once; nobody else's question is answered otherwise than before.
func TestCredentialsAreSentOnceAndToTheirOrigin(t *testing.T) {
	s := newScript(t)
	s.on(supervise.AddTask{Request: 1, Settings: supervise.TaskSettings{
		ID: "task", TargetID: "tab", Bridge: supervise.BridgeOff, Credentials: map[string]supervise.Credentials{"https://a.example": {User: "me", Password: "secret"}},
	}}, pageAttached("tab", "page"))
	s.quiet()
	ask := func(request, origin string, proxy bool, want fetch.AuthChallengeResponseResponse) {
		t.Helper()
		s.on(supervise.AuthRequired{Session: "page", Request: fetch.RequestID(request), Origin: origin, Proxy: proxy})
		got := s.authAnswer()
		if got.Response != want || (want == fetch.AuthChallengeResponseResponseProvideCredentials) != (got.Password == "secret") {
			t.Errorf("%s for %s is answered with %s", request, origin, got.Response)
		}
	}
	ask("r1", "https://b.example", false, fetch.AuthChallengeResponseResponseDefault)
	ask("r2", "https://a.example", true, fetch.AuthChallengeResponseResponseDefault)
	ask("r3", "http://a.example", false, fetch.AuthChallengeResponseResponseDefault)
	ask("r4", "https://a.example", false, fetch.AuthChallengeResponseResponseProvideCredentials)
	ask("r5", "https://a.example", false, fetch.AuthChallengeResponseResponseProvideCredentials)
	ask("r4", "https://a.example", false, fetch.AuthChallengeResponseResponseCancelAuth)
	ask("r6", "https://a.example", false, fetch.AuthChallengeResponseResponseCancelAuth)
}

// authAnswer is what the only question since the last look was answered with.
func (s *script) authAnswer() (answer *fetch.AuthChallengeResponse) {
	s.t.Helper()
	for _, e := range s.effects {
		if c, ok := e.(supervise.SendCommand); ok && c.Method == fetch.CommandContinueWithAuth {
			answer = c.Params.(*fetch.ContinueWithAuthParams).AuthChallengeResponse
		}
	}
	s.quiet()
	if answer == nil {
		s.t.Fatal("there is no answer")
	}
	return answer
}
