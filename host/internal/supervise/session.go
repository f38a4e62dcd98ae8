package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// session is one attached target.
type session struct {
	id                target.SessionID
	number            int // in the order in which they were attached
	info              target.Info
	announcedBy       target.SessionID // that announced it; empty: the browser's own
	parent            *session         // likewise; nil for the browser's own and for one that is forgotten
	children          []*session       // that it announced
	task              *task            // nil: foreign, or not yet decided
	running           bool             // its scripts ran before it was attached
	tab               *tab             // the tab that it is part of; nil for a worker that several tabs share
	unstickTimer      Token            // the timer of unstick
	seeded            bool             // the frames of its process are known
	childrenAnnounced bool             // the processes below it were announced

	returning bool // it came back after a loss of the connection; see rebind.go

	bridged bool // it has the bridge's script
	stops   []*bridgeStop

	prepared    bool // its domains are enabled; before, nothing more is sent to one that is being healed
	intercepts  intercepts
	navigations []*navigation // that are paused

	contexts []ExecutionContext // oldest first
	isolate  string             // empty while it is not known; see isolate.go
	agent    *agent             // of a session that is an agent's own; nil for the supervisor's
}

// attached takes a new session into the state: as a tab, a frame, a worker, or as a foreign one that is let go at once.
func (s *State) attached(e Attached) {
	s.attaches++
	ss := &session{id: e.Session, number: s.attaches, info: e.Info, running: !e.Waiting, announcedBy: e.Parent, parent: s.sessions[e.Parent]}
	s.sessions[e.Session] = ss
	if ss.parent != nil {
		ss.parent.children = append(ss.parent.children, ss)
	}
	if e.Parent == "" {
		s.targets[e.Info.TargetID] = e.Info
		s.attachedToBrowser(ss)
		return
	}
	if ss.parent == nil || ss.parent.task == nil {
		s.releaseForeign(ss)
		return
	}
	ss.returning = ss.parent.returning && ss.running
	ss.task, ss.tab = ss.parent.task, ss.parent.tab
	switch {
	case e.Info.Type == "iframe" && ss.tab != nil:
		s.adoptFrameSession(ss)
	case isWorker(e.Info.Type) && !ss.task.closingTabs():
		s.adoptWorker(ss)
	case e.Info.Type == "page":
		// A page below a page is a prerendered document; it has a tab of its own.
		s.adoptTab(ss)
	default:
		s.releaseForeign(ss)
	}
}

func (s *State) attachedToBrowser(ss *session) {
	if s.awaitsAttachReply(ss) {
		return
	}
	if existing := s.tabOf(ss.info.TargetID); existing != nil {
		if s.owns(existing.session) {
			s.releaseForeign(ss)
		} else {
			s.rebind(existing, ss)
		}
		return
	}
	ss.returning = ss.running && s.connection == connectionReturning
	owner := s.ownerOf(ss.info)
	if s.creating > 0 && ss.info.Type == "page" && ss.info.OpenerID == "" && (owner == nil || owner.Scope == ScopeBrowser) {
		// It may be the tab that a Target.createTarget in flight makes: the event comes before that reply.
		s.undecided = append(s.undecided, ss)
		return
	}
	s.decide(ss, owner)
}

func (s *State) decide(ss *session, owner *task) {
	ss.task = owner
	switch {
	case owner == nil:
		s.releaseForeign(ss)
	case ss.info.Type == "page":
		s.adoptTab(ss)
	case isWorker(ss.info.Type) && !owner.closingTabs():
		s.adoptWorker(ss)
	default:
		s.releaseForeign(ss)
	}
}

func (s *State) decideUndecided() {
	waiting := s.undecided
	s.undecided = nil
	for _, ss := range waiting {
		if s.sessions[ss.id] != ss {
			continue
		}
		s.attachedToBrowser(ss)
	}
}

// letGo resumes, detaches and forgets a session that is not ours. Page.enable is never sent: it would make the user's own
// dialogs ours.
func (s *State) releaseForeign(ss *session) {
	ss.task, ss.tab = nil, nil
	if !ss.running && ss.info.Type == "page" && ss.info.CanAccessOpener {
		s.leaveToOtherClients(ss)
		return
	}
	s.counters.Foreign++
	if isWorker(ss.info.Type) {
		// A shared worker that is detached before it has taken the command stays paused for ever, unlike a page.
		s.call(ss.id, runtime.CommandRunIfWaitingForDebugger, nil, WantNothing, func(r CommandReply) {
			if s.sessions[ss.id] != ss {
				return
			}
			s.forgetSession(ss)
			if r.Err == nil {
				s.detach(ss)
			}
		})
		return
	}
	s.forgetSession(ss)
	s.resume(ss)
	s.detach(ss)
}

// foreignWait is how long a popup is left to the client that it may belong to.
const otherClientWait = 5 * time.Second

// leaveToOthers lets go of a popup that knows its opener. All clients hold such a one together, and the first that resumes it
// resumes it for all: another host, whose tab it may be, would not have prepared it yet. So it is left as it is, and resumed
// only where no other client is attached, or where none resumes it. Of two hosts that leave it at the same moment, the one
// that asks last finds nobody. Every other page waits for each of its clients.
func (s *State) leaveToOtherClients(ss *session) {
	s.forgetSession(ss)
	s.detach(ss)
	id := ss.info.TargetID
	s.call("", target.CommandGetTargetInfo, &target.GetTargetInfoParams{TargetID: id}, WantInfo, func(r CommandReply) {
		switch {
		case r.Err != nil: // it is gone
		case r.Info.Attached:
			s.counters.Foreign++
			s.after(otherClientWait, func() { s.reattachPopup(id) })
		default:
			s.reattachPopup(id)
		}
	})
}

