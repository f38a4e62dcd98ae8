package supervise

import (
	"slices"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// An agent's raw commands run on sessions of their own, so that the domains it enables and disables there do not affect
// the supervisor. Such a session has no task and no tab, because its events are not the supervisor's.

// agent says whose session an agent's session is.
type agent struct {
	task        *task
	page        target.ID // the tab of the target; empty for a worker that several tabs share
	pageEnabled bool      // the agent has the Page domain enabled; see [State.heal]
}

// attaching is a Target.attachToTarget in flight.
type attaching struct {
	task      *task
	page      target.ID
	requests  []RequestID
	announced []*session // sessions of this target announced meanwhile; the reply says which one is the agent's
}

func (s *State) attachAgent(e AttachAgent) {
	t := s.tasks[e.Task]
	if t == nil || t.removal != nil || !s.Owned(e.Task, e.Place.Target) {
		s.fail(e.Request, &TaskError{Task: e.Task, Reason: "the target is gone"})
		return
	}
	if ss := s.agentSession(t, e.Place.Target); ss != nil {
		s.do(Reply{Request: e.Request, Session: ss.id})
		return
	}
	if s.connection == connectionDown {
		s.fail(e.Request, disconnected(e.Task, s.down))
		return
	}
	if a := s.attaching[e.Place.Target]; a != nil {
		a.requests = append(a.requests, e.Request)
		return
	}
	a := &attaching{task: t, page: e.Place.Page, requests: []RequestID{e.Request}}
	if s.attaching == nil {
		s.attaching = map[target.ID]*attaching{}
	}
	s.attaching[e.Place.Target] = a
	s.attachTo(e.Place.Target, WantSession, func(r CommandReply) { s.agentAttached(e.Place.Target, a, r) })
}

// AgentPage returns the task and the tab of an agent's session; both are empty for any other session.
func (s *State) AgentPage(id target.SessionID) (task string, page target.ID) {
	if ss := s.sessions[id]; ss != nil && ss.agent != nil {
		return ss.agent.task.ID, ss.agent.page
	}
	return "", ""
}

// agentSession finds the agent's session of a target.
func (s *State) agentSession(t *task, id target.ID) *session {
	for _, ss := range s.sessions {
		if ss.agent != nil && ss.agent.task == t && ss.info.TargetID == id {
			return ss
		}
	}
	return nil
}

// agentAttached handles the reply, which comes after the session was announced.
func (s *State) agentAttached(id target.ID, a *attaching, r CommandReply) {
	delete(s.attaching, id)
	reply := Reply{Session: r.Session}
	if r.Err != nil {
		reply.Err = r.Err
	}
	for _, ss := range a.announced {
		switch {
		case s.sessions[ss.id] != ss:
		case ss.id == r.Session && s.tasks[a.task.ID] == a.task && a.task.removal == nil:
			ss.agent = &agent{task: a.task, page: a.page}
		default:
			s.releaseForeign(ss)
		}
	}
	if ss := s.sessions[r.Session]; reply.Err == nil && (ss == nil || ss.agent == nil) {
		reply.Err = &CommandError{Message: errSessionGone}
	}
	for _, request := range a.requests {
		reply.Request = request
		s.do(reply)
	}
}

// awaitsAttachReply sets aside a session that may be an agent's until the reply tells.
func (s *State) awaitsAttachReply(ss *session) bool {
	a := s.attaching[ss.info.TargetID]
	if a != nil {
		a.announced = append(a.announced, ss)
	}
	return a != nil
}

func (s *State) agentEnabledPage(e AgentEnabledPage) {
	if ss := s.sessions[e.Session]; ss != nil && ss.agent != nil {
		ss.agent.pageEnabled = e.Enabled
	}
}

// agentSessions lists the agents' sessions of a task in one tab, or in all if page is empty, oldest first.
func (s *State) agentSessions(t *task, page target.ID) []*session {
	var list []*session
	for _, ss := range s.sessions {
		if ss.agent != nil && ss.agent.task == t && (page == "" || ss.agent.page == page) {
			list = append(list, ss)
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return a.number - b.number })
	return list
}

// setAgentsPageDomain disables the Page domain in the agents' sessions of a tab, or enables it again, if the agent had
// it enabled.
func (s *State) setAgentsPageDomain(tb *tab, enabled bool) {
	for _, ss := range s.agentSessions(tb.task, tb.id) {
		switch {
		case !ss.agent.pageEnabled:
		case enabled:
			s.send(ss.id, cdppage.CommandEnable, nil)
		default:
			s.send(ss.id, cdppage.CommandDisable, nil)
		}
	}
}

// detachAgents ends the agents' sessions of a tab. The supervisor's session ends after them.
func (s *State) detachAgents(tb *tab) {
	for _, ss := range s.agentSessions(tb.task, tb.id) {
		s.detachAgent(ss)
	}
}

// detachAgentsOf ends the agents' sessions of a target that the supervisor's session has lost. The target may live on:
// the browser keeps frames in its back/forward cache, where they answer nothing.
func (s *State) detachAgentsOf(lost *session) {
	for _, ss := range s.agentSessions(lost.task, lost.pageID()) {
		if ss.info.TargetID == lost.info.TargetID {
			s.detachAgent(ss)
		}
	}
}

func (s *State) detachAgent(ss *session) {
	s.forgetSession(ss)
	s.detach(ss)
	s.agentDetached(ss)
}

// forgetAgents forgets the agents' sessions of a tab that is gone, or of the whole task if page is empty.
func (s *State) forgetAgents(t *task, page target.ID) {
	for _, ss := range s.agentSessions(t, page) {
		s.forgetSession(ss)
		s.agentDetached(ss)
		if ss.agent.page == "" { // a worker lives on
			s.detach(ss)
		}
	}
}

// agentDetached ends the calls in flight on an agent's session.
func (s *State) agentDetached(ss *session) {
	s.do(Interrupt{Task: ss.agent.task.ID, Page: ss.agent.page, Session: ss.id, Reason: InterruptGone})
}
