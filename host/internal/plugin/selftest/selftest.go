// Package selftest asks each hook of a module about one artificial event, before the module may decide on real ones.
package selftest

import "github.com/hermes-cdp/hermes-cdp/abi"

// header has fixed values, so that a check gives the same result each time.
var header = abi.Header{Sequence: 1, TimeUnixNano: 1, TaskID: TaskID, Revision: 1, RandomSeed: make([]byte, 16)}

// toolUse is a click; what came of it is left out before it.
func toolUse(result bool) *abi.ToolUseEvent {
	e := &abi.ToolUseEvent{
		Header:      header,
		Tool:        "browser_click",
		Source:      "browser",
		Arguments:   abi.Struct{{Key: "ref", Value: abi.StringValue("e5")}},
		TargetID:    "T1",
		URL:         "https://example.com/",
		Origin:      "https://example.com",
		Destructive: true,
	}
	if result {
		e.Text, e.Structured = "clicked e5", abi.Struct{{Key: "success", Value: abi.BoolValue(true)}}
	}
	return e
}

// file is one that a page offers at an address, or gets there.
func file(url string) *abi.FileEvent {
	return &abi.FileEvent{
		Header:    header,
		TargetID:  "T1",
		URL:       url,
		Origin:    "https://example.com",
		TopOrigin: "https://example.com",
		Name:      "report.pdf",
		MediaType: "application/pdf",
		Size:      4096,
		Complete:  true,
	}
}

var events = map[abi.Hook]abi.Message{
	abi.HookDialog: &abi.DialogEvent{
		Header:    header,
		DialogID:  "d-1",
		Type:      abi.DialogTypeConfirm,
		Message:   "Leave this page?",
		URL:       "https://example.com/",
		Origin:    "https://example.com",
		FrameID:   "F1",
		FrameKind: abi.FrameKindTop,
		TargetID:  "T1",
	},
	abi.HookDialogClosed: &abi.DialogClosedEvent{
		Header:    header,
		DialogID:  "d-1",
		Type:      abi.DialogTypeConfirm,
		ClosedBy:  abi.ClosedByAgent,
		Accepted:  true,
		OpenNanos: 1_000_000,
	},
	// A top frame with a child of each kind.
	abi.HookFrames: &abi.FramesEvent{Header: header, TargetID: "T1", Frames: []abi.Frame{
		{FrameID: "F1", URL: "https://example.com/", Origin: "https://example.com", Kind: abi.FrameKindTop},
		{FrameID: "F2", ParentFrameID: "F1", URL: "https://example.com/a", Origin: "https://example.com",
			Kind: abi.FrameKindLocal, Depth: 1},
		{FrameID: "F3", ParentFrameID: "F1", URL: "https://example.org/", Origin: "https://example.org",
			Kind: abi.FrameKindOOPIF, Depth: 1, OOPIFDepth: 1},
	}},
	abi.HookBridgeScript: &abi.BridgeScriptEvent{
		Header:       header,
		PauseToken:   "00112233445566778899aabbccddeeff",
		RequestToken: "ffeeddccbbaa99887766554433221100",
	},
	// No script made this request, so abstaining is a good answer.
	abi.HookBridgeRequest: &abi.BridgeRequestEvent{
		Header:   header,
		Via:      abi.BridgeViaRequest,
		Payload:  "https://example.com/",
		Method:   "GET",
		FrameURL: "https://example.com/",
		Origin:   "https://example.com",
	},
	abi.HookBridgeReply: &abi.BridgeReplyEvent{
		Header:   header,
		Via:      abi.BridgeViaRequest,
		Type:     abi.DialogTypePrompt,
		Accepted: true,
		HasText:  true,
		Text:     "text",
		Payload:  "https://example.com/",
	},
	abi.HookNavigate: &abi.NavigateEvent{
		Header:     header,
		URL:        "https://example.org/",
		Origin:     "https://example.org",
		Method:     "GET",
		FrameID:    "F1",
		FrameKind:  abi.FrameKindTop,
		TargetID:   "T1",
		FromURL:    "https://example.com/",
		FromOrigin: "https://example.com",
		TopOrigin:  "https://example.com",
	},
	abi.HookRequest: &abi.RequestEvent{
		Header:       header,
		URL:          "https://example.org/pixel.gif",
		Origin:       "https://example.org",
		Method:       "GET",
		ResourceType: "image",
		Headers:      []abi.HTTPHeader{{Name: "Accept", Value: "image/*"}},
		FrameID:      "F1",
		FrameKind:    abi.FrameKindTop,
		FromURL:      "https://example.com/",
		FromOrigin:   "https://example.com",
		TopOrigin:    "https://example.com",
		TargetID:     "T1",
		TargetType:   "page",
	},
	abi.HookConsole: &abi.ConsoleEvent{
		Header:     header,
		Type:       "log",
		Text:       "loaded",
		Source:     "https://example.com/app.js:1:5",
		TargetID:   "T1",
		TargetType: "page",
		TopOrigin:  "https://example.com",
	},
	abi.HookSnapshot: &abi.SnapshotEvent{
		Header:   header,
		TargetID: "T1",
		URL:      "https://example.com/",
		Origin:   "https://example.com",
		Title:    "Example",
		Nodes:    []abi.SnapshotNode{{Role: "list"}, {Depth: 1, Role: "link", Name: "Next", URL: "https://example.com/2"}},
	},
	abi.HookDownload:   file("https://example.com/report.pdf"),
	abi.HookUpload:     file("https://example.com/form"),
	abi.HookBeforeTool: toolUse(false),
	abi.HookAfterTool:  toolUse(true),
	// No manifest declares this tool, so refusing the call is a good answer.
	abi.HookToolCall: &abi.ToolCallEvent{
		Header:   header,
		Tool:     "self_test",
		TargetID: "T1",
		URL:      "https://example.com/",
		Origin:   "https://example.com",
		Page:     "null",
	},
}

// Event returns the artificial event of a hook, encoded; ok is false for an unknown hook.
func Event(hook abi.Hook) (event []byte, ok bool) {
	made, ok := events[hook]
	if !ok {
		return nil, false
	}
	return made.Append(nil), true
}
