// Package dialogclosed tells a module how dialogs ended. Importing it makes the module export hermes_on_dialog_closed.
package dialogclosed

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says how a dialog ended. Its strings can be kept.
type Event = abi.DialogClosedEvent

// state belongs to the module's one handler, and is reused from call to call.
var state struct {
	handler func(Event) error
	event   Event
}

// Handle registers the handler; call it in func init, once: after a second call the host refuses the module. In
// tests, nil makes room for another handler. The host logs an error of the handler and does nothing else about it.
func Handle(f func(Event) error) {
	if f != nil && state.handler != nil {
		guest.Misuse("dialogclosed.Handle was called twice; one handler learns of all dialogs")
	}
	state.handler = f
}

func init() { guest.Export(abi.HookDialogClosed, onDialogClosed) }

//go:wasmexport hermes_on_dialog_closed
func onDialogClosed(n int32) int32 {
	return guest.Serve(n, &state.event, func() (*guest.Nothing, error) {
		if state.handler == nil {
			return nil, guest.Abstain
		}
		return nil, state.handler(state.event)
	})
}
