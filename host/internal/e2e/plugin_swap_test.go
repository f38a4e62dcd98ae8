package e2e

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A page opens one dialog after the other while the policy changes from accept to dismiss and back: each dialog gets
// one answer, that of the configuration which its own provenance names.
func TestSwapsWhileDialogsKeepOpening(t *testing.T) {
	const swaps = 20
	policy := func(n int) string { return []string{"auto_accept", "auto_dismiss"}[n%2] }
	change := func(n int) host.PluginChange {
		return host.PluginChange{Config: map[string]any{"policy": policy(n)}, Trigger: "command", Reason: fmt.Sprint("swap ", n)}
	}
	w := newPoliticalWorld(t, host.Options{Plugins: map[string]host.PluginOptions{"dialog-policy": {Config: change(0).Config}}}, nil, host.TaskOptions{})
	events := w.Events(10000)
	w.open("/empty")
	w.start("globalThis.answers = []; globalThis.timer = setInterval(() => answers.push(confirm(answers.length)), 1)")
	accepts := map[int]bool{1: true} // by generation
	for n := 1; n <= swaps; n++ {
		g, err := w.host.SwapPlugin(w.ctx, "dialog-policy", change(n))
		if err != nil {
			t.Fatal(err)
		}
		accepts[g.Number] = policy(n) == "auto_accept"
		// The next swap waits until this generation decided on a dialog.
		w.await("a dialog of the new generation", func(s *host.Snapshot) bool {
			recent := s.RecentDialogs
			return len(recent) > 0 && recent[len(recent)-1].DecidedBy.Generation == g.Number
		})
	}
	w.evaluate("clearInterval(timer)")
	w.quiet()
	answers := w.evaluate("answers")
	events.Close()

	var told []bool
	for e := range events.C {
		if e.Kind != host.EventDialogClosed {
			continue
		}
		d := e.Dialog
		told = append(told, d.Accepted)
		want(t, "closed by", d.ClosedBy, "auto_policy")
		want(t, "fault", d.DecidedBy.Fault, "")
		if accepted, known := accepts[d.DecidedBy.Generation]; !known || d.Accepted != accepted {
			t.Errorf("dialog %s was accepted: %v, by generation %d", d.Message, d.Accepted, d.DecidedBy.Generation)
		}
		want(t, "message", d.Message, fmt.Sprint(len(told)-1))
	}
	want(t, "the answers that the page got", answers, shared.Dump(told))
	history, err := w.host.PluginHistory("dialog-policy")
	if err != nil || len(history) != swaps+1 || history[0].State != "serving" || history[0].Reason != "swap 20" {
		t.Errorf("the history: %s, %v", shared.Dump(history), err)
	}
	if _, err := w.host.SwapPlugin(w.ctx, "no-such-plugin", change(0)); !errors.Is(err, host.ErrUnknownPlugin) {
		t.Errorf("a swap of a plugin that is not there: %v", err)
	}
	explained, err := w.ExplainDialog(w.Snapshot().RecentDialogs[0].ID)
	if err != nil || explained.Calls[0].Generation != explained.Dialog.DecidedBy.Generation {
		t.Errorf("the explanation: %s, %v", shared.Dump(explained), err)
	}
}
