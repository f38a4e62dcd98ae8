package decode

import (
	"errors"

	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/dom"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Reply decodes what the state machine wants to know from the reply to a command of its own. Failed is the error of a
// command that was refused or could not be sent.
func Reply(to supervise.SendCommand, result []byte, failed error) supervise.CommandReply {
	reply := supervise.CommandReply{Token: to.Token}
	err := failed
	if err == nil {
		err = wanted(to.Want, result, &reply)
	}
	if err != nil {
		reply.Err = commandError(err)
	}
	return reply
}

// wanted decodes a result into the part of a reply that is for it.
func wanted(want supervise.Want, result []byte, reply *supervise.CommandReply) (err error) {
	switch want {
	case supervise.WantTarget:
		var r target.CreateTargetResult
		err = cdp.Unmarshal(result, &r)
		reply.Target = r.TargetID
	case supervise.WantSession:
		var r target.AttachToTargetResult
		err = cdp.Unmarshal(result, &r)
		reply.Session = r.SessionID
	case supervise.WantInfo:
		r := target.GetTargetInfoResult{TargetInfo: &reply.Info}
		err = cdp.Unmarshal(result, &r)
	case supervise.WantFrames:
		var r cdppage.GetFrameTreeResult
		err = cdp.Unmarshal(result, &r)
		reply.Frames = flatten(r.FrameTree, nil)
	case supervise.WantText:
		reply.Text, err = textResult(result)
	case supervise.WantOwner:
		var r dom.GetFrameOwnerResult
		err = cdp.Unmarshal(result, &r)
		reply.Owner = r.BackendNodeID
	case supervise.WantAttributes:
		reply.Attributes, err = nodeAttributes(result)
	case supervise.WantNothing:
	}
	return err
}

func commandError(err error) *supervise.CommandError {
	var protocol *cdp.Error
	if errors.As(err, &protocol) {
		return &supervise.CommandError{Code: protocol.Code, Message: protocol.Message}
	}
	return &supervise.CommandError{Message: err.Error()}
}

// flatten lists the frames of a tree, parents before children.
func flatten(tree *cdppage.FrameTree, into []supervise.FrameInfo) []supervise.FrameInfo {
	if tree == nil || tree.Frame == nil {
		return into
	}
	into = append(into, frameInfo(tree.Frame))
	for _, child := range tree.ChildFrames {
		into = flatten(child, into)
	}
	return into
}

var errThrew = errors.New("the expression threw")

// textResult returns the value of an expression if it is a string, else nil. What the page threw is not repeated.
func textResult(result []byte) (*string, error) {
	var r debugger.EvaluateOnCallFrameResult
	if err := cdp.Unmarshal(result, &r); err != nil {
		return nil, err
	}
	if r.ExceptionDetails != nil {
		return nil, errThrew
	}
	if r.Result == nil || r.Result.Type != "string" {
		return nil, nil
	}
	text := new(string)
	return text, cdp.Unmarshal(r.Result.Value, text)
}

func nodeAttributes(result []byte) ([]string, error) {
	var r dom.DescribeNodeResult
	if err := cdp.Unmarshal(result, &r); err != nil || r.Node == nil {
		return nil, err
	}
	return r.Node.Attributes, nil
}
