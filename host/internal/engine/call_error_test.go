package engine

import (
	"errors"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Whoever calls a tool learns nothing of the commands behind it, unless the browser refuses one.
func TestAnErrorNamesOnlyARefusedCommand(t *testing.T) {
	blocked := &view.BlockedError{Dialogs: []view.Dialog{{ID: "d-1", Type: "alert"}}}
	for _, c := range []struct {
		err  error
		want string
		is   error
	}{
		{blocked, "blocked by a dialog: d-1 (alert); answer it first", fault.ErrBlockedByDialog},
		{fault.ErrTargetCrashed, "the tab crashed", fault.ErrTargetCrashed},
		{&cdp.Error{Code: -32000, Message: "No node"}, "DOM.resolveNode: " + (&fault.ProtocolError{Code: -32000, Message: "No node"}).Error(), nil},
	} {
		got := replyError("DOM.resolveNode", c.err)
		if got.Error() != c.want || c.is != nil && !errors.Is(got, c.is) {
			t.Errorf("%v becomes %v, want %s", c.err, got, c.want)
		}
	}
}
