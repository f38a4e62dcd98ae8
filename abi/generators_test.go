package abi_test

import (
	"math"

	"pgregory.net/rapid"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// message is implemented by every struct of hermes.proto.
type message interface {
	Append(dst []byte) []byte
	Unmarshal(src []byte) error
}

// kind is a message of the schema, with functions that return an empty and a random one.
type kind struct {
	name   string // in hermes.proto
	empty  func() message
	random func(*rapid.T) message
}

func kinds() []kind {
	return []kind{
		{"hermes.v1.Header", func() message { return new(abi.Header) }, func(t *rapid.T) message {
			m := headers().Draw(t, "header")
			return &m
		}},
		{"hermes.v1.DialogEvent", func() message { return new(abi.DialogEvent) }, drawDialogEvent},
		{"hermes.v1.DialogVerdict", func() message { return new(abi.DialogVerdict) }, drawDialogVerdict},
		{"hermes.v1.DialogClosedEvent", func() message { return new(abi.DialogClosedEvent) }, drawDialogClosedEvent},
		{"hermes.v1.Frame", func() message { return new(abi.Frame) }, func(t *rapid.T) message {
			m := frames().Draw(t, "frame")
			return &m
		}},
		{"hermes.v1.FramesEvent", func() message { return new(abi.FramesEvent) }, drawFramesEvent},
		{"hermes.v1.FramesVerdict", func() message { return new(abi.FramesVerdict) }, drawFramesVerdict},
		{"hermes.v1.BridgeScriptEvent", func() message { return new(abi.BridgeScriptEvent) }, drawBridgeScriptEvent},
		{"hermes.v1.BridgeScript", func() message { return new(abi.BridgeScript) }, drawBridgeScript},
		{"hermes.v1.BridgeRequestEvent", func() message { return new(abi.BridgeRequestEvent) }, drawBridgeRequestEvent},
		{"hermes.v1.BridgeRequest", func() message { return new(abi.BridgeRequest) }, drawBridgeRequest},
		{"hermes.v1.BridgeReplyEvent", func() message { return new(abi.BridgeReplyEvent) }, drawBridgeReplyEvent},
		{"hermes.v1.HTTPHeader", func() message { return new(abi.HTTPHeader) }, drawHTTPHeader},
		{"hermes.v1.BridgeReply", func() message { return new(abi.BridgeReply) }, drawBridgeReply},
		{"hermes.v1.NavigateEvent", func() message { return new(abi.NavigateEvent) }, drawNavigateEvent},
		{"hermes.v1.NavigateVerdict", func() message { return new(abi.NavigateVerdict) }, drawNavigateVerdict},
		{"hermes.v1.RequestEvent", func() message { return new(abi.RequestEvent) }, drawRequestEvent},
		{"hermes.v1.ToolUseEvent", func() message { return new(abi.ToolUseEvent) }, drawToolUseEvent},
		{"hermes.v1.ToolVerdict", func() message { return new(abi.ToolVerdict) }, drawToolVerdict},
		{"hermes.v1.ConsoleEvent", func() message { return new(abi.ConsoleEvent) }, drawConsoleEvent},
		{"hermes.v1.ConsoleVerdict", func() message { return new(abi.ConsoleVerdict) }, drawConsoleVerdict},
		{"hermes.v1.SnapshotNode", func() message { return new(abi.SnapshotNode) }, drawSnapshotNode},
		{"hermes.v1.SnapshotEvent", func() message { return new(abi.SnapshotEvent) }, drawSnapshotEvent},
		{"hermes.v1.SnapshotEdit", func() message { return new(abi.SnapshotEdit) }, drawSnapshotEdit},
		{"hermes.v1.SnapshotVerdict", func() message { return new(abi.SnapshotVerdict) }, drawSnapshotVerdict},
		{"hermes.v1.FileEvent", func() message { return new(abi.FileEvent) }, drawFileEvent},
		{"hermes.v1.FileVerdict", func() message { return new(abi.FileVerdict) }, drawFileVerdict},
		{"hermes.v1.RequestVerdict", func() message { return new(abi.RequestVerdict) }, drawRequestVerdict},
		{"hermes.v1.ToolCallEvent", func() message { return new(abi.ToolCallEvent) }, drawToolCallEvent},
		{"hermes.v1.ToolResult", func() message { return new(abi.ToolResult) }, drawToolResult},
		{"hermes.v1.KeyList", func() message { return new(abi.KeyList) }, drawKeyList},
		{"hermes.v1.ManifestTool", func() message { return new(abi.ManifestTool) }, drawManifestTool},
		{"hermes.v1.Manifest", func() message { return new(abi.Manifest) }, drawManifest},
		{"google.protobuf.Struct", func() message { return new(abi.Struct) }, func(t *rapid.T) message {
			m := structs(4).Draw(t, "struct")
			return &m
		}},
		{"google.protobuf.Value", func() message { return new(abi.Value) }, func(t *rapid.T) message {
			m := values(4).Draw(t, "value")
			return &m
		}},
	}
}

func draw[T any](t *rapid.T, g *rapid.Generator[T], name string) T { return g.Draw(t, name) }

// enums also draws numbers that no version knows: they must survive.
func enums(t *rapid.T, name string) int32 { return draw(t, rapid.Int32(), name) }

// texts draws valid UTF-8, including texts whose length takes more than a byte.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.StringN(0, 12, -1), rapid.StringN(0, 12, -1), rapid.StringN(0, 12, -1), rapid.StringN(125, 135, -1))
}

