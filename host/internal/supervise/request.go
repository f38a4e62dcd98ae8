package supervise

import (
	"crypto/sha256"
	"maps"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// While a module serves the request hook, the Fetch domain pauses every request of every session until the module has
// decided; without one, nothing is paused for it. The bridge comes first, because its requests are the host's own, then
// the navigate hook, which may send a document elsewhere, then this hook, and the rules of the task last, so that none
// of them answers what a module blocks.

// The outcomes of requests; keys of [Counters.Requests].
const (
	RequestAsked        = "asked"
	RequestAllowed      = "allowed"
	RequestBlocked      = "blocked"
	RequestAborted      = "aborted"
	RequestFailedOpen   = "failed_open"
	RequestFailedClosed = "failed_closed"
)

const (
	// recentBlocked is how many blocked requests of a task are kept.
	recentBlocked = 50
	// faultNotice is how often a fault of the hook is reported for a task: a page makes hundreds of requests at once.
	faultNotice = time.Second
)

// heldRequest is a paused request that waits for the verdict of the request hook.
type heldRequest struct {
	session *session
	paused  RequestPaused
	asked   Token // the ask in flight; 0 while it is unknown which document requests it
	timer   Token // ends the wait for the frame, then for the verdict
}

// requests are what the request hook did in a task.
type requests struct {
	counts   map[string]uint64 // by outcome
	modules  map[string]uint64 // those that were blocked, by module
	recent   ring[Blocked]
	reported time.Time // the last fault
}

// Blocked is a request that was blocked or aborted.
type Blocked struct {
	URL          string // cut at 2 KiB; untrusted
	Method, Type string
	Frame        cdproto.FrameID
	Target       target.ID
	At           time.Time
	Action       abi.RequestAction
	Reason       string // the module's reason, or what went wrong
	FailedClosed bool   // a module failed to decide, and the fallback blocks
	Decision     Provenance

	Network network.RequestID // the request in the events of the network, if they are reported
}

// Requests is what the request hook did in a task.
type Requests struct {
	Counts  map[string]uint64
	Modules map[string]uint64
	Recent  []Blocked // oldest first
}

func (r *requests) view() Requests {
	return Requests{Counts: maps.Clone(r.counts), Modules: maps.Clone(r.modules), Recent: r.recent.list()}
}

// judge asks the request hook about a paused request that nothing else holds. Without a module it goes to the rules.
func (s *State) judge(ss *session, e RequestPaused) {
	if !s.requestHook {
		s.letGo(ss, e)
		return
	}
	r := &heldRequest{session: ss, paused: e}
	ss.requests = append(ss.requests, r)
	if f := s.frameOf(ss, e.Frame); isWorker(ss.info.Type) || f != nil && f.tab.knows(e) {
		s.askRequestHook(r)
		return
	}
	r.timer = s.after(frameWait, func() {
		r.timer = 0
		s.askRequestHook(r)
	})
}

// askRequestHook asks. If the plugin runtime misses its own deadline too, that is a fault, so a request never hangs.
func (s *State) askRequestHook(r *heldRequest) {
	r.asked = s.nextToken()
	s.requestAsks[r.asked] = r
	r.timer = s.after(s.config.AskTimeout, func() {
		r.timer = 0
		s.requestVerdict(RequestVerdict{Token: r.asked, Fault: "the plugin did not answer in time"})
	})
	s.countRequest(r.session.task, RequestAsked)
	s.do(AskRequest{
		Token: r.asked, Until: s.askUntil(), Task: r.session.task.ID, Event: s.requestEvent(r), Headers: r.paused.Headers,
	})
}

func (s *State) countRequest(t *task, outcome string) {
	count(&s.counters.Requests, outcome)
	count(&t.requests.counts, outcome)
	t.dirty = true
}

// ownTab is the tab that a session is part of. A service worker is announced by each page that it serves, but is part
// of none.
func (ss *session) ownTab() *tab {
	if ss.info.Type == "service_worker" || ss.info.Type == "shared_worker" {
		return nil
	}
	return ss.tab
}

// requestEvent is the event for the module, without headers.
func (s *State) requestEvent(r *heldRequest) abi.RequestEvent {
	ss, url := r.session, withoutFragment(r.paused.URL)
	e := abi.RequestEvent{
		Header: abi.Header{TaskID: ss.task.ID, Revision: uint64(r.asked)},
		URL:    pagetext.Shorten(url, abi.MaxRequestURLBytes), Origin: originOf(url), Method: r.paused.Method,
		ResourceType: strings.ToLower(r.paused.Type), Redirected: r.paused.Redirected != "",
		TargetID: string(ss.info.TargetID), TargetType: ss.info.Type,
	}
	if len(e.URL) < len(url) {
		hash := sha256.Sum256([]byte(url))
		e.URLSHA256 = hash[:]
	}
	if tb := ss.ownTab(); tb != nil {
		e.TargetID, e.Popup, e.TopOrigin = string(tb.id), tb.info.OpenerID != "", tb.root.origin
	}
	if isWorker(ss.info.Type) {
		from := ss.info.URL
		e.FromURL, e.FromOrigin = pagetext.Shorten(from, abi.MaxFrameURLBytes), originOf(strings.TrimPrefix(from, "blob:"))
		return e
	}
	e.FrameID = string(r.paused.Frame)
	if f := s.frameOf(ss, r.paused.Frame); f != nil {
		e.FrameKind, e.FromURL, e.FromOrigin = f.kind(), pagetext.Shorten(f.url, abi.MaxFrameURLBytes), f.origin
	}
	return e
}

// requestVerdict applies the verdict. If no module decided, the request is allowed; if one failed, the fallback
// applies.
func (s *State) requestVerdict(v RequestVerdict) {
	r, ok := s.requestAsks[v.Token]
	if !ok {
		s.counters.VerdictsDropped++
		return
	}
	s.endRequest(r)
	v.Provenance.Rule = v.Verdict.Rule
	switch {
	case v.Fault != "":
		s.requestFault(r, v)
	case v.Abstained:
		s.allowRequest(r, RequestAllowed)
	case v.Verdict.Action == abi.RequestActionAllow:
		s.counters.VerdictsApplied++
		s.allowRequest(r, RequestAllowed)
	case v.Verdict.Action == abi.RequestActionBlock:
		s.counters.VerdictsApplied++
		s.blockRequest(r, RequestBlocked, deniedReason, Blocked{Action: v.Verdict.Action, Reason: v.Verdict.Reason, Decision: v.Provenance})
	case v.Verdict.Action == abi.RequestActionAbort:
		s.counters.VerdictsApplied++
		s.blockRequest(r, RequestAborted, abortedReason, Blocked{Action: v.Verdict.Action, Reason: v.Verdict.Reason, Decision: v.Provenance})
	default:
		v.Fault = "unknown action " + v.Verdict.Action.String() + " in the verdict"
		s.requestFault(r, v)
	}
	s.intercept(r.session)
}

// requestFault is the host's fallback: a request on which a module failed to decide is allowed, unless the
// configuration says to block it.
func (s *State) requestFault(r *heldRequest, v RequestVerdict) {
	t := r.session.task
	if s.now.Sub(t.requests.reported) >= faultNotice {
		t.requests.reported = s.now
		s.do(Notify{Task: t.ID, Kind: NotifyFault, Fault: v.Fault})
	}
	if !s.config.RequestFailClosed {
		s.allowRequest(r, RequestFailedOpen)
		return
	}
	v.Provenance.Fault = v.Fault
	s.blockRequest(r, RequestFailedClosed, deniedReason, Blocked{
		Action: abi.RequestActionBlock, Reason: "no plugin decided, so the host blocked it: " + v.Fault, FailedClosed: true, Decision: v.Provenance,
	})
}

func (s *State) allowRequest(r *heldRequest, counted string) {
	s.countRequest(r.session.task, counted)
	s.letGo(r.session, r.paused)
}

// blockRequest fails a request, and records it. The document of a tab is a denied navigation, too.
func (s *State) blockRequest(r *heldRequest, counted string, reason network.ErrorReason, b Blocked) {
	ss, e := r.session, r.paused
	s.countRequest(ss.task, counted)
	count(&ss.task.requests.modules, b.Decision.Module)
	b.Reason = pagetext.Shorten(b.Reason, maxDenialReason)
	s.recordBlocked(ss, e, b)
	if e.Document && ss.tab != nil && e.Frame == ss.tab.root.id {
		s.noteDenial(ss, Denial{URL: e.URL, Frame: e.Frame, Reason: b.Reason, FailedClosed: b.FailedClosed, Decision: b.Decision})
	}
	s.send(ss.id, fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: e.Request, ErrorReason: reason})
}

// recordBlocked adds to what is known about a blocked request where it came from, and keeps it.
func (s *State) recordBlocked(ss *session, e RequestPaused, b Blocked) {
	t := ss.task
	b.URL, b.Method, b.Type = pagetext.Shorten(e.URL, abi.MaxFrameURLBytes), e.Method, strings.ToLower(e.Type)
	b.Frame, b.Target, b.At, b.Network = e.Frame, ss.info.TargetID, s.now, e.Network
	if tb := ss.ownTab(); tb != nil {
		b.Target = tb.id
	}
	t.requests.recent.add(b)
	t.dirty = true
	s.do(NoteBlocked{Task: t.ID, Blocked: b})
}

// endRequest forgets a request that is about to be continued or failed.
func (s *State) endRequest(r *heldRequest) {
	s.withdraw(r.asked)
	s.disarm(&r.timer)
	r.session.requests = removeFrom(r.session.requests, r)
}

// dropRequests forgets the requests of a session that ended. The browser has continued them.
func (s *State) dropRequests(ss *session) {
	for len(ss.requests) > 0 {
		s.endRequest(ss.requests[len(ss.requests)-1])
	}
}
