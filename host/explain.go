package host

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// JournalFilter selects hook calls. Zero fields match every call.
type JournalFilter struct {
	Plugin string   `json:"plugin,omitempty"`
	Task   string   `json:"task,omitempty"`
	Hook   abi.Hook `json:"hook,omitempty"`
	// Subject is the id of the dialog or target that the call is about.
	Subject  string `json:"subject,omitempty"`
	Sequence uint64 `json:"sequence,omitempty"`
	// Max limits the result to the latest calls; 0 or less: all.
	Max int `json:"max,omitempty"`
	// Candidates includes the calls of candidates.
	Candidates bool `json:"candidates,omitempty"`
}

type (
	// JournalEntry is one hook call, with secrets masked.
	JournalEntry = journal.Shown
	// JournalExchange is one request that a module made to the host during a call.
	JournalExchange = journal.ShownExchange
)

// Journal lists recent hook calls, oldest first, as far as [JournalOptions] keep them in memory.
func (h *Host) Journal(f JournalFilter) []JournalEntry {
	return h.journal.Show(journal.Filter(f))
}

// HookCall is one module's part in a decision. Modules are asked in order until one decides.
type HookCall struct {
	Module string `json:"module"`
	// Generation says which of the plugin's modules it was; see [Host.PluginHistory].
	Generation int    `json:"generation"`
	SHA256     string `json:"sha256"`
	ConfigHash string `json:"config_hash"`
	// Sequence numbers the hook calls of this host. All modules of one decision share it.
	Sequence uint64 `json:"sequence"`
	// Outcome is decided, abstained or fault. An error that the module reported counts as a fault.
	Outcome  string        `json:"outcome"`
	Fault    string        `json:"fault,omitempty"`
	Duration time.Duration `json:"duration_ns"`
}

// DialogExplanation says how a dialog was decided and closed. Secrets are masked throughout, as in the journal: those
// in the configurations of the modules that were asked, and in the task's settings for them. Event and Verdict use the
// names of `hermes.proto`.
type DialogExplanation struct {
	Dialog Dialog `json:"dialog"`
	// Event is what the module saw; if several were asked, the last one. The task's own settings for the plugin are left
	// out, as they may be secret. Absent if no module has answered yet.
	Event json.RawMessage `json:"event,omitempty"`
	// Calls are the modules that were asked, in order. Empty if an armed answer was faster.
	Calls []HookCall `json:"calls"`
	// Verdict is what the module decided; absent if none did.
	Verdict json.RawMessage `json:"verdict,omitempty"`
	Timings DialogTimings   `json:"timings"`
}

// DialogTimings are durations since the dialog opened; nil: that has not happened.
type DialogTimings struct {
	Asked    *time.Duration `json:"asked_ns,omitempty"`
	Decided  *time.Duration `json:"decided_ns,omitempty"`
	Answered *time.Duration `json:"answered_ns,omitempty"`
	Closed   *time.Duration `json:"closed_ns,omitempty"`
}

// ExplainDialog says how a dialog was decided and closed: a pending one, or one of the last 20. The error is a
// [*DialogError] with ErrUnknownDialog. It never waits.
func (t *Task) ExplainDialog(id string) (_ DialogExplanation, err error) {
	defer fault.During("explain_dialog", &err)
	s := t.Snapshot()
	for _, list := range [][]Dialog{s.PendingDialogs, s.RecentDialogs} {
		for _, d := range list {
			if d.ID == id {
				return t.explainDialog(d)
			}
		}
	}
	return DialogExplanation{}, &DialogError{
		Code: ErrUnknownDialog, DialogID: id, Open: s.PendingDialogs,
		Text: fmt.Sprintf("no dialog %s is pending or among the last %d of the task", id, len(s.RecentDialogs)),
	}
}

func (t *Task) explainDialog(d Dialog) (DialogExplanation, error) {
	out := DialogExplanation{Dialog: d, Calls: []HookCall{}, Timings: DialogTimings{Closed: since(d.OpenedAt.Time, d.ClosedAt.Time)}}
	r := view.RecordOf(d)
	if r == nil {
		return out, nil
	}
	v, err := t.told(abi.HookDialog, wire(r.Event), wire(r.Verdict), r.Calls)
	if err != nil {
		return out, err
	}
	out.Dialog = maskedDialog(d, v.veil)
	out.Event, out.Verdict, out.Calls = v.event, v.verdict, v.calls
	out.Timings.Asked, out.Timings.Decided = since(d.OpenedAt.Time, r.AskedAt), since(d.OpenedAt.Time, r.DecidedAt)
	out.Timings.Answered = since(d.OpenedAt.Time, r.AnsweredAt)
	return out, nil
}

// FramesExplanation says how a tab's filtered frame tree came about.
type FramesExplanation struct {
	TargetID string `json:"target_id"`
	// Revision is that of the raw tree that the modules were asked about.
	Revision uint64 `json:"revision"`
	// DecidedBy names the module that decided. Truncated says that frames were left out because of a limit.
	DecidedBy Provenance `json:"decided_by"`
	Truncated bool       `json:"truncated"`
	// Event, Calls and Verdict are as in [DialogExplanation].
	Event   json.RawMessage `json:"event,omitempty"`
	Calls   []HookCall      `json:"calls"`
	Verdict json.RawMessage `json:"verdict,omitempty"`
	// Took is the time from the question to the decision.
	Took time.Duration `json:"took_ns"`
	// Frames are all frames of the raw tree, with parents before children.
	Frames []FrameExplanation `json:"frames"`
}