func nonEmpty[T any](t *rapid.T, g *rapid.Generator[T], name string) []T {
	s := rapid.SliceOfN(g, 0, 3).Draw(t, name)
	if len(s) == 0 {
		return nil
	}
	return s
}

func headers() *rapid.Generator[abi.Header] {
	return rapid.Custom(func(t *rapid.T) abi.Header {
		return abi.Header{
			Sequence:     draw(t, rapid.Uint64(), "sequence"),
			TimeUnixNano: draw(t, rapid.Int64(), "time"),
			TaskID:       draw(t, texts(), "task"),
			Revision:     draw(t, rapid.Uint64(), "revision"),
			RandomSeed:   nonEmpty(t, rapid.Byte(), "seed"),
			TaskConfig:   draw(t, structs(3), "config"),
		}
	})
}

// structs draws objects as Unmarshal leaves them: ordered, without repeated keys, nil when empty.
func structs(depth int) *rapid.Generator[abi.Struct] {
	return rapid.Custom(func(t *rapid.T) abi.Struct {
		members := rapid.MapOfN(rapid.String(), values(depth-1), 0, 3).Draw(t, "members")
		var s abi.Struct
		for key, value := range members {
			s = append(s, abi.Field{Key: key, Value: value})
		}
		sortStruct(s)
		return s
	})
}

func sortStruct(s abi.Struct) {
	for i := range s {
		for j := i; j > 0 && s[j].Key < s[j-1].Key; j-- {
			s[j], s[j-1] = s[j-1], s[j]
		}
	}
}

func values(depth int) *rapid.Generator[abi.Value] {
	return rapid.Custom(func(t *rapid.T) abi.Value {
		last := abi.KindBool
		if depth > 0 {
			last = abi.KindList
		}
		kind := abi.Kind(rapid.IntRange(int(abi.KindNull), int(last)).Draw(t, "kind"))
		switch kind {
		case abi.KindNumber:
			return abi.NumberValue(rapid.OneOf(rapid.Float64(), rapid.Just(math.Inf(-1))).Draw(t, "number"))
		case abi.KindString:
			return abi.StringValue(texts().Draw(t, "text"))
		case abi.KindBool:
			return abi.BoolValue(rapid.Bool().Draw(t, "bool"))
		case abi.KindStruct:
			return abi.StructValue(structs(depth).Draw(t, "object"))
		case abi.KindList:
			return abi.ListValue(nonEmpty(t, values(depth-1), "array")...)
		default:
			return abi.Value{}
		}
	})
}

