package e2e

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Frames in several processes can open dialogs at the same time in one tab. Chromium closes the first when the second
// opens and does not know the second afterwards, so that one can only be dismissed.
func TestTwoDialogsAtOnceInOneTab(t *testing.T) {
	t.Parallel()
	address, process := shared.Own(t)
	w := newWorldOn(t, address, host.Options{}, map[string]string{
		"/page":   `<iframe src="{{127.0.0.1}}/first"></iframe><iframe src="{{127.0.0.2}}/second"></iframe>`,
		"/first":  `<script>onmessage = () => report('first', confirm('first'))</script>`,
		"/second": `<script>onmessage = () => report('second', confirm('second'))</script>`,
	}, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	w.open("/page")
	w.await("both frames", func(s *host.Snapshot) bool {
		return len(s.Page().RawFrameTree.Children) == 2
	})
	raw.evaluate(session, "frames[0].postMessage(1, '*')")
	first := w.dialog()
	want(t, "message", first.Message, "first")
	raw.evaluate(session, "frames[1].postMessage(1, '*')")
	want(t, "the first frame", w.reported("first"), "false")
	want(t, "the second frame", w.reported("second"), "false")
	list := w.closed(2)
	want(t, "first closed by", list[0].ClosedBy, "remote")
	want(t, "second closed by", list[1].ClosedBy, "remote")
	want(t, "second message", list[1].Message, "second")
	if list[1].CloseReason == "" {
		t.Error("nothing says why the second dialog was not held")
	}
	_, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: first.ID, Accept: true})
	wantError(t, err, host.ErrNoDialog)
	want(t, "address", w.evaluate("location.pathname"), `"/page"`)
	w.usable()
	w.alive(process)
}
