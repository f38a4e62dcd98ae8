package supervise

import (
	"maps"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// When a session ends, Chromium continues the requests that it has paused, and those that waited for the debugger. A
// page could so evade the hooks and the guard: with a window that it opens and closes at once, or with a beacon in a
// frame that it removes. But requests pass the interception of the browser's own session after that of a page's. So
// that session pauses the same kinds of requests, of all tabs, and lets go of what has been decided or is not of a
// task. What a session has left undecided is decided there.

// gate is the interception of the browser's own session.
type gate struct {
	documents, requests bool // what it pauses: requests for documents, all requests

	closed    map[cdproto.FrameID]*session  // the frames of tabs that were closed of late
	undecided map[undecidedRequest]*session // what sessions had paused when they ended of late
	ended     []*session                    // those sessions
}

// undecidedRequest is what a request has in common when different sessions pause it.
type undecidedRequest struct {
	frame cdproto.FrameID
	url   string
}

// gateMemory is how long it is remembered what has ended. Its requests come as soon as the browser has noticed.
const gateMemory = 10 * time.Second

func newGate() gate {
	return gate{closed: map[cdproto.FrameID]*session{}, undecided: map[undecidedRequest]*session{}}
}

// setGate makes the browser's session pause what a session of any task pauses for the modules or the guard. It goes on
// as long as something may be left undecided.
func (s *State) setGate() {
	if s.connection == connectionDown || s.lost != "" {
		return
	}
	var documents, requests bool
	for _, t := range s.taskOrder {
		if !t.Background && t.gone == "" {
			requests = requests || s.requestHook || t.Guarded
			documents = documents || s.navigateHook || requests
		}
	}
	g := &s.gate
	if len(g.ended) > 0 {
		documents, requests = documents || g.documents, requests || g.requests
	}
	if documents == g.documents && requests == g.requests {
		return
	}
	g.documents, g.requests = documents, requests
	pattern := &fetch.RequestPattern{RequestStage: fetch.RequestStageRequest}
	switch {
	case requests:
		pattern.URLPattern = "*"
	case documents:
		pattern.ResourceType = network.ResourceTypeDocument
	default:
		s.send("", fetch.CommandDisable, nil)
		return
	}
	s.send("", fetch.CommandEnable, &fetch.EnableParams{Patterns: []*fetch.RequestPattern{pattern}})
}

// remembered stands for a session that has ended: its requests are answered on the browser's session.
func (s *State) remembered(ss *session) *session {
	ended := &session{info: ss.info, task: ss.task, tab: ss.tab}
	s.gate.ended = append(s.gate.ended, ended)
	s.after(gateMemory, func() {
		s.gate.forget(ended)
		s.setGate()
	})
	return ended
}

func (g *gate) forget(ended *session) {
	maps.DeleteFunc(g.closed, func(_ cdproto.FrameID, ss *session) bool { return ss == ended })
	maps.DeleteFunc(g.undecided, func(_ undecidedRequest, ss *session) bool { return ss == ended })
	g.ended = removeFrom(g.ended, ended)
}

// loseGate forgets everything with the connection. The browser has continued what was paused.
func (s *State) loseGate() {
	for _, ended := range s.gate.ended {
		s.dropNavigations(ended)
		s.dropRequests(ended)
		s.dropGuarded(ended)
	}
	s.gate = newGate()
}

// gates reports whether what is paused for a task passes the gate.
func (s *State) gates(t *task) bool {
	return t != nil && !t.Background && s.gate.documents
}

// rememberTab remembers the frames of a tab that is about to be forgotten.
func (s *State) rememberTab(tb *tab) {
	if !s.gates(tb.task) {
		return
	}
	ended := s.remembered(tb.session)
	for id, f := range s.frames {
		if f.tab == tb {
			s.gate.closed[id] = ended
		}
	}
}

// rememberUndecided remembers what a session that has ended had paused.
func (s *State) rememberUndecided(ss *session) {
	if !s.gates(ss.task) || len(ss.navigations)+len(ss.requests)+len(ss.guarded) == 0 {
		return
	}
	ended := s.remembered(ss)
	note := func(e RequestPaused) { s.gate.undecided[undecidedRequest{e.Frame, e.URL}] = ended }
	for _, n := range ss.navigations {
		note(n.paused)
	}
	for _, r := range ss.requests {
		note(r.paused)
	}
	for _, g := range ss.guarded {
		note(g.paused)
	}
}

// atGate handles a request that the browser's session has paused. A document of a tab that was closed is shown to
// nobody, so it fails. Anything else, such as what a page saves with a beacon as it is closed, is decided like any
// request, or by the fail mode once nobody is there to decide.
func (s *State) atGate(e RequestPaused) {
	ended, closed := s.gate.closed[e.Frame]
	if closed {
		_, open := s.targets[ended.tab.id]
		closed = !open // a task that is removed leaves the tabs that it did not open
	}
	if !closed {
		ended = s.gate.undecided[undecidedRequest{e.Frame, e.URL}]
	}
	switch {
	case ended == nil:
		s.continueAtGate(e)
	case closed && (e.Document || ended.tab.surplus):
		s.failAtGate(e)
	case s.tasks[ended.task.ID] == ended.task:
		s.examine(ended, e)
	case ended.task.guarded(e), s.requestHook && s.config.RequestFailClosed:
		s.failAtGate(e)
	default:
		s.continueAtGate(e)
	}
}

func (s *State) continueAtGate(e RequestPaused) {
	s.send("", fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: e.Request})
}

func (s *State) failAtGate(e RequestPaused) {
	s.send("", fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: e.Request, ErrorReason: abortedReason})
}
