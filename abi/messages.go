package abi

// The message structs mirror hermes.proto, which explains the fields. The JSON names are for package abijson, which has
// those of [DialogVerdict] and [BridgeReplyEvent] itself.

// Header opens every event.
type Header struct {
	Sequence     uint64 `json:"sequence,omitzero"`
	TimeUnixNano int64  `json:"time_unix_nano,omitzero"`
	TaskID       string `json:"task_id,omitzero"`
	Revision     uint64 `json:"revision,omitzero"`
	RandomSeed   []byte `json:"random_seed,omitempty"`
	TaskConfig   Struct `json:"task_config,omitempty"`
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

// FrameKind says where a frame runs.
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
	Header        Header     `json:"header,omitempty"`
	DialogID      string     `json:"dialog_id,omitzero"`
	Type          DialogType `json:"type,omitzero"`
	Message       string     `json:"message,omitzero"`
	DefaultPrompt string     `json:"default_prompt,omitzero"`
	URL           string     `json:"url,omitzero"`
	Origin        string     `json:"origin,omitzero"`
	FrameID       string     `json:"frame_id,omitzero"`
	FrameKind     FrameKind  `json:"frame_kind,omitzero"`
	TargetID      string     `json:"target_id,omitzero"`
	Popup         bool       `json:"popup,omitzero"`
	Policy        string     `json:"policy,omitzero"`
	TimeoutMs     int64      `json:"timeout_ms,omitzero"`
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
	Action    DialogAction `json:"action,omitzero"`
	HasText   bool         // whether Text is given; without it an accepted prompt returns the page's default text
	Text      string       `json:"text,omitzero"`
	TimeoutMs int64        `json:"timeout_ms,omitzero"`
	Rule      string       `json:"rule,omitzero"`
	Final     bool         `json:"final,omitzero"` // overrides an answer that an agent gave in advance
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
	Header    Header     `json:"header,omitempty"`
	DialogID  string     `json:"dialog_id,omitzero"`
	Type      DialogType `json:"type,omitzero"`
	ClosedBy  ClosedBy   `json:"closed_by,omitzero"`
	Accepted  bool       `json:"accepted,omitzero"`
	Text      string     `json:"text,omitzero"`
	OpenNanos int64      `json:"open_nanos,omitzero"`
}

// Frame is one node of the frame tree of a tab.
type Frame struct {
	FrameID          string    `json:"frame_id,omitzero"`
	ParentFrameID    string    `json:"parent_frame_id,omitzero"`
	URL              string    `json:"url,omitzero"`
	Origin           string    `json:"origin,omitzero"`
	Name             string    `json:"name,omitzero"`
	Kind             FrameKind `json:"kind,omitzero"`
	Depth            uint32    `json:"depth,omitzero"`
	OOPIFDepth       uint32    `json:"oopif_depth,omitzero"`
	HasPendingDialog bool      `json:"has_pending_dialog,omitzero"`
}

// FramesEvent is the input of [HookFrames].
type FramesEvent struct {
	Header   Header  `json:"header,omitempty"`
	TargetID string  `json:"target_id,omitzero"`
	Frames   []Frame `json:"frames,omitempty"`
}

// FramesVerdict is the output of [HookFrames].
type FramesVerdict struct {
	Kept      []uint32 `json:"kept,omitempty"`
	Truncated bool     `json:"truncated,omitzero"`
	Rule      string   `json:"rule,omitzero"`
	Capped    []uint32 `json:"capped,omitempty"`
	Masked    []uint32 `json:"masked,omitempty"`
}

// BridgeScriptEvent is the input of [HookBridgeScript].
type BridgeScriptEvent struct {
	Header       Header `json:"header,omitempty"`
	PauseToken   string `json:"pause_token,omitzero"`
	RequestToken string `json:"request_token,omitzero"`
}

// BridgeScript is the output of [HookBridgeScript].
type BridgeScript struct {
	Source          string   `json:"source,omitzero"`
	SourceURL       string   `json:"source_url,omitzero"`
	PauseExpression string   `json:"pause_expression,omitzero"`
	RequestPatterns []string `json:"request_patterns,omitempty"`
	Rule            string   `json:"rule,omitzero"`
}