func drawDialogEvent(t *rapid.T) message {
	return &abi.DialogEvent{
		Header:        draw(t, headers(), "header"),
		DialogID:      draw(t, texts(), "dialog"),
		Type:          abi.DialogType(enums(t, "type")),
		Message:       draw(t, texts(), "message"),
		DefaultPrompt: draw(t, texts(), "default"),
		URL:           draw(t, texts(), "url"),
		Origin:        draw(t, texts(), "origin"),
		FrameID:       draw(t, texts(), "frame"),
		FrameKind:     abi.FrameKind(enums(t, "kind")),
		TargetID:      draw(t, texts(), "target"),
		Popup:         draw(t, rapid.Bool(), "popup"),
		Policy:        draw(t, texts(), "policy"),
		TimeoutMs:     draw(t, rapid.Int64(), "timeout"),
	}
}

func drawDialogVerdict(t *rapid.T) message {
	m := &abi.DialogVerdict{
		Action:    abi.DialogAction(enums(t, "action")),
		HasText:   draw(t, rapid.Bool(), "has text"),
		TimeoutMs: draw(t, rapid.Int64(), "timeout"),
		Rule:      draw(t, texts(), "rule"),
		Final:     draw(t, rapid.Bool(), "final"),
	}
	if m.HasText {
		m.Text = draw(t, texts(), "text")
	}
	return m
}

func drawDialogClosedEvent(t *rapid.T) message {
	return &abi.DialogClosedEvent{
		Header:    draw(t, headers(), "header"),
		DialogID:  draw(t, texts(), "dialog"),
		Type:      abi.DialogType(enums(t, "type")),
		ClosedBy:  abi.ClosedBy(enums(t, "closed by")),
		Accepted:  draw(t, rapid.Bool(), "accepted"),
		Text:      draw(t, texts(), "text"),
		OpenNanos: draw(t, rapid.Int64(), "open"),
	}
}

func frames() *rapid.Generator[abi.Frame] {
	return rapid.Custom(func(t *rapid.T) abi.Frame {
		return abi.Frame{
			FrameID:          draw(t, texts(), "frame"),
			ParentFrameID:    draw(t, texts(), "parent"),
			URL:              draw(t, texts(), "url"),
			Origin:           draw(t, texts(), "origin"),
			Name:             draw(t, texts(), "name"),
			Kind:             abi.FrameKind(enums(t, "kind")),
			Depth:            draw(t, rapid.Uint32(), "depth"),
			OOPIFDepth:       draw(t, rapid.Uint32(), "oopif depth"),
			HasPendingDialog: draw(t, rapid.Bool(), "pending"),
		}
	})
}

func drawFramesEvent(t *rapid.T) message {
	return &abi.FramesEvent{
		Header:   draw(t, headers(), "header"),
		TargetID: draw(t, texts(), "target"),
		Frames:   nonEmpty(t, frames(), "frames"),
	}
}

func drawFramesVerdict(t *rapid.T) message {
	return &abi.FramesVerdict{
		Kept:      nonEmpty(t, rapid.Uint32(), "kept"),
		Truncated: draw(t, rapid.Bool(), "truncated"),
		Rule:      draw(t, texts(), "rule"),
		Capped:    nonEmpty(t, rapid.Uint32(), "capped"),
		Masked:    nonEmpty(t, rapid.Uint32(), "masked"),
	}
}

func drawManifest(t *rapid.T) message {
	return &abi.Manifest{
		Name:         draw(t, texts(), "name"),
		Version:      draw(t, texts(), "version"),
		Hooks:        nonEmpty(t, texts(), "hooks"),
		Capabilities: nonEmpty(t, texts(), "capabilities"),
		ConfigSchema: draw(t, texts(), "schema"),
		Fuel:         draw(t, rapid.Uint64(), "fuel"),
		Description:  draw(t, texts(), "description"),
		Tools:        nonEmpty(t, manifestTools(), "tools"),

		OptionalImports: nonEmpty(t, texts(), "optional imports"),
		DialogPolicies:  nonEmpty(t, texts(), "policies"),
	}
}

