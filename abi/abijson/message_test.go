package abijson_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
)

// check compares both directions, so that a case documents the JSON of its message.
func check[M abijson.Message](t *testing.T, m M, text string) {
	t.Helper()
	got, err := abijson.Marshal(m)
	if err != nil || string(got) != text {
		t.Errorf("JSON is\n%s (%v)\nwant\n%s", got, err, text)
	}
	back := reflect.New(reflect.TypeOf(m).Elem()).Interface().(M)
	if err := abijson.Unmarshal([]byte(text), back); err != nil || !reflect.DeepEqual(m, back) {
		t.Errorf("read back\n%+v (%v)\nwant\n%+v", back, err, m)
	}
}

func TestMessagesAsJSON(t *testing.T) {
	header := abi.Header{
		Sequence: 1<<64 - 1, TimeUnixNano: -5, TaskID: "t", Revision: 2, RandomSeed: []byte{1, 2},
		TaskConfig: abi.Struct{{Key: "a", Value: abi.ListValue(abi.Value{}, abi.NumberValue(1.5))}},
	}
	const headerJSON = `{"sequence":18446744073709551615,"time_unix_nano":-5,"task_id":"t","revision":2,` +
		`"random_seed":"AQI=","task_config":{"a":[null,1.5]}}`
	check(t, &header, headerJSON)
	check(t, &abi.DialogEvent{}, `{}`)
	check(t, &abi.DialogEvent{
		Header: header, DialogID: "d-1", Type: abi.DialogTypeBeforeUnload, Message: "m", DefaultPrompt: "p",
		URL: "u", Origin: "o", FrameID: "f", FrameKind: abi.FrameKindOOPIF, TargetID: "g", Popup: true,
		Policy: "auto_accept", TimeoutMs: 9,
	}, `{"header":`+headerJSON+`,"dialog_id":"d-1","type":"beforeunload","message":"m","default_prompt":"p",`+
		`"url":"u","origin":"o","frame_id":"f","frame_kind":"oopif","target_id":"g","popup":true,`+
		`"policy":"auto_accept","timeout_ms":9}`)
	check(t, &abi.DialogVerdict{Action: abi.DialogActionAccept, HasText: true, TimeoutMs: 1, Rule: "r"},
		`{"action":"accept","text":"","timeout_ms":1,"rule":"r"}`)
	check(t, &abi.DialogVerdict{Action: abi.DialogActionHold}, `{"action":"hold"}`)
	check(t, &abi.DialogClosedEvent{
		Header: abi.Header{TaskID: "t"}, DialogID: "d", Type: abi.DialogTypeAlert, ClosedBy: abi.ClosedByAutoPolicy,
		Accepted: true, Text: "x", OpenNanos: 3,
	}, `{"header":{"task_id":"t"},"dialog_id":"d","type":"alert","closed_by":"auto_policy","accepted":true,"text":"x","open_nanos":3}`)
	frame := abi.Frame{
		FrameID: "f", ParentFrameID: "p", URL: "u", Origin: "o", Name: "n", Kind: abi.FrameKindLocal, Depth: 2,
		OOPIFDepth: 1, HasPendingDialog: true,
	}
	const frameJSON = `{"frame_id":"f","parent_frame_id":"p","url":"u","origin":"o","name":"n","kind":"local",` +
		`"depth":2,"oopif_depth":1,"has_pending_dialog":true}`
	check(t, &frame, frameJSON)
	check(t, &abi.FramesEvent{TargetID: "g", Frames: []abi.Frame{{}, frame}}, `{"target_id":"g","frames":[{},`+frameJSON+`]}`)
	check(t, &abi.FramesVerdict{Kept: []uint32{0, 2}, Truncated: true, Rule: "r"}, `{"kept":[0,2],"truncated":true,"rule":"r"}`)
	check(t, &abi.Manifest{
		Name: "n", Version: "1.0.0", Hooks: []string{"hermes_on_dialog"}, Capabilities: []string{"kv"},
		ConfigSchema: "{}", Fuel: 1, Description: "d",
		Tools:           []abi.ManifestTool{{Name: "t", Description: "e", InputSchema: "{}", PageScript: "s", ReadOnly: true}},
		OptionalImports: []string{"o"},
	}, `{"name":"n","version":"1.0.0","hooks":["hermes_on_dialog"],"capabilities":["kv"],"config_schema":"{}","fuel":1,"description":"d",`+
		`"tools":[{"name":"t","description":"e","input_schema":"{}","page_script":"s","read_only":true}],"optional_imports":["o"]}`)
	check(t, &abi.NavigateEvent{
		Header: header, URL: "u", Origin: "o", Method: "GET", FrameID: "f", ParentFrameID: "p", FrameKind: abi.FrameKindTop, TargetID: "g",
		Popup: true, FromURL: "fu", FromOrigin: "fo", TopOrigin: "to", Redirects: 2, RedirectedFrom: "r",
	}, `{"header":`+headerJSON+`,"url":"u","origin":"o","method":"GET","frame_id":"f","parent_frame_id":"p","frame_kind":"top","target_id":"g",`+
		`"popup":true,"from_url":"fu","from_origin":"fo","top_origin":"to","redirects":2,"redirected_from":"r"}`)
	check(t, &abi.NavigateVerdict{Action: abi.NavigateActionRewrite, URL: "u", Reason: "w", Rule: "r"},
		`{"action":"rewrite","url":"u","reason":"w","rule":"r"}`)
	check(t, &abi.RequestEvent{
		Header: header, URL: "u", URLSHA256: []byte{1}, Origin: "o", Method: "GET", ResourceType: "image", Headers: []abi.HTTPHeader{{Name: "n", Value: "v"}},
		FrameID: "f", FrameKind: abi.FrameKindOOPIF, FromURL: "fu", FromOrigin: "fo", TopOrigin: "to", TargetID: "g", TargetType: "page",
		Popup: true, Redirected: true,
	}, `{"header":`+headerJSON+`,"url":"u","url_sha256":"AQ==","origin":"o","method":"GET","resource_type":"image","headers":[{"name":"n","value":"v"}],`+
		`"frame_id":"f","frame_kind":"oopif","from_url":"fu","from_origin":"fo","top_origin":"to","target_id":"g","target_type":"page",`+
		`"popup":true,"redirected":true}`)
	check(t, &abi.RequestVerdict{Action: abi.RequestActionBlock, Reason: "w", Rule: "r"}, `{"action":"block","reason":"w","rule":"r"}`)
	object := abi.Struct{{Key: "a", Value: abi.BoolValue(true)}}
	check(t, &abi.ToolCallEvent{Tool: "t", Arguments: object, TargetID: "g", URL: "u", Origin: "o", Page: "[1]"},
		`{"tool":"t","arguments":{"a":true},"target_id":"g","url":"u","origin":"o","page":"[1]"}`)
	check(t, &abi.ToolUseEvent{
		Tool: "t", Source: "s", Arguments: object, TargetID: "g", URL: "u", Origin: "o", Client: "c", ReadOnly: true, Destructive: true,
		Text: "x", Structured: object, IsError: true, Pictures: 2,
	}, `{"tool":"t","source":"s","arguments":{"a":true},"target_id":"g","url":"u","origin":"o","client":"c","read_only":true,"destructive":true,`+
		`"text":"x","structured":{"a":true},"is_error":true,"pictures":2}`)
	check(t, &abi.ToolVerdict{Action: abi.ToolActionChange, Reason: "w", Rule: "r", Arguments: object, Text: "t", Structured: object, DropPictures: true},
		`{"action":"change","reason":"w","rule":"r","arguments":{"a":true},"text":"t","structured":{"a":true},"drop_pictures":true}`)
	check(t, &abi.ConsoleEvent{
		Header: header, Type: "log", From: "network", Text: "x", Source: "s", TargetID: "g", TargetType: "page", TopOrigin: "to",
	}, `{"header":`+headerJSON+`,"type":"log","from":"network","text":"x","source":"s","target_id":"g","target_type":"page","top_origin":"to"}`)
	check(t, &abi.ConsoleVerdict{Action: abi.ConsoleActionMask, Text: "t", Rule: "r"}, `{"action":"mask","text":"t","rule":"r"}`)
	check(t, &abi.SnapshotEvent{
		Header: header, TargetID: "g", URL: "u", Origin: "o", Title: "t", First: 3,
		Nodes: []abi.SnapshotNode{{Role: "list"}, {Depth: 1, Role: "link", Name: "n", Value: "v", Description: "d", URL: "l", Hint: "h", Origin: "f"}},
	}, `{"header":`+headerJSON+`,"target_id":"g","url":"u","origin":"o","title":"t","first":3,"nodes":[{"role":"list"},`+
		`{"depth":1,"role":"link","name":"n","value":"v","description":"d","url":"l","hint":"h","origin":"f"}]}`)
	check(t, &abi.SnapshotVerdict{Rule: "r", Edits: []abi.SnapshotEdit{
		{Action: abi.SnapshotActionMask, Name: "n", Value: "v", Description: "d"}, {Node: 2, Action: abi.SnapshotActionAnnotate, Note: "x"},
	}}, `{"edits":[{"action":"mask","name":"n","value":"v","description":"d"},{"node":2,"action":"annotate","note":"x"}],"rule":"r"}`)
	check(t, &abi.FileEvent{
		Header: header, TargetID: "g", URL: "u", Origin: "o", TopOrigin: "to", Name: "n", MediaType: "m", Size: 2, Complete: true,
	}, `{"header":`+headerJSON+`,"target_id":"g","url":"u","origin":"o","top_origin":"to","name":"n","media_type":"m","size":2,"complete":true}`)
	check(t, &abi.FileVerdict{Action: abi.FileActionDeny, Reason: "w", Rule: "r"}, `{"action":"deny","reason":"w","rule":"r"}`)
	check(t, &abi.ToolResult{Text: "t", Structured: object, IsError: true}, `{"text":"t","structured":{"a":true},"is_error":true}`)
}