// BridgeVia says how a request of the bridge's script reached the host.
type BridgeVia int32

// A request arrives as a debugger statement that pauses, or over the network.
const (
	BridgeViaUnspecified BridgeVia = iota
	BridgeViaPause
	BridgeViaRequest
)

// BridgeRequestEvent is the input of [HookBridgeRequest].
type BridgeRequestEvent struct {
	Header   Header    `json:"header,omitempty"`
	Via      BridgeVia `json:"via,omitzero"`
	Payload  string    `json:"payload,omitzero"`
	Method   string    `json:"method,omitzero"`
	Body     string    `json:"body,omitzero"`
	FrameURL string    `json:"frame_url,omitzero"`
	Origin   string    `json:"origin,omitzero"`
}

// BridgeSuppressed says why a browser would not have shown a dialog.
type BridgeSuppressed int32

// Browsers show no dialogs from a beforeunload handler, or from a frame that is sandboxed without allow-modals.
const (
	BridgeSuppressedUnspecified BridgeSuppressed = iota
	BridgeSuppressedBeforeUnload
	BridgeSuppressedSandbox
)

// BridgeRequest is the output of [HookBridgeRequest].
type BridgeRequest struct {
	Token         string           `json:"token,omitzero"`
	Type          DialogType       `json:"type,omitzero"`
	Message       string           `json:"message,omitzero"`
	DefaultPrompt string           `json:"default_prompt,omitzero"`
	Key           string           `json:"key,omitzero"`
	Suppressed    BridgeSuppressed `json:"suppressed,omitzero"`
}

// BridgeReplyEvent is the input of [HookBridgeReply].
type BridgeReplyEvent struct {
	Header   Header     `json:"header,omitempty"`
	Via      BridgeVia  `json:"via,omitzero"`
	Type     DialogType `json:"type,omitzero"`
	Accepted bool       `json:"accepted,omitzero"`
	HasText  bool       // whether Text is given; without it an accepted prompt returns the page's default text
	Text     string     `json:"text,omitzero"`
	Payload  string     `json:"payload,omitzero"`
}

// HTTPHeader is one header of a request or a response.
type HTTPHeader struct {
	Name  string `json:"name,omitzero"`
	Value string `json:"value,omitzero"`
}

// BridgeReply is the output of [HookBridgeReply].
type BridgeReply struct {
	Expression string       `json:"expression,omitzero"`
	Status     uint32       `json:"status,omitzero"`
	Headers    []HTTPHeader `json:"headers,omitempty"`
	Body       []byte       `json:"body,omitempty"`
}

// NavigateEvent is the input of [HookNavigate].
type NavigateEvent struct {
	Header         Header    `json:"header,omitempty"`
	URL            string    `json:"url,omitzero"`
	Origin         string    `json:"origin,omitzero"`
	Method         string    `json:"method,omitzero"`
	FrameID        string    `json:"frame_id,omitzero"`
	ParentFrameID  string    `json:"parent_frame_id,omitzero"`
	FrameKind      FrameKind `json:"frame_kind,omitzero"`
	TargetID       string    `json:"target_id,omitzero"`
	Popup          bool      `json:"popup,omitzero"`
	FromURL        string    `json:"from_url,omitzero"`
	FromOrigin     string    `json:"from_origin,omitzero"`
	TopOrigin      string    `json:"top_origin,omitzero"`
	Redirects      uint32    `json:"redirects,omitzero"`
	RedirectedFrom string    `json:"redirected_from,omitzero"`
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
	Action NavigateAction `json:"action,omitzero"`
	URL    string         `json:"url,omitzero"`
	Reason string         `json:"reason,omitzero"`
	Rule   string         `json:"rule,omitzero"`
}

// RequestEvent is the input of [HookRequest].
type RequestEvent struct {
	Header       Header       `json:"header,omitempty"`
	URL          string       `json:"url,omitzero"`
	URLSHA256    []byte       `json:"url_sha256,omitempty"`
	Origin       string       `json:"origin,omitzero"`
	Method       string       `json:"method,omitzero"`
	ResourceType string       `json:"resource_type,omitzero"`
	Headers      []HTTPHeader `json:"headers,omitempty"`
	FrameID      string       `json:"frame_id,omitzero"`
	FrameKind    FrameKind    `json:"frame_kind,omitzero"`
	FromURL      string       `json:"from_url,omitzero"`
	FromOrigin   string       `json:"from_origin,omitzero"`
	TopOrigin    string       `json:"top_origin,omitzero"`
	TargetID     string       `json:"target_id,omitzero"`
	TargetType   string       `json:"target_type,omitzero"`
	Popup        bool         `json:"popup,omitzero"`
	Redirected   bool         `json:"redirected,omitzero"`
}

