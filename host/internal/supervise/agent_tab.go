package supervise

// OpenTab opens one more tab of a task; its reply has the target.
type OpenTab struct {
	Request RequestID
	Task    string
	URL     string // loaded once the tab is prepared; empty: none
}

func (OpenTab) isEvent() {}

// agentOpens opens a tab that belongs to the task from the beginning.
func (s *State) agentOpens(e OpenTab) {
	t := s.tasks[e.Task]
	if t == nil || t.leaving != nil {
		s.do(Reply{Request: e.Request, Err: &TaskError{Task: e.Task, Reason: "the task has ended"}})
		return
	}
	if s.line == lineDown {
		s.do(Reply{Request: e.Request, Err: disconnected(e.Task, s.down)})
		return
	}
	if s.opening == nil {
		s.opening = map[RequestID]bool{}
	}
	s.opening[e.Request] = true
	s.openTab(t, func(r CommandReply) {
		delete(s.opening, e.Request)
		reply := Reply{Request: e.Request, Target: r.Target}
		if r.Err != nil {
			reply.Err = &TaskError{Task: t.ID, Reason: "cannot open a tab: " + r.Err.Message}
		} else if e.URL != "" && e.URL != blank {
			t.starts[r.Target] = e.URL
		}
		s.do(reply)
	})
}

// failAgents ends what agents wait for on a connection that is lost.
func (s *State) failAgents(reason string) {
	fail := func(id RequestID) { s.do(Reply{Request: id, Err: disconnected("", reason)}) }
	for _, id := range sortedKeys(s.attaching) {
		for _, request := range s.attaching[id].requests {
			fail(request)
		}
	}
	for _, request := range sortedKeys(s.opening) {
		fail(request)
	}
	clear(s.attaching)
	clear(s.opening)
}
