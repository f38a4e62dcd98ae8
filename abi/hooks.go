package abi

// Hook is the name of a guest export that the host calls with an event.
type Hook string

// The hooks of this version.
const (
	// HookDialog decides on a dialog: [DialogEvent] in, [DialogVerdict] out.
	HookDialog Hook = "hermes_on_dialog"
	// HookDialogClosed learns how a dialog ended: [DialogClosedEvent] in, nothing out.
	HookDialogClosed Hook = "hermes_on_dialog_closed"
	// HookFrames trims the frame tree of a tab: [FramesEvent] in, [FramesVerdict] out.
	HookFrames Hook = "hermes_filter_frames"
	// HookBridgeScript supplies the script of the dialog bridge: [BridgeScriptEvent] in, [BridgeScript] out.
	HookBridgeScript Hook = "hermes_bridge_script"
	// HookBridgeRequest parses a possible request of that script: [BridgeRequestEvent] in, [BridgeRequest] out.
	HookBridgeRequest Hook = "hermes_bridge_request"
	// HookBridgeReply builds the reply to such a request: [BridgeReplyEvent] in, [BridgeReply] out.
	HookBridgeReply Hook = "hermes_bridge_reply"
	// HookNavigate decides on a navigation: [NavigateEvent] in, [NavigateVerdict] out.
	HookNavigate Hook = "hermes_on_navigate"
	// HookRequest decides on a request over the network: [RequestEvent] in, [RequestVerdict] out.
	HookRequest Hook = "hermes_on_request"
	// HookToolCall serves a tool that the manifest declares: [ToolCallEvent] in, [ToolResult] out.
	HookToolCall Hook = "hermes_tool_call"
	// HookBeforeTool decides on a call of any tool: [ToolUseEvent] in, [ToolVerdict] out.
	HookBeforeTool Hook = "hermes_before_tool"
	// HookAfterTool decides on the result of such a call: [ToolUseEvent] in, [ToolVerdict] out.
	HookAfterTool Hook = "hermes_after_tool"
	// HookConsole decides on what a page logs: [ConsoleEvent] in, [ConsoleVerdict] out.
	HookConsole Hook = "hermes_on_console"
	// HookSnapshot edits the reading of a page: [SnapshotEvent] in, [SnapshotVerdict] out.
	HookSnapshot Hook = "hermes_on_snapshot"
	// HookDownload decides on a file that a page offers: [FileEvent] in, [FileVerdict] out.
	HookDownload Hook = "hermes_on_download"
	// HookUpload decides on a file that a page is about to get: [FileEvent] in, [FileVerdict] out.
	HookUpload Hook = "hermes_on_upload"
)

// Hooks lists every hook.
func Hooks() []Hook {
	return []Hook{
		HookDialog, HookDialogClosed, HookFrames, HookBridgeScript, HookBridgeRequest, HookBridgeReply, HookNavigate, HookRequest,
		HookToolCall, HookBeforeTool, HookAfterTool, HookConsole, HookSnapshot, HookDownload, HookUpload,
	}
}

// Capability is something that a plugin may do beyond deciding on its events. The manifest asks for it, and the host's
// configuration grants it; without the grant the imports return [CodeDenied].
type Capability string

// The capabilities.
const (
	// CapabilityKV is a private store of the plugin for each task: kv_get, kv_set, kv_delete, kv_list, kv_set_ttl,
	// kv_compare_and_set.
	CapabilityKV Capability = "kv"
	// CapabilityState is read access to the host's state of the task: state_get.
	CapabilityState Capability = "state"
	// CapabilityPage lets the page scripts of the plugin's tools run.
	CapabilityPage Capability = "page"
)

// Capabilities lists every capability.
func Capabilities() []Capability { return []Capability{CapabilityKV, CapabilityState, CapabilityPage} }

// The bits of the features import.
const (
	FeatureKV       = 1 << iota // kv_get, kv_set, kv_delete, kv_list
	FeatureState                // state_get
	FeatureEmbedder             // answer_read, and what an embedder offers in EmbedderModule
	FeatureKVWrites             // kv_set_ttl, kv_compare_and_set
)

// The other names that host and guest agree on.
const (
	// ExportMarker is the export (no parameters, no results) that marks a module as one for version 1.
	ExportMarker = "hermes_abi_v1"
	// ExportInit is the optional export that is called once, when the configuration can be read.
	ExportInit = "hermes_init"
	// ImportModule is the module name of the host's functions.
	ImportModule = "hermes_v1"
	// EmbedderModule is the module name of the functions of the program that embeds the host.
	EmbedderModule = "embedder"
	// ManifestSection is the custom section that holds the [Manifest].
	ManifestSection = "hermes.manifest"
)

// The functions of [ImportModule]; see docs/abi.md for their signatures.
const (
	ImportFeatures        = "features"
	ImportEventRead       = "event_read"
	ImportResultWrite     = "result_write"
	ImportErrorWrite      = "error_write"
	ImportConfigRead      = "config_read"
	ImportLog             = "log"
	ImportLogEnabled      = "log_enabled"
	ImportStateGet        = "state_get"
	ImportKVGet           = "kv_get"
	ImportKVSet           = "kv_set"
	ImportKVDelete        = "kv_delete"
	ImportKVList          = "kv_list"
	ImportKVSetTTL        = "kv_set_ttl"
	ImportKVCompareAndSet = "kv_compare_and_set"
	ImportAnswerRead      = "answer_read"
)
