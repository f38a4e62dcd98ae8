package view

import (
	"cmp"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Snapshot is what a task's supervisor knew at one moment. It is whole, immutable and shared: do not change it.
type Snapshot struct {
	TaskID string `json:"task_id"`
	// Revision grows with each change of the task.
	Revision uint64 `json:"revision"`
	// Disconnected says why the connection to the browser was lost, or why the task's browser is gone; empty while all is
	// well. Targets and pending dialogs are then what was known last.
	Disconnected string `json:"disconnected,omitempty"`
	// Reconnecting says that the host tries to have the connection back, for the ReconnectAttempt-th time. Without it a
	// disconnected task has ended.
	Reconnecting     bool `json:"reconnecting,omitempty"`
	ReconnectAttempt int  `json:"reconnect_attempt,omitempty"`
	// Targets are the tabs, popups and workers of the task in the order in which they appeared.
	Targets []Target `json:"targets"`
	// TabInUse is the id of the tab that is meant where none is named; empty where there is no tab.
	TabInUse string `json:"tab_in_use,omitempty"`
	// PendingDialogs are open, oldest first.
	PendingDialogs []Dialog `json:"pending_dialogs"`
	// RecentDialogs are the last 20 that closed, oldest first.
	RecentDialogs []Dialog `json:"recent_dialogs"`
	// Console has the last 50 messages and the last 50 uncaught exceptions of all targets, oldest first. Untrusted text.
	Console []ConsoleMessage `json:"console_messages"`
	// ConsoleTotal is how many there were since the task began.
	ConsoleTotal int `json:"console_total"`
	// Armed is the answer that waits for the next dialog; nil where none does.
	Armed *ArmedAnswer `json:"armed_dialog,omitempty"`
	// RecentNavigations are the last 20 that were denied, oldest first.
	RecentNavigations []DeniedNavigation `json:"recent_navigations,omitempty"`
	// NavigationsUnseen is how many documents came, while a plugin decided on navigations, without a request that it could
	// be asked about: about:, data:, blob: and srcdoc, from a service worker, fetched ahead, or out of the back/forward
	// cache. Those with an http or https address that were not in that cache were asked about when they were there.
	NavigationsUnseen int `json:"navigations_unseen,omitempty"`
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
	// FrameTree is what the frames hook kept; nil for workers and until the first verdict.
	FrameTree *FrameTree `json:"frame_tree,omitempty"`
	// RawFrameTree is the whole tree; nil for workers.
	RawFrameTree *FrameTree `json:"-"`

	framesRecord *supervise.FramesRecord
}

// FrameTree is the frame tree of a page: the top frame, and all others with their parents before them.
type FrameTree struct {
	Top      Frame   `json:"top"`
	Children []Frame `json:"children"`
	// Truncated says that frames were left out because of a cap.
	Truncated bool `json:"truncated"`
	// Revision is that of the raw tree which this one was made from.
	Revision uint64 `json:"revision"`
	// DecidedBy says which module made it; zero for a raw tree.
	DecidedBy Provenance `json:"decided_by,omitzero"`

	source []supervise.Frame // it was made of
}

// Frame is one frame of a page.
type Frame struct {
	FrameID       string `json:"frame_id"`
	ParentFrameID string `json:"parent_frame_id,omitempty"`
	// SessionID is the session that shows the frame; empty while an OOPIF has none.
	SessionID string `json:"session_id,omitempty"`
	URL       string `json:"url"`    // untrusted text
	Origin    string `json:"origin"` // serialised as in the HTML specification; "null" for an opaque one
	Name      string `json:"name,omitempty"`
	// IsOOPIF says that the frame runs in another process than its parent.
	IsOOPIF bool `json:"is_oopif"`
	// HasPendingDialog says that a dialog of this frame is open.
	HasPendingDialog bool `json:"has_pending_dialog,omitempty"`

	loader cdproto.LoaderID
}

// Dialog is a JavaScript dialog. Message, DefaultPrompt, URL and Text are the page's, untrusted.
type Dialog struct {
	ID            string `json:"id"`
	Type          string `json:"type"` // alert, confirm, prompt or beforeunload
	Message       string `json:"message"`
	DefaultPrompt string `json:"default_prompt"`
	URL           string `json:"url"`
	Origin        string `json:"origin,omitempty"`
	FrameID       string `json:"frame_id"`
	FrameKind     string `json:"frame_kind"` // top, local or oopif
	SessionID     string `json:"session_id"`
	TargetID      string `json:"target_id"`
	// Via is how the dialog came: native, or pause or request through the dialog bridge.
	Via string `json:"via"`
	// Suppressed says why a browser would not have shown a dialog of the bridge, so that it was dismissed at once:
	// beforeunload or sandbox.
	Suppressed string `json:"suppressed,omitempty"`
	// Popup says that the tab was opened by another page.
	Popup bool `json:"popup,omitempty"`
	// OpenedAt is in Unix seconds with a fraction, as seen by the host.
	OpenedAt UnixTime `json:"opened_at"`
	// Deadline is when the watchdog dismisses the dialog.
	Deadline UnixTime `json:"deadline"`
	// Answering says that an answer is under way.
	Answering bool `json:"answering,omitempty"`
	// ClosedAt, ClosedBy, CloseReason, Accepted and Text are of a closed dialog.
	ClosedAt UnixTime `json:"closed_at,omitzero"`
	// ClosedBy is agent, auto_policy, watchdog, remote, plugin_fault or disconnected.
	ClosedBy    string `json:"closed_by,omitempty"`
	CloseReason string `json:"close_reason,omitempty"`
	Accepted    bool   `json:"accepted,omitempty"`
	// Text is what an accepted prompt returned to the page.
	Text string `json:"text,omitempty"`
	// Action is what the policy said: hold, accept or dismiss; empty while it is being asked.
	Action string `json:"action,omitempty"`
	// DecidedBy says which module decided.
	DecidedBy Provenance `json:"decided_by,omitzero"`
	// ArmedUnused is why the answer that was armed for the dialog was not used: the policy's verdict is final, or the policy
	// failed and Options.DialogFailClosed holds.
	ArmedUnused string `json:"armed_unused,omitempty"`

	record *supervise.DialogRecord
}

// Provenance says which module made a decision, and on which call.
type Provenance struct {
	Module string `json:"module,omitempty"`
	// Generation is which module of the plugin it was; see Host.PluginHistory.
	Generation int    `json:"generation,omitempty"`
	SHA256     string `json:"sha256,omitempty"`
	ConfigHash string `json:"config_hash,omitempty"`
	// Sequence is the number of the hook call in this host.
	Sequence uint64 `json:"sequence,omitempty"`
	// Rule is the module's own word for what decided.
	Rule string `json:"rule,omitempty"`
	// Duration is how long the call took.
	Duration time.Duration `json:"duration_ns,omitempty"`
	// Fault is why the module did not decide and the host's fallback did.
	Fault string `json:"fault,omitempty"`
}

// ConsoleMessage is a console message or an uncaught exception; untrusted text.
type ConsoleMessage struct {
	Type     string   `json:"type"` // log, info, warning, error, debug, ... or exception
	Text     string   `json:"text"`
	Source   string   `json:"source,omitempty"` // address:line:column, counted from 1
	At       UnixTime `json:"at"`
	TargetID string   `json:"target_id"`
}

// Gone tells whether the task has no browser any more.
func (s *Snapshot) Gone() bool { return s.Disconnected != "" && !s.Reconnecting }

// Page returns the tab in use: the one that was opened by Task.OpenTab or focused by Task.FocusTab last, at first the
// task's first. When that one closes, its opener follows, else the one that was in use before. It is what calls act on that
// name no tab; nil where there is none.
func (s *Snapshot) Page() *Target { return s.Target(s.TabInUse) }

// Target returns the target of an id, or nil.
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

// Document names that of a tab: its loader id. Empty where it is not known.
func (s *Snapshot) Document(tab string) cdproto.LoaderID {
	if t := s.Target(tab); t != nil && t.RawFrameTree != nil {
		return t.RawFrameTree.Top.loader
	}
	return ""
}

// Settled says that every page's tree is a verdict on at least the given revisions.
func (s *Snapshot) Settled(revisions map[string]uint64) bool {
	for _, t := range s.Targets {
		if want, ok := revisions[t.ID]; ok && (t.FrameTree == nil || t.FrameTree.Revision < want) {
			return false
		}
	}
	return true
}

// NewSnapshot makes a snapshot of a view. Trees that are as in the last one are shared with it: last may be nil.
func NewSnapshot(v supervise.View, last *Snapshot) *Snapshot {
	s := &Snapshot{
		TaskID: v.Task, Revision: v.Revision, Disconnected: cmp.Or(v.Lost, v.Down), Reconnecting: v.Lost == "" && v.Down != "",
		ReconnectAttempt: v.Attempt, ConsoleTotal: v.ConsoleTotal, TabInUse: string(v.InUse),
		Targets: make([]Target, len(v.Targets)), PendingDialogs: DialogsOf(v.Pending), RecentDialogs: DialogsOf(v.Recent),
		Console: make([]ConsoleMessage, len(v.Console)), Armed: ArmedOf(v.Armed),
		RecentNavigations: denialsOf(v.Denials), NavigationsUnseen: v.Unseen,
	}
	for i, t := range v.Targets {
		s.Targets[i] = TargetOf(t, last.Target(string(t.ID)))
	}
	for i, e := range v.Console {
		s.Console[i] = consoleOf(e)
	}
	return s
}

// TargetOf shares the trees that last, which may be nil, has already.
func TargetOf(t supervise.Target, last *Target) Target {
	out := Target{
		ID: string(t.ID), Type: t.Type, Subtype: t.Subtype, URL: t.URL, Title: t.Title, OpenerID: string(t.Opener),
		SessionID: string(t.Session), Crashed: t.Crashed, Ready: t.Ready, framesRecord: t.FilteredRecord,
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

// treeOf makes the tree of some frames, or takes the last one where that is of the same frames. Nil: there are none.
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

// isOf tells whether the tree was made of this slice, which the state machine shares among views and never changes.
func (t *FrameTree) isOf(frames []supervise.Frame) bool {
	return len(t.source) == len(frames) && len(frames) > 0 && &t.source[0] == &frames[0]
}

func FrameOf(f supervise.Frame) Frame {
	return Frame{
		FrameID: string(f.ID), ParentFrameID: string(f.Parent), SessionID: string(f.Session), URL: f.URL, Origin: f.Origin, Name: f.Name,
		IsOOPIF: f.Kind == abi.FrameKindOOPIF, HasPendingDialog: f.HasDialog, loader: f.Loader,
	}
}

func DialogsOf(list []supervise.Dialog) []Dialog {
	out := make([]Dialog, len(list))
	for i, d := range list {
		out[i] = DialogOf(d)
	}
	return out
}

func DialogOf(d supervise.Dialog) Dialog {
	out := Dialog{
		ID: d.ID, Type: d.Type.String(), Message: d.Message, DefaultPrompt: d.DefaultPrompt, URL: d.URL, Origin: d.Origin,
		FrameID: string(d.Frame), FrameKind: d.FrameKind.String(), SessionID: string(d.Session), TargetID: string(d.Target), Popup: d.Popup,
		OpenedAt: UnixTime{d.OpenedAt}, Deadline: UnixTime{d.Deadline}, Answering: d.Phase == supervise.PhaseAnswering,
		DecidedBy: provenanceOf(d.Decision), Via: d.Via, ArmedUnused: d.ArmedUnused,
	}
	if d.Suppressed != abi.BridgeSuppressedUnspecified {
		out.Suppressed = d.Suppressed.String()
	}
	if d.Action != abi.DialogActionUnspecified {
		out.Action = d.Action.String()
	}
	if d.Phase == supervise.PhaseClosed {
		out.ClosedAt, out.ClosedBy, out.CloseReason = UnixTime{d.ClosedAt}, d.ClosedBy.String(), d.CloseReason
		out.Accepted, out.Text = d.Accepted, d.Text
	}
	out.record = d.Record
	return out
}

func provenanceOf(p supervise.Provenance) Provenance { return Provenance(p) }

func consoleOf(e supervise.ConsoleEntry) ConsoleMessage {
	return ConsoleMessage{Type: e.Type, Text: e.Text, Source: e.Source, At: UnixTime{e.At}, TargetID: string(e.Target)}
}

// Tab returns the page of an id, or nil.
func (s *Snapshot) Tab(id string) *Target {
	if t := s.Target(id); t != nil && t.Type == "page" && t.Subtype == "" {
		return t
	}
	return nil
}

// Document is the id of the loader of the document that the frame shows: another one for each document.
func (f Frame) Document() cdproto.LoaderID { return f.loader }

// RecordOf is what is known of how a dialog was decided; nil where nothing is.
func RecordOf(d Dialog) *supervise.DialogRecord { return d.record }

// FramesRecordOf is what is known of how the frame tree of a target was decided; nil where nothing is.
func FramesRecordOf(t Target) *supervise.FramesRecord { return t.framesRecord }

// WithRecord gives a dialog what is known of how it was decided.
func WithRecord(d Dialog, r *supervise.DialogRecord) Dialog {
	d.record = r
	return d
}
