package engine

import (
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/network"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine/emulate"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

var dialogCodes = map[supervise.DialogErrorKind]fault.Code{
	supervise.DialogNone:        fault.ErrNoDialog,
	supervise.DialogUnknown:     fault.ErrUnknownDialog,
	supervise.DialogAmbiguous:   fault.ErrAmbiguousDialog,
	supervise.DialogBusy:        fault.ErrDialogBusy,
	supervise.DialogGone:        fault.ErrDialogGone,
	supervise.DialogRefused:     fault.ErrAnswerRefused,
	supervise.DialogUnconfirmed: fault.ErrAnswerUnconfirmed,
}

// fromState turns an error of the state machine into one of packages fault and view.
func fromState(err error) error {
	var dialog *supervise.DialogError
	if errors.As(err, &dialog) {
		out := &view.DialogError{Code: dialogCodes[dialog.Kind], DialogID: dialog.ID, Text: dialog.Error()}
		for _, d := range dialog.Open {
			out.Open = append(out.Open, view.DialogOf(d))
		}
		return out
	}
	var emulation *supervise.EmulationError
	if errors.As(err, &emulation) {
		if emulation.Method == network.CommandSetExtraHTTPHeaders { // the browser may name a value, which may be a secret
			emulation = &supervise.EmulationError{Method: emulation.Method, Message: "a name or a value"}
		}
		return fmt.Errorf("%w: %s: the browser does not take it: %s", fault.ErrBadArguments, emulate.Parameter(emulation.Method), emulation.Message)
	}
	var task *supervise.TaskError
	if errors.As(err, &task) && task.Disconnected {
		return fmt.Errorf("%w: %w: %s", fault.ErrTask, fault.ErrDisconnected, task.Error())
	}
	if task != nil {
		return fmt.Errorf("%w: %s", fault.ErrTask, task.Error())
	}
	return err
}
