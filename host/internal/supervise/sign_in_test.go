package supervise_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func signInOpened(session target.SessionID, title string) supervise.SignInOpened {
	return supervise.SignInOpened{Session: session, SignIn: supervise.SignIn{
		Dialog: "0", Title: title, Accounts: []supervise.SignInAccount{{Email: strings.Repeat("é", 1000)}},
	}}
}

// signIn is the title of the dialog to sign in over the tab; empty: there is none.
func (s *script) signIn() string {
	v, _ := s.state.View("task")
	if len(v.Targets) == 0 || v.Targets[0].SignIn == nil {
		return ""
	}
	return v.Targets[0].SignIn.Title
}

func TestADialogToSignInEndsWithItsSession(t *testing.T) {
	for name, end := range map[string][]supervise.Event{
		"closed":               {supervise.SignInClosed{Session: "below"}},
		"the frame is gone":    {supervise.Detached{Session: "below"}},
		"the tab is gone":      {supervise.TargetDestroyed{Target: "tab"}},
		"the connection is":    {supervise.ConnectionLost{Reason: "cut", Reconnecting: true}},
		"the connection ended": {supervise.ConnectionLost{Reason: "cut"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := withLocalFrame(t).on(oopif("frame", "tab", "below", "page"), signInOpened("below", "sign in?"))
			if got := s.signIn(); got != "sign in?" {
				t.Fatalf("the tab asks %q", got)
			}
			v, _ := s.state.View("task")
			in := v.Targets[0].SignIn
			if in.ID != "d-1" || in.Session != "below" || in.Dialog != "0" || len(in.Accounts[0].Email) > 256 || !strings.HasPrefix(in.Accounts[0].Email, "éé") {
				t.Errorf("it is %+v", in)
			}
			if s.on(end...); s.signIn() != "" {
				t.Errorf("the tab still asks %q", s.signIn())
			}
			if v, _ := s.state.View("task"); v.LastDialog != 1 {
				t.Errorf("dialogs are numbered up to %d", v.LastDialog)
			}
		})
	}
}

// The browser also reports the end of what it decided without a dialog.
func TestOnlyADialogToSignInThatIsOpenEnds(t *testing.T) {
	s := withLocalFrame(t).on(supervise.SignInClosed{Session: "page"}, signInOpened("page", "first"), signInOpened("page", "second"))
	s.on(signInOpened("stranger", "no"), supervise.SignInClosed{Session: "stranger"})
	if got := s.signIn(); got != "second" {
		t.Errorf("the tab asks %q", got)
	}
}
