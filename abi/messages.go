package abi

// The message structs mirror hermes.proto; see there for what each field means beyond its unit.

// Header opens every event.
type Header struct {
	Sequence     uint64
	TimeUnixNano int64
	TaskID       string
	Revision     uint64
	RandomSeed   []byte
	TaskConfig   Struct
}

// DialogType is the kind of a JavaScript dialog.
type DialogType int32

// The dialog types of Page.javascriptDialogOpening.
const (
	DialogTypeUnspecified DialogType = iota
	DialogTypeAlert
	DialogTypeConfirm
	DialogTypePrompt
	DialogTypeBeforeUnload
)

// FrameKind tells where a frame runs.
type FrameKind int32

// A frame is the top frame of its tab, shares its parent's renderer process, or is an out-of-process iframe (OOPIF).
const (
	FrameKindUnspecified FrameKind = iota
	FrameKindTop
	FrameKindLocal
	FrameKindOOPIF
)

// DialogEvent is the input of [HookDialog].
type DialogEvent struct {
	Header        Header
	DialogID      string
	Type          DialogType
	Message       string
	DefaultPrompt string
	URL           string
	Origin        string
	FrameID       string
	FrameKind     FrameKind
	TargetID      string
	Popup         bool
	Policy        string
	TimeoutMs     int64
}

// DialogAction is what to do with a dialog.
type DialogAction int32

// The actions of a [DialogVerdict].
const (
	DialogActionUnspecified DialogAction = iota
	DialogActionHold
	DialogActionAccept
	DialogActionDismiss
)

// DialogVerdict is the output of [HookDialog].
type DialogVerdict struct {
	Action    DialogAction
	HasText   bool // whether Text is given; without it an accepted prompt returns the page's default text
	Text      string
	TimeoutMs int64
	Rule      string
	Final     bool // no answer that an agent gave before the verdict counts
}

// ClosedBy names who closed a dialog.
type ClosedBy int32

// The ways in which a dialog ends.
const (
	ClosedByUnspecified ClosedBy = iota
	ClosedByAgent
	ClosedByAutoPolicy
	ClosedByWatchdog
	ClosedByRemote
	ClosedByPluginFault
	ClosedByDisconnected
)

// DialogClosedEvent is the input of [HookDialogClosed].
type DialogClosedEvent struct {
	Header    Header
	DialogID  string
	Type      DialogType
	ClosedBy  ClosedBy
	Accepted  bool
	Text      string
	OpenNanos int64
}

// Frame is one node of the frame tree of a tab.
type Frame struct {
	FrameID          string
	ParentFrameID    string
	URL              string
	Origin           string
	Name             string
	Kind             FrameKind
	Depth            uint32
	OOPIFDepth       uint32
	HasPendingDialog bool
}

// FramesEvent is the input of [HookFrames].
type FramesEvent struct {
	Header   Header
	TargetID string
	Frames   []Frame
}

// FramesVerdict is the output of [HookFrames].
type FramesVerdict struct {
	Kept      []uint32
	Truncated bool
	Rule      string
}

// BridgeScriptEvent is the input of [HookBridgeScript].
type BridgeScriptEvent struct {
	Header       Header
	PauseToken   string
	RequestToken string
}

// BridgeScript is the output of [HookBridgeScript].
type BridgeScript struct {
	Source          string
	SourceURL       string
	PauseExpression string
	RequestPatterns []string
	Rule            string
}

// BridgeVia tells how a request of the bridge's script reached the host.
type BridgeVia int32

// A request comes as a debugger statement that pauses, or over the network.
const (
	BridgeViaUnspecified BridgeVia = iota
	BridgeViaPause
	BridgeViaRequest
)

// BridgeRequestEvent is the input of [HookBridgeRequest].
type BridgeRequestEvent struct {
	Header   Header
	Via      BridgeVia
	Payload  string
	Method   string
	Body     string
	FrameURL string
	Origin   string
}

// BridgeSuppressed says why a browser would not have shown a dialog.
type BridgeSuppressed int32

// Browsers show no dialog of a beforeunload handler, nor of a frame that is sandboxed without allow-modals.
const (
	BridgeSuppressedUnspecified BridgeSuppressed = iota
	BridgeSuppressedBeforeUnload
	BridgeSuppressedSandbox
)

// BridgeRequest is the output of [HookBridgeRequest].
type BridgeRequest struct {
	Token         string
	Type          DialogType
	Message       string
	DefaultPrompt string
	Key           string
	Suppressed    BridgeSuppressed
}

// BridgeReplyEvent is the input of [HookBridgeReply].
type BridgeReplyEvent struct {
	Header   Header
	Via      BridgeVia
	Type     DialogType
	Accepted bool
	HasText  bool // whether Text is given; without it an accepted prompt returns the page's default text
	Text     string
	Payload  string
}

// HTTPHeader is one header of a response.
type HTTPHeader struct {
	Name  string
	Value string
}

// BridgeReply is the output of [HookBridgeReply].
type BridgeReply struct {
	Expression string
	Status     uint32
	Headers    []HTTPHeader
	Body       []byte
}

// NavigateEvent is the input of [HookNavigate].
type NavigateEvent struct {
	Header         Header
	URL            string
	Origin         string
	Method         string
	FrameID        string
	ParentFrameID  string
	FrameKind      FrameKind
	TargetID       string
	Popup          bool
	FromURL        string
	FromOrigin     string
	TopOrigin      string
	Redirects      uint32
	RedirectedFrom string
}

// NavigateAction is what to do with a navigation.
type NavigateAction int32

// The actions of a [NavigateVerdict].
const (
	NavigateActionUnspecified NavigateAction = iota
	NavigateActionAllow
	NavigateActionDeny
	NavigateActionRewrite
)

// NavigateVerdict is the output of [HookNavigate].
type NavigateVerdict struct {
	Action NavigateAction
	URL    string
	Reason string
	Rule   string
}

// ToolCallEvent is the input of [HookToolCall].
type ToolCallEvent struct {
	Header    Header
	Tool      string
	Arguments Struct
	TargetID  string
	URL       string
	Origin    string
	Page      string
}

// ToolResult is the output of [HookToolCall].
type ToolResult struct {
	Text       string
	Structured Struct
	IsError    bool
}

// KeyList is what [ImportKVList] writes.
type KeyList struct {
	Keys []string
}

// ManifestTool is a tool that a plugin offers to agents.
type ManifestTool struct {
	Name        string
	Description string
	InputSchema string
	PageScript  string
	ReadOnly    bool
}

// Manifest describes a module; it is kept in the custom section [ManifestSection].
type Manifest struct {
	Name         string
	Version      string
	Hooks        []string
	Capabilities []string
	ConfigSchema string
	Fuel         uint64
	Description  string
	Tools        []ManifestTool

	OptionalImports []string
	DialogPolicies  []string // the words of [DialogEvent] Policy that it knows; none: it does not say
}
