package supervise

import (
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	cdplog "github.com/chromedp/cdproto/log"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webauthn"
)

// session is an attachment to one target.
type session struct {
	id                target.SessionID
	number            int // in the order of attachment
	info              target.Info
	announcedBy       target.SessionID // the session that announced it; empty: the browser's own
	parent            *session         // that session; nil if it is the browser's own or forgotten
	children          []*session       // the sessions that it announced
	task              *task            // nil: foreign, or not decided yet
	running           bool             // its target ran before it was attached
	tab               *tab             // the tab that it is part of; nil for a worker that several tabs share
	unstickTimer      Token            // see [State.unstick]
	freeTimer         Token            // see [State.free]
	seeded            bool             // the frames of its process are known
	childrenAnnounced bool             // its child sessions have been announced

	returning bool // attached again after a lost connection; see reconnect.go

	bridged bool // the bridge's script is installed
	stops   []*bridgeStop

	prepared    bool // its domains are enabled; nothing else is sent to it before that
	intercepts  intercepts
	proxy       proxyState
	navigations []*navigation // paused requests for documents
	requests    []*heldRequest
	guarded     []*guardedRequest

	signIn   *SignIn            // the dialog to sign in that is open over its documents; nil: none
	contexts []ExecutionContext // oldest first
	isolate  string             // see [State.Isolate]; empty while unknown
	agent    *agent             // set for an agent's own session, nil for the supervisor's
}

// pageSession returns a session if it shows documents of a supervised tab.
func (s *State) pageSession(id target.SessionID) *session {
	ss := s.sessions[id]
	if ss == nil || ss.tab == nil {
		s.counters.EventsIgnored++
		return nil
	}
	return ss
}

