package e2e

import (
	"strconv"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// newBridgedBroken is a task with the bridge whose connection goes through a proxy that can break it.
func newBridgedBroken(t *testing.T, pages map[string]string) (*world, *proxy) {
	t.Helper()
	t.Parallel()
	address, _ := shared.Own(t)
	p := newProxy(t, address)
	w := newWorldOn(t, p.address, host.Options{}, pages, host.TaskOptions{DialogBridge: host.BridgeOn, Scope: host.ScopeBrowser})
	w.address = address // other clients go past the proxy
	return w, p
}

func TestABridgedDialogIsStillTheAgentsAfterTheConnectionWasCut(t *testing.T) {
	for _, row := range []struct {
		name, page, script string
		frame              int // that asks; -1: the page itself
		answer             host.DialogResponse
		said               string
	}{
		{"a confirm", "/empty", "confirm('?')", -1, host.DialogResponse{Accept: true}, "true"},
		{"a prompt", "/empty", "prompt('?', 'preset')", -1, host.DialogResponse{Accept: true, PromptText: ptr("typed")}, `"typed"`},
		{"a local frame", "/frames", "confirm('?')", 0, host.DialogResponse{Accept: true}, "true"},
		{"an out-of-process frame", "/frames", "prompt('?', 'preset')", 1, host.DialogResponse{Accept: true}, `"preset"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			w, p := newBridgedBroken(t, map[string]string{"/frames": `<iframe src="/empty"></iframe><iframe src="{{127.0.0.1}}/empty"></iframe>`})
			w.open(row.page)
			where := host.Locator{}
			if row.frame >= 0 {
				where.FrameID = w.await("the frames", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 2 }).Page().RawFrameTree.Children[row.frame].FrameID
			}
			if _, err := w.Tab("").Evaluate(w.ctx, "setTimeout(() => { globalThis.said = "+row.script+" }); 0", &host.EvaluateOptions{Locator: where}); err != nil {
				t.Logf("the call: %v", err)
			}
			before := w.dialog()
			want(t, "via", before.Via, pause)
			p.cut()
			after := w.await("the dialog's return", func(s *host.Snapshot) bool {
				return len(s.PendingDialogs) != 1 || s.PendingDialogs[0].Via != pause
			})
			if len(after.PendingDialogs) != 1 || after.PendingDialogs[0].ID != before.ID {
				t.Fatalf("the dialog was lost: %s", shared.Dump(after))
			}
			row.answer.DialogID = before.ID
			w.answer(row.answer)
			value, err := w.Tab("").Evaluate(w.ctx, "said", &host.EvaluateOptions{Locator: where})
			if err != nil || string(value.Value) != row.said {
				t.Errorf("the page got %s, %v; want %s", value.Value, err, row.said)
			}
			want(t, "connections", p.connections(), 2)
			w.start("globalThis.said = confirm('once more')")
			want(t, "via", w.dialog().Via, pause)
			w.answer(host.DialogResponse{Accept: true})
			want(t, "the page got", w.evaluate("said"), "true")
			want(t, "dialogs", len(w.quiet().RecentDialogs), 2)
		})
	}
}

// visit has a short-lived client come and go, which makes a jealous proxy drop all connections.
func (p *proxy) visit(w *world) {
	w.t.Helper()
	visitor := newRawClient(w.ctx, w.t, p.address)
	visitor.call("", "Target.getTargets", nil, nil)
	_ = visitor.conn.Close() // the proxy ends it in the same way
}

func TestTheAgentDecidesEveryDialogOfABackendThatAnswersAndDrops(t *testing.T) {
	w, p := newBridgedBroken(t, nil)
	w.open("/empty")
	newAdversary(t, w.address)
	p.envy()
	events := w.Events(1000)
	const n = 6
	for i := range n {
		if i%2 == 1 {
			p.visit(w)
			w.back(events)
		}
		key := strconv.Itoa(i)
		w.start("report('" + key + "', [String(alert(1)), confirm(2), prompt(3, 'd')])")
		for _, kind := range []string{"alert", "confirm", "prompt"} {
			d := w.dialog()
			want(t, "type", d.Type, host.DialogType(kind))
			want(t, "via", d.Via, pause)
			w.answer(host.DialogResponse{DialogID: d.ID, Accept: true, PromptText: ptr("ours")})
		}
		want(t, "the page", w.reported(key), `["undefined",true,"ours"]`)
	}
	want(t, "connections", p.connections(), 1+n/2*2)
}

// What is open just when the connection is dropped comes to the backend as a native dialog, and is its own; what
// follows is the agent's again.
func TestADialogThatIsOpenWhenSuchABackendDropsIsNotSaidToBeTheAgents(t *testing.T) {
	w, p := newBridgedBroken(t, nil)
	w.open("/empty")
	newAdversary(t, w.address)
	p.envy()
	w.start("globalThis.said = confirm('?')")
	id := w.dialog().ID
	p.visit(w)
	d := w.closed(1)[0]
	want(t, "the dialog", d.ID, id)
	want(t, "accepted", d.Accepted, false)
	want(t, "that the agent closed it", d.ClosedBy == "agent", false)
	want(t, "the page got", w.evaluate("said"), "false")
	w.start("globalThis.said = confirm('?')")
	want(t, "via", w.dialog().Via, pause)
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the page got", w.evaluate("said"), "true")
}
