package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Paused is Debugger.paused: the script of the top call frame stopped.
type Paused struct {
	Session   target.SessionID
	CallFrame debugger.CallFrameID
	Context   int64 // where the call frame runs; 0 where the browser does not say
}

// Resumed is Debugger.resumed.
type Resumed struct{ Session target.SessionID }

// RequestPaused is Fetch.requestPaused at the request stage.
type RequestPaused struct {
	Session target.SessionID
	Request fetch.RequestID
	Frame   cdp.FrameID
	URL     string
	Method  string
	Body    string

	Document   bool            // it is for the document of a frame
	Redirected fetch.RequestID // the request that was redirected to this one
}

// BridgeVerdict is the outcome of an [AskBridgeScript], an [AskBridgeRequest] or an [AskBridgeReply]: what was asked for is
// set.
type BridgeVerdict struct {
	Token      Token
	Script     abi.BridgeScript
	Request    abi.BridgeRequest
	Reply      abi.BridgeReply
	Abstained  bool
	Fault      string
	Provenance Provenance
}

// AskBridgeScript calls the hook that supplies a task's script; the outcome comes back as [BridgeVerdict].
type AskBridgeScript struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeScriptEvent
}

// AskBridgeRequest calls the hook that reads what the script asks for; likewise.
type AskBridgeRequest struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeRequestEvent
}

// AskBridgeReply calls the hook that words the answer; likewise.
type AskBridgeReply struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.BridgeReplyEvent
}

func (Paused) isEvent()        {}
func (Resumed) isEvent()       {}
func (RequestPaused) isEvent() {}
func (BridgeVerdict) isEvent() {}

func (AskBridgeScript) isEffect()  {}
func (AskBridgeRequest) isEffect() {}
func (AskBridgeReply) isEffect()   {}
