package supervise_test

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// pluginActs gives a verdict: to any ask in flight, so that verdicts overtake each other, or once more to an old one.
func (w *world) pluginActs() {
	if w.chance(6) {
		if token, ok := pick(w, w.used); ok {
			before := w.state.Counters().VerdictsDropped
			if w.choose(2) == 1 {
				w.apply(supervise.DialogVerdict{Token: token, Verdict: abi.DialogVerdict{Action: abi.DialogActionAccept}})
			} else {
				w.apply(supervise.FramesVerdict{Token: token, Verdict: abi.FramesVerdict{Kept: []uint32{0}}})
			}
			if w.state.Counters().VerdictsDropped != before+1 {
				w.fail("a verdict that came a second time was not dropped and counted")
			}
		}
		return
	}
	if len(w.bridgeAsks) > 0 && w.choose(2) == 1 {
		w.bridgeVerdict()
	} else if len(w.dialogAsks) > 0 && w.choose(2) == 1 {
		w.answerDialogAsk(w.choose(len(w.dialogAsks)))
	} else if len(w.framesAsks) > 0 {
		w.answerFramesAsk(w.choose(len(w.framesAsks)))
	}
}

func (w *world) answerDialogAsk(i int) {
	ask := w.dialogAsks[i]
	w.dialogAsks = append(w.dialogAsks[:i:i], w.dialogAsks[i+1:]...)
	w.used = append(w.used, ask.Token)
	v := supervise.DialogVerdict{Token: ask.Token}
	switch w.choose(7) {
	case 0:
		v.Fault = "it trapped"
	case 1:
		v.Abstained = true
	case 2:
		v.Verdict.Action = abi.DialogAction(9)
	case 3:
		v.Verdict.Action, v.Verdict.TimeoutMs = abi.DialogActionHold, []int64{0, -5, 1, 20_000, 1 << 62}[w.choose(5)]
	case 4:
		v.Verdict.Action = abi.DialogActionDismiss
	default:
		v.Verdict.Action, v.Verdict.HasText, v.Verdict.Text = abi.DialogActionAccept, w.choose(2) == 1, "the plugin's text"
	}
	dialog, wasOpen := w.pendingDialog(ask.Task, ask.Event.DialogID)
	before := w.state.Counters()
	w.apply(v)
	if after := w.state.Counters(); !wasOpen && after.VerdictsDropped != before.VerdictsDropped+1 {
		w.fail("the verdict on %s, which is closed or being answered, was not dropped and counted: %+v", ask.Event.DialogID, dialog)
	}
}

func (w *world) pendingDialog(task, id string) (supervise.Dialog, bool) {
	v, _ := w.state.View(task)
	for _, d := range v.Pending {
		if d.ID == id {
			return d, d.Phase == supervise.PhasePending
		}
	}
	return supervise.Dialog{}, false
}

func (w *world) answerFramesAsk(i int) {
	ask := w.framesAsks[i]
	w.framesAsks = append(w.framesAsks[:i:i], w.framesAsks[i+1:]...)
	w.used = append(w.used, ask.Token)
	v := supervise.FramesVerdict{Token: ask.Token, Provenance: supervise.Provenance{Module: "filter"}}
	n := uint32(len(ask.Event.Frames))
	switch w.choose(6) {
	case 0:
		v.Fault = "it trapped"
	case 1:
		v.Abstained = true
	case 2:
		v.Verdict.Kept = []uint32{n}
	case 3:
		v.Verdict.Kept = []uint32{0, 0}
	default:
		for k := range n {
			if w.choose(2) == 1 {
				v.Verdict.Kept = append(v.Verdict.Kept, k)
			}
		}
	}
	w.apply(v)
}
