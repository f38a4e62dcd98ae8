package e2e

import (
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// newBesieged starts a task in the browser's own context, where the adversary is.
func newBesieged(t *testing.T, o host.TaskOptions) *world {
	t.Helper()
	t.Parallel()
	address, _ := shared.Own(t)
	w := &world{t: t, ctx: testContext(t), host: newHost(t, host.Options{}), address: address}
	w.site = serve(w.ctx, t, nil)
	w.Task = attach(t, w.host, address, o)
	w.open("/empty")
	newAdversary(t, address)
	return w
}

// ours has the agent answer n dialogs of each kind, with an answer that the adversary would never give.
func (w *world) ours(n int) {
	w.t.Helper()
	w.start(fmt.Sprintf(`globalThis.got = []; for (let i = 0; i < %d; i++) got.push(String(alert(i)), confirm(i), prompt(i, 'd'))`, n))
	for i := range n {
		for _, kind := range []string{"alert", "confirm", "prompt"} {
			d := w.dialog()
			if string(d.Type) != kind || d.Message != fmt.Sprint(i) || d.Via != pause {
				w.t.Fatalf("dialog %s %d is %s", kind, i, shared.Dump(d))
			}
			w.answer(host.DialogResponse{DialogID: d.ID, Accept: true, PromptText: ptr("ours")})
		}
	}
	want(w.t, "the page", w.evaluate(`got.length + ' ' + got.every((v, i) => v === ['undefined', true, 'ours'][i % 3])`), fmt.Sprintf(`"%d true"`, 3*n))
}

func TestWithoutTheBridgeABackendThatAnswersTakesEveryDialog(t *testing.T) {
	w := newBesieged(t, host.TaskOptions{DialogBridge: host.BridgeOff})
	w.start("report('said', [confirm('?'), prompt('?', 'd')])")
	want(t, "the page", w.reported("said"), "[false,null]")
	for _, d := range w.closed(2) {
		want(t, "closed by", d.ClosedBy, "remote")
		want(t, "via", d.Via, "native")
	}
}

func TestWithTheBridgeTheAgentDecidesEveryDialog(t *testing.T) {
	w := newBesieged(t, host.TaskOptions{DialogBridge: host.BridgeOn})
	w.ours(20)
}

func TestTheBridgeComesWhereABackendIsSeenToAnswer(t *testing.T) {
	w := newBesieged(t, host.TaskOptions{})
	events := w.Events(100)
	defer events.Close()
	w.start("report('said', confirm('?'))")
	want(t, "the page", w.reported("said"), "false")
	for e := range events.C {
		if e.Kind == host.EventBridged {
			break
		}
	}
	w.ours(5)
}
