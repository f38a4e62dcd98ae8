package supervise

import (
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Effect is one thing to do; [State.Apply] returns them in order.
type Effect interface{ isEffect() }

// Token names a command, an ask or a timer, so that what comes back finds what it was for. It is never used twice.
type Token uint64

// RequestID names a caller's request; the caller chooses it.
type RequestID uint64

// Want is what of a command's result the state needs.
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

// Send is a command to send. A Token of 0 means that the reply is of no interest.
type Send struct {
	Token   Token
	Session target.SessionID // empty: the browser's own
	Method  string
	Params  any
	Want    Want
}

// AskDialog calls the dialog hook; the outcome comes back as [DialogVerdict]. As with every ask, nobody needs it after Until,
// nor once its token was named by [Withdraw].
type AskDialog struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.DialogEvent
}

// AskFrames calls the frames hook; the outcome comes back as [FramesVerdict].
type AskFrames struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.FramesEvent
}

// AskBridgeScript calls the hook that supplies a task's script; the outcome comes back as [BridgeVerdict].
type AskBridgeScript struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeScriptEvent
}

// AskBridgeRequest calls the hook that reads what the script asks for; likewise.
type AskBridgeRequest struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeRequestEvent
}

// AskBridgeReply calls the hook that words the answer; likewise.
type AskBridgeReply struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeReplyEvent
}

// AskNavigate calls the hook that decides on navigations; the outcome comes back as [NavigateVerdict].
type AskNavigate struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.NavigateEvent
}

// TellClosed calls the dialog-closed hook; nothing comes back.
type TellClosed struct {
	Until time.Time
	Task  string
	Event abi.DialogClosedEvent
}

// Withdraw says that nobody waits for the outcome of an ask any more: it has come, or came too late for what it was about.
// Every ask is withdrawn once.
type Withdraw struct{ Token Token }

// Arm starts a timer that comes back as [Tick] at a time.
type Arm struct {
	Timer Token
	At    time.Time
}

// Disarm stops a timer; a tick that is already on its way is ignored.
type Disarm struct{ Timer Token }

// Reply ends a request.
type Reply struct {
	Request RequestID
	Err     error
	Target  target.ID        // of AddTask
	Dialog  Dialog           // of Respond
	Armed   *Armed           // of ArmDialog, and of DisarmDialog where one was armed
	Session target.SessionID // of AttachAgent
}

// Interrupt ends what callers do on a tab, because the tab can not answer them now.
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
	InterruptDialog InterruptReason = iota // a dialog that waits for an agent holds the tab
	InterruptCrashed
	InterruptGone
	InterruptDisconnected // the connection is lost, perhaps only for now
)

// Notify is told to those who follow a task's events.
type Notify struct {
	Task   string
	Kind   NotifyKind
	Dialog Dialog
	Target Target
	Entry  ConsoleEntry
	Denial Denial
	Fault  string
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
)

// TaskGone says that nothing more will come of a task, because its browser is gone although the connection is there. The
// task stays known until it is removed.
type TaskGone struct{ Task, Reason string }

// Publish says that the task's view changed; see [State.View].
type Publish struct{ Task string }

func (Send) isEffect()             {}
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
func (Publish) isEffect()          {}
func (AskBridgeScript) isEffect()  {}
func (AskBridgeRequest) isEffect() {}
func (AskBridgeReply) isEffect()   {}
func (AskNavigate) isEffect()      {}