// RequestAction is what to do with a request.
type RequestAction int32

// The actions of a [RequestVerdict].
const (
	RequestActionUnspecified RequestAction = iota
	RequestActionAllow
	RequestActionBlock
	RequestActionAbort
)

// RequestVerdict is the output of [HookRequest].
type RequestVerdict struct {
	Action RequestAction `json:"action,omitzero"`
	Reason string        `json:"reason,omitzero"`
	Rule   string        `json:"rule,omitzero"`
}

// ToolCallEvent is the input of [HookToolCall].
type ToolCallEvent struct {
	Header    Header `json:"header,omitempty"`
	Tool      string `json:"tool,omitzero"`
	Arguments Struct `json:"arguments,omitempty"`
	TargetID  string `json:"target_id,omitzero"`
	URL       string `json:"url,omitzero"`
	Origin    string `json:"origin,omitzero"`
	Page      string `json:"page,omitzero"`
}

// ToolResult is the output of [HookToolCall].
type ToolResult struct {
	Text       string `json:"text,omitzero"`
	Structured Struct `json:"structured,omitempty"`
	IsError    bool   `json:"is_error,omitzero"`
}

// ToolUseEvent is the input of [HookBeforeTool] and [HookAfterTool].
type ToolUseEvent struct {
	Header      Header `json:"header,omitempty"`
	Tool        string `json:"tool,omitzero"`
	Source      string `json:"source,omitzero"`
	Arguments   Struct `json:"arguments,omitempty"`
	TargetID    string `json:"target_id,omitzero"`
	URL         string `json:"url,omitzero"`
	Origin      string `json:"origin,omitzero"`
	Client      string `json:"client,omitzero"`
	ReadOnly    bool   `json:"read_only,omitzero"`
	Destructive bool   `json:"destructive,omitzero"`
	Text        string `json:"text,omitzero"`
	Structured  Struct `json:"structured,omitempty"`
	IsError     bool   `json:"is_error,omitzero"`
	Pictures    uint32 `json:"pictures,omitzero"`
}

// ToolAction is what to do with a call of a tool, or with its result.
type ToolAction int32

// The actions of a [ToolVerdict].
const (
	ToolActionUnspecified ToolAction = iota
	ToolActionAllow
	ToolActionDeny
	ToolActionChange
	ToolActionAsk
)

// ToolVerdict is the output of [HookBeforeTool] and [HookAfterTool].
type ToolVerdict struct {
	Action       ToolAction `json:"action,omitzero"`
	Reason       string     `json:"reason,omitzero"`
	Rule         string     `json:"rule,omitzero"`
	Arguments    Struct     `json:"arguments,omitempty"`
	Text         string     `json:"text,omitzero"`
	Structured   Struct     `json:"structured,omitempty"`
	DropPictures bool       `json:"drop_pictures,omitzero"`
}

// ConsoleEvent is the input of [HookConsole].
type ConsoleEvent struct {
	Header     Header `json:"header,omitempty"`
	Type       string `json:"type,omitzero"`
	From       string `json:"from,omitzero"`
	Text       string `json:"text,omitzero"`
	Source     string `json:"source,omitzero"`
	TargetID   string `json:"target_id,omitzero"`
	TargetType string `json:"target_type,omitzero"`
	TopOrigin  string `json:"top_origin,omitzero"`
}

// ConsoleAction is what to do with what a page logs.
type ConsoleAction int32

// The actions of a [ConsoleVerdict].
const (
	ConsoleActionUnspecified ConsoleAction = iota
	ConsoleActionKeep
	ConsoleActionDrop
	ConsoleActionMask
)

