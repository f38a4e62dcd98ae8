package view

import (
	"cmp"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// SignIn is a dialog of the browser's own over a tab, in which a person signs in at a page with the account of an
// identity provider (Federated Credential Management). Scripts of the page run on meanwhile. If the page has asked for
// it after a click, the tab gets no mouse or keyboard input until it is answered. Its texts come from the page and from
// the provider.
//
// https://w3c-fedid.github.io/FedCM/
type SignIn struct {
	// ID is the dialog's id; no JavaScript dialog of the task has the same one.
	ID       string     `json:"id"`
	Kind     SignInKind `json:"kind"`
	TargetID string     `json:"target_id"`
	Title    string     `json:"title,omitempty"`
	// Subtitle is the second line of the title.
	Subtitle string    `json:"subtitle,omitempty"`
	Accounts []Account `json:"accounts,omitempty"`
	OpenedAt UnixTime  `json:"opened_at"`

	open *supervise.SignIn
}

// SignInKind says what a [SignIn] asks.
type SignInKind string

// The values of [SignInKind], as in the protocol.
const (
	// SignInAccount asks for one of the accounts.
	SignInAccount SignInKind = "AccountChooser"
	// SignInAgain tells that the only account that was used before is used again, unless it is dismissed.
	SignInAgain SignInKind = "AutoReauthn"
	// SignInProvider asks to go to the provider first, in a window, and to log in there.
	SignInProvider SignInKind = "ConfirmIdpLogin"
	// SignInError tells that the provider has refused.
	SignInError SignInKind = "Error"
)

// Account is an account that the person has at an identity provider.
type Account struct {
	ID    string `json:"id"` // as the provider calls it
	Email string `json:"email,omitempty"`
	Name  string `json:"name,omitempty"`
	// Provider is the URL of the provider's configuration.
	Provider string `json:"provider"`
}

func signInOf(in *supervise.SignIn, over target.ID) *SignIn {
	if in == nil {
		return nil
	}
	out := &SignIn{ID: in.ID, Kind: SignInKind(in.Kind), TargetID: string(over), Title: in.Title, Subtitle: in.Subtitle, OpenedAt: UnixTime{in.OpenedAt}, open: in}
	for _, a := range in.Accounts {
		out.Accounts = append(out.Accounts, Account(a))
	}
	return out
}

// At is where the browser takes the answer: a session, and what it calls the dialog there. Only a snapshot of this
// process knows it.
func (s *SignIn) At() (session, dialog string) { return string(s.open.Session), s.open.Dialog }

// Find returns the index of the account that a text names: by its e-mail address, its id or its name. An empty text
// names the only one. It returns -1 if the text names none, or several.
func (s *SignIn) Find(text string) int {
	if text == "" && len(s.Accounts) == 1 {
		return 0
	}
	for _, by := range []func(Account) string{
		func(a Account) string { return a.Email }, func(a Account) string { return a.ID }, func(a Account) string { return a.Name },
	} {
		is := func(a Account) bool { return text != "" && strings.EqualFold(by(a), strings.TrimSpace(text)) }
		if i := slices.IndexFunc(s.Accounts, is); i >= 0 {
			if slices.ContainsFunc(s.Accounts[i+1:], is) {
				return -1
			}
			return i
		}
	}
	return -1
}

// Label is what a person knows the account by: its e-mail address, or else its name or id.
func (a Account) Label() string { return cmp.Or(a.Email, a.Name, a.ID) }

// SignIns are the dialogs to sign in that are open, in the order of their tabs.
func (s *Snapshot) SignIns() (list []*SignIn) {
	for _, t := range s.Targets {
		if t.SignIn != nil {
			list = append(list, t.SignIn)
		}
	}
	return list
}

// AnswersSignIn reports whether an answer to the dialog of an id, or to the only one, is for a dialog to sign in, and
// not for one of a page.
func (s *Snapshot) AnswersSignIn(id string) bool {
	return s.SignIn(id) != nil || len(s.PendingDialogs) == 0 && len(s.SignIns()) > 0
}

// SignIn is the open dialog to sign in that has an id; nil: there is none.
func (s *Snapshot) SignIn(id string) *SignIn {
	for _, in := range s.SignIns() {
		if in.ID == id {
			return in
		}
	}
	return nil
}
