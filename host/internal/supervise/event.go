package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"
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

// ArmDialog arms an answer, in the place of one that is armed already. Its reply has it as it was armed.
type ArmDialog struct {
	Request RequestID
	Task    string
	Answer  Armed         // ExpiresAt is set by the state machine
	Expires time.Duration // 0: 60 s; at most [Config.MaxDialogTimeout]
}

// DisarmDialog takes the armed answer back; there may be none.
type DisarmDialog struct {
	Request RequestID
	Task    string
}

// ClearConsole forgets the console entries of a task; how many there were stays known.
type ClearConsole struct {
	Request RequestID
	Task    string
}

// OpenTab opens one more tab of a task; its reply has the target.
type OpenTab struct {
	Request RequestID
	Task    string
	URL     string // loaded once the tab is prepared; empty: none
}

// UseTab chooses the tab that a task uses where none is named. A tab that the task does not have changes nothing.
type UseTab struct {
	Task   string
	Target target.ID
}

// AttachAgent asks for the agent's own session of a target; its reply has it.
type AttachAgent struct {
	Request RequestID
	Task    string
	Place   Place
}

// AgentEnabledPage says that an agent switches the Page domain of a session of its own on or off.
type AgentEnabledPage struct {
	Session target.SessionID
	Enabled bool
}

// HooksChanged says which hooks have a module from now on.
type HooksChanged struct {
	Navigate bool
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

// ContextCreated is Runtime.executionContextCreated.
type ContextCreated struct {
	Session target.SessionID
	Context ExecutionContext
}

// ContextDestroyed is Runtime.executionContextDestroyed.
type ContextDestroyed struct {
	Session target.SessionID
	Unique  string
}

// ContextsCleared is Runtime.executionContextsCleared: the session shows another document, or one in another process.
type ContextsCleared struct{ Session target.SessionID }

// IsolateKnown is a reply to Runtime.getIsolateId.
type IsolateKnown struct {
	Session target.SessionID
	Isolate string
	Loader  cdp.LoaderID // [State.RootLoader] when the command was sent
}

// Paused is Debugger.paused: the script of the top call frame stopped.
type Paused struct {
	Session   target.SessionID
	CallFrame debugger.CallFrameID
	Context   int64 // where the call frame runs; 0 where the browser does not say
}

// Resumed is Debugger.resumed.
type Resumed struct{ Session target.SessionID }

// RequestPaused is Fetch.requestPaused at the request stage.
type RequestPaused struct {
	Session target.SessionID
	Request fetch.RequestID
	Frame   cdp.FrameID
	URL     string
	Method  string
	Body    string

	Document   bool            // it is for the document of a frame
	Redirected fetch.RequestID // the request that was redirected to this one
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

// BridgeVerdict is the outcome of an [AskBridgeScript], an [AskBridgeRequest] or an [AskBridgeReply]: what was asked for is
// set.
type BridgeVerdict struct {
	Token      Token
	Script     abi.BridgeScript
	Request    abi.BridgeRequest
	Reply      abi.BridgeReply
	Abstained  bool
	Fault      string
	Provenance Provenance
}

// NavigateVerdict is the outcome of an [AskNavigate].
type NavigateVerdict struct {
	Token      Token
	Verdict    abi.NavigateVerdict
	Abstained  bool
	Fault      string // why there is no verdict
	Provenance Provenance
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
func (AttachAgent) isEvent()             {}
func (AgentEnabledPage) isEvent()        {}
func (OpenTab) isEvent()                 {}
func (ArmDialog) isEvent()               {}
func (DisarmDialog) isEvent()            {}
func (Paused) isEvent()                  {}
func (Resumed) isEvent()                 {}
func (RequestPaused) isEvent()           {}
func (BridgeVerdict) isEvent()           {}
func (ClearConsole) isEvent()            {}
func (ContextCreated) isEvent()          {}
func (ContextDestroyed) isEvent()        {}
func (ContextsCleared) isEvent()         {}
func (IsolateKnown) isEvent()            {}
func (HooksChanged) isEvent()            {}
func (NavigateVerdict) isEvent()         {}
func (UseTab) isEvent()                  {}
