package supervise

import (
	"slices"
	"time"

	"github.com/chromedp/cdproto/fedcm"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// SignIn is a dialog of the browser's own in which a person chooses the account to sign in with at a page, by Federated
// Credential Management. Scripts run on meanwhile, but where the page has asked after a click, the tab gets no input. A
// SignIn never changes. Its texts come from the page and from the identity provider.
//
// https://w3c-fedid.github.io/FedCM/
type SignIn struct {
	ID       string // numbered with the JavaScript dialogs
	Dialog   string // what the browser calls it, unique in its session
	Session  target.SessionID
	Kind     fedcm.DialogType
	Title    string
	Subtitle string
	Accounts []SignInAccount // in the order that the browser knows them by
	OpenedAt time.Time
}

// SignInAccount is an account that the person has at an identity provider.
type SignInAccount struct {
	ID       string // as the provider calls it
	Email    string
	Name     string
	Provider string // the URL of the provider's configuration
}

// maxSignInText limits each text of a SignIn, in bytes.
const maxSignInText = 256

// reportSignIns has the browser tell of its dialogs to sign in. One that is open already is told of at once, so that
// none is lost with a connection.
func (s *State) reportSignIns(ss *session) { s.send(ss.id, fedcm.CommandEnable, nil) }

// signInOpened records the dialog. A session shows one at a time: the next follows on the answer to the one before it.
func (s *State) signInOpened(e SignInOpened) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	short := func(text *string) { *text = pagetext.Shorten(*text, maxSignInText) }
	in := e.SignIn
	in.ID, in.Session, in.OpenedAt, in.Accounts = s.nextDialogID(), ss.id, s.now, slices.Clone(in.Accounts)
	short(&in.Title)
	short(&in.Subtitle)
	for i := range in.Accounts {
		short(&in.Accounts[i].ID)
		short(&in.Accounts[i].Email)
		short(&in.Accounts[i].Name)
		short(&in.Accounts[i].Provider)
	}
	ss.signIn, ss.task.dirty = &in, true
}

// signInClosed forgets the dialog: it was answered, or its document is gone. A sign-in that needs no answer is only
// closed.
func (s *State) signInClosed(e SignInClosed) {
	ss := s.pageSession(e.Session)
	if ss == nil || ss.signIn == nil {
		return
	}
	ss.signIn, ss.task.dirty = nil, true
}

// signIn returns the dialog that is open over a tab; nil: there is none.
func (tb *tab) signIn() (open *SignIn) {
	tb.session.walk(func(ss *session) {
		if open == nil {
			open = ss.signIn
		}
	})
	return open
}
