package supervise

import (
	"fmt"
	"slices"
	"strings"
)

// EmulationCommand is a command that sets something.
type EmulationCommand struct {
	Method string
	Params any
	Where  EmulationPlace
	Anew   bool // what it set is ended before it is set again; otherwise the last command of a method counts
}

// EmulationPlace says to which sessions a command goes.
type EmulationPlace int

// The places of an [EmulationCommand].
const (
	InDocuments EmulationPlace = iota // tabs and frames of other processes
	InTabs                            // the tab decides for its frames
	Everywhere                        // in workers too
	InBrowser                         // on the browser's own session
)

// EmulationError says what the browser does not take.
type EmulationError struct{ Method, Message string }

func (e *EmulationError) Error() string { return fmt.Sprintf("%s: %s", e.Method, e.Message) }

// emulate sends what differs from now on, and replies when all sessions that are there have answered.
func (s *State) emulate(e Emulate) {
	t := s.tasks[e.Task]
	switch {
	case t == nil || t.removal != nil:
		s.fail(e.Request, noTask(e.Task))
		return
	case s.connection == connectionDown:
		s.fail(e.Request, disconnected(e.Task, s.down))
		return
	}
	commands := slices.Concat(t.emulation.ended(e.Set), e.Set)
	t.emulation = e
	open := 1 // until all are sent
	var first error
	answered := func() {
		if open--; open == 0 {
			s.do(Reply{Request: e.Request, Err: first})
		}
	}
	run := func(ss *session, c EmulationCommand) {
		if ss != nil && ss.tab != nil && s.blockedByKnown(ss.tab) { // it follows when the dialog is answered
			s.send(ss.id, c.Method, c.Params)
			return
		}
		open++
		reply := func(r CommandReply) {
			here := ss == nil || s.owns(ss) && !isWorker(ss.info.Type) // a worker takes what it knows
			if r.Err != nil && first == nil && here && !isInEffect(r.Err.Message) {
				first = &EmulationError{Method: c.Method, Message: r.Err.Message}
			}
			answered()
		}
		if ss == nil {
			s.sendThen("", c.Method, c.Params, WantNothing, reply)
			return
		}
		s.sendThen(ss.id, c.Method, c.Params, WantNothing, reply)
	}
	for _, c := range commands {
		if c.Where == InBrowser {
			run(nil, c)
		}
	}
	for _, ss := range s.preparedSessions(t) {
		for _, c := range commands {
			if c.concerns(ss) {
				run(ss, c)
			}
		}
	}
	answered()
}

// ended lists what ends the commands that none of the new ones replaces.
func (e Emulate) ended(replacing []EmulationCommand) (list []EmulationCommand) {
	for i, c := range e.Set {
		replaced := slices.ContainsFunc(replacing, func(by EmulationCommand) bool { return by.Method == c.Method })
		if c.Anew || !replaced {
			list = append(list, e.Undo[i])
		}
	}
	return list
}

// emulateIn makes a session emulate what its task does. It is part of preparing every session, so the first script of a
// page finds it.
func (s *State) emulateIn(ss *session) {
	for _, c := range ss.task.emulation.Set {
		if c.concerns(ss) {
			s.send(ss.id, c.Method, c.Params)
		}
	}
}

func (s *State) emulateInBrowser(list []EmulationCommand) {
	for _, c := range list {
		if c.Where == InBrowser {
			s.send("", c.Method, c.Params)
		}
	}
}

func (c EmulationCommand) concerns(ss *session) bool {
	switch c.Where {
	case InDocuments:
		return ss.tab != nil && !isWorker(ss.info.Type)
	case InTabs:
		return ss.tab != nil && ss.info.Type == "page"
	case Everywhere:
		return true
	}
	return false
}

// isInEffect reports whether another session has set it already: a process has one timezone and one locale.
func isInEffect(message string) bool {
	return strings.Contains(message, "already in effect") || strings.Contains(message, "Another locale override")
}
