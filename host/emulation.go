package host

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// Emulate replaces what is emulated in all tabs of the task, their frames and workers, those that open later before
// their first script runs, and again after a reconnect. The zero value ends it, and so does the end of the task. On an
// error, what was emulated before is emulated again. Errors: ErrBadArguments, which names what the browser does not
// take, such as an unknown timezone; ErrTask; ErrClosed; and the context's, as a page that a dialog blocks may not
// reply.
//
// Pages of one renderer process share timezone, locale and being offline, whichever task they belong to. Permissions
// are those of the task's browser context. In the browser's default context, ending them also ends those that other
// tasks of the connection have.
func (t *Task) Emulate(ctx context.Context, e Emulation) (err error) {
	defer fault.During("emulate", &err)
	return t.engine.Emulate(ctx, e)
}

// Emulation returns what is emulated.
func (t *Task) Emulation() Emulation { return t.engine.Emulation() }
