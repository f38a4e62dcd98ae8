package sim

import (
	"slices"
	"strconv"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/fetch"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// PauseExpression is what the bridge's module evaluates in a paused frame.
const PauseExpression = "what is it?"

// Forged is the payload of a page that pretends to be the bridge's script. Payloads of the script begin with Genuine.
const (
	Forged  = "forged"
	Genuine = "genuine "
)

// bridging is the state of the dialog bridge in a session.
type bridging struct {
	script   bool // the script is in every document
	debugger bool
	fetch    bool

	documents bool     // requests for documents are paused
	asked     []func() // answers that a blocked renderer still has to give
}

// stop is a document that stopped for the bridge, or pretends to.
type stop struct {
	id      string
	frame   *Frame
	loader  cdproto.LoaderID
	via     abi.BridgeVia
	payload string
	told    uint64 // the last message that announced it
	waits   bool   // the document's thread waits for the answer; it does not wait after a forged request
}

// Ask stops a frame for the bridge. key is the script's own name for the dialog; a forged stop has none.
func (b *Browser) Ask(f *Frame, via abi.BridgeVia, kind abi.DialogType, key string, forged bool) {
	st := &stop{frame: f, loader: f.loader, via: via, waits: !forged || via == abi.BridgeViaPause}
	st.payload = Genuine + kind.String() + " " + key
	if forged {
		st.payload = Forged
	}
	b.ask(st)
}

func (b *Browser) ask(st *stop) {
	f, via := st.frame, st.via
	st.id = b.newID("stop")
	for _, s := range b.sessionsShowing(f.localRoot()) {
		switch {
		case via == abi.BridgeViaPause && s.debugger:
			st.told = b.emit(supervise.Paused{Session: s.id, CallFrame: debugger.CallFrameID(st.id), Context: contextOf(f)})
		case via == abi.BridgeViaRequest && s.fetch:
			st.told = b.emit(supervise.RequestPaused{Session: s.id, Request: fetch.RequestID(st.id), Frame: f.ID, URL: st.payload, Method: "GET"})
		}
	}
	if st.told != 0 {
		b.stops = append(b.stops, st)
	}
}

// CanAsk reports whether a frame has the script, and can ask for a dialog.
func (b *Browser) CanAsk(f *Frame, via abi.BridgeVia) bool {
	return b.Running(f) && slices.ContainsFunc(b.sessionsShowing(f.localRoot()), func(s *session) bool {
		return s.script && (s.debugger || via == abi.BridgeViaRequest) && s.fetch
	})
}

// Stops returns how many documents are stopped.
func (b *Browser) Stops() int {
	b.dropStops()
	return len(b.stops)
}

// ResumeElsewhere resumes a paused document, as a second client can.
func (b *Browser) ResumeElsewhere() {
	for _, st := range slices.Clone(b.stops) {
		if st.via == abi.BridgeViaPause {
			b.endStop(st)
			return
		}
	}
}

// contextOf returns the execution context of a frame's document.
func contextOf(f *Frame) int64 {
	n, _ := strconv.ParseInt(strings.TrimPrefix(string(f.loader), "loader"), 10, 64)
	return n
}

// stopped reports whether a frame's process is stopped in a certain way.
func (b *Browser) stopped(f *Frame, via abi.BridgeVia) bool {
	return slices.ContainsFunc(b.stops, func(st *stop) bool {
		return st.waits && st.via == via && st.frame.Tab.group == f.Tab.group && st.frame.Site == f.Site && b.stands(st)
	})
}

// stands reports whether a document still exists and waits. It is gone after a navigation, and continues if its
// sessions end.
func (b *Browser) stands(st *stop) bool {
	f := st.frame
	if f.Tab.Closed || f.Tab.Crashed || f.loader != st.loader || f.localRoot().crashed || !slices.Contains(f.Tab.Frames(), f) {
		return false
	}
	return slices.ContainsFunc(b.sessionsShowing(f.localRoot()), func(s *session) bool {
		return st.via == abi.BridgeViaPause && s.debugger || st.via == abi.BridgeViaRequest && s.fetch
	})
}

// dropStops forgets the stops that no longer stand.
func (b *Browser) dropStops() {
	before := len(b.stops)
	b.stops = slices.DeleteFunc(b.stops, func(st *stop) bool { return !b.stands(st) })
	if len(b.stops) != before {
		b.unblocked()
	}
}

// endStop lets a document continue.
func (b *Browser) endStop(st *stop) {
	b.stops = slices.DeleteFunc(b.stops, func(other *stop) bool { return other == st })
	if st.via == abi.BridgeViaPause {
		for _, s := range b.sessionsShowing(st.frame.localRoot()) {
			if s.debugger {
				b.emit(supervise.Resumed{Session: s.id})
			}
		}
	}
	b.unblocked()
}

func (b *Browser) stopOf(s *session, is func(*stop) bool) *stop {
	b.dropStops()
	for _, st := range b.stops {
		if st.frame.localRoot() == s.root && is(st) {
			return st
		}
	}
	return nil
}

// executeBridge runs a command of the bridge; it returns false for other commands.
func (b *Browser) executeBridge(c command, s *session) bool {
	switch p := c.Params.(type) {
	case *cdppage.AddScriptToEvaluateOnNewDocumentParams:
		s.script = true
	case *debugger.SetBlackboxPatternsParams:
	case *fetch.EnableParams:
		s.enableFetch(p)
	case *debugger.EvaluateOnCallFrameParams:
		b.evaluateOnCallFrame(c, s, p)
		return true
	case *fetch.ContinueRequestParams:
		b.endRequest(c, s, p.RequestID)
		return true
	case *fetch.FulfillRequestParams:
		b.endRequest(c, s, p.RequestID)
		return true
	case *fetch.FailRequestParams:
		b.endRequest(c, s, p.RequestID)
		return true
	case *dom.GetFrameOwnerParams:
		s.whenFree(b, func() { b.frameOwner(c, s, p.FrameID) })
		return true
	case *dom.DescribeNodeParams:
		s.whenFree(b, func() { b.reply(c.Token, supervise.CommandReply{Attributes: attributes(p.BackendNodeID)}) })
		return true
	default:
		switch c.Method {
		case debugger.CommandEnable:
			s.debugger = true
		case debugger.CommandResume:
			b.resumePause(c, s)
			return true
		case fetch.CommandDisable:
			b.disableFetch(c, s)
			return true
		default:
			return false
		}
	}
	if !s.everEnabled && s.worker == "" {
		b.violate("%s on %s before the Page domain was enabled", c.Method, s.id)
	}
	b.reply(c.Token, supervise.CommandReply{})
	return true
}

func (b *Browser) evaluateOnCallFrame(c command, s *session, p *debugger.EvaluateOnCallFrameParams) {
	st := b.stopOf(s, func(st *stop) bool { return st.via == abi.BridgeViaPause && st.id == string(p.CallFrameID) })
	switch {
	case st == nil:
		b.reply(c.Token, failure("Can only perform operation while paused."))
	case p.Expression == PauseExpression:
		b.reply(c.Token, supervise.CommandReply{Text: &st.payload})
	case st.payload == Forged:
		b.violate("an answer was given to the forged %s", st.id)
	default:
		b.reply(c.Token, supervise.CommandReply{})
	}
}

func (b *Browser) resumePause(c command, s *session) {
	st := b.stopOf(s, func(st *stop) bool { return st.via == abi.BridgeViaPause })
	if st == nil {
		b.reply(c.Token, failure("Can only perform operation while paused."))
		return
	}
	b.reply(c.Token, supervise.CommandReply{})
	b.endStop(st)
	if st.payload != Forged && !c.told(st.told) && s.fetch {
		// It was meant for an earlier pause. The script notices that nobody looked at this one, and sends a request.
		b.ask(&stop{frame: st.frame, loader: st.loader, via: abi.BridgeViaRequest, payload: st.payload, waits: true})
	}
}

func (b *Browser) endRequest(c command, s *session, id fetch.RequestID) {
	if b.endDocument(c, id) {
		return
	}
	st := b.stopOf(s, func(st *stop) bool { return st.via == abi.BridgeViaRequest && st.id == string(id) })
	if st == nil {
		b.reply(c.Token, failure("Invalid InterceptionId."))
		return
	}
	if _, answered := c.Params.(*fetch.FulfillRequestParams); answered && st.payload == Forged {
		b.violate("an answer was given to the forged %s", st.id)
	}
	b.endStop(st)
	b.reply(c.Token, supervise.CommandReply{})
}

// The nodes of frame elements: without and with a sandbox.
const (
	openNode cdproto.BackendNodeID = 1 + iota
	sandboxedNode
)

func (b *Browser) frameOwner(c command, s *session, id cdproto.FrameID) {
	for _, f := range s.tab.Frames() {
		if f.ID == id && f.Parent != nil && f.Parent.localRoot() == s.root {
			node := openNode
			if f.Sandboxed {
				node = sandboxedNode
			}
			b.reply(c.Token, supervise.CommandReply{Owner: node})
			return
		}
	}
	b.reply(c.Token, failure("Frame with the given id was not found."))
}

func attributes(node cdproto.BackendNodeID) []string {
	if node == sandboxedNode {
		return []string{"id", "x", "sandbox", "allow-scripts"}
	}
	return []string{"id", "x"}
}

// whenFree makes a renderer answer as soon as nothing blocks it.
func (s *session) whenFree(b *Browser, answer func()) {
	if s.root == nil || b.blocked(s.root) {
		s.asked = append(s.asked, answer)
		return
	}
	answer()
}

func contextCreated(id target.SessionID, f *Frame) supervise.Event {
	return supervise.ContextCreated{Session: id, Context: supervise.ExecutionContext{ID: runtime.ExecutionContextID(contextOf(f)), Frame: f.ID, Main: true}}
}
