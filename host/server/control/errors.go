package control

import (
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// Error is an error on the wire; errors.Is finds its code.
type Error struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	// Op is the operation of the host that failed, if one did.
	Op string `json:"op,omitempty"`
	// Dialogs are those that hold the tab, or that can be answered instead.
	Dialogs []host.Dialog `json:"dialogs,omitempty"`
	// CallID is for resume, once the dialogs are answered; empty if nothing was begun.
	CallID string `json:"call_id,omitempty"`
	// Step is the loading step that a module did not pass, with plugin_refused.
	Step string `json:"step,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap returns the code.
func (e *Error) Unwrap() error { return e.Code }

// ErrorOf converts any error for the wire; nil stays nil.
func ErrorOf(err error) *Error {
	if err == nil {
		return nil
	}
	var out *Error
	if errors.As(err, &out) {
		return out
	}
	out = &Error{Code: fault.CodeOf(err), Message: err.Error()}
	var of *fault.Error
	if errors.As(err, &of) {
		out.Op = of.Op
	}
	var refused *module.LoadError
	if errors.As(err, &refused) {
		out.Step = string(refused.Step)
	}
	var blocked *host.BlockedError
	if errors.As(err, &blocked) {
		out.Dialogs, out.CallID = blocked.Dialogs, blocked.CallID
	}
	var delivered *host.DeliveredError
	if errors.As(err, &delivered) {
		out.CallID = delivered.CallID
	}
	var dialog *host.DialogError
	if errors.As(err, &dialog) {
		out.Dialogs = dialog.Open
	}
	return out
}

func badRequest(format string, args ...any) error {
	return fmt.Errorf("%w: %w", fault.ErrBadRequest, fmt.Errorf(format, args...))
}