// FrameExplanation is one frame and whether the filtered tree has it.
type FrameExplanation struct {
	Frame
	Kept bool `json:"kept"`
	// Reason is the module's own reason, set for frames that were left out. A module gives one reason for the whole tree.
	Reason string `json:"reason,omitempty"`
}

// ExplainFrames says, for each tab that has a frame tree, how that tree came about. It never waits.
func (t *Task) ExplainFrames() (_ []FramesExplanation, err error) {
	defer fault.During("explain_frames", &err)
	list := []FramesExplanation{}
	for _, target := range t.Snapshot().Targets {
		if view.FramesRecordOf(target) == nil || target.FrameTree == nil {
			continue
		}
		e, err := t.explainFrames(target)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

func (t *Task) explainFrames(target Target) (FramesExplanation, error) {
	r, tree := view.FramesRecordOf(target), target.FrameTree
	v, err := t.told(abi.HookFrames, wire(r.Event), wire(r.Verdict), r.Calls)
	if err != nil {
		return FramesExplanation{}, err
	}
	out := FramesExplanation{
		TargetID: target.ID, Revision: tree.Revision, DecidedBy: maskedProvenance(tree.DecidedBy, v.veil), Truncated: tree.Truncated,
		Event: v.event, Verdict: v.verdict, Calls: v.calls, Took: r.DecidedAt.Sub(r.AskedAt), Frames: make([]FrameExplanation, len(r.Frames)),
	}
	kept := map[string]bool{tree.Top.FrameID: true}
	for _, f := range tree.Children {
		kept[f.FrameID] = true
	}
	for i, f := range r.Frames {
		e := FrameExplanation{Frame: maskedFrame(view.FrameOf(f), v.veil), Kept: kept[string(f.ID)]}
		if !e.Kept {
			e.Reason = out.DecidedBy.Rule
		}
		out.Frames[i] = e
	}
	return out, nil
}

// since returns nil if the second moment has not come.
func since(from, to time.Time) *time.Duration {
	if to.IsZero() {
		return nil
	}
	d := to.Sub(from)
	return &d
}

// told is what modules were asked and what they answered, with secrets masked.
type told struct {
	veil           journal.Veil
	event, verdict json.RawMessage // nil: there is none
	calls          []HookCall
}

// told masks a question that was asked for the task. Values that are marked as secret by their names, in the
// configurations of the modules asked or in the task's settings for them, are not shown anywhere. The error says that a
// message cannot be shown.
func (t *Task) told(hook abi.Hook, event, verdict []byte, calls []supervise.HookCall) (told, error) {
	entries := []journal.Entry{{Task: t.ID(), Hook: hook, Event: event, Verdict: verdict}}
	for _, c := range calls {
		entries = append(entries, journal.Entry{Config: c.Config}, journal.Entry{Config: c.TaskConfig.Append(nil)})
	}
	out := told{veil: t.host.journal.Masker.Veil(entries...)}
	out.calls = maskedCalls(calls, out.veil)
	if event != nil {
		text, err := out.veil.Event(hook, event)
		if err != nil {
			return out, err
		}
		out.event = json.RawMessage(text)
	}
	if verdict != nil {
		text, err := out.veil.Verdict(hook, verdict)
		if err != nil {
			return out, err
		}
		out.verdict = json.RawMessage(text)
	}
	return out, nil
}

// wire encodes a message. nil stays nil, and an empty message does not become nil.
func wire[T any, M interface {
	*T
	Append([]byte) []byte
}](m M) []byte {
	if m == nil {
		return nil
	}
	return m.Append([]byte{})
}

func maskedCalls(calls []supervise.HookCall, v journal.Veil) []HookCall {
	out := make([]HookCall, len(calls))
	for i, c := range calls {
		out[i] = HookCall{
			Module: c.Module, Generation: c.Generation, SHA256: c.SHA256, ConfigHash: c.ConfigHash, Sequence: c.Sequence,
			Outcome: c.Outcome, Fault: v.Text(c.Fault), Duration: c.Duration,
		}
	}
	return out
}

func maskedProvenance(p Provenance, v journal.Veil) Provenance {
	p.Rule, p.Fault = v.Text(p.Rule), v.Text(p.Fault)
	return p
}

func maskedFrame(f Frame, v journal.Veil) Frame {
	f.URL, f.Name = v.Text(f.URL), v.Text(f.Name)
	return f
}

// maskedDialog masks what the module answered and what the page wrote, which may echo it.
func maskedDialog(d Dialog, v journal.Veil) Dialog {
	d.Message, d.DefaultPrompt, d.URL = v.Text(d.Message), v.Text(d.DefaultPrompt), v.Text(d.URL)
	d.CloseReason, d.Text, d.DecidedBy = v.Text(d.CloseReason), v.Text(d.Text), maskedProvenance(d.DecidedBy, v)
	return d
}
