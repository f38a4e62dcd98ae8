package supervise

// ClearConsole forgets the console entries of a task; how many there were stays known.
type ClearConsole struct {
	Request RequestID
	Task    string
}

func (ClearConsole) isEvent() {}

func (s *State) clearConsole(e ClearConsole) {
	t := s.tasks[e.Task]
	if t == nil {
		s.do(Reply{Request: e.Request, Err: noTask(e.Task)})
		return
	}
	t.console.values, t.dirty = nil, true
	s.do(Reply{Request: e.Request})
}

// consoleMessage keeps a console message or an uncaught exception of any session of a task.
func (s *State) consoleMessage(e ConsoleMessage) {
	ss := s.sessions[e.Session]
	if ss == nil || ss.task == nil {
		s.counters.EventsIgnored++
		return
	}
	entry := e.Entry
	entry.Target = ss.info.TargetID
	if ss.tab != nil {
		entry.Target = ss.tab.id
	}
	ss.task.console.add(entry)
	ss.task.dirty = true
	s.do(Notify{Task: ss.task.ID, Kind: NotifyConsole, Entry: entry})
}
