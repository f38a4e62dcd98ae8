package supervise

import (
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// Event is something that happened; see [State.Apply].
type Event interface{ apply(s *State) }

// Scope says which of the browser's targets a task owns.
type Scope int

const (
	// ScopeTab owns one tab, and every tab and popup opened from it.
	ScopeTab Scope = iota
	// ScopeContext owns every target of one browser context.
	ScopeContext
	// ScopeBrowser owns every target that no other task owns.
	ScopeBrowser
)

// TaskSettings are the settings of a new task.
type TaskSettings struct {
	ID               string
	Scope            Scope
	BrowserContextID cdproto.BrowserContextID // with ScopeContext, or where a ScopeTab task opens its tab
	TargetID         target.ID                // with ScopeTab: adopt this tab instead of opening one
	OpenURL          string                   // loaded in the new tab once it is prepared; empty: about:blank
	Background       bool                     // the new tab does not come to the front
	Policy           string                   // passed to the dialog plugin as it is
	DialogTimeout    time.Duration            // 0: what the plugin chooses, else [Config.DialogTimeout]
	Bridge           BridgeMode
	PauseToken       string // proves that a pause is the bridge's; known only to the host, the module and the script
	RequestToken     string // the same for a request; a page can learn it
	// DownloadLimit is how many bytes the task may download; 0: any number.
	DownloadLimit int64
	// Guarded says that the address of each request is looked at before it is made.
	Guarded bool
	// Windowless says that no person sees the browser, so what would ask one takes no input from a tab.
	Windowless bool
	// Credentials are for the HTTP authentication of origins.
	Credentials map[string]Credentials
	// DialogsAfter is the number of the last dialog of an earlier task with this id. New dialogs get higher numbers.
	DialogsAfter int
}

// AddTask starts supervising a task. The reply names the first tab that is ready.
type AddTask struct {
	Request  RequestID
	Settings TaskSettings
}

// RemoveTask stops supervising a task. The tabs that the task opened are closed; the others are left usable.
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

// ArmDialog arms an answer for a coming dialog, replacing one that is already armed. The reply has the armed answer.
type ArmDialog struct {
	Request RequestID
	Task    string
	Answer  Armed         // ExpiresAt is set by the state machine
	Expires time.Duration // 0: 60 s; at most [Config.MaxDialogTimeout]
}

// DisarmDialog removes the armed answer, if there is one.
type DisarmDialog struct {
	Request RequestID
	Task    string
}

// ClearConsole forgets the console entries of a task. Their total count is kept.
type ClearConsole struct {
	Request RequestID
	Task    string
}

// OpenTab opens another tab of a task. The reply names the target.
type OpenTab struct {
	Request RequestID
	Task    string
	URL     string // loaded once the tab is prepared; empty: nothing
}

// UseTab selects the tab in use: the one that is meant when a call names none. It has no effect if the task has no such
// tab.
type UseTab struct {
	Task   string
	Target target.ID
}

// AttachAgent asks for the agent's own session of a target. The reply has the session.
type AttachAgent struct {
	Request RequestID
	Task    string
	Place   ScriptTarget
}

// AgentEnabledPage says that an agent enables or disables the Page domain in one of its own sessions.
type AgentEnabledPage struct {
	Session target.SessionID
	Enabled bool
}

// HooksChanged says which hooks are served by a module from now on.
type HooksChanged struct {
	Navigate, Request, Console bool
}

// Attached is Target.attachedToTarget. Parent is the session that announced it; empty: the browser's own.
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

// TargetCrashed is Target.targetCrashed, or Inspector.targetCrashed of the target's own session.
type TargetCrashed struct{ Target target.ID }

// SessionCrashed is Inspector.targetCrashed.
type SessionCrashed struct{ Session target.SessionID }

// SessionRevived is Inspector.targetReloadedAfterCrash. It precedes the reply to the navigation that revived the
// target.
type SessionRevived struct{ Session target.SessionID }

// FrameAttached is Page.frameAttached.
type FrameAttached struct {
	Session       target.SessionID
	Frame, Parent cdproto.FrameID
}

// FrameInfo is what the browser says about the document in a frame.
type FrameInfo struct {
	ID, Parent cdproto.FrameID
	Loader     cdproto.LoaderID
	URL        string // with its fragment
	Origin     string // serialised as in the HTML specification; "null" for an opaque one
	Name       string
	ErrorPage  bool // the browser's error page in place of the document of that URL
	Restored   bool // from the back/forward cache: its child frames come back unannounced
}

// NavigationStarted is Page.frameStartedNavigating of a navigation that loads a document. It precedes its first
// request.
type NavigationStarted struct {
	Session target.SessionID
	Frame   cdproto.FrameID
	Loader  cdproto.LoaderID // of the document
	URL     string           // before redirects
}

// LoadingStopped is Page.frameStoppedLoading: the document has loaded, or the navigation has ended without one.
type LoadingStopped struct {
	Session target.SessionID
	Frame   cdproto.FrameID
}

// FrameNavigated is Page.frameNavigated.
type FrameNavigated struct {
	Session target.SessionID
	Frame   FrameInfo
}

// NavigatedWithinDocument is Page.navigatedWithinDocument.
type NavigatedWithinDocument struct {
	Session target.SessionID
	Frame   cdproto.FrameID
	URL     string
}

// FrameDetached is Page.frameDetached. Swap says that the frame lives on in another process.
type FrameDetached struct {
	Session target.SessionID
	Frame   cdproto.FrameID
	Swap    bool
}

// DialogOpening is Page.javascriptDialogOpening.
type DialogOpening struct {
	Session       target.SessionID
	Frame         cdproto.FrameID
	Type          abi.DialogType
	Message       string
	DefaultPrompt string
	URL           string
}

// DialogClosed is Page.javascriptDialogClosed.
type DialogClosed struct {
	Session   target.SessionID
	Frame     cdproto.FrameID // empty if the browser does not say
	Accepted  bool
	UserInput string
}

// ConsoleMessage is Runtime.consoleAPICalled, Runtime.exceptionThrown or Log.entryAdded, as text.
type ConsoleMessage struct {
	Session target.SessionID
	Entry   ConsoleEntry
}

// DownloadBegan is Page.downloadWillBegin.
type DownloadBegan struct {
	Session target.SessionID
	ID      string
	URL     string
	Owner   string // the URL; of a blob the one within its own, whose origin is that of the document that made it
	Name    string
}

// DownloadProgress is Page.downloadProgress or Browser.downloadProgress. What the browser calls canceled is
// [DownloadFailed]: it does not tell one from the other.
type DownloadProgress struct {
	ID           string
	Bytes, Total int64
	State        DownloadState
	Path         string // of a completed file, if the browser says it
}

// DownloadKept is the outcome of a [KeepDownload]. Fault says why the file is not there, Denied who removed it and why,
// and Left why one is still there that was to be dropped.
type DownloadKept struct{ Task, ID, Path, Fault, Denied, Left string }

// CancelDownload cancels a download that runs.
type CancelDownload struct{ Task, ID, Reason string }

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

// ContextsCleared is Runtime.executionContextsCleared: the session shows another document, possibly in another process.
type ContextsCleared struct{ Session target.SessionID }

// IsolateKnown is a reply to Runtime.getIsolateId.
type IsolateKnown struct {
	Session target.SessionID
	Isolate string
	Loader  cdproto.LoaderID // what [State.RootLoader] was when the command was sent
}

// Paused is Debugger.paused: the script of the top call frame has stopped.
type Paused struct {
	Session   target.SessionID
	CallFrame debugger.CallFrameID
	Context   int64 // execution context of the call frame; 0 if the browser does not say
}

// Resumed is Debugger.resumed.
type Resumed struct{ Session target.SessionID }

// RequestPaused is Fetch.requestPaused at the request stage.
type RequestPaused struct {
	Session target.SessionID
	Request fetch.RequestID
	Frame   cdproto.FrameID
	URL     string
	Method  string
	Body    string

	Document   bool            // it loads the document of a frame
	Redirected fetch.RequestID // the request that was redirected to this one, if any

	Type    string            // the kind of request, as the browser calls it
	Network network.RequestID // in the events of the network, if the session reports them
	Headers []route.Header
}

// AuthRequired is Fetch.authRequired: a server or a proxy wants a password for a request.
type AuthRequired struct {
	Session target.SessionID
	Request fetch.RequestID
	Proxy   bool
	Origin  string // who wants it
}

// SignInOpened is FedCm.dialogShown. The state machine completes SignIn.
type SignInOpened struct {
	Session target.SessionID
	SignIn  SignIn
}

// SignInClosed is FedCm.dialogClosed.
type SignInClosed struct{ Session target.SessionID }

// AddRoute adds a rule for the requests of a task. The reply comes when it holds in all sessions.
type AddRoute struct {
	Request RequestID
	Task    string
	Rule    route.Rule
}

// RemoveRoute removes a rule or, with an empty id, all of them.
type RemoveRoute struct {
	Request RequestID
	Task    string
	Route   string
}

// WatchNetwork makes the sessions of a task report their requests, those there are and those to come.
type WatchNetwork struct{ Task string }

// Emulate replaces what the sessions of a task emulate, those there are and those to come. Undo has what ends
// each command of Set. The reply comes once the sessions that are there have answered; its error may be an
// [EmulationError].
type Emulate struct {
	Request   RequestID
	Task      string
	Set, Undo []EmulationCommand
}

// CommandReply is the reply to a [SendCommand].
type CommandReply struct {
	Token  Token
	Err    *CommandError
	Target target.ID   // of WantTarget
	Frames []FrameInfo // of WantFrames, parents before children
	Text   *string     // of WantText; nil if the value is not a string

	Owner      cdproto.BackendNodeID // of WantOwner
	Attributes []string              // of WantAttributes: names and values alternate

	Session target.SessionID // of WantSession
	Info    target.Info      // of WantInfo
}

// CommandError says why a command failed.
type CommandError struct {
	Code    int64
	Message string
}

// Error is the browser's message.
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

// BridgeVerdict is the outcome of an [AskBridgeScript], [AskBridgeRequest] or [AskBridgeReply]. The field that was
// asked for is set.
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

// RequestVerdict is the outcome of an [AskRequest].
type RequestVerdict struct {
	Token      Token
	Verdict    abi.RequestVerdict
	Abstained  bool
	Fault      string // why there is no verdict
	Provenance Provenance
}

// AddressChecked is the outcome of a [CheckAddress]. Refused is nil if the address may be reached; else Text
// says why not.
type AddressChecked struct {
	Token   Token
	Refused *Refusal
	Text    string
}

// ConsoleVerdict is the outcome of an [AskConsole]: the entry as the modules leave it.
type ConsoleVerdict struct {
	Task    string
	Entry   ConsoleEntry
	Dropped bool
	Fault   string // why there is no verdict
}

// Tick says that a timer has expired.
type Tick struct{ Timer Token }

// ConnectionLost says that no command can be sent and no event will arrive: for now if Reconnecting, else for good.
type ConnectionLost struct {
	Reason       string
	Reconnecting bool
}

// Redialing says that another attempt to reconnect begins. Attempt counts from 1.
type Redialing struct{ Attempt int }

// Discovered says that there is a new connection and that TargetChanged has announced all its targets.
type Discovered struct{}

// Reconnected says that all targets of the new connection are attached.
type Reconnected struct{}

func (e AddTask) apply(s *State)                 { s.addTask(e) }
func (e RemoveTask) apply(s *State)              { s.removeTask(e) }
func (e Respond) apply(s *State)                 { s.respond(e) }
func (e ArmDialog) apply(s *State)               { s.armDialog(e) }
func (e DisarmDialog) apply(s *State)            { s.disarmRequest(e) }
func (e ClearConsole) apply(s *State)            { s.clearConsole(e) }
func (e Attached) apply(s *State)                { s.attached(e) }
func (e Detached) apply(s *State)                { s.detached(e) }
func (e TargetChanged) apply(s *State)           { s.targetChanged(e) }
func (e TargetDestroyed) apply(s *State)         { s.targetDestroyed(e) }
func (e TargetCrashed) apply(s *State)           { s.targetCrashed(e) }
func (e SessionCrashed) apply(s *State)          { s.sessionCrashed(e) }
func (e SessionRevived) apply(s *State)          { s.sessionRevived(e) }
func (e FrameAttached) apply(s *State)           { s.frameAttached(e) }
func (e NavigationStarted) apply(s *State)       { s.navigationStarted(e) }
func (e LoadingStopped) apply(s *State)          { s.loadingStopped(e) }
func (e FrameNavigated) apply(s *State)          { s.frameNavigated(e) }
func (e NavigatedWithinDocument) apply(s *State) { s.navigatedWithinDocument(e) }
func (e FrameDetached) apply(s *State)           { s.frameDetached(e) }
func (e DialogOpening) apply(s *State)           { s.dialogOpening(e) }
func (e DialogClosed) apply(s *State)            { s.dialogClosed(e) }
func (e ConsoleMessage) apply(s *State)          { s.consoleMessage(e) }
func (e ConsoleVerdict) apply(s *State)          { s.consoleVerdict(e) }
func (e DownloadBegan) apply(s *State)           { s.downloadBegan(e) }
func (e DownloadProgress) apply(s *State)        { s.downloadProgress(e) }
func (e DownloadKept) apply(s *State)            { s.downloadKept(e) }
func (e CancelDownload) apply(s *State)          { s.cancelDownload(e) }
func (e ContextCreated) apply(s *State)          { s.contextCreated(e) }
func (e ContextDestroyed) apply(s *State)        { s.contextDestroyed(e) }
func (e ContextsCleared) apply(s *State)         { s.contextsCleared(e) }
func (e IsolateKnown) apply(s *State)            { s.isolateKnown(e) }
func (e OpenTab) apply(s *State)                 { s.openAgentTab(e) }
func (e UseTab) apply(s *State)                  { s.useTab(e) }
func (e AttachAgent) apply(s *State)             { s.attachAgent(e) }
func (e AgentEnabledPage) apply(s *State)        { s.agentEnabledPage(e) }
func (e WatchNetwork) apply(s *State)            { s.watchNetwork(e) }
func (e Emulate) apply(s *State)                 { s.emulate(e) }
func (e AddRoute) apply(s *State)                { s.addRoute(e) }
func (e RemoveRoute) apply(s *State)             { s.removeRoute(e) }
func (e CommandReply) apply(s *State)            { s.commandReply(e) }
func (e DialogVerdict) apply(s *State)           { s.dialogVerdict(e) }
func (e FramesVerdict) apply(s *State)           { s.framesVerdict(e) }
func (e Paused) apply(s *State)                  { s.paused(e) }
func (e Resumed) apply(s *State)                 { s.resumed(e) }
func (e RequestPaused) apply(s *State)           { s.requestPaused(e) }
func (e AuthRequired) apply(s *State)            { s.authRequired(e) }
func (e SignInOpened) apply(s *State)            { s.signInOpened(e) }
func (e SignInClosed) apply(s *State)            { s.signInClosed(e) }
func (e BridgeVerdict) apply(s *State)           { s.bridgeVerdict(e) }
func (e HooksChanged) apply(s *State)            { s.hooksChanged(e) }
func (e NavigateVerdict) apply(s *State)         { s.navigateVerdict(e) }
func (e RequestVerdict) apply(s *State)          { s.requestVerdict(e) }
func (e AddressChecked) apply(s *State)          { s.addressChecked(e) }
func (e Tick) apply(s *State)                    { s.tick(e) }
func (e ConnectionLost) apply(s *State)          { s.connectionLost(e) }
func (e Redialing) apply(s *State)               { s.redialing(e) }
func (Discovered) apply(s *State)                { s.discovered() }
func (Reconnected) apply(s *State)               { s.reconnected() }