// ConsoleVerdict is the output of [HookConsole].
type ConsoleVerdict struct {
	Action ConsoleAction `json:"action,omitzero"`
	Text   string        `json:"text,omitzero"`
	Rule   string        `json:"rule,omitzero"`
}

// SnapshotNode is an element of a reading, or a text.
type SnapshotNode struct {
	Depth       uint32 `json:"depth,omitzero"`
	Role        string `json:"role,omitzero"`
	Name        string `json:"name,omitzero"`
	Value       string `json:"value,omitzero"`
	Description string `json:"description,omitzero"`
	URL         string `json:"url,omitzero"`
	Hint        string `json:"hint,omitzero"`
	Origin      string `json:"origin,omitzero"`
}

// SnapshotEvent is the input of [HookSnapshot].
type SnapshotEvent struct {
	Header   Header         `json:"header,omitempty"`
	TargetID string         `json:"target_id,omitzero"`
	URL      string         `json:"url,omitzero"`
	Origin   string         `json:"origin,omitzero"`
	Title    string         `json:"title,omitzero"`
	First    uint32         `json:"first,omitzero"`
	Nodes    []SnapshotNode `json:"nodes,omitempty"`
}

// SnapshotAction is what happens to a node of a reading.
type SnapshotAction int32

// The actions of a [SnapshotEdit].
const (
	SnapshotActionUnspecified SnapshotAction = iota
	SnapshotActionMask
	SnapshotActionDrop
	SnapshotActionAnnotate
)

// SnapshotEdit is what happens to one node.
type SnapshotEdit struct {
	Node        uint32         `json:"node,omitzero"`
	Action      SnapshotAction `json:"action,omitzero"`
	Name        string         `json:"name,omitzero"`
	Value       string         `json:"value,omitzero"`
	Description string         `json:"description,omitzero"`
	Note        string         `json:"note,omitzero"`
}

// SnapshotVerdict is the output of [HookSnapshot].
type SnapshotVerdict struct {
	Edits []SnapshotEdit `json:"edits,omitempty"`
	Rule  string         `json:"rule,omitzero"`
}

// FileEvent is the input of [HookDownload] and [HookUpload].
type FileEvent struct {
	Header    Header `json:"header,omitempty"`
	TargetID  string `json:"target_id,omitzero"`
	URL       string `json:"url,omitzero"`
	Origin    string `json:"origin,omitzero"`
	TopOrigin string `json:"top_origin,omitzero"`
	Name      string `json:"name,omitzero"`
	MediaType string `json:"media_type,omitzero"`
	Size      uint64 `json:"size,omitzero"`
	Complete  bool   `json:"complete,omitzero"`
}

// FileAction is what to do with a file.
type FileAction int32

// The actions of a [FileVerdict].
const (
	FileActionUnspecified FileAction = iota
	FileActionAllow
	FileActionDeny
)

// FileVerdict is the output of [HookDownload] and [HookUpload].
type FileVerdict struct {
	Action FileAction `json:"action,omitzero"`
	Reason string     `json:"reason,omitzero"`
	Rule   string     `json:"rule,omitzero"`
}

// KeyList is what [ImportKVList] writes.
type KeyList struct {
	Keys []string
}

// ManifestTool is a tool that a plugin offers to agents.
type ManifestTool struct {
	Name        string `json:"name,omitzero"`
	Description string `json:"description,omitzero"`
	InputSchema string `json:"input_schema,omitzero"`
	PageScript  string `json:"page_script,omitzero"`
	ReadOnly    bool   `json:"read_only,omitzero"`
}

// Manifest describes a module; it is kept in the custom section [ManifestSection].
type Manifest struct {
	Name         string         `json:"name,omitzero"`
	Version      string         `json:"version,omitzero"`
	Hooks        []string       `json:"hooks,omitempty"`
	Capabilities []string       `json:"capabilities,omitempty"`
	ConfigSchema string         `json:"config_schema,omitzero"`
	Fuel         uint64         `json:"fuel,omitzero"`
	Description  string         `json:"description,omitzero"`
	Tools        []ManifestTool `json:"tools,omitempty"`

	OptionalImports []string `json:"optional_imports,omitempty"`
	// Values of [DialogEvent] Policy that it knows; empty: unspecified.
	DialogPolicies []string `json:"dialog_policies,omitempty"`
}