func drawManifestTool(t *rapid.T) message {
	m := manifestTools().Draw(t, "tool")
	return &m
}

func manifestTools() *rapid.Generator[abi.ManifestTool] {
	return rapid.Custom(func(t *rapid.T) abi.ManifestTool {
		return abi.ManifestTool{
			Name:        draw(t, texts(), "name"),
			Description: draw(t, texts(), "description"),
			InputSchema: draw(t, texts(), "schema"),
			PageScript:  draw(t, texts(), "script"),
			ReadOnly:    draw(t, rapid.Bool(), "read only"),
		}
	})
}

func drawNavigateEvent(t *rapid.T) message {
	return &abi.NavigateEvent{
		Header:         draw(t, headers(), "header"),
		URL:            draw(t, texts(), "url"),
		Origin:         draw(t, texts(), "origin"),
		Method:         draw(t, texts(), "method"),
		FrameID:        draw(t, texts(), "frame"),
		ParentFrameID:  draw(t, texts(), "parent"),
		FrameKind:      abi.FrameKind(enums(t, "kind")),
		TargetID:       draw(t, texts(), "target"),
		Popup:          draw(t, rapid.Bool(), "popup"),
		FromURL:        draw(t, texts(), "from url"),
		FromOrigin:     draw(t, texts(), "from origin"),
		TopOrigin:      draw(t, texts(), "top origin"),
		Redirects:      draw(t, rapid.Uint32(), "redirects"),
		RedirectedFrom: draw(t, texts(), "redirected from"),
	}
}

func drawNavigateVerdict(t *rapid.T) message {
	return &abi.NavigateVerdict{
		Action: abi.NavigateAction(enums(t, "action")),
		URL:    draw(t, texts(), "url"),
		Reason: draw(t, texts(), "reason"),
		Rule:   draw(t, texts(), "rule"),
	}
}

func drawRequestEvent(t *rapid.T) message {
	return &abi.RequestEvent{
		Header:       draw(t, headers(), "header"),
		URL:          draw(t, texts(), "url"),
		URLSHA256:    nonEmpty(t, rapid.Byte(), "hash"),
		Origin:       draw(t, texts(), "origin"),
		Method:       draw(t, texts(), "method"),
		ResourceType: draw(t, texts(), "type"),
		Headers:      nonEmpty(t, httpHeaders(), "headers"),
		FrameID:      draw(t, texts(), "frame"),
		FrameKind:    abi.FrameKind(enums(t, "kind")),
		FromURL:      draw(t, texts(), "from url"),
		FromOrigin:   draw(t, texts(), "from origin"),
		TopOrigin:    draw(t, texts(), "top origin"),
		TargetID:     draw(t, texts(), "target"),
		TargetType:   draw(t, texts(), "target type"),
		Popup:        draw(t, rapid.Bool(), "popup"),
		Redirected:   draw(t, rapid.Bool(), "redirected"),
	}
}

func drawRequestVerdict(t *rapid.T) message {
	return &abi.RequestVerdict{
		Action: abi.RequestAction(enums(t, "action")),
		Reason: draw(t, texts(), "reason"),
		Rule:   draw(t, texts(), "rule"),
	}
}

func drawToolCallEvent(t *rapid.T) message {
	return &abi.ToolCallEvent{
		Header:    draw(t, headers(), "header"),
		Tool:      draw(t, texts(), "tool"),
		Arguments: draw(t, structs(3), "arguments"),
		TargetID:  draw(t, texts(), "target"),
		URL:       draw(t, texts(), "url"),
		Origin:    draw(t, texts(), "origin"),
		Page:      draw(t, texts(), "page"),
	}
}

func drawToolResult(t *rapid.T) message {
	return &abi.ToolResult{
		Text:       draw(t, texts(), "text"),
		Structured: draw(t, structs(3), "structured"),
		IsError:    draw(t, rapid.Bool(), "is error"),
	}
}

