package abijson

import (
	"fmt"
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
		*abi.ToolCallEvent | *abi.ToolResult | *abi.ManifestTool | *abi.Manifest
}

// Marshal writes a message as JSON on one line: the names of hermes.proto, enums as their words, random_seed in
// base64, default values left out.
func Marshal[M Message](m M) ([]byte, error) { return json.Marshal(m, options()) }

// MarshalIndent is [Marshal] over several lines, for files that people edit.
func MarshalIndent[M Message](m M) ([]byte, error) {
	return json.Marshal(m, options(), jsontext.WithIndent("  "))
}

// Unmarshal replaces m by the message that Marshal writes. An unknown or repeated key and an unknown word are errors
// that name it; m is then the zero value.
func Unmarshal[M Message](data []byte, m M) error {
	return json.Unmarshal(data, m, options())
}

// The views give the fields of the messages their names in JSON. A conversion between struct types ignores tags, so a
// field that is missing here does not compile.
type (
	headerView struct {
		Sequence     uint64     `json:"sequence,omitzero"`
		TimeUnixNano int64      `json:"time_unix_nano,omitzero"`
		TaskID       string     `json:"task_id,omitzero"`
		Revision     uint64     `json:"revision,omitzero"`
		RandomSeed   []byte     `json:"random_seed,omitempty"`
		TaskConfig   abi.Struct `json:"task_config,omitempty"`
	}
	dialogEventView struct {
		Header        abi.Header     `json:"header,omitempty"`
		DialogID      string         `json:"dialog_id,omitzero"`
		Type          abi.DialogType `json:"type,omitzero"`
		Message       string         `json:"message,omitzero"`
		DefaultPrompt string         `json:"default_prompt,omitzero"`
		URL           string         `json:"url,omitzero"`
		Origin        string         `json:"origin,omitzero"`
		FrameID       string         `json:"frame_id,omitzero"`
		FrameKind     abi.FrameKind  `json:"frame_kind,omitzero"`
		TargetID      string         `json:"target_id,omitzero"`
		Popup         bool           `json:"popup,omitzero"`
		Policy        string         `json:"policy,omitzero"`
		TimeoutMs     int64          `json:"timeout_ms,omitzero"`
	}
	// dialogVerdictView makes an absent text and an empty one different.
	dialogVerdictView struct {
		Action    abi.DialogAction `json:"action,omitzero"`
		Text      *string          `json:"text,omitzero"`
		TimeoutMs int64            `json:"timeout_ms,omitzero"`
		Rule      string           `json:"rule,omitzero"`
		Final     bool             `json:"final,omitzero"`
	}
	dialogClosedEventView struct {
		Header    abi.Header     `json:"header,omitempty"`
		DialogID  string         `json:"dialog_id,omitzero"`
		Type      abi.DialogType `json:"type,omitzero"`
		ClosedBy  abi.ClosedBy   `json:"closed_by,omitzero"`
		Accepted  bool           `json:"accepted,omitzero"`
		Text      string         `json:"text,omitzero"`
		OpenNanos int64          `json:"open_nanos,omitzero"`
	}
	frameView struct {
		FrameID          string        `json:"frame_id,omitzero"`
		ParentFrameID    string        `json:"parent_frame_id,omitzero"`
		URL              string        `json:"url,omitzero"`
		Origin           string        `json:"origin,omitzero"`
		Name             string        `json:"name,omitzero"`
		Kind             abi.FrameKind `json:"kind,omitzero"`
		Depth            uint32        `json:"depth,omitzero"`
		OOPIFDepth       uint32        `json:"oopif_depth,omitzero"`
		HasPendingDialog bool          `json:"has_pending_dialog,omitzero"`
	}
	framesEventView struct {
		Header   abi.Header  `json:"header,omitempty"`
		TargetID string      `json:"target_id,omitzero"`
		Frames   []abi.Frame `json:"frames,omitempty"`
	}
	framesVerdictView struct {
		Kept      []uint32 `json:"kept,omitempty"`
		Truncated bool     `json:"truncated,omitzero"`
		Rule      string   `json:"rule,omitzero"`
	}
	bridgeScriptEventView struct {
		Header       abi.Header `json:"header,omitempty"`
		PauseToken   string     `json:"pause_token,omitzero"`
		RequestToken string     `json:"request_token,omitzero"`
	}
	bridgeScriptView struct {
		Source          string   `json:"source,omitzero"`
		SourceURL       string   `json:"source_url,omitzero"`
		PauseExpression string   `json:"pause_expression,omitzero"`
		RequestPatterns []string `json:"request_patterns,omitempty"`
		Rule            string   `json:"rule,omitzero"`
	}
	bridgeRequestEventView struct {
		Header   abi.Header    `json:"header,omitempty"`
		Via      abi.BridgeVia `json:"via,omitzero"`
		Payload  string        `json:"payload,omitzero"`
		Method   string        `json:"method,omitzero"`
		Body     string        `json:"body,omitzero"`
		FrameURL string        `json:"frame_url,omitzero"`
		Origin   string        `json:"origin,omitzero"`
	}
	bridgeRequestView struct {
		Token         string               `json:"token,omitzero"`
		Type          abi.DialogType       `json:"type,omitzero"`
		Message       string               `json:"message,omitzero"`
		DefaultPrompt string               `json:"default_prompt,omitzero"`
		Key           string               `json:"key,omitzero"`
		Suppressed    abi.BridgeSuppressed `json:"suppressed,omitzero"`
	}
	// bridgeReplyEventView makes an absent text and an empty one different.
	bridgeReplyEventView struct {
		Header   abi.Header     `json:"header,omitempty"`
		Via      abi.BridgeVia  `json:"via,omitzero"`
		Type     abi.DialogType `json:"type,omitzero"`
		Accepted bool           `json:"accepted,omitzero"`
		Text     *string        `json:"text,omitzero"`
		Payload  string         `json:"payload,omitzero"`
	}
	httpHeaderView struct {
		Name  string `json:"name,omitzero"`
		Value string `json:"value,omitzero"`
	}
	bridgeReplyView struct {
		Expression string           `json:"expression,omitzero"`
		Status     uint32           `json:"status,omitzero"`
		Headers    []abi.HTTPHeader `json:"headers,omitempty"`
		Body       []byte           `json:"body,omitempty"`
	}
	manifestView struct {
		Name         string   `json:"name,omitzero"`
		Version      string   `json:"version,omitzero"`
		Hooks        []string `json:"hooks,omitempty"`
		Capabilities []string `json:"capabilities,omitempty"`
		ConfigSchema string   `json:"config_schema,omitzero"`
		Fuel         uint64   `json:"fuel,omitzero"`
		Description  string   `json:"description,omitzero"`

		Tools []abi.ManifestTool `json:"tools,omitempty"`

		OptionalImports []string `json:"optional_imports,omitempty"`
		DialogPolicies  []string `json:"dialog_policies,omitempty"`
	}
	manifestToolView struct {
		Name        string `json:"name,omitzero"`
		Description string `json:"description,omitzero"`
		InputSchema string `json:"input_schema,omitzero"`
		PageScript  string `json:"page_script,omitzero"`
		ReadOnly    bool   `json:"read_only,omitzero"`
	}
	navigateEventView struct {
		Header         abi.Header    `json:"header,omitempty"`
		URL            string        `json:"url,omitzero"`
		Origin         string        `json:"origin,omitzero"`
		Method         string        `json:"method,omitzero"`
		FrameID        string        `json:"frame_id,omitzero"`
		ParentFrameID  string        `json:"parent_frame_id,omitzero"`
		FrameKind      abi.FrameKind `json:"frame_kind,omitzero"`
		TargetID       string        `json:"target_id,omitzero"`
		Popup          bool          `json:"popup,omitzero"`
		FromURL        string        `json:"from_url,omitzero"`
		FromOrigin     string        `json:"from_origin,omitzero"`
		TopOrigin      string        `json:"top_origin,omitzero"`
		Redirects      uint32        `json:"redirects,omitzero"`
		RedirectedFrom string        `json:"redirected_from,omitzero"`
	}
	navigateVerdictView struct {
		Action abi.NavigateAction `json:"action,omitzero"`
		URL    string             `json:"url,omitzero"`
		Reason string             `json:"reason,omitzero"`
		Rule   string             `json:"rule,omitzero"`
	}
	toolCallEventView struct {
		Header    abi.Header `json:"header,omitempty"`
		Tool      string     `json:"tool,omitzero"`
		Arguments abi.Struct `json:"arguments,omitempty"`
		TargetID  string     `json:"target_id,omitzero"`
		URL       string     `json:"url,omitzero"`
		Origin    string     `json:"origin,omitzero"`
		Page      string     `json:"page,omitzero"`
	}
	toolResultView struct {
		Text       string     `json:"text,omitzero"`
		Structured abi.Struct `json:"structured,omitempty"`
		IsError    bool       `json:"is_error,omitzero"`
	}
)

