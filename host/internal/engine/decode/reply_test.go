package decode

import (
	"errors"
	"reflect"
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func TestRepliesAreDecodedAsFarAsTheyAreWanted(t *testing.T) {
	text := "now"
	for name, c := range map[string]struct {
		want   supervise.Want
		result string
		reply  supervise.CommandReply
	}{
		"nothing":   {supervise.WantNothing, `not JSON`, supervise.CommandReply{}},
		"a target":  {supervise.WantTarget, `{"targetId":"T"}`, supervise.CommandReply{Target: "T"}},
		"a session": {supervise.WantSession, `{"sessionId":"S"}`, supervise.CommandReply{Session: "S"}},
		"what a target is": {supervise.WantInfo, `{"targetInfo":{"targetId":"T","type":"page","url":"https://a.test/"}}`,
			supervise.CommandReply{Info: target.Info{TargetID: "T", Type: "page", URL: "https://a.test/"}}},
		"frames, parents before children": {supervise.WantFrames,
			`{"frameTree":{"frame":{"id":"A","securityOrigin":"://"},"childFrames":[{"frame":{"id":"B","parentId":"A","securityOrigin":"https://b.test"}}]}}`,
			supervise.CommandReply{Frames: []supervise.FrameInfo{{ID: "A", Origin: "null"}, {ID: "B", Parent: "A", Origin: "https://b.test"}}}},
		"a string":              {supervise.WantText, `{"result":{"type":"string","value":"now"}}`, supervise.CommandReply{Text: &text}},
		"a value of other kind": {supervise.WantText, `{"result":{"type":"number","value":1}}`, supervise.CommandReply{}},
		"an exception": {supervise.WantText, `{"result":{"type":"object"},"exceptionDetails":{"exceptionId":1,"text":"secret","lineNumber":0,"columnNumber":0}}`,
			supervise.CommandReply{Err: &supervise.CommandError{Message: "the expression threw"}}},
		"the element of a frame": {supervise.WantOwner, `{"backendNodeId":7}`, supervise.CommandReply{Owner: 7}},
		"attributes":             {supervise.WantAttributes, `{"node":{"nodeId":0,"attributes":["id","x"]}}`, supervise.CommandReply{Attributes: []string{"id", "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			c.reply.Token = 5
			if got := Reply(supervise.SendCommand{Token: 5, Want: c.want}, []byte(c.result), nil); !reflect.DeepEqual(got, c.reply) {
				t.Errorf("got  %+v\nwant %+v", got, c.reply)
			}
		})
	}
}

func TestAReplyTellsWhyACommandFailed(t *testing.T) {
	send := supervise.SendCommand{Token: 5, Want: supervise.WantTarget}
	for _, c := range []struct {
		failed error
		want   supervise.CommandError
	}{
		{&cdp.Error{Code: -32000, Message: "No target"}, supervise.CommandError{Code: -32000, Message: "No target"}},
		{errors.New("too large"), supervise.CommandError{Message: "too large"}},
	} {
		if got := Reply(send, nil, c.failed); got.Token != 5 || got.Err == nil || *got.Err != c.want {
			t.Errorf("%v becomes %+v, want %+v", c.failed, got, c.want)
		}
	}
	if got := Reply(send, []byte(`{"targetId":`), nil); got.Err == nil {
		t.Errorf("half an object becomes %+v", got)
	}
}
