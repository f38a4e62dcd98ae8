package abi_test

import (
	"fmt"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

func sampleDialogEvent() *abi.DialogEvent {
	return &abi.DialogEvent{
		Header: abi.Header{
			Sequence: 41, TimeUnixNano: 1_790_000_000_000_000_000, TaskID: "task-7", Revision: 3,
			RandomSeed: []byte("0123456789abcdef"),
			TaskConfig: abi.Struct{{Key: "policy", Value: abi.StringValue("auto_dismiss")}},
		},
		DialogID: "d-1", Type: abi.DialogTypePrompt, Message: "Your name?", DefaultPrompt: "nobody",
		URL: "https://example.com/form", Origin: "https://example.com",
		FrameID: "6B2F3C1E0D9A48B7A1C2D3E4F5061728", FrameKind: abi.FrameKindTop,
		TargetID: "6B2F3C1E0D9A48B7A1C2D3E4F5061728", Popup: true, Policy: "must_respond", TimeoutMs: 300_000,
	}
}

func sampleFramesEvent(n int) *abi.FramesEvent {
	event := &abi.FramesEvent{Header: abi.Header{Sequence: 42, TaskID: "task-7", Revision: 12}, TargetID: "T1"}
	event.Frames = append(event.Frames, abi.Frame{
		FrameID: "F0", URL: "https://example.com/", Origin: "https://example.com", Kind: abi.FrameKindTop,
	})
	for i := 1; i < n; i++ {
		event.Frames = append(event.Frames, abi.Frame{
			FrameID: fmt.Sprintf("F%d", i), ParentFrameID: "F0", URL: "https://ads.example.net/slot/",
			Origin: "https://ads.example.net", Kind: abi.FrameKindOOPIF, Depth: 1, OOPIFDepth: 1,
		})
	}
	return event
}

func BenchmarkAppendDialogEvent(b *testing.B) {
	event, buf := sampleDialogEvent(), make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		buf = event.Append(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkUnmarshalDialogEvent(b *testing.B) {
	src := sampleDialogEvent().Append(nil)
	var event abi.DialogEvent
	b.SetBytes(int64(len(src)))
	b.Run("copy", func(b *testing.B) { benchmarkUnmarshal(b, src, event.Unmarshal) })
	b.Run("alias", func(b *testing.B) { benchmarkUnmarshal(b, src, event.UnmarshalAlias) })
}

func BenchmarkUnmarshal100Frames(b *testing.B) {
	src := sampleFramesEvent(100).Append(nil)
	var event abi.FramesEvent
	b.Run("copy", func(b *testing.B) { benchmarkUnmarshal(b, src, event.Unmarshal) })
	b.Run("alias", func(b *testing.B) { benchmarkUnmarshal(b, src, event.UnmarshalAlias) })
}

func benchmarkUnmarshal(b *testing.B, src []byte, unmarshal func([]byte) error) {
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := unmarshal(src); err != nil {
			b.Fatal(err)
		}
	}
}
