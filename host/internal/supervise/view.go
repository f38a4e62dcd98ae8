package supervise

import (
	"cmp"
	"reflect"
	"strconv"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Provenance says which module made a decision, in which hook call.
type Provenance struct {
	Module     string
	Generation int // of the plugin
	SHA256     string
	ConfigHash string
	Sequence   uint64
	Rule       string
	Duration   time.Duration
	Fault      string // why the fallback decided instead
}

// Phase is the state of a dialog's life cycle.
type Phase int

// The phases of a dialog.
const (
	PhasePending Phase = iota
	PhaseAnswering
	PhaseClosed
)

// Dialog is a copy of what is known about a dialog.
type Dialog struct {
	ID            string
	Type          abi.DialogType
	Message       string
	DefaultPrompt string
	URL           string
	Origin        string
	Frame         cdproto.FrameID
	FrameKind     abi.FrameKind
	Session       target.SessionID
	Target        target.ID
	Popup         bool
	OpenedAt      time.Time
	Deadline      time.Time
	Phase         Phase
	Record        *DialogRecord // nil while nothing has been decided
	ClosedAt      time.Time
	ClosedBy      abi.ClosedBy
	CloseReason   string // what ended a dialog with ClosedByRemote
	Accepted      bool
	Text          string // what an accepted prompt returned
	Decision      Provenance
	Action        abi.DialogAction     // what the plugin, or the fallback, decided
	Via           string               // native, or the way through the bridge: pause or request
	Suppressed    abi.BridgeSuppressed // why a browser would not have shown it
	ArmedUnused   string               // why the armed answer had no effect
}

// Frame is a copy of one node of a frame tree.
type Frame struct {
	ID         cdproto.FrameID
	Parent     cdproto.FrameID
	URL        string
	Origin     string
	Name       string
	Kind       abi.FrameKind
	Depth      int
	OOPIFDepth int
	Session    target.SessionID // empty while an OOPIF has none
	HasDialog  bool
	Loader     cdproto.LoaderID // of its document; empty until it is known
	Undecided  bool             // no frame filter has decided on its document yet
	Filtered   string           // why agents may not look into it; empty: they may
}

// Target is a copy of what is known about a target.
type Target struct {
	ID      target.ID
	Type    string
	Subtype string
	URL     string
	Title   string
	Opener  target.ID
	Popup   bool
	Crashed bool
	Ready   bool // its frame tree is known
	Healed  uint64
	Session target.SessionID
	SignIn  *SignIn // the dialog to sign in that is open over the tab; nil: none

	Revision         uint64  // of Frames
	Frames           []Frame // the raw tree, parents before children; only of tabs
	Filtered         []Frame // what the frames hook kept
	Truncated        bool
	FilteredRevision uint64 // the Revision that Filtered was made from
	FilteredBy       Provenance
	FilteredRecord   *FramesRecord
}

const (
	// FromDeprecation is the From of a [ConsoleEntry] about an outdated feature. These are only counted.
	FromDeprecation = "deprecation"
	fromNetwork     = "network"
	fromWorker      = "worker"
)

// TypeException is the Type of a [ConsoleEntry] for an uncaught exception.
const TypeException = "exception"

// ConsoleEntry is one console message or uncaught exception.
type ConsoleEntry struct {
	Type   string // log, warning, error, ..., or TypeException
	From   string // what in the browser logged it: network, security, ...; empty: a script
	Text   string
	Source string // URL:line:column if known
	At     time.Time
	Target target.ID
}

// View is a complete and immutable picture of a task.
type View struct {
	Task         string
	Revision     uint64 // increases with each change
	Armed        *Armed // the answer that waits for the next dialog
	Targets      []Target
	InUse        target.ID // the tab that is meant when a call names none; empty if there is none
	Pending      []Dialog  // pending and being answered, oldest first
	Recent       []Dialog  // closed, oldest first
	LastDialog   int       // the highest number of a dialog of the connection, dialogs to sign in included
	Console      []ConsoleEntry
	ConsoleTotal int        // including those that are no longer listed
	Deprecations int        // what the browser logged about outdated features, which is only counted
	Downloads    []Download // oldest first
	Denials      []Denial   // oldest first
	Requests     Requests
	Unseen       int    // navigations that bypassed the navigate hook while a module served it
	Lost         string // why the connection, or the task's browser, ended; empty while it lives
	Down         string // why the connection is down at the moment
	Attempt      int    // reconnection attempts so far
}

// View copies what is known about a task. It returns false if there is no such task.
func (s *State) View(id string) (View, bool) {
	t := s.tasks[id]
	if t == nil {
		return View{}, false
	}
	v := View{
		Task: id, Revision: t.revision, Recent: t.recent.list(), LastDialog: s.dialogs, Console: t.console.list(), ConsoleTotal: t.console.total(), Deprecations: t.console.deprecations,
		Downloads: t.downloads.views(), Denials: t.denials.list(), Requests: t.requests.view(), Unseen: t.unseen, Lost: cmp.Or(s.lost, t.gone), Down: s.down, Attempt: s.attempt,
	}
	for _, tb := range t.tabs {
		if !tb.surplus {
			v.Targets = append(v.Targets, s.targetView(tb))
		}
	}
	if tb := t.inUse(); tb != nil {
		v.InUse = tb.id
	}
	// Each page that a service worker serves announces it, each time with a new session.
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
	if s.lost == "" { // otherwise no dialog will open
		v.Armed = t.armed
	}
	return v, true
}

func (s *State) targetView(tb *tab) Target {
	return Target{
		ID: tb.id, Type: tb.info.Type, Subtype: tb.info.Subtype, URL: tb.info.URL, Title: tb.info.Title,
		Opener: tb.info.OpenerID, Popup: tb.info.OpenerID != "", Crashed: tb.crashed, Ready: tb.ready, Healed: tb.healed,
		Session: tb.session.id, SignIn: tb.signIn(), Revision: tb.revision,
		Frames: tb.rawFrames(), Filtered: tb.filtered, Truncated: tb.truncated,
		FilteredRevision: tb.filteredRevision, FilteredBy: tb.filteredBy, FilteredRecord: tb.filteredRecord,
	}
}

// EndedReason says why the connection, or the browser of a task, ended; empty while it lives.
func (s *State) EndedReason(task string) string {
	if t := s.tasks[task]; t != nil {
		return cmp.Or(s.lost, t.gone)
	}
	return s.lost
}

// DisconnectedReason says why the connection is down at the moment; empty while it is up.
func (s *State) DisconnectedReason() string { return s.down }

// Crashed reports whether a page's renderer has crashed and not been revived.
func (s *State) Crashed(page target.ID) bool {
	tb := s.tabOf(page)
	return tb != nil && tb.crashed
}

// Page finds a page of a task and its session. An empty id means the tab in use.
func (s *State) Page(task string, id target.ID) (target.ID, target.SessionID, bool) {
	t := s.tasks[task]
	if t == nil {
		return "", "", false
	}
	if tb := t.inUse(); id == "" && tb != nil {
		return tb.id, tb.session.id, true
	}
	for _, tb := range t.tabs {
		if tb.id == id {
			return tb.id, tb.session.id, true
		}
	}
	return "", "", false
}

// PageOf is the tab that a supervisor session belongs to; empty if it belongs to no tab of a task.
func (s *State) PageOf(session target.SessionID) target.ID {
	if ss := s.sessions[session]; ss != nil && ss.tab != nil {
		return ss.tab.id
	}
	return ""
}

// Document is the loader id of the top document of a page; empty if there is no such page.
func (s *State) Document(task string, id target.ID) cdproto.LoaderID {
	if tb := s.tabOf(id); tb != nil && tb.task.ID == task {
		return tb.root.loader
	}
	return ""
}

// Denial is a navigation that was denied.
type Denial struct {
	Number       int    // of the task's denials, from 1
	URL          string // as requested, cut at 2 KiB; untrusted
	To           string // where the module sent it instead; empty: it was denied
	Frame        cdproto.FrameID
	FrameKind    abi.FrameKind
	Target       target.ID
	At           time.Time
	Reason       string   // the module's reason, or what went wrong
	FailedClosed bool     // a module failed to decide, and the fallback denies
	Refused      *Refusal // set if it was the network guard
	Decision     Provenance
}

// Armed is an answer given before its dialog opens. It answers the next dialog of the task, or the next of Type if that
// is set, and with Repeat all that follow until it expires, unless the policy's verdict is final or
// [Config.DialogFailClosed] dismisses the dialog.
type Armed struct {
	Accept    bool
	Text      *string        // of an accepted prompt; nil: the page's default text
	Type      abi.DialogType // unspecified: any
	Repeat    bool
	ExpiresAt time.Time
}

// HookCall is one module's part in a decision. Modules are asked in order until one decides.
type HookCall struct {
	Module     string
	Generation int // of the plugin
	SHA256     string
	ConfigHash string
	Sequence   uint64
	Outcome    string // decided, abstained or fault
	Fault      string
	Duration   time.Duration
	// Config is the module's encoded configuration, and TaskConfig the task's configuration of it. Both may hold
	// secrets that must not be shown along with what the module said.
	Config     []byte
	TaskConfig abi.Struct
}

// DialogRecord explains how a dialog was decided and answered. A record that has been published never changes; a newer
// one replaces it.
type DialogRecord struct {
	Event      *abi.DialogEvent // as the last module that was asked saw it; nil if none was asked
	Calls      []HookCall
	Verdict    *abi.DialogVerdict // nil: no module decided
	AskedAt    time.Time
	DecidedAt  time.Time
	AnsweredAt time.Time // when the last answer was sent
}

// FramesRecord explains how the latest filtered tree of a tab came about. It never changes.
type FramesRecord struct {
	Event     *abi.FramesEvent // as the last module that was asked saw it; nil if none answered
	Frames    []Frame          // the raw tree that was asked about
	Calls     []HookCall
	Verdict   *abi.FramesVerdict // nil: no module decided, and the host's caps apply
	AskedAt   time.Time
	DecidedAt time.Time
}

// Counters count what has happened since the connection began. Every field is a number or a map of numbers.
type Counters struct {
	Dialogs         map[string]uint64 // opened, by type
	Closed          map[string]uint64 // by closed_by
	Policies        map[string]uint64 // opened, by the task's policy; "default" if it has none
	OpenWithin      map[string]uint64 // closed, by closed_by and the bound of how long they were open; see [OpenBounds]
	OpenNanos       map[string]uint64 // how long they were open together, by closed_by
	VerdictsApplied uint64
	VerdictsDropped uint64 // too late: the dialog or tree had moved on
	EventsIgnored   uint64 // of unknown sessions, frames or dialogs
	AnswerRetries   uint64
	Unstuck         uint64 // adopted tabs blocked by a dialog from before they were attached
	Foreign         uint64 // released sessions of targets that belong to no task

	BridgeProven  map[string]uint64 // requests proven to be from the bridge's script, by kind: pause, request
	BridgeRefused map[string]uint64 // others, by the reason for which they were refused

	Navigations map[string]uint64 // by outcome; see navigate_verdict.go
	Requests    map[string]uint64 // by outcome; see request.go
}

// Counters returns a copy.
func (s *State) Counters() Counters {
	var c Counters
	c.Add(s.counters)
	return c
}

// Add adds the counts of another connection. It iterates over the fields by reflection, so that none is forgotten.
func (c *Counters) Add(other Counters) {
	into, from := reflect.ValueOf(c).Elem(), reflect.ValueOf(other)
	for i := range into.NumField() {
		field, value := into.Field(i), from.Field(i)
		if field.Kind() == reflect.Uint64 {
			field.SetUint(field.Uint() + value.Uint())
			continue
		}
		sum := field.Interface().(map[string]uint64)
		if sum == nil {
			sum = map[string]uint64{}
			field.Set(reflect.ValueOf(sum))
		}
		for key, n := range value.Interface().(map[string]uint64) {
			sum[key] += n
		}
	}
}

func count(m *map[string]uint64, key string) {
	if *m == nil {
		*m = map[string]uint64{}
	}
	(*m)[key]++
}

// OpenBounds are the bounds of how long dialogs were open, in milliseconds; 0 is no bound.
var OpenBounds = []int64{100, 500, 1000, 5000, 10_000, 30_000, 60_000, 300_000, 0}

// OpenKey is the key of [Counters.OpenWithin].
func OpenKey(closedBy string, bound int64) string {
	return closedBy + " " + strconv.FormatInt(bound, 10)
}

// countOpen counts a closed dialog by how long it was open.
func (c *Counters) countOpen(closedBy string, open time.Duration) {
	for _, bound := range OpenBounds {
		if bound == 0 || open <= time.Duration(bound)*time.Millisecond {
			count(&c.OpenWithin, OpenKey(closedBy, bound))
			break
		}
	}
	if c.OpenNanos == nil {
		c.OpenNanos = map[string]uint64{}
	}
	c.OpenNanos[closedBy] += uint64(max(open, 0))
}
