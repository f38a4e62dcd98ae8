package abijson

import (
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Message is a pointer to a message of package abi.
type Message interface {
	*abi.Header | *abi.DialogEvent | *abi.DialogVerdict | *abi.DialogClosedEvent | *abi.Frame | *abi.FramesEvent |
		*abi.FramesVerdict | *abi.BridgeScriptEvent | *abi.BridgeScript | *abi.BridgeRequestEvent | *abi.BridgeRequest |
		*abi.BridgeReplyEvent | *abi.HTTPHeader | *abi.BridgeReply | *abi.NavigateEvent | *abi.NavigateVerdict |
		*abi.RequestEvent | *abi.RequestVerdict |
		*abi.ToolCallEvent | *abi.ToolResult | *abi.ToolUseEvent | *abi.ToolVerdict |
		*abi.ConsoleEvent | *abi.ConsoleVerdict | *abi.FileEvent | *abi.FileVerdict | *abi.ManifestTool | *abi.Manifest
}

// Marshal formats a message as JSON on one line: with the field names of hermes.proto, enums as words, random_seed in
// base64, and without fields that have their default value.
func Marshal[M Message](m M) ([]byte, error) { return json.Marshal(m, options()) }

// Unmarshal is the inverse of [Marshal]. It replaces m. An unknown or repeated key and an unknown word are errors that
// name it; m is then the zero value.
func Unmarshal[M Message](data []byte, m M) error {
	value := reflect.ValueOf(m).Elem()
	value.SetZero()
	err := json.Unmarshal(data, m, options())
	if err != nil {
		value.SetZero()
	}
	return err
}

// The views tell an absent text from an empty one.
type (
	dialogVerdictView struct {
		Action    abi.DialogAction `json:"action,omitzero"`
		Text      *string          `json:"text,omitzero"`
		TimeoutMs int64            `json:"timeout_ms,omitzero"`
		Rule      string           `json:"rule,omitzero"`
		Final     bool             `json:"final,omitzero"`
	}
	bridgeReplyEventView struct {
		Header   abi.Header     `json:"header,omitempty"`
		Via      abi.BridgeVia  `json:"via,omitzero"`
		Type     abi.DialogType `json:"type,omitzero"`
		Accepted bool           `json:"accepted,omitzero"`
		Text     *string        `json:"text,omitzero"`
		Payload  string         `json:"payload,omitzero"`
	}
)

// options is built once: the JSON package caches in it what it learns about the types.
var options = sync.OnceValue(func() json.Options {
	return json.JoinOptions(
		json.RejectUnknownMembers(true),
		json.WithMarshalers(json.JoinMarshalers(
			writeAs(viewOfVerdict), writeAs(viewOfReply),
			json.MarshalToFunc(func(e *jsontext.Encoder, s abi.Struct) error { return writeStruct(e, "", s) }),
			json.MarshalToFunc(func(e *jsontext.Encoder, v abi.Value) error { return writeValue(e, "", v) }),
			writeWord[abi.DialogType](), writeWord[abi.FrameKind](),
			writeWord[abi.DialogAction](), writeWord[abi.ClosedBy](),
			writeWord[abi.BridgeVia](), writeWord[abi.BridgeSuppressed](), writeWord[abi.NavigateAction](),
			writeWord[abi.RequestAction](), writeWord[abi.ToolAction](),
			writeWord[abi.ConsoleAction](), writeWord[abi.FileAction](),
		)),
		json.WithUnmarshalers(json.JoinUnmarshalers(
			readAs(verdictOfView), readAs(replyOfView),
			json.UnmarshalFromFunc(readStruct),
			readWord(abi.ParseDialogType), readWord(abi.ParseFrameKind),
			readWord(abi.ParseDialogAction), readWord(abi.ParseClosedBy),
			readWord(abi.ParseBridgeVia), readWord(abi.ParseBridgeSuppressed), readWord(abi.ParseNavigateAction),
			readWord(abi.ParseRequestAction), readWord(abi.ParseToolAction),
			readWord(abi.ParseConsoleAction), readWord(abi.ParseFileAction),
		)),
	)
})

func viewOfVerdict(m *abi.DialogVerdict) dialogVerdictView {
	view := dialogVerdictView{Action: m.Action, TimeoutMs: m.TimeoutMs, Rule: m.Rule, Final: m.Final}
	if m.HasText {
		view.Text = &m.Text
	}
	return view
}

func verdictOfView(v dialogVerdictView) abi.DialogVerdict {
	m := abi.DialogVerdict{Action: v.Action, TimeoutMs: v.TimeoutMs, Rule: v.Rule, Final: v.Final}
	if v.Text != nil {
		m.HasText, m.Text = true, *v.Text
	}
	return m
}

func viewOfReply(m *abi.BridgeReplyEvent) bridgeReplyEventView {
	view := bridgeReplyEventView{Header: m.Header, Via: m.Via, Type: m.Type, Accepted: m.Accepted, Payload: m.Payload}
	if m.HasText {
		view.Text = &m.Text
	}
	return view
}

func replyOfView(v bridgeReplyEventView) abi.BridgeReplyEvent {
	m := abi.BridgeReplyEvent{Header: v.Header, Via: v.Via, Type: v.Type, Accepted: v.Accepted, Payload: v.Payload}
	if v.Text != nil {
		m.HasText, m.Text = true, *v.Text
	}
	return m
}

func writeAs[M, V any](view func(*M) V) *json.Marshalers {
	return json.MarshalToFunc(func(e *jsontext.Encoder, m *M) error { return json.MarshalEncode(e, view(m)) })
}

func readAs[V, M any](message func(V) M) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, m *M) error {
		var view V
		err := json.UnmarshalDecode(d, &view)
		if err != nil {
			view = *new(V)
		}
		*m = message(view)
		return err
	})
}

func readStruct(d *jsontext.Decoder, s *abi.Struct) error {
	value, err := readValue(d, "", 0)
	if err == nil && value.Kind != abi.KindStruct {
		err = &ValueError{"", "want a JSON object, not " + value.Kind.String()}
	}
	*s = value.Struct
	return err
}

// writeWord writes the number of a value that this version has no word for.
func writeWord[E interface {
	~int32
	String() string
}]() *json.Marshalers {
	return json.MarshalToFunc(func(e *jsontext.Encoder, v E) error {
		if word := v.String(); word != "unknown" && word != "unspecified" {
			return e.WriteToken(jsontext.String(word))
		}
		return e.WriteToken(jsontext.Int(int64(v)))
	})
}

func readWord[E ~int32](parse func(string) (E, bool)) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, p *E) error {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		if token.Kind() == '0' {
			n, err := strconv.ParseInt(token.String(), 10, 32)
			*p = E(n)
			return err
		}
		v, ok := parse(token.String())
		if !ok {
			return fmt.Errorf("unknown word %q", token.String())
		}
		*p = v
		return nil
	})
}