// options is built once: it holds what the JSON package learns about the types.
var options = sync.OnceValue(func() json.Options {
	return json.JoinOptions(
		json.RejectUnknownMembers(true),
		json.WithMarshalers(json.JoinMarshalers(
			writeAs(func(m *abi.Header) headerView { return headerView(*m) }),
			writeAs(func(m *abi.DialogEvent) dialogEventView { return dialogEventView(*m) }),
			writeAs(viewOfVerdict),
			writeAs(func(m *abi.DialogClosedEvent) dialogClosedEventView { return dialogClosedEventView(*m) }),
			writeAs(func(m *abi.Frame) frameView { return frameView(*m) }),
			writeAs(func(m *abi.FramesEvent) framesEventView { return framesEventView(*m) }),
			writeAs(func(m *abi.FramesVerdict) framesVerdictView { return framesVerdictView(*m) }),
			writeAs(func(m *abi.BridgeScriptEvent) bridgeScriptEventView { return bridgeScriptEventView(*m) }),
			writeAs(func(m *abi.BridgeScript) bridgeScriptView { return bridgeScriptView(*m) }),
			writeAs(func(m *abi.BridgeRequestEvent) bridgeRequestEventView { return bridgeRequestEventView(*m) }),
			writeAs(func(m *abi.BridgeRequest) bridgeRequestView { return bridgeRequestView(*m) }),
			writeAs(viewOfReply),
			writeAs(func(m *abi.HTTPHeader) httpHeaderView { return httpHeaderView(*m) }),
			writeAs(func(m *abi.BridgeReply) bridgeReplyView { return bridgeReplyView(*m) }),
			writeAs(func(m *abi.NavigateEvent) navigateEventView { return navigateEventView(*m) }),
			writeAs(func(m *abi.NavigateVerdict) navigateVerdictView { return navigateVerdictView(*m) }),
			writeAs(func(m *abi.ToolCallEvent) toolCallEventView { return toolCallEventView(*m) }),
			writeAs(func(m *abi.ToolResult) toolResultView { return toolResultView(*m) }),
			writeAs(func(m *abi.ManifestTool) manifestToolView { return manifestToolView(*m) }),
			writeAs(func(m *abi.Manifest) manifestView { return manifestView(*m) }),
			json.MarshalToFunc(func(e *jsontext.Encoder, s abi.Struct) error { return writeStruct(e, "", s) }),
			json.MarshalToFunc(func(e *jsontext.Encoder, v abi.Value) error { return writeValue(e, "", v) }),
			writeWord[abi.DialogType](), writeWord[abi.FrameKind](),
			writeWord[abi.DialogAction](), writeWord[abi.ClosedBy](),
			writeWord[abi.BridgeVia](), writeWord[abi.BridgeSuppressed](), writeWord[abi.NavigateAction](),
		)),
		json.WithUnmarshalers(json.JoinUnmarshalers(
			readAs(func(v headerView) abi.Header { return abi.Header(v) }),
			readAs(func(v dialogEventView) abi.DialogEvent { return abi.DialogEvent(v) }),
			readAs(verdictOfView),
			readAs(func(v dialogClosedEventView) abi.DialogClosedEvent { return abi.DialogClosedEvent(v) }),
			readAs(func(v frameView) abi.Frame { return abi.Frame(v) }),
			readAs(func(v framesEventView) abi.FramesEvent { return abi.FramesEvent(v) }),
			readAs(func(v framesVerdictView) abi.FramesVerdict { return abi.FramesVerdict(v) }),
			readAs(func(v bridgeScriptEventView) abi.BridgeScriptEvent { return abi.BridgeScriptEvent(v) }),
			readAs(func(v bridgeScriptView) abi.BridgeScript { return abi.BridgeScript(v) }),
			readAs(func(v bridgeRequestEventView) abi.BridgeRequestEvent { return abi.BridgeRequestEvent(v) }),
			readAs(func(v bridgeRequestView) abi.BridgeRequest { return abi.BridgeRequest(v) }),
			readAs(replyOfView),
			readAs(func(v httpHeaderView) abi.HTTPHeader { return abi.HTTPHeader(v) }),
			readAs(func(v bridgeReplyView) abi.BridgeReply { return abi.BridgeReply(v) }),
			readAs(func(v navigateEventView) abi.NavigateEvent { return abi.NavigateEvent(v) }),
			readAs(func(v navigateVerdictView) abi.NavigateVerdict { return abi.NavigateVerdict(v) }),
			readAs(func(v toolCallEventView) abi.ToolCallEvent { return abi.ToolCallEvent(v) }),
			readAs(func(v toolResultView) abi.ToolResult { return abi.ToolResult(v) }),
			readAs(func(v manifestToolView) abi.ManifestTool { return abi.ManifestTool(v) }),
			readAs(func(v manifestView) abi.Manifest { return abi.Manifest(v) }),
			json.UnmarshalFromFunc(readStruct),
			readWord(abi.ParseDialogType), readWord(abi.ParseFrameKind),
			readWord(abi.ParseDialogAction), readWord(abi.ParseClosedBy),
			readWord(abi.ParseBridgeVia), readWord(abi.ParseBridgeSuppressed), readWord(abi.ParseNavigateAction),
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

// writeWord writes a number where this version has no word for it.
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