// takeBack attaches once more to a popup that was left: it is no longer announced as waiting, and so let go with the others.
func (s *State) reattachPopup(id target.ID) {
	flatten := true
	s.send("", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: id, Flatten: &flatten})
}

func isWorker(kind string) bool {
	return kind == "worker" || kind == "shared_worker" || kind == "service_worker"
}

func (s *State) adoptWorker(ss *session) {
	ss.task.workers = append(ss.task.workers, ss)
	ss.task.dirty = true
	s.send(ss.id, runtime.CommandEnable, nil)
	s.autoAttach(ss)
	s.resume(ss)
	s.do(Notify{Task: ss.task.ID, Kind: NotifyTargetAttached, Target: workerView(ss)})
}

// supervise sends what a document's session needs, in one go: the commands of a session are executed in order, and the
// last one lets its first script run.
func (s *State) supervise(ss *session) {
	if ss.returning {
		// Its renderer may have crashed while nobody listened, and then answers nothing; this tells it.
		s.send(ss.id, inspector.CommandEnable, nil)
	}
	ss.prepared = true
	s.send(ss.id, page.CommandEnable, nil)
	s.seed(ss)
	s.send(ss.id, runtime.CommandEnable, nil)
	s.autoAttach(ss)
	s.bridgeSession(ss)
	s.intercept(ss)
	s.resume(ss)
	if ss.returning || ss.running && ss.task.adopted[ss.tab.id] {
		s.unstick(ss, s.config.StuckTimeout)
	}
}

// autoAttach reaches only the next level, so every session does it again.
func (s *State) autoAttach(ss *session) {
	flatten := true
	params := &target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &flatten}
	if !ss.returning || ss.tab == nil {
		s.send(ss.id, target.CommandSetAutoAttach, params)
		return
	}
	s.call(ss.id, target.CommandSetAutoAttach, params, WantNothing, func(CommandReply) {
		if s.owns(ss) {
			ss.childrenAnnounced = true
			s.dropUnannounced(ss)
		}
	})
}

func (s *State) resume(ss *session) {
	s.send(ss.id, runtime.CommandRunIfWaitingForDebugger, nil)
}

// detached forgets a session and what it carried. Sessions below it end with it.
func (s *State) detached(e Detached) {
	ss := s.sessions[e.Session]
	if ss == nil {
		s.counters.EventsIgnored++
		return
	}
	s.forgetSession(ss)
	s.failCommands(e.Session)
	if ss.agent != nil {
		s.agentDetached(ss)
	}
	if ss.task == nil {
		return
	}
	s.do(Interrupt{Task: ss.task.ID, Page: ss.pageID(), Session: ss.id, Reason: InterruptGone})
	s.detachAgentsOf(ss)
	switch {
	case isWorker(ss.info.Type):
		ss.task.workers = removeFrom(ss.task.workers, ss)
		ss.task.dirty = true
		s.do(Notify{Task: ss.task.ID, Kind: NotifyTargetGone, Target: workerView(ss)})
	case ss.tab != nil && ss.tab.session == ss:
		s.dropTab(ss.tab, "its tab was closed")
	default:
		s.frameSessionGone(ss)
	}
}

func (s *State) forgetSession(ss *session) {
	delete(s.sessions, ss.id)
	s.endStops(ss, "its page's session ended")
	s.dropNavigations(ss)
	if ss.parent != nil {
		ss.parent.children = removeFrom(ss.parent.children, ss)
	}
}

// walk visits a session and all below it.
func (ss *session) walk(visit func(*session)) {
	visit(ss)
	for _, below := range ss.children {
		below.walk(visit)
	}
}

func (ss *session) pageID() target.ID {
	if ss.tab == nil {
		return ""
	}
	return ss.tab.id
}

func workerView(ss *session) Target {
	return Target{ID: ss.info.TargetID, Type: ss.info.Type, Subtype: ss.info.Subtype, URL: ss.info.URL, Title: ss.info.Title, Session: ss.id, Ready: true}
}

// targetChanged keeps titles and addresses up to date.
func (s *State) targetChanged(e TargetChanged) {
	s.targets[e.Info.TargetID] = e.Info
	if tb := s.tabOf(e.Info.TargetID); tb != nil {
		tb.info = e.Info
		tb.task.dirty = true
		return
	}
	for _, ss := range s.sessions {
		if ss.info.TargetID == e.Info.TargetID {
			ss.info = e.Info
			if ss.task != nil {
				ss.task.dirty = true
			}
		}
	}
}

func (s *State) targetDestroyed(e TargetDestroyed) {
	delete(s.targets, e.Target)
	if tb := s.tabOf(e.Target); tb != nil {
		s.dropTab(tb, "its tab was closed")
	}
}

// frameID is the id of the frame that an iframe or page session shows: Chromium uses the target's.
func (ss *session) frameID() cdp.FrameID { return cdp.FrameID(ss.info.TargetID) }
