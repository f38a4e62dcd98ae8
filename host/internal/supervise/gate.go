package supervise

import (
	"maps"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
)

// When a session ends, Chromium continues the requests that it has paused, and those that waited for the debugger, and
// pauses none of those that are on their way. A page could so evade the hooks and the guard: with a window that it
// opens and closes at once, or with a beacon from a frame that it removes. But requests pass the interception of the
// browser's own session after that of a page's. So that session pauses the same kinds of requests, of all tabs. It lets
// go of what comes from where nothing has ended. What comes from where a session has ended, and no other session has
// let go, is decided there.

// gate is the interception of the browser's own session.
type gate struct {
	documents, requests bool // what it pauses: requests for documents, all requests

	ended map[cdproto.FrameID]*session // the frames, and shared workers, whose session ended of late
	order []*session                   // those sessions, oldest first
	let   map[letRequest]int           // what other sessions have let go since then in these frames
}

// letRequest is what a request has in common on the sessions that pause it.
type letRequest struct {
	frame cdproto.FrameID
	url   string
}

// gateMemory is how long ended sessions are remembered. What they leave comes as soon as the browser has noticed.
const gateMemory = 10 * time.Second

func newGate() gate {
	return gate{ended: map[cdproto.FrameID]*session{}, let: map[letRequest]int{}}
}

// setGate makes the browser's session pause what a session of any task pauses for the modules or the guard. It goes on
// as long as something may be left undecided. It comes before the commands to those sessions: theirs make the documents
// that are already there pass the gate, too.
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
	if len(g.order) > 0 {
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

// remember notes that a session is about to end. A stand-in decides on the requests of its frames: on the browser's
// session. A dedicated worker requests as the frame that it belongs to.
func (s *State) remember(ss *session) {
	if !s.gate.documents || ss.task == nil || ss.task.Background || ss.agent != nil || ss.info.Type == "worker" {
		return
	}
	ended := &session{info: ss.info, task: ss.task, tab: ss.tab}
	s.gate.ended[ss.frameID()] = ended
	for id, f := range s.frames {
		if f.session == ss || ss.tab != nil && f.tab == ss.tab && ss.tab.session == ss { // a tab's frames all end with it
			s.gate.ended[id] = ended
		}
	}
	s.gate.order = append(s.gate.order, ended)
	s.after(gateMemory, func() {
		s.gate.forget(ended)
		s.setGate()
	})
}

func (g *gate) forget(ended *session) {
	maps.DeleteFunc(g.let, func(r letRequest, _ int) bool { return g.ended[r.frame] == ended })
	maps.DeleteFunc(g.ended, func(_ cdproto.FrameID, ss *session) bool { return ss == ended })
	g.order = removeFrom(g.order, ended)
}

// noteLet notes that a session has let a request go which comes to the gate next.
func (g *gate) noteLet(ss *session, e RequestPaused) {
	if ss.id != "" && g.ended[e.Frame] != nil {
		g.let[letRequest{e.Frame, e.URL}]++
	}
}

func (g *gate) takeLet(e RequestPaused) bool {
	r := letRequest{e.Frame, e.URL}
	if g.let[r] == 0 {
		return false
	}
	if g.let[r]--; g.let[r] == 0 {
		delete(g.let, r)
	}
	return true
}

// loseGate forgets everything with the connection. The browser has continued what was paused.
func (s *State) loseGate() {
	for _, ended := range s.gate.order {
		s.dropNavigations(ended)
		s.dropRequests(ended)
		s.dropGuarded(ended)
	}
	s.gate = newGate()
}

// atGate handles a request that the browser's session has paused. A document for a frame that is gone is shown to
// nobody, so it fails. Anything else, such as what a page saves with a beacon as it is closed, is decided like any
// request, or by the fail mode once nobody is there to decide.
func (s *State) atGate(e RequestPaused) {
	ended := s.gate.ended[e.Frame]
	switch {
	case ended == nil, s.isLeft(ended), s.gate.takeLet(e):
		s.continueAtGate(e)
	case e.Document && s.frames[e.Frame] == nil, ended.tab != nil && ended.tab.surplus:
		s.failAtGate(e)
	case s.tasks[ended.task.ID] == ended.task:
		s.examine(ended, e)
	case ended.task.guarded(e), s.requestHook && s.config.RequestFailClosed:
		s.failAtGate(e)
	default:
		s.continueAtGate(e)
	}
}

// isLeft reports whether a target goes on without its task: a task that is removed leaves the tabs that it did not
// open, and a worker may serve other pages.
func (s *State) isLeft(ended *session) bool {
	id := ended.info.TargetID
	if ended.tab != nil {
		id = ended.tab.id
	}
	_, open := s.targets[id]
	return open && s.tabOf(id) == nil
}

func (s *State) continueAtGate(e RequestPaused) {
	s.send("", fetch.CommandContinueRequest, &fetch.ContinueRequestParams{RequestID: e.Request})
}

func (s *State) failAtGate(e RequestPaused) {
	s.send("", fetch.CommandFailRequest, &fetch.FailRequestParams{RequestID: e.Request, ErrorReason: abortedReason})
}