func TestEnumValuesOfLaterVersionsAreNumbers(t *testing.T) {
	check(t, &abi.DialogEvent{Type: 99}, `{"type":99}`)
}

func TestMessagesRefuseWhatTheyDoNotKnow(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"unknown key", `{"dialog":"d-1"}`, `dialog: unknown key`},
		{"repeated key", `{"url":"a","url":"b"}`, `url: duplicate key`},
		{"unknown word", `{"type":"confrim"}`, `unknown word "confrim"`},
		{"wrong type", `{"popup":"yes"}`, `popup: want true or false, not the text "yes"`},
		{"configuration that is no object", `{"header":{"task_config":[]}}`, "want a JSON object, not array"},
		{"number that a double cannot hold", `{"header":{"task_config":{"a":{"b":9007199254740993}}}}`, "at header.task_config.a.b"},
		{"two values", `{}{}`, "more text after the value"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			event := abi.DialogEvent{URL: "old"}
			err := abijson.Unmarshal([]byte(c.text), &event)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want it to contain %s", err, c.want)
			}
		})
	}
}

// A field without a JSON name would get its name in Go.
func TestEveryFieldHasItsSchemaNameInJSON(t *testing.T) {
	schema, err := os.ReadFile("../hermes.proto")
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range []any{
		abi.Header{}, abi.DialogEvent{}, abi.DialogClosedEvent{}, abi.Frame{}, abi.FramesEvent{}, abi.FramesVerdict{},
		abi.BridgeScriptEvent{}, abi.BridgeScript{}, abi.BridgeRequestEvent{}, abi.BridgeRequest{}, abi.HTTPHeader{}, abi.BridgeReply{},
		abi.NavigateEvent{}, abi.NavigateVerdict{}, abi.RequestEvent{}, abi.RequestVerdict{}, abi.ToolCallEvent{}, abi.ToolResult{}, abi.ToolUseEvent{}, abi.ToolVerdict{},
		abi.ConsoleEvent{}, abi.ConsoleVerdict{}, abi.SnapshotEvent{}, abi.SnapshotNode{}, abi.SnapshotEdit{}, abi.SnapshotVerdict{}, abi.FileEvent{}, abi.FileVerdict{}, abi.ManifestTool{}, abi.Manifest{},
	} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(message)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" || strings.ReplaceAll(name, "_", "") != strings.ToLower(field.Name) || !strings.Contains(string(schema), " "+name+" = ") {
				t.Errorf("%T.%s is %q in JSON", message, field.Name, name)
			}
		}
	}
}
