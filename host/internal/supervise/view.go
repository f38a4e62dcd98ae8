package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Provenance says which module made a decision, on which of the host's hook calls.
type Provenance struct {
	Module     string
	SHA256     string
	ConfigHash string
	Sequence   uint64
	Rule       string
	Duration   time.Duration
	Fault      string // why the fallback decided instead
}

// Phase is where a dialog is in its life.
type Phase int

// A dialog is in exactly one of these.
const (
	PhasePending Phase = iota
	PhaseAnswering
	PhaseClosed
)

// Dialog is a copy of what is known of a dialog.
type Dialog struct {
	ID            string
	Type          abi.DialogType
	Message       string
	DefaultPrompt string
	URL           string
	Origin        string
	Frame         cdp.FrameID
	FrameKind     abi.FrameKind
	Session       target.SessionID
	Target        target.ID
	Popup         bool
	OpenedAt      time.Time
	Deadline      time.Time
	Phase         Phase
	ClosedAt      time.Time
	ClosedBy      abi.ClosedBy
	CloseReason   string // more about a ClosedByRemote: what ended it
	Accepted      bool
	Text          string // what an accepted prompt returned
	Decision      Provenance
	Action        abi.DialogAction // what the plugin, or its fallback, said
}

// Frame is a copy of one node of a frame tree.
type Frame struct {
	ID         cdp.FrameID
	Parent     cdp.FrameID
	URL        string
	Origin     string
	Name       string
	Kind       abi.FrameKind
	Depth      int
	OOPIFDepth int
	Session    target.SessionID // empty while an OOPIF has none
	HasDialog  bool
}

// Target is a copy of what is known of a target.
type Target struct {
	ID      target.ID
	Type    string
	Subtype string
	URL     string
	Title   string
	Opener  target.ID
	Popup   bool
	Crashed bool
	Ready   bool // its frame tree is seeded
	Session target.SessionID

	Revision         uint64  // of Frames
	Frames           []Frame // the raw tree, parents before children; only of tabs
	Filtered         []Frame // what the frames hook kept
	Truncated        bool
	FilteredRevision uint64 // the Revision that Filtered was made of
	FilteredBy       Provenance
}

// ConsoleEntry is one console message or uncaught exception.
type ConsoleEntry struct {
	Type   string // log, warning, error, ..., exception
	Text   string
	Source string // address:line:column where known
	At     time.Time
	Target target.ID
}

// View is a whole and immutable picture of a task.
type View struct {
	Task         string
	Revision     uint64 // grows with each change of the task
	Targets      []Target
	Pending      []Dialog // pending and being answered, oldest first
	Recent       []Dialog // closed, oldest first
	Console      []ConsoleEntry
	ConsoleTotal int    // how many there were
	Lost         string // why the connection ended; empty while it lives
}

// View copies what is known of a task; ok is false where there is no such task.
func (s *State) View(id string) (View, bool) {
	t := s.tasks[id]
	if t == nil {
		return View{}, false
	}
	v := View{Task: id, Revision: t.revision, Recent: t.recent.list(), Console: t.console.list(), ConsoleTotal: t.console.total, Lost: s.lost}
	for _, tb := range t.tabs {
		v.Targets = append(v.Targets, s.targetView(tb))
	}
	// A service worker is announced by each page that it serves, in a session of its own each time.
	seen := map[target.ID]bool{}
	for _, worker := range t.workers {
		if !seen[worker.info.TargetID] {
			seen[worker.info.TargetID] = true
			v.Targets = append(v.Targets, workerView(worker))
		}
	}
	for _, d := range t.open {
		v.Pending = append(v.Pending, d.Dialog)
	}
	return v, true
}

func (s *State) targetView(tb *tab) Target {
	return Target{
		ID: tb.id, Type: tb.info.Type, Subtype: tb.info.Subtype, URL: tb.info.URL, Title: tb.info.Title,
		Opener: tb.info.OpenerID, Popup: tb.info.OpenerID != "", Crashed: tb.crashed, Ready: tb.ready,
		Session: tb.session.id, Revision: tb.revision,
		Frames: tb.rawFrames(), Filtered: tb.filtered, Truncated: tb.truncated, FilteredRevision: tb.filteredRevision, FilteredBy: tb.filteredBy,
	}
}

// Lost says why the connection ended; empty while it lives.
func (s *State) Lost() string { return s.lost }

// Crashed tells whether a page's renderer crashed and nothing has revived it yet.
func (s *State) Crashed(page target.ID) bool {
	tb := s.tabOf(page)
	return tb != nil && tb.crashed
}

// Page finds a page of a task and its session; an empty id means the first that is not a prerendered document.
func (s *State) Page(task string, id target.ID) (target.ID, target.SessionID, bool) {
	t := s.tasks[task]
	if t == nil {
		return "", "", false
	}
	for _, tb := range t.tabs {
		if tb.id == id || id == "" && tb.info.Subtype == "" {
			return tb.id, tb.session.id, true
		}
	}
	return "", "", false
}

// Document is the loader of the top document of a page; empty where there is no such page.
func (s *State) Document(task string, id target.ID) cdp.LoaderID {
	if tb := s.tabOf(id); tb != nil && tb.task.ID == task {
		return tb.root.loader
	}
	return ""
}
