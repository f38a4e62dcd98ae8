package supervise

import (
	"crypto/subtle"
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// bridgeStop is a page that has stopped for the bridge, or something that looks like it. Whatever is not proven to be
// the script's is resumed at once.
type bridgeStop struct {
	session   *session
	frame     cdproto.FrameID
	via       abi.BridgeVia
	callFrame debugger.CallFrameID // of a pause
	request   fetch.RequestID      // of a request
	paused    RequestPaused        // likewise
	event     abi.BridgeRequestEvent

	asked         Token // the ask in flight; 0: none
	timer         Token // limits the time for the proof, then that for learning about its sandbox
	proven        abi.BridgeRequest
	awaitsSandbox bool    // proven, but the sandbox of its frame is not known yet
	dialog        *dialog // the dialog that it became; nil: none yet
}

// Why a stop was refused; keys of [Counters.BridgeRefused].
const (
	refusedForged   = "forged"   // its token is not the task's
	refusedUnparsed = "unparsed" // the module cannot parse it, or the page says nothing
	refusedLimited  = "limited"  // the frame had too many
	refusedFault    = "fault"    // the module failed
)

// maxBridgePayload is the longest text, in bytes, that the module is asked to parse. The shipped script stays far below
// it.
const maxBridgePayload = 128 << 10

// evaluateTimeout bounds, in milliseconds, an expression evaluated in a page: a forged pause can make it run a getter.
const evaluateTimeout = 1000

// frameOfContext finds the frame of an execution context. The default is the session's root frame.
func (ss *session) frameOfContext(context int64) cdproto.FrameID {
	for _, c := range slices.Backward(ss.contexts) {
		if int64(c.ID) == context {
			return c.Frame
		}
	}
	return ss.frameID()
}

// paused asks the page what the pause is about. The expression runs in the paused call frame, where the page cannot
// tamper with it.
func (s *State) paused(e Paused) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	h := &bridgeStop{session: ss, frame: ss.frameOfContext(e.Context), via: abi.BridgeViaPause, callFrame: e.CallFrame}
	if !s.admitStop(h) {
		return
	}
	s.evaluateOnCallFrame(h, ss.task.bridge.script.PauseExpression, func(r CommandReply) {
		switch {
		case !h.undecided():
		case r.Err != nil || r.Text == nil:
			s.refuseStop(h, refusedUnparsed)
		default:
			h.event.Payload = *r.Text
			s.askRequest(h)
		}
	})
}

func (s *State) requestPaused(e RequestPaused) {
	if e.Session == "" {
		s.atGate(e)
		return
	}
	ss := s.sessions[e.Session]
	switch {
	case ss == nil || ss.task == nil:
		s.counters.EventsIgnored++
		return
	case ss.tab != nil && ss.tab.surplus:
		s.failSurplus(ss, e)
		return
	case ss.isBridgeRequest(e):
	case ss.task.Background: // a document of the host's own, which no site hears of
		s.letGo(ss, e)
		return
	default:
		s.examine(ss, e)
		return
	}
	h := &bridgeStop{session: ss, frame: e.Frame, via: abi.BridgeViaRequest, request: e.Request, paused: e}
	h.event.Payload, h.event.Method, h.event.Body = e.URL, e.Method, e.Body
	if s.admitStop(h) {
		s.askRequest(h)
	}
}

// admitStop adds a stop to its session, unless there is no bridge or the frame has had too many.
func (s *State) admitStop(h *bridgeStop) bool {
	ss := h.session
	ss.stops = append(ss.stops, h)
	switch {
	case ss.task.bridge.script == nil:
		s.refuseStop(h, refusedUnparsed)
	case !s.withinLimits(h):
		s.refuseStop(h, refusedLimited)
	default:
		h.timer = s.after(s.config.AskTimeout, func() { s.refuseStop(h, refusedFault) })
		return true
	}
	return false
}

// undecided reports whether a stop is still there without an outcome.
func (h *bridgeStop) undecided() bool {
	return h.dialog == nil && !h.awaitsSandbox && slices.Contains(h.session.stops, h)
}

func (s *State) evaluateOnCallFrame(h *bridgeStop, expression string, reply func(CommandReply)) Token {
	yes := true
	return s.sendThen(h.session.id, debugger.CommandEvaluateOnCallFrame, &debugger.EvaluateOnCallFrameParams{
		CallFrameID: h.callFrame, Expression: expression, Silent: &yes, ReturnByValue: &yes, Timeout: evaluateTimeout,
	}, WantText, reply)
}

func (s *State) askRequest(h *bridgeStop) {
	e := h.event
	if len(e.Payload)+len(e.Body) > maxBridgePayload {
		s.refuseStop(h, refusedUnparsed)
		return
	}
	e.Header, e.Via = abi.Header{TaskID: h.session.task.ID}, h.via
	if f := s.frameOf(h.session, h.frame); f != nil {
		e.FrameURL, e.Origin = pagetext.Shorten(f.url, abi.MaxFrameURLBytes), f.origin
	}
	h.asked = s.askBridge(func(v BridgeVerdict) { s.bridgeRequest(h, v) })
	s.do(AskBridgeRequest{Token: h.asked, Until: s.askUntil(), Task: h.session.task.ID, Event: e})
}