func drawToolUseEvent(t *rapid.T) message {
	return &abi.ToolUseEvent{
		Header:      draw(t, headers(), "header"),
		Tool:        draw(t, texts(), "tool"),
		Source:      draw(t, texts(), "source"),
		Arguments:   draw(t, structs(3), "arguments"),
		TargetID:    draw(t, texts(), "target"),
		URL:         draw(t, texts(), "url"),
		Origin:      draw(t, texts(), "origin"),
		Client:      draw(t, texts(), "client"),
		ReadOnly:    draw(t, rapid.Bool(), "read only"),
		Destructive: draw(t, rapid.Bool(), "destructive"),
		Text:        draw(t, texts(), "text"),
		Structured:  draw(t, structs(3), "structured"),
		IsError:     draw(t, rapid.Bool(), "is error"),
		Pictures:    draw(t, rapid.Uint32(), "pictures"),
	}
}

func drawToolVerdict(t *rapid.T) message {
	return &abi.ToolVerdict{
		Action:       abi.ToolAction(enums(t, "action")),
		Reason:       draw(t, texts(), "reason"),
		Rule:         draw(t, texts(), "rule"),
		Arguments:    draw(t, structs(3), "arguments"),
		Text:         draw(t, texts(), "text"),
		Structured:   draw(t, structs(3), "structured"),
		DropPictures: draw(t, rapid.Bool(), "drop pictures"),
	}
}

func drawConsoleEvent(t *rapid.T) message {
	return &abi.ConsoleEvent{
		Header:     draw(t, headers(), "header"),
		Type:       draw(t, texts(), "type"),
		From:       draw(t, texts(), "from"),
		Text:       draw(t, texts(), "text"),
		Source:     draw(t, texts(), "source"),
		TargetID:   draw(t, texts(), "target"),
		TargetType: draw(t, texts(), "target type"),
		TopOrigin:  draw(t, texts(), "top origin"),
	}
}

func drawConsoleVerdict(t *rapid.T) message {
	return &abi.ConsoleVerdict{
		Action: abi.ConsoleAction(enums(t, "action")),
		Text:   draw(t, texts(), "text"),
		Rule:   draw(t, texts(), "rule"),
	}
}

func drawSnapshotNode(t *rapid.T) message {
	return &abi.SnapshotNode{
		Depth:       draw(t, rapid.Uint32(), "depth"),
		Role:        draw(t, texts(), "role"),
		Name:        draw(t, texts(), "name"),
		Value:       draw(t, texts(), "value"),
		Description: draw(t, texts(), "description"),
		URL:         draw(t, texts(), "url"),
		Hint:        draw(t, texts(), "hint"),
		Origin:      draw(t, texts(), "origin"),
	}
}

func drawSnapshotEvent(t *rapid.T) message {
	e := &abi.SnapshotEvent{
		Header:   draw(t, headers(), "header"),
		TargetID: draw(t, texts(), "target"),
		URL:      draw(t, texts(), "url"),
		Origin:   draw(t, texts(), "origin"),
		Title:    draw(t, texts(), "title"),
		First:    draw(t, rapid.Uint32(), "first"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "nodes") {
		e.Nodes = append(e.Nodes, *drawSnapshotNode(t).(*abi.SnapshotNode))
	}
	return e
}

func drawSnapshotEdit(t *rapid.T) message {
	return &abi.SnapshotEdit{
		Node:        draw(t, rapid.Uint32(), "node"),
		Action:      abi.SnapshotAction(enums(t, "action")),
		Name:        draw(t, texts(), "name"),
		Value:       draw(t, texts(), "value"),
		Description: draw(t, texts(), "description"),
		Note:        draw(t, texts(), "note"),
	}
}

func drawSnapshotVerdict(t *rapid.T) message {
	v := &abi.SnapshotVerdict{Rule: draw(t, texts(), "rule")}
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		v.Edits = append(v.Edits, *drawSnapshotEdit(t).(*abi.SnapshotEdit))
	}
	return v
}

