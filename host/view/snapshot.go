package view

import (
	"cmp"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Snapshot is what the host knew about a task at one moment. It is complete, immutable and shared: do not change it.
type Snapshot struct {
	TaskID string `json:"task_id"`
	// Revision grows with each change of the task.
	Revision uint64 `json:"revision"`
	// Disconnected says why the connection to the browser was lost, or why the task's browser is gone; empty while all is
	// well. Targets and pending dialogs are then as last known.
	Disconnected string `json:"disconnected,omitempty"`
	// Reconnecting says that the host is trying to reconnect; ReconnectAttempt counts the attempts. A task that is
	// disconnected and not reconnecting has ended.
	Reconnecting     bool `json:"reconnecting,omitempty"`
	ReconnectAttempt int  `json:"reconnect_attempt,omitempty"`
	// Targets are the tabs, popups and workers of the task in the order in which they appeared.
	Targets []Target `json:"targets"`
	// TabInUse is the id of the tab that calls act on if they name none; empty if there is no tab.
	TabInUse string `json:"tab_in_use,omitempty"`
	// PendingDialogs are the open dialogs, oldest first.
	PendingDialogs []Dialog `json:"pending_dialogs"`
	// RecentDialogs are the last 20 closed dialogs, oldest first.
	RecentDialogs []Dialog `json:"recent_dialogs"`
	// LastDialog is the highest number in the id of a dialog so far, one to sign in included.
	LastDialog int `json:"-"`
	// Console has the last 50 messages and the last 50 uncaught exceptions of all targets, oldest first. Untrusted text.
	Console []ConsoleMessage `json:"console_messages"`
	// ConsoleTotal is how many messages and exceptions there were since the task began.
	ConsoleTotal int `json:"console_total"`
	// Deprecations counts the uses of outdated features that the browser logged.
	Deprecations int `json:"console_deprecations,omitempty"`
	// Downloads are the last 100 files that the tabs of the task downloaded, oldest first.
	Downloads []Download `json:"downloads,omitempty"`
	// Armed is the answer that waits for the next dialog; nil if there is none.
	Armed *ArmedAnswer `json:"armed_dialog,omitempty"`
	// RecentNavigations are the last 20 denied navigations, oldest first.
	RecentNavigations []DeniedNavigation `json:"recent_navigations,omitempty"`
	// NavigationsUnseen counts the documents that loaded, while a plugin decided on navigations, without a request to ask
	// it about: about:, data:, blob: and srcdoc documents, and those from a service worker, from a prefetch or out of the
	// back/forward cache. Documents with an http or https URL that did not come from that cache were asked about once they
	// had loaded.
	NavigationsUnseen int `json:"navigations_unseen,omitempty"`
	// RequestVerdicts is what plugins decided on the requests of the task; nil if none was asked.
	RequestVerdicts *RequestVerdicts `json:"request_verdicts,omitempty"`
}

// Target is a tab, popup or worker.
type Target struct {
	ID        string `json:"target_id"`
	Type      string `json:"type"` // as in Target.TargetInfo: page, worker, service_worker, shared_worker
	Subtype   string `json:"subtype,omitempty"`
	URL       string `json:"url"`   // untrusted text
	Title     string `json:"title"` // untrusted text
	OpenerID  string `json:"opener_id,omitempty"`
	SessionID string `json:"session_id,omitempty"`
	Crashed   bool   `json:"crashed,omitempty"`
	// Ready says that the frames of a page are known.
	Ready bool `json:"ready"`
	// Healed counts how often the tab was freed of the dialog of a frame that is gone. A screencast of its session ends
	// with that.
	Healed uint64 `json:"-"`
	// SignIn is the dialog to sign in that the browser shows over the tab; nil: it shows none.
	SignIn *SignIn `json:"sign_in,omitempty"`
	// FrameTree is the tree that the frames hook kept; nil for workers and before the first verdict.
	FrameTree *FrameTree `json:"frame_tree,omitempty"`
	// RawFrameTree is the whole tree; nil for workers.
	RawFrameTree *FrameTree `json:"-"`

	framesRecord *supervise.FramesRecord
}

// FrameTree is the frame tree of a page: the top frame, and all others, parents before children.
type FrameTree struct {
	Top      Frame   `json:"top"`
	Children []Frame `json:"children"`
	// Truncated says that frames were left out because of a limit.
	Truncated bool `json:"truncated"`
	// Revision is the revision of the raw tree that this one was made from.
	Revision uint64 `json:"revision"`
	// DecidedBy says which module made it; zero for a raw tree.
	DecidedBy Provenance `json:"decided_by,omitzero"`

	source []supervise.Frame // the frames that it was made from
}

// Frame is one frame of a page.
type Frame struct {
	FrameID       string `json:"frame_id"`
	ParentFrameID string `json:"parent_frame_id,omitempty"`
	// SessionID is the session that the frame belongs to; empty while an OOPIF has none.
	SessionID string `json:"session_id,omitempty"`
	URL       string `json:"url"`    // untrusted text
	Origin    string `json:"origin"` // serialised as in the HTML specification; "null" for an opaque one
	Name      string `json:"name,omitempty"`
	// IsOOPIF says that the frame runs in a different process from its parent.
	IsOOPIF bool `json:"is_oopif"`
	// Filtered says why agents may not look into the frame; empty: they may.
	Filtered string `json:"filtered,omitempty"`
	// HasPendingDialog says that a dialog of this frame is open.
	HasPendingDialog bool `json:"has_pending_dialog,omitempty"`

	loader    cdproto.LoaderID
	undecided bool
}

// Dialog is a JavaScript dialog. Message, DefaultPrompt, URL and Text come from the page and are untrusted.
type Dialog struct {
	ID            string     `json:"id"`
	Type          DialogType `json:"type"`
	Message       string     `json:"message"`
	DefaultPrompt string     `json:"default_prompt"`
	URL           string     `json:"url"`
	Origin        string     `json:"origin,omitempty"`
	FrameID       string     `json:"frame_id"`
	FrameKind     FrameKind  `json:"frame_kind"`
	SessionID     string     `json:"session_id"`
	TargetID      string     `json:"target_id"`
	Via           Via        `json:"via"`
	// Suppressed says why a browser would not have shown a dialog of the bridge, which was therefore dismissed at once.
	Suppressed Suppressed `json:"suppressed,omitempty"`
	// Popup says that the tab was opened by another page.
	Popup bool `json:"popup,omitempty"`
	// OpenedAt is in Unix seconds with a fraction, as seen by the host.
	OpenedAt UnixTime `json:"opened_at"`
	// Deadline is when the watchdog dismisses the dialog.
	Deadline UnixTime `json:"deadline"`
	// Answering says that an answer is under way.
	Answering bool `json:"answering,omitempty"`
	// ClosedAt, ClosedBy, CloseReason, Accepted and Text are set once the dialog is closed.
	ClosedAt    UnixTime `json:"closed_at,omitzero"`
	ClosedBy    ClosedBy `json:"closed_by,omitempty"`
	CloseReason string   `json:"close_reason,omitempty"`
	Accepted    bool     `json:"accepted,omitempty"`
	// Text is what an accepted prompt returned to the page.
	Text string `json:"text,omitempty"`
	// Action is what the policy decided; empty while it is being asked.
	Action DialogAction `json:"action,omitempty"`
	// DecidedBy says which module decided.
	DecidedBy Provenance `json:"decided_by,omitzero"`
	// ArmedUnused says why the answer that was armed for the dialog was not used: the verdict of the policy is final, or
	// the policy failed and Options.DialogFailClosed is set.
	ArmedUnused string `json:"armed_unused,omitempty"`

	record *supervise.DialogRecord
}

// Provenance says which module made a decision, and on which call.
type Provenance struct {
	Module string `json:"module,omitempty"`
	// Generation is the generation of the plugin; see Host.PluginHistory.
	Generation int    `json:"generation,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	ConfigHash string `json:"config_hash,omitempty"`
	// Sequence is the number of the hook call in this host.
	Sequence uint64 `json:"sequence,omitempty"`
	// Rule is the module's own name for the rule that decided.
	Rule string `json:"rule,omitempty"`
	// Duration is how long the call took.
	Duration time.Duration `json:"duration_ns,omitempty"`
	// Fault says why the module did not decide, so that the host's fallback did.
	Fault string `json:"fault,omitempty"`
}

// ConsoleMessage is a console message, an uncaught exception or what the browser logged; untrusted text.
type ConsoleMessage struct {
	Type     string   `json:"type"`           // log, info, warning, error, debug, ... or exception
	From     string   `json:"from,omitempty"` // what in the browser logged it: network, security, ...; empty: a script
	Text     string   `json:"text"`
	Source   string   `json:"source,omitempty"` // URL:line:column, counted from 1
	At       UnixTime `json:"at"`
	TargetID string   `json:"target_id"`
}

// Gone reports whether the task has lost its browser for good.
func (s *Snapshot) Gone() bool { return s.Disconnected != "" && !s.Reconnecting }

// Page returns the tab in use, which calls act on if they name none; nil if there is none. It is the tab that
// Task.OpenTab opened or Task.FocusTab focused last; at first, the first tab of the task. When it closes, its opener
// takes its place, or else the tab that was in use before.
func (s *Snapshot) Page() *Target { return s.Target(s.TabInUse) }

// Target returns the target with an id, or nil.
func (s *Snapshot) Target(id string) *Target {
	if s == nil {
		return nil
	}
	for i := range s.Targets {
		if s.Targets[i].ID == id {
			return &s.Targets[i]
		}
	}
	return nil
}

// Document returns the loader id of the document in a tab; empty if it is not known.
func (s *Snapshot) Document(tab string) cdproto.LoaderID {
	if t := s.Target(tab); t != nil && t.RawFrameTree != nil {
		return t.RawFrameTree.Top.loader
	}
	return ""
}

// Settled reports whether every tree is a verdict on at least the given revisions.
func (s *Snapshot) Settled(revisions map[string]uint64) bool {
	for _, t := range s.Targets {
		if want, ok := revisions[t.ID]; ok && (t.FrameTree == nil || t.FrameTree.Revision < want) {
			return false
		}
	}
	return true
}

// NewSnapshot makes a snapshot of a view. It shares unchanged trees with the last snapshot, which may be nil.
func NewSnapshot(v supervise.View, last *Snapshot) *Snapshot {
	s := &Snapshot{
		TaskID: v.Task, Revision: v.Revision, Disconnected: cmp.Or(v.Lost, v.Down), Reconnecting: v.Lost == "" && v.Down != "",
		ReconnectAttempt: v.Attempt, ConsoleTotal: v.ConsoleTotal, Deprecations: v.Deprecations, TabInUse: string(v.InUse),
		Targets: make([]Target, len(v.Targets)), PendingDialogs: DialogsOf(v.Pending), RecentDialogs: DialogsOf(v.Recent), LastDialog: v.LastDialog,
		Console: make([]ConsoleMessage, len(v.Console)), Armed: ArmedOf(v.Armed),
		Downloads: downloadsOf(v.Downloads), RecentNavigations: denialsOf(v.Denials), NavigationsUnseen: v.Unseen, RequestVerdicts: requestVerdictsOf(v.Requests),
	}
	for i, t := range v.Targets {
		s.Targets[i] = TargetOf(t, last.Target(string(t.ID)))
	}
	for i, e := range v.Console {
		s.Console[i] = consoleOf(e)
	}
	return s
}

// TargetOf returns a target of the state machine as callers see it. It shares unchanged trees with last, which may be
// nil.
func TargetOf(t supervise.Target, last *Target) Target {
	out := Target{
		ID: string(t.ID), Type: t.Type, Subtype: t.Subtype, URL: t.URL, Title: t.Title, OpenerID: string(t.Opener),
		SessionID: string(t.Session), SignIn: signInOf(t.SignIn, t.ID), Crashed: t.Crashed, Ready: t.Ready, Healed: t.Healed, framesRecord: t.FilteredRecord,
	}
	if last == nil {
		last = &Target{}
	}
	out.RawFrameTree = treeOf(t.Frames, FrameTree{Revision: t.Revision}, last.RawFrameTree)
	out.FrameTree = treeOf(t.Filtered, FrameTree{
		Truncated: t.Truncated, Revision: t.FilteredRevision, DecidedBy: provenanceOf(t.FilteredBy),
	}, last.FrameTree)
	return out
}

// treeOf makes a tree of frames, or returns the last one if it was made of the same frames. It is nil if there are
// none.
func treeOf(frames []supervise.Frame, tree FrameTree, last *FrameTree) *FrameTree {
	if len(frames) == 0 {
		return nil
	}
	if last != nil && last.Revision == tree.Revision && last.Truncated == tree.Truncated && last.DecidedBy == tree.DecidedBy && last.isOf(frames) {
		return last
	}
	tree.source = frames
	tree.Top, tree.Children = FrameOf(frames[0]), make([]Frame, len(frames)-1)
	for i, f := range frames[1:] {
		tree.Children[i] = FrameOf(f)
	}
	return &tree
}

// isOf reports whether the tree was made of this slice. The state machine shares the slice among views and never
// changes it.
func (t *FrameTree) isOf(frames []supervise.Frame) bool {
	return len(t.source) == len(frames) && len(frames) > 0 && &t.source[0] == &frames[0]
}

// FrameOf returns a frame of the state machine as callers see it.
func FrameOf(f supervise.Frame) Frame {
	return Frame{
		FrameID: string(f.ID), ParentFrameID: string(f.Parent), SessionID: string(f.Session), URL: f.URL, Origin: f.Origin, Name: f.Name,
		IsOOPIF: f.Kind == abi.FrameKindOOPIF, HasPendingDialog: f.HasDialog, loader: f.Loader,
		Filtered: f.Filtered, undecided: f.Undecided,
	}
}

// DialogsOf is [DialogOf] for a list.
func DialogsOf(list []supervise.Dialog) []Dialog {
	out := make([]Dialog, len(list))
	for i, d := range list {
		out[i] = DialogOf(d)
	}
	return out
}

// DialogOf returns a dialog of the state machine as callers see it.
func DialogOf(d supervise.Dialog) Dialog {
	out := Dialog{
		ID: d.ID, Type: DialogType(d.Type.String()), Message: d.Message, DefaultPrompt: d.DefaultPrompt, URL: d.URL, Origin: d.Origin,
		FrameID: string(d.Frame), FrameKind: FrameKind(d.FrameKind.String()), SessionID: string(d.Session), TargetID: string(d.Target), Popup: d.Popup,
		OpenedAt: UnixTime{d.OpenedAt}, Deadline: UnixTime{d.Deadline}, Answering: d.Phase == supervise.PhaseAnswering,
		DecidedBy: provenanceOf(d.Decision), Via: Via(d.Via), ArmedUnused: d.ArmedUnused,
	}
	if d.Suppressed != abi.BridgeSuppressedUnspecified {
		out.Suppressed = Suppressed(d.Suppressed.String())
	}
	if d.Action != abi.DialogActionUnspecified {
		out.Action = DialogAction(d.Action.String())
	}
	if d.Phase == supervise.PhaseClosed {
		out.ClosedAt, out.ClosedBy, out.CloseReason = UnixTime{d.ClosedAt}, ClosedBy(d.ClosedBy.String()), d.CloseReason
		out.Accepted, out.Text = d.Accepted, d.Text
	}
	out.record = d.Record
	return out
}

func provenanceOf(p supervise.Provenance) Provenance { return Provenance(p) }

func consoleOf(e supervise.ConsoleEntry) ConsoleMessage {
	return ConsoleMessage{Type: e.Type, From: e.From, Text: e.Text, Source: e.Source, At: UnixTime{e.At}, TargetID: string(e.Target)}
}

// Tab returns the tab with an id, or nil.
func (s *Snapshot) Tab(id string) *Target {
	if t := s.Target(id); t != nil && t.Type == "page" && t.Subtype == "" {
		return t
	}
	return nil
}

// Undecided reports whether the frame filter has not decided on the frame's document yet.
func (f Frame) Undecided() bool { return f.undecided }

// Document returns the loader id of the document in the frame; each document has a different one.
func (f Frame) Document() cdproto.LoaderID { return f.loader }

// RecordOf returns the record of how a dialog was decided; nil if there is none.
func RecordOf(d Dialog) *supervise.DialogRecord { return d.record }

// FramesRecordOf returns the record of how the frame tree of a target was decided; nil if there is none.
func FramesRecordOf(t Target) *supervise.FramesRecord { return t.framesRecord }
