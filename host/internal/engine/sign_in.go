package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/fedcm"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// AnswerSignIn answers a dialog to sign in, and returns it once the browser has closed it. An empty id means the one
// over the tab in use, or else the only one. The browser process itself answers these commands, whatever the page does.
func (t *Task) AnswerSignIn(ctx context.Context, id string, accept bool, account string) (view.SignIn, error) {
	in, err := t.findSignIn(id)
	if err != nil {
		return view.SignIn{}, err
	}
	session, dialog := in.At()
	method, params := fedcm.CommandDismissDialog, any(&fedcm.DismissDialogParams{DialogID: dialog})
	switch {
	case !accept:
	case in.Kind == view.SignInProvider:
		method, params = fedcm.CommandClickDialogButton, &fedcm.ClickDialogButtonParams{DialogID: dialog, DialogButton: fedcm.DialogButtonConfirmIdpLoginContinue}
	case in.Kind == view.SignInError:
		method, params = fedcm.CommandClickDialogButton, &fedcm.ClickDialogButtonParams{DialogID: dialog, DialogButton: fedcm.DialogButtonErrorGotIt}
	default:
		n := in.Find(account)
		if n < 0 {
			return view.SignIn{}, noAccount(in, account)
		}
		method, params = fedcm.CommandSelectAccount, &fedcm.SelectAccountParams{DialogID: dialog, AccountIndex: int64(n)}
	}
	if err := t.CallSession(ctx, session, method, params, nil); err != nil {
		if errors.Is(err, fault.ErrProtocol) {
			err = &view.DialogError{Code: fault.ErrDialogGone, DialogID: in.ID, Text: "dialog " + in.ID + " ended before the answer reached it: " + err.Error()}
		}
		return view.SignIn{}, err
	}
	_, closed := t.Wait(ctx, func(s *view.Snapshot) bool { return s.SignIn(in.ID) == nil })
	if !closed {
		err := context.Cause(ctx)
		if err == nil {
			err = fault.ErrClosed
		}
		return view.SignIn{}, fmt.Errorf("the browser has taken the answer to dialog %s, but not closed it: %w", in.ID, err)
	}
	return *in, nil
}

// findSignIn finds the dialog that an answer is for.
func (t *Task) findSignIn(id string) (*view.SignIn, error) {
	s := t.Snapshot()
	open, use := s.SignIns(), s.Page()
	switch {
	case t.closed.Load():
		return nil, fault.ErrClosed
	case len(open) == 0:
		return nil, &view.DialogError{Code: fault.ErrNoDialog, DialogID: id, Text: "no dialog is open"}
	case id != "" && s.SignIn(id) != nil:
		return s.SignIn(id), nil
	case id == "" && use != nil && use.SignIn != nil:
		return use.SignIn, nil
	case id == "" && len(open) == 1:
		return open[0], nil
	}
	ids := make([]string, len(open))
	for i, in := range open {
		ids[i] = in.ID
	}
	names := strings.Join(ids, ", ")
	if id == "" {
		return nil, &view.DialogError{Code: fault.ErrAmbiguousDialog, Text: "several dialogs are pending; name one of them: " + names}
	}
	return nil, &view.DialogError{Code: fault.ErrUnknownDialog, DialogID: id, Text: "no open dialog has the id " + id + "; open: " + names}
}

// noAccount says which accounts there are.
func noAccount(in *view.SignIn, account string) error {
	labels := make([]string, len(in.Accounts))
	for i, a := range in.Accounts {
		labels[i] = strconv.Quote(a.Label())
	}
	which := fmt.Sprintf("no account, or more than one, is called %q", account)
	if account == "" {
		which = "several accounts can be used"
	}
	return fmt.Errorf("%w: %s; name one of %s", fault.ErrBadArguments, which, strings.Join(labels, ", "))
}
