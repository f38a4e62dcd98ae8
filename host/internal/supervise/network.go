package supervise

import (
	"slices"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"
)

// The browser keeps the bodies of responses for each session that reports its requests, in the renderer and up to these
// sizes in bytes. It drops the oldest ones first.
var maxBodies, maxBody int64 = 32 << 20, 8 << 20

func (s *State) watchNetwork(e WatchNetwork) {
	t := s.tasks[e.Task]
	if t == nil || t.network {
		return
	}
	t.network = true
	for _, ss := range s.preparedSessions(t) {
		s.reportRequests(ss)
	}
}

// preparedSessions lists the sessions of a task that commands may be sent to, in the order of attachment.
func (s *State) preparedSessions(t *task) (list []*session) {
	for _, ss := range s.sessions {
		if ss.task == t && (ss.prepared || isWorker(ss.info.Type)) {
			list = append(list, ss)
		}
	}
	slices.SortFunc(list, func(a, b *session) int { return a.number - b.number })
	return list
}

// reportRequests makes a session report its requests if its task wants to know them. It is part of preparing every
// session, so nothing is missed of a frame that moves to another process, or after a lost connection.
func (s *State) reportRequests(ss *session) {
	if ss.task.network {
		s.send(ss.id, network.CommandEnable, &network.EnableParams{MaxTotalBufferSize: &maxBodies, MaxResourceBufferSize: &maxBody})
	}
}

// RequestsOf returns the task whose requests a session reports, the tab, which is empty for a worker that several tabs
// share, and the session's target. Without a task, the session reports none to the supervisor.
func (s *State) RequestsOf(id target.SessionID) (task string, place ScriptTarget) {
	ss := s.sessions[id]
	if ss == nil || ss.agent != nil || ss.task == nil || !ss.task.network {
		return "", place
	}
	return ss.task.ID, ScriptTarget{Page: ss.pageID(), Session: id, Target: ss.info.TargetID, Root: true, Isolate: ss.isolate}
}
