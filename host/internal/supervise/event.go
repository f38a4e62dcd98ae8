package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Event is one thing that happened; [State.Apply] takes it.
type Event interface{ isEvent() }

// Scope is which targets of the browser a task owns.
type Scope int

const (
	// ScopeTab owns one tab and every tab and popup that comes from it.
	ScopeTab Scope = iota
	// ScopeContext owns every target of one browser context.
	ScopeContext
	// ScopeBrowser owns every target that no other task owns.
	ScopeBrowser
)

// TaskSettings is what a task is added with.
type TaskSettings struct {
	ID               string
	Scope            Scope
	BrowserContextID cdp.BrowserContextID // with ScopeContext
	TargetID         target.ID            // with ScopeTab: adopt this tab instead of opening one
	OpenURL          string               // where the tab that is opened goes once it is prepared; empty: about:blank
	Policy           string               // handed to the dialog plugin as it is
	DialogTimeout    time.Duration        // 0: the plugin's choice, and [Config.DialogTimeout] where there is none
	Bridge           BridgeMode
	PauseToken       string // proves that a pause is the bridge's; a secret of the host, the module and the script
	RequestToken     string // likewise of a request; a page can come to know it
	DialogsAfter     int    // the number in the id of the last dialog that an earlier task of this id had; later ones have higher numbers
}

// AddTask begins the supervision of a task. Its reply has the target that is ready first.
type AddTask struct {
	Request  RequestID
	Settings TaskSettings
}

// RemoveTask ends the supervision of a task: its tabs are left in a usable state, or closed where the task opened them.
type RemoveTask struct {
	Request RequestID
	Task    string
}

// Respond is an agent's answer to a dialog.
type Respond struct {
	Request RequestID
	Task    string
	Dialog  string // empty: the only pending one
	Accept  bool
	Text    *string // of an accepted prompt; nil: the page's default text
}

// Attached is Target.attachedToTarget; Parent is the session that announced it, empty for the browser's own.
type Attached struct {
	Parent  target.SessionID
	Session target.SessionID
	Info    target.Info
	Waiting bool
}

// Detached is Target.detachedFromTarget.
type Detached struct{ Session target.SessionID }

// TargetChanged is Target.targetCreated and Target.targetInfoChanged.
type TargetChanged struct{ Info target.Info }

// TargetDestroyed is Target.targetDestroyed.
type TargetDestroyed struct{ Target target.ID }

// TargetCrashed is Target.targetCrashed, and Inspector.targetCrashed of the target's session.
type TargetCrashed struct{ Target target.ID }

// SessionCrashed is Inspector.targetCrashed.
type SessionCrashed struct{ Session target.SessionID }

// SessionRevived is Inspector.targetReloadedAfterCrash, which comes before the reply to the navigation that did it.
type SessionRevived struct{ Session target.SessionID }

// FrameAttached is Page.frameAttached.
type FrameAttached struct {
	Session       target.SessionID
	Frame, Parent cdp.FrameID
}

// FrameInfo is what the browser says of the document in a frame.
type FrameInfo struct {
	ID, Parent cdp.FrameID
	Loader     cdp.LoaderID
	URL        string // with its fragment
	Origin     string // serialised as in the HTML specification; "null" for an opaque one
	Name       string
	ErrorPage  bool // the browser's own, in place of the document of that URL
	Restored   bool // from the back/forward cache: its child frames come back without being announced
}

// FrameNavigated is Page.frameNavigated.
type FrameNavigated struct {
	Session target.SessionID
	Frame   FrameInfo
}

// NavigatedWithinDocument is Page.navigatedWithinDocument.
type NavigatedWithinDocument struct {
	Session target.SessionID
	Frame   cdp.FrameID
	URL     string
}

// FrameDetached is Page.frameDetached; Swap says that the frame lives on in another process.
type FrameDetached struct {
	Session target.SessionID
	Frame   cdp.FrameID
	Swap    bool
}

// DialogOpening is Page.javascriptDialogOpening.
type DialogOpening struct {
	Session       target.SessionID
	Frame         cdp.FrameID
	Type          abi.DialogType
	Message       string
	DefaultPrompt string
	URL           string
}

// DialogClosed is Page.javascriptDialogClosed.
type DialogClosed struct {
	Session   target.SessionID
	Frame     cdp.FrameID // empty where the browser does not say
	Accepted  bool
	UserInput string
}

// ConsoleMessage is Runtime.consoleAPICalled and Runtime.exceptionThrown, made text.
type ConsoleMessage struct {
	Session target.SessionID
	Entry   ConsoleEntry
}

// CommandReply is the browser's reply to a [Send].
type CommandReply struct {
	Token  Token
	Err    *CommandError
	Target target.ID   // of WantTarget
	Frames []FrameInfo // of WantFrames, parents before children
	Text   *string     // of WantText; nil where the value is no text

	Owner      cdp.BackendNodeID // of WantOwner
	Attributes []string          // of WantAttributes: names and values in turn

	Session target.SessionID // of WantSession
	Info    target.Info      // of WantInfo
}

// CommandError is a failed command.
type CommandError struct {
	Code    int64
	Message string
}

// Error says what is wrong, and what to do about it.
func (e *CommandError) Error() string { return e.Message }

// DialogVerdict is the outcome of an [AskDialog].
type DialogVerdict struct {
	Token      Token
	Verdict    abi.DialogVerdict
	Abstained  bool
	Fault      string // why there is no verdict
	Provenance Provenance
	Event      *abi.DialogEvent // as the last module saw it
	Calls      []HookCall
}

// FramesVerdict is the outcome of an [AskFrames].
type FramesVerdict struct {
	Token      Token
	Verdict    abi.FramesVerdict
	Abstained  bool
	Fault      string
	Provenance Provenance
	Event      *abi.FramesEvent // as the last module saw it
	Calls      []HookCall
}

// Tick is a timer that ran out.
type Tick struct{ Timer Token }

// ConnectionLost says that no command can be sent and no event will come: for now, if it is tried to have the connection
// back, else for ever.
type ConnectionLost struct {
	Reason       string
	Reconnecting bool
}

// Redialing says that it is tried once more to have the connection back; Attempt counts from 1.
type Redialing struct{ Attempt int }

// Discovered says that there is a new connection, all of whose targets have been announced by TargetChanged.
type Discovered struct{}

// Reconnected says that all targets of the new connection have been attached.
type Reconnected struct{}

func (AddTask) isEvent()                 {}
func (RemoveTask) isEvent()              {}
func (Respond) isEvent()                 {}
func (Attached) isEvent()                {}
func (Detached) isEvent()                {}
func (TargetChanged) isEvent()           {}
func (TargetDestroyed) isEvent()         {}
func (TargetCrashed) isEvent()           {}
func (SessionCrashed) isEvent()          {}
func (SessionRevived) isEvent()          {}
func (FrameAttached) isEvent()           {}
func (FrameNavigated) isEvent()          {}
func (NavigatedWithinDocument) isEvent() {}
func (FrameDetached) isEvent()           {}
func (DialogOpening) isEvent()           {}
func (DialogClosed) isEvent()            {}
func (ConsoleMessage) isEvent()          {}
func (CommandReply) isEvent()            {}
func (DialogVerdict) isEvent()           {}
func (FramesVerdict) isEvent()           {}
func (Tick) isEvent()                    {}
func (ConnectionLost) isEvent()          {}
func (Redialing) isEvent()               {}
func (Discovered) isEvent()              {}
func (Reconnected) isEvent()             {}
