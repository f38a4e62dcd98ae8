package supervise

import (
	"strings"

	"github.com/chromedp/cdproto/fetch"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// While a task has a network guard, the Fetch domain pauses every request of its sessions until the address that the
// request leads to has been looked at; without one, nothing is paused for it. The guard comes after the bridge, whose
// requests reach no network, and before the modules and the rules: none of them sees, or answers, what it refuses.
// Where a module or a redirect sends a request is a request of its own.

// Refusal says that a request leads to an address that may not be reached. Address is empty if it was not looked up.
type Refusal struct{ Host, Address, Class string }

// guardedRequest is a paused request whose address is being looked at.
type guardedRequest struct {
	session *session
	paused  RequestPaused
	asked   Token
	timer   Token
}

// guarded reports whether a request leads to an address. The others (data:, blob:) are answered by the browser itself.
func (t *task) guarded(e RequestPaused) bool {
	return t.Guarded && (strings.HasPrefix(e.URL, "http:") || strings.HasPrefix(e.URL, "https:"))
}

// examine decides on a paused request that is not the bridge's: the guard first, then the modules and the rules.
func (s *State) examine(ss *session, e RequestPaused) {
	if ss.task.guarded(e) {
		s.guardRequest(ss, e)
		return
	}
	s.pass(ss, e)
}

// guardRequest has the address of a request looked at. If that takes too long, the request is refused, so that it never
// hangs.
func (s *State) guardRequest(ss *session, e RequestPaused) {
	g := &guardedRequest{session: ss, paused: e, asked: s.nextToken()}
	ss.guarded = append(ss.guarded, g)
	s.guardAsks[g.asked] = g
	g.timer = s.after(s.config.AskTimeout, func() {
		g.timer = 0
		s.addressChecked(AddressChecked{Token: g.asked, Refused: &Refusal{Class: "unresolved"}, Text: "its address could not be looked at in time"})
	})
	s.do(CheckAddress{Token: g.asked, Until: s.askUntil(), Task: ss.task.ID, URL: e.URL})
}

func (s *State) addressChecked(v AddressChecked) {
	g, ok := s.guardAsks[v.Token]
	if !ok {
		s.counters.VerdictsDropped++
		return
	}
	s.endGuarded(g)
	if v.Refused == nil {
		s.pass(g.session, g.paused)
		return
	}
	ss, e := g.session, g.paused
	reason := pagetext.Shorten(v.Text, maxDenialReason)
	s.recordBlocked(ss, e, Blocked{Action: abi.RequestActionBlock, Reason: reason})
	if e.Document && ss.tab != nil {
		s.noteDenial(ss, Denial{URL: withoutUser(e.URL), Frame: e.Frame, Reason: reason, Refused: v.Refused})
	}
	s.send(ss.id, fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: e.Request, ErrorReason: deniedReason})
}

// pass asks the modules about a request that may reach its address, and then the rules of the task.
func (s *State) pass(ss *session, e RequestPaused) {
	if e.Document {
		s.documentPaused(ss, e)
		return
	}
	s.judge(ss, e)
}

// endGuarded forgets a request that is about to go on, or to fail.
func (s *State) endGuarded(g *guardedRequest) {
	s.withdraw(g.asked)
	s.disarm(&g.timer)
	g.session.guarded = removeFrom(g.session.guarded, g)
}

// failGuarded fails the requests of a session that is about to be left: the browser would continue them.
func (s *State) failGuarded(ss *session) {
	for len(ss.guarded) > 0 {
		g := ss.guarded[0]
		s.endGuarded(g)
		s.send(ss.id, fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: g.paused.Request, ErrorReason: abortedReason})
	}
}

// dropGuarded forgets the requests of a session that ended. The browser has continued them.
func (s *State) dropGuarded(ss *session) {
	for len(ss.guarded) > 0 {
		s.endGuarded(ss.guarded[len(ss.guarded)-1])
	}
}
