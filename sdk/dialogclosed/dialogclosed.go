// Package dialogclosed is told how dialogs ended. Importing it makes the module export hermes_on_dialog_closed.
package dialogclosed

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// Event says how a dialog ended. Its strings and slices are valid until the handler returns.
type Event = abi.DialogClosedEvent

// state is of the one handler that a module has, and reused from call to call.
var state struct {
	handler func(Event) error
	event   Event
}

// Handle registers the handler; call it in func init. The last one registered counts. The host logs an error, and
// nothing else follows from it.
func Handle(f func(Event) error) { state.handler = f }

func run(n int32) abi.Status {
	if state.handler == nil {
		return abi.StatusAbstain
	}
	src, ok := guest.Event(n)
	if !ok {
		return abi.StatusError
	}
	if err := state.event.UnmarshalAlias(src); err != nil {
		return guest.Fail(err.Error())
	}
	if err := state.handler(state.event); err != nil {
		return guest.Fail(err.Error())
	}
	return abi.StatusDecided
}
