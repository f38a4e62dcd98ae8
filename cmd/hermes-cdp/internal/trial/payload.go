package trial

import (
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

// payload is an event that a module is measured with.
type payload struct {
	name  string
	event []byte
}

// payloads are the event of the self-test, and one about as large as a page can make it.
func payloads(hook abi.Hook) []payload {
	var list []payload
	if event, ok := module.MadeUpEvent(hook); ok {
		list = append(list, payload{"small", event})
	}
	if event := largeEvent(hook); event != nil {
		list = append(list, payload{"large", event})
	}
	return list
}

// largeText is as long as the text of a dialog, of which a page can have as much as it wants, within what the host
// passes on.
func largeText() string { return strings.Repeat("large ", abi.MaxDialogTextBytes/6) }

// largeEvent is nil for a hook whose events no page can make larger.
func largeEvent(hook abi.Hook) []byte {
	switch hook {
	case abi.HookDialog:
		event := abi.DialogEvent{DialogID: "d-1", Type: abi.DialogTypeConfirm, Message: largeText(), Origin: "https://example.com"}
		return event.Append(nil)
	case abi.HookFrames:
		return largeTree().Append(nil)
	case abi.HookBridgeRequest:
		event := abi.BridgeRequestEvent{Via: abi.BridgeViaPause, Payload: largeText(), Origin: "https://example.com"}
		return event.Append(nil)
	case abi.HookNavigate:
		event := abi.NavigateEvent{URL: "https://example.com/?" + strings.Repeat("q", abi.MaxFrameURLBytes), Origin: "https://example.com", Method: "GET"}
		return event.Append(nil)
	case abi.HookRequest:
		event := abi.RequestEvent{URL: "https://example.com/?" + strings.Repeat("q", abi.MaxRequestURLBytes-21), Origin: "https://example.com", Method: "GET"}
		for range abi.MaxRequestHeadersBytes / 128 {
			event.Headers = append(event.Headers, abi.HTTPHeader{Name: "X-Large", Value: strings.Repeat("v", 121)})
		}
		return event.Append(nil)
	case abi.HookToolCall:
		event := abi.ToolCallEvent{Tool: "self_test", Page: `"` + largeText() + `"`}
		return event.Append(nil)
	case abi.HookConsole:
		event := abi.ConsoleEvent{Type: "log", Text: largeText(), TopOrigin: "https://example.com"}
		return event.Append(nil)
	case abi.HookSnapshot:
		return largeReading().Append(nil)
	case abi.HookDownload:
		event := abi.FileEvent{Name: "report.pdf", URL: "https://example.com/" + strings.Repeat("q", abi.MaxFrameURLBytes-20), Origin: "https://example.com"}
		return event.Append(nil)
	case abi.HookAfterTool:
		event := abi.ToolUseEvent{Tool: "browser_snapshot", Source: "browser", Text: largeText()}
		return event.Append(nil)
	default:
		return nil
	}
}

// largeReading is a part of a reading, as large as the host makes it.
func largeReading() *abi.SnapshotEvent {
	reading := abi.SnapshotEvent{TargetID: "T1", URL: "https://example.com/", Origin: "https://example.com"}
	for i := range 500 {
		reading.Nodes = append(reading.Nodes, abi.SnapshotNode{Depth: uint32(i % 8), Role: "link", Name: fmt.Sprintf("Report %d of the year", i), URL: "https://example.com/reports"})
	}
	return &reading
}

// largeTree is a page with 500 frames, every tenth of them with one of its own.
func largeTree() *abi.FramesEvent {
	tree := abi.FramesEvent{TargetID: "T1", Frames: []abi.Frame{{FrameID: "top", URL: "https://example.com/", Origin: "https://example.com", Kind: abi.FrameKindTop}}}
	for i := range 500 {
		frame := abi.Frame{
			FrameID: fmt.Sprintf("6B2F3C1E0D9A48B7A1C2D3E4F506%04d", i), ParentFrameID: "top", Depth: 1, OOPIFDepth: 1, Kind: abi.FrameKindOOPIF,
			URL: fmt.Sprintf("https://slot-%d.ads.example.net/frame.html", i), Origin: fmt.Sprintf("https://slot-%d.ads.example.net", i),
		}
		if i%10 == 9 {
			frame.ParentFrameID, frame.Depth = tree.Frames[i].FrameID, 2
		}
		tree.Frames = append(tree.Frames, frame)
	}
	return &tree
}
