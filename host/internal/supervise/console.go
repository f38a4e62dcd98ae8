package supervise

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