func drawFileEvent(t *rapid.T) message {
	return &abi.FileEvent{
		Header:    draw(t, headers(), "header"),
		TargetID:  draw(t, texts(), "target"),
		URL:       draw(t, texts(), "url"),
		Origin:    draw(t, texts(), "origin"),
		TopOrigin: draw(t, texts(), "top origin"),
		Name:      draw(t, texts(), "name"),
		MediaType: draw(t, texts(), "media type"),
		Size:      draw(t, rapid.Uint64(), "size"),
		Complete:  draw(t, rapid.Bool(), "complete"),
	}
}

func drawFileVerdict(t *rapid.T) message {
	return &abi.FileVerdict{
		Action: abi.FileAction(enums(t, "action")),
		Reason: draw(t, texts(), "reason"),
		Rule:   draw(t, texts(), "rule"),
	}
}

func drawKeyList(t *rapid.T) message {
	return &abi.KeyList{Keys: nonEmpty(t, texts(), "keys")}
}

func drawBridgeScriptEvent(t *rapid.T) message {
	return &abi.BridgeScriptEvent{
		Header:       draw(t, headers(), "header"),
		PauseToken:   draw(t, texts(), "pausetoken"),
		RequestToken: draw(t, texts(), "requesttoken"),
	}
}

func drawBridgeScript(t *rapid.T) message {
	return &abi.BridgeScript{
		Source:          draw(t, texts(), "source"),
		SourceURL:       draw(t, texts(), "sourceurl"),
		PauseExpression: draw(t, texts(), "pauseexpression"),
		RequestPatterns: nonEmpty(t, texts(), "requestpatterns"),
		Rule:            draw(t, texts(), "rule"),
	}
}

func drawBridgeRequestEvent(t *rapid.T) message {
	return &abi.BridgeRequestEvent{
		Header:   draw(t, headers(), "header"),
		Via:      abi.BridgeVia(enums(t, "via")),
		Payload:  draw(t, texts(), "payload"),
		Method:   draw(t, texts(), "method"),
		Body:     draw(t, texts(), "body"),
		FrameURL: draw(t, texts(), "frameurl"),
		Origin:   draw(t, texts(), "origin"),
	}
}

func drawBridgeRequest(t *rapid.T) message {
	return &abi.BridgeRequest{
		Token:         draw(t, texts(), "token"),
		Type:          abi.DialogType(enums(t, "type")),
		Message:       draw(t, texts(), "message"),
		DefaultPrompt: draw(t, texts(), "defaultprompt"),
		Key:           draw(t, texts(), "key"),
		Suppressed:    abi.BridgeSuppressed(enums(t, "suppressed")),
	}
}

func drawBridgeReplyEvent(t *rapid.T) message {
	m := &abi.BridgeReplyEvent{
		Header:   draw(t, headers(), "header"),
		Via:      abi.BridgeVia(enums(t, "via")),
		Type:     abi.DialogType(enums(t, "type")),
		Accepted: draw(t, rapid.Bool(), "accepted"),
		HasText:  draw(t, rapid.Bool(), "has text"),
		Payload:  draw(t, texts(), "payload"),
	}
	if m.HasText {
		m.Text = draw(t, texts(), "text")
	}
	return m
}

func drawHTTPHeader(t *rapid.T) message {
	m := httpHeaders().Draw(t, "header")
	return &m
}

func drawBridgeReply(t *rapid.T) message {
	return &abi.BridgeReply{
		Expression: draw(t, texts(), "expression"),
		Status:     draw(t, rapid.Uint32(), "status"),
		Headers:    nonEmpty(t, httpHeaders(), "headers"),
		Body:       nonEmpty(t, rapid.Byte(), "body"),
	}
}

func httpHeaders() *rapid.Generator[abi.HTTPHeader] {
	return rapid.Custom(func(t *rapid.T) abi.HTTPHeader {
		return abi.HTTPHeader{Name: draw(t, texts(), "name"), Value: draw(t, texts(), "value")}
	})
}
