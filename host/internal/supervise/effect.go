package supervise

import (
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// Effect is something to do; see [State.Apply].
type Effect interface{ isEffect() }

// Token identifies a command, an ask or a timer, so that a reply, verdict or tick can be matched to it. It is never
// reused.
type Token uint64

// RequestID identifies a caller's request. The caller chooses it.
type RequestID uint64

// Want says which part of a command's result the state needs.
type Want int

// The results that [CommandReply] can carry.
const (
	WantNothing    Want = iota
	WantTarget          // Target.createTarget
	WantFrames          // Page.getFrameTree
	WantText            // Debugger.evaluateOnCallFrame
	WantOwner           // DOM.getFrameOwner
	WantAttributes      // DOM.describeNode
	WantSession         // Target.attachToTarget
	WantInfo            // Target.getTargetInfo
)

// SendCommand sends a command. A Token of 0 means that the reply does not matter.
type SendCommand struct {
	Token   Token
	Session target.SessionID // empty: the browser's own
	Method  string
	Params  any
	Want    Want
}

// AskDialog calls the dialog hook. The outcome comes back as a [DialogVerdict]. As with every ask, the outcome is not
// needed after Until, nor after [Withdraw] has named the token.
type AskDialog struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.DialogEvent
}

// AskFrames calls the frames hook. The outcome comes back as a [FramesVerdict].
type AskFrames struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.FramesEvent
}

// AskBridgeScript calls the hook that supplies a task's script. The outcome comes back as a [BridgeVerdict].
type AskBridgeScript struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeScriptEvent
}

// AskBridgeRequest calls the hook that parses what the script asks for. The outcome comes back as a [BridgeVerdict].
type AskBridgeRequest struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeRequestEvent
}

// AskBridgeReply calls the hook that encodes the answer for the script. The outcome comes back as a [BridgeVerdict].
type AskBridgeReply struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeReplyEvent
}

// AskNavigate calls the navigate hook. The outcome comes back as a [NavigateVerdict].
type AskNavigate struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.NavigateEvent
}

// AskRequest calls the request hook. The outcome comes back as a [RequestVerdict]. The event gets those of the headers
// that are no secret.
type AskRequest struct {
	Token   Token
	Until   time.Time
	Task    string
	Event   abi.RequestEvent
	Headers []route.Header
}

// CheckAddress looks at the address that a request leads to. The outcome comes back as an [AddressChecked].
type CheckAddress struct {
	Token Token
	Until time.Time
	Task  string
	URL   string
}

// NoteBlocked says that a request was blocked, for the record of the task's requests.
type NoteBlocked struct {
	Task    string
	Blocked Blocked
}

// TellClosed calls the dialog-closed hook. Nothing comes back.
type TellClosed struct {
	Until time.Time
	Task  string
	Event abi.DialogClosedEvent
}

// Withdraw says that the outcome of an ask is no longer needed: it has arrived, or it is too late. Every ask is
// withdrawn once.
type Withdraw struct{ Token Token }

// Arm starts a timer, which comes back as a [Tick] at the given time.
type Arm struct {
	Timer Token
	At    time.Time
}

// Disarm stops a timer. A tick that is already on its way is ignored.
type Disarm struct{ Timer Token }

// Reply ends a request.
type Reply struct {
	Request RequestID
	Err     error
	Target  target.ID        // of AddTask
	Dialog  Dialog           // of Respond
	Armed   *Armed           // of ArmDialog, and of DisarmDialog if one was armed
	Session target.SessionID // of AttachAgent
	Route   string           // of AddRoute
}

// Interrupt ends calls in flight on a tab that cannot answer them now.
type Interrupt struct {
	Task    string
	Page    target.ID
	Session target.SessionID // empty: every session of the tab
	Reason  InterruptReason
}

// InterruptReason says why calls in flight end.
type InterruptReason int

// The reasons of an [Interrupt].
const (
	InterruptDialog InterruptReason = iota // a dialog that waits for an agent blocks the tab
	InterruptCrashed
	InterruptGone
	InterruptDisconnected // the connection is lost, perhaps only for now
)

// Notify is an event for those who follow a task.
type Notify struct {
	Task   string
	Kind   NotifyKind
	Dialog Dialog
	Target Target
	Entry  ConsoleEntry
	Denial Denial
	Fault  string

	Download Download
}

// NotifyKind is the kind of a [Notify].
type NotifyKind int

// The kinds of [Notify].
const (
	NotifyDialogOpened NotifyKind = iota
	NotifyDialogClosed
	NotifyTargetAttached
	NotifyTargetGone
	NotifyTargetCrashed
	NotifyConsole
	NotifyFault
	NotifyDisconnected
	NotifyBridged // the task's dialogs go through the bridge from now on; Fault says why
	NotifyReconnected
	NotifyNavigationDenied
	NotifyNavigationRewritten
	NotifyDownload // it began or ended
)

// AskConsole calls the console hook about what a page logged. The outcome comes back as a [ConsoleVerdict].
type AskConsole struct {
	Task  string
	Entry ConsoleEntry
	Event abi.ConsoleEvent
}

// TaskGone says that the browser of a task is gone although there is a connection. The task stays known until it is
// removed.
type TaskGone struct{ Task, Reason string }

// KeepDownload moves the file of a completed download to where it is to stay, or removes it with Drop. The outcome
// comes back as a [DownloadKept], unless it was dropped as it should. Path is where the browser says that it put the
// file, if it does. File is the download as it is known when it is completed.
type KeepDownload struct {
	Task, ID, Name, Path string
	Drop                 bool
	File                 Download
}

// Publish says that the task's view has changed; see [State.View].
type Publish struct{ Task string }

func (SendCommand) isEffect()      {}
func (AskDialog) isEffect()        {}
func (AskFrames) isEffect()        {}
func (TellClosed) isEffect()       {}
func (Withdraw) isEffect()         {}
func (Arm) isEffect()              {}
func (Disarm) isEffect()           {}
func (Reply) isEffect()            {}
func (Interrupt) isEffect()        {}
func (Notify) isEffect()           {}
func (TaskGone) isEffect()         {}
func (KeepDownload) isEffect()     {}
func (Publish) isEffect()          {}
func (AskBridgeScript) isEffect()  {}
func (AskBridgeRequest) isEffect() {}
func (AskBridgeReply) isEffect()   {}
func (AskNavigate) isEffect()      {}
func (AskRequest) isEffect()       {}
func (CheckAddress) isEffect()     {}
func (AskConsole) isEffect()       {}
func (NoteBlocked) isEffect()      {}