// bridgeRequest judges a stop by what the module parsed from it.
func (s *State) bridgeRequest(h *bridgeStop, v BridgeVerdict) {
	t := h.session.task
	token := t.PauseToken
	if h.via == abi.BridgeViaRequest {
		token = t.RequestToken
	}
	r := v.Request
	switch {
	case v.Fault != "":
		s.do(Notify{Task: t.ID, Kind: NotifyFault, Fault: v.Fault})
		s.refuseStop(h, refusedFault)
	case v.Abstained, r.Type < abi.DialogTypeAlert || r.Type > abi.DialogTypePrompt:
		s.refuseStop(h, refusedUnparsed)
	case token == "" || subtle.ConstantTimeCompare([]byte(r.Token), []byte(token)) != 1:
		s.refuseStop(h, refusedForged)
	default:
		s.proveStop(h, r)
	}
}

// proveStop accepts a stop as the script's.
func (s *State) proveStop(h *bridgeStop, r abi.BridgeRequest) {
	s.forgetBridgeAsk(&h.asked)
	s.disarm(&h.timer)
	count(&s.counters.BridgeProven, viaNames[h.via])
	s.refund(h)
	h.proven, h.awaitsSandbox = r, true
	s.awaitSandbox(h)
}

// refuseStop resumes a page that stopped for another reason, or that pretends to be the script.
func (s *State) refuseStop(h *bridgeStop, reason string) {
	count(&s.counters.BridgeRefused, reason)
	s.continueStop(h)
}

// continueStop resumes the page without an answer. The script then falls back to other means.
func (s *State) continueStop(h *bridgeStop) {
	s.forgetStop(h)
	if s.sessions[h.session.id] != h.session {
		return
	}
	switch {
	case h.via == abi.BridgeViaPause:
		s.send(h.session.id, debugger.CommandResume, nil)
	case h.paused.Document:
		s.documentPaused(h.session, h.paused)
	default:
		s.judge(h.session, h.paused)
	}
}

// forgetStop forgets a stop.
func (s *State) forgetStop(h *bridgeStop) {
	h.session.stops = removeFrom(h.session.stops, h)
	s.forgetBridgeAsk(&h.asked)
	s.disarm(&h.timer)
}

// endStops forgets the stops of a session that ended and closes their dialogs.
func (s *State) endStops(ss *session, reason string) {
	for _, h := range slices.Clone(ss.stops) {
		s.forgetStop(h)
		if h.dialog != nil {
			s.closeDialog(h.dialog, abi.ClosedByRemote, reason)
		}
	}
}

// forgetStops forgets the stops of a session when the connection is lost, which resumes the pages. The dialogs stay
// open: a script that has lost its supervisor asks again for a while, with the same key.
func (s *State) forgetStops(ss *session) {
	for _, h := range slices.Clone(ss.stops) {
		s.forgetStop(h)
	}
}

// resumed handles a pause that ended without us: another client resumed it, or the page ended.
func (s *State) resumed(e Resumed) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	for _, h := range slices.Clone(ss.stops) {
		if h.via != abi.BridgeViaPause {
			continue
		}
		s.forgetStop(h)
		if h.dialog != nil {
			s.closeDialog(h.dialog, abi.ClosedByRemote, "another client resumed its page")
		}
	}
}

// Any page can request the bridge's URL, or write a debugger statement that looks like the script's. Each attempt costs
// a call of the module, so a token bucket limits the attempts per frame. Proven attempts are refunded.
const (
	bucketSize   = 50 // attempts
	bucketRefill = 10 // attempts per second
	// maxStops is how many stops a frame can have at a time. A real one stops the thread, so there is one per document:
	// the current one, and those that the frame has left.
	maxStops = 4
)

// bucket is a token bucket. It starts full.
type bucket struct {
	used float64
	at   time.Time
}

func (b *bucket) take(now time.Time) bool {
	b.used = max(0, b.used-now.Sub(b.at).Seconds()*bucketRefill)
	b.at = now
	if b.used+1 > bucketSize {
		return false
	}
	b.used++
	return true
}

func (b *bucket) refund() { b.used = max(0, b.used-1) }

// bucketOf is the bucket of a stop's frame. Unknown frames share that of the top frame.
func (s *State) bucketOf(h *bridgeStop) *bucket {
	if f := s.frameOf(h.session, h.frame); f != nil {
		return &f.tries
	}
	return &h.session.tab.root.tries
}

func (s *State) withinLimits(h *bridgeStop) bool {
	n := 0
	for _, other := range h.session.stops {
		if other.frame == h.frame {
			n++
		}
	}
	return n <= maxStops && s.bucketOf(h).take(s.now)
}

func (s *State) refund(h *bridgeStop) { s.bucketOf(h).refund() }