// attached adds a new session as a tab, an OOPIF or a worker, or releases it if it is foreign.
func (s *State) attached(e Attached) {
	s.attaches++
	ss := &session{
		id: e.Session, number: s.attaches, info: e.Info, running: !e.Waiting,
		announcedBy: e.Parent, parent: s.sessions[e.Parent],
	}
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
		// A page attached through a page is a prerendered document. It gets a tab of its own.
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
	if s.creating > 0 && ss.info.Type == "page" && ss.info.OpenerID == "" && (owner == nil || owner.Scope == ScopeBrowser || s.asides > 0) {
		// A Target.createTarget in flight may have created it: this event precedes the reply.
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

// releaseForeign resumes, detaches from and forgets a session that no task owns. It never sends Page.enable, which
// would route the dialogs of the user's own tabs to this host.
func (s *State) releaseForeign(ss *session) {
	ss.task, ss.tab = nil, nil
	if !ss.running && ss.info.Type == "page" && ss.info.CanAccessOpener {
		s.leaveToOtherClients(ss)
		return
	}
	s.counters.Foreign++
	if isWorker(ss.info.Type) {
		// Unlike a page, a shared worker stays paused forever if its session is detached before it has executed this
		// command.
		s.sendThen(ss.id, runtime.CommandRunIfWaitingForDebugger, nil, WantNothing, func(r CommandReply) {
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

// otherClientWait is how long another client has to resume a popup that may be its own.
const otherClientWait = 5 * time.Second

// leaveToOtherClients releases a popup that can access its opener without resuming it. Such a popup waits for all
// attached clients together, and the first client that resumes it resumes it for all: another host that owns it might
// not have prepared it yet. So this host detaches, and resumes the popup only if no other client is attached, or if
// none has resumed it after a while. If two hosts detach at the same time, the one that asks last sees no other client.
// Pages without access to an opener wait for each client separately.
func (s *State) leaveToOtherClients(ss *session) {
	s.forgetSession(ss)
	s.detach(ss)
	id := ss.info.TargetID
	s.sendThen("", target.CommandGetTargetInfo, &target.GetTargetInfoParams{TargetID: id}, WantInfo, func(r CommandReply) {
		switch {
		case r.Err != nil: // the popup is gone
		case r.Info.Attached:
			s.counters.Foreign++
			s.after(otherClientWait, func() { s.reattachPopup(id) })
		default:
			s.reattachPopup(id)
		}
	})
}

// reattachPopup attaches again to a popup that was left to other clients. It is then no longer announced as waiting,
// and is released like any other foreign target.
func (s *State) reattachPopup(id target.ID) {
	s.attachTo(id, WantNothing, func(CommandReply) {})
}

func (s *State) attachTo(id target.ID, want Want, reply func(CommandReply)) {
	flatten := true
	s.sendThen("", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: id, Flatten: &flatten}, want, reply)
}

func isWorker(kind string) bool {
	return kind == "worker" || kind == "shared_worker" || kind == "service_worker"
}

func (s *State) adoptWorker(ss *session) {
	ss.task.workers = append(ss.task.workers, ss)
	ss.task.dirty = true
	s.send(ss.id, runtime.CommandEnable, nil)
	s.send(ss.id, cdplog.CommandEnable, nil)
	s.reportRequests(ss)
	s.emulateIn(ss)
	ss.prepared = true
	s.intercept(ss)
	s.autoAttach(ss)
	s.resume(ss)
	s.do(Notify{Task: ss.task.ID, Kind: NotifyTargetAttached, Target: workerView(ss)})
}

// supervise prepares the session of a document in one batch of commands. A session executes its commands in order, and
// the last one lets the first script run.
func (s *State) supervise(ss *session) {
	if ss.returning {
		// If its renderer crashed during the outage it answers nothing. This reports the crash.
		s.send(ss.id, inspector.CommandEnable, nil)
	}
	ss.prepared = true
	s.send(ss.id, cdppage.CommandEnable, nil)
	s.seed(ss)
	s.reportLifecycle(ss)
	s.askForNoPasskeys(ss)
	s.reportSignIns(ss)
	s.send(ss.id, runtime.CommandEnable, nil)
	s.send(ss.id, cdplog.CommandEnable, nil)
	s.reportRequests(ss)
	if s.emulateIn(ss); ss.returning && len(ss.task.emulation.Set) > 0 {
		s.settle(ss)
	}
	s.autoAttach(ss)
	s.bridgeSession(ss)
	s.intercept(ss)
	s.resume(ss)
	if ss.returning || ss.running && ss.task.adopted[ss.tab.id] {
		s.unstick(ss, s.config.StuckTimeout)
	}
}

// reportLifecycle has a page tell how far its documents have loaded.
func (s *State) reportLifecycle(ss *session) {
	if ss.info.Type == "page" {
		s.send(ss.id, cdppage.CommandSetLifecycleEventsEnabled, &cdppage.SetLifecycleEventsEnabledParams{Enabled: true})
	}
}

// askForNoPasskeys keeps the browser from asking a person for a passkey, in a dialog that takes all input of the tab.
// In the environment of virtual authenticators, which all documents of a tab have, nobody is asked.
//
// https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/#method-enable
func (s *State) askForNoPasskeys(ss *session) {
	if ss.task.Windowless && ss.info.Type == "page" {
		s.send(ss.id, webauthn.CommandEnable, nil)
	}
}

// autoAttach attaches to child targets. It reaches one level only, so every session calls it.
func (s *State) autoAttach(ss *session) {
	flatten := true
	params := &target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &flatten}
	if !ss.returning || ss.tab == nil {
		s.send(ss.id, target.CommandSetAutoAttach, params)
		return
	}
	s.sendThen(ss.id, target.CommandSetAutoAttach, params, WantNothing, func(CommandReply) {
		if s.owns(ss) {
			ss.childrenAnnounced = true
			s.dropUnannounced(ss)
		}
	})
}

func (s *State) resume(ss *session) {
	s.send(ss.id, runtime.CommandRunIfWaitingForDebugger, nil)
}

// detached forgets a session and what depends on it. Its child sessions end with it.
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
	s.remember(ss)
	delete(s.sessions, ss.id)
	if ss.parent != nil {
		ss.parent.children = removeFrom(ss.parent.children, ss)
	}
	s.endStops(ss, "its page's session ended") // which may let a leaving task go on, in the sessions that are left
	s.dropNavigations(ss)
	s.dropRequests(ss)
	s.dropGuarded(ss)
}

// detachChildren forgets the sessions below one that is gone.
func (s *State) detachChildren(ss *session) {
	for _, child := range slices.Clone(ss.children) {
		s.detached(Detached{Session: child.id})
	}
}

// walk visits a session and all its descendants.
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
	return Target{
		ID: ss.info.TargetID, Type: ss.info.Type, Subtype: ss.info.Subtype, URL: ss.info.URL, Title: ss.info.Title,
		Session: ss.id, Ready: true,
	}
}

// targetChanged keeps titles and URLs up to date.
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

// frameID is the id of the root frame of a page or iframe session. Chromium uses the target's id.
func (ss *session) frameID() cdproto.FrameID { return cdproto.FrameID(ss.info.TargetID) }
