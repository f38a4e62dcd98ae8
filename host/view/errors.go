package view

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// DialogError says why an answer to a dialog was not accepted.
type DialogError struct {
	// Code is one of ErrNoDialog, ErrUnknownDialog, ErrAmbiguousDialog, ErrDialogBusy, ErrDialogGone, ErrAnswerRefused,
	// ErrAnswerUnconfirmed.
	Code fault.Code
	// DialogID is the id that the call named; empty if it named none.
	DialogID string
	// Open holds the dialogs that can be answered instead.
	Open []Dialog
	// Text is the whole error text.
	Text string
}

// Error says what happened and which dialogs are open.
func (e *DialogError) Error() string { return e.Text }

// Unwrap returns the code.
func (e *DialogError) Unwrap() error { return e.Code }

// BlockedError says which dialogs hold the tab. It matches [fault.ErrBlockedByDialog].
type BlockedError struct {
	// Dialogs are the pending dialogs that hold the tab, oldest first. They may be those of another tab that shares the
	// process: one of the same site that opened this tab or was opened by it.
	Dialogs []Dialog
	// CallID is the id for Task.Resume, which returns the result once the dialogs are answered; empty if nothing was
	// begun.
	CallID string
}

// Error names the dialogs.
func (e *BlockedError) Error() string {
	ids := make([]string, len(e.Dialogs))
	for i, d := range e.Dialogs {
		ids[i] = fmt.Sprintf("%s (%s)", d.ID, d.Type)
	}
	return fault.ErrBlockedByDialog.Error() + ": " + strings.Join(ids, ", ") + "; answer it first"
}

// Unwrap returns [fault.ErrBlockedByDialog].
func (e *BlockedError) Unwrap() error { return fault.ErrBlockedByDialog }

// NavigationDeniedError says who denied a navigation, and why. It matches [fault.ErrNavigationDenied].
type NavigationDeniedError struct{ Navigation DeniedNavigation }

// Error names the plugin, its rule and its reason.
func (e *NavigationDeniedError) Error() string {
	var b strings.Builder
	b.WriteString(fault.ErrNavigationDenied.Error())
	if by := e.Navigation.DecidedBy; by.Module != "" {
		fmt.Fprintf(&b, " by plugin %q", by.Module)
		if by.Rule != "" {
			fmt.Fprintf(&b, ", rule %q", by.Rule)
		}
	}
	if e.Navigation.Reason != "" {
		fmt.Fprintf(&b, ": %s", e.Navigation.Reason)
	}
	return b.String()
}

// Unwrap returns [fault.ErrNavigationDenied].
func (e *NavigationDeniedError) Unwrap() error { return fault.ErrNavigationDenied }
