package supervise

import (
	"cmp"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// connection is the state of the connection to the browser.
type connection int

const (
	connectionUp        connection = iota
	connectionDown                 // lost; reconnection attempts are being made
	connectionReturning            // reconnected, but not all targets are attached; see reconnect.go
)

// connectionLost handles the loss of the connection. While there are attempts to reconnect, tabs, frames and dialogs
// are kept; otherwise everything ends.
func (s *State) connectionLost(e ConnectionLost) {
	reason := e.Reason
	if reason == "" {
		reason = "the connection was closed"
	}
	if !e.Reconnecting {
		s.endConnection(reason)
		return
	}
	if s.connection == connectionUp {
		for _, t := range s.taskOrder {
			s.do(Notify{Task: t.ID, Kind: NotifyDisconnected, Fault: reason})
		}
		s.down, s.attempt = reason, 0
	}
	s.connection = connectionDown
	s.suspend()
}

// endConnection closes every dialog and ends every request, as nothing will be confirmed any more.
func (s *State) endConnection(reason string) {
	s.lost = reason
	wasUp := s.connection == connectionUp
	s.connection, s.down = connectionUp, ""
	for _, t := range s.taskOrder {
		if t.gone == "" {
			s.endSupervision(t, s.lost)
		}
		if wasUp {
			s.do(Notify{Task: t.ID, Kind: NotifyDisconnected, Fault: s.lost})
		}
	}
	for _, token := range sortedKeys(s.timers) {
		s.do(Disarm{Timer: token})
	}
	clear(s.timers)
	for _, token := range s.awaited() {
		s.withdraw(token)
	}
	s.forgetSessions()
	clear(s.frames)
	for _, t := range slices.Clone(s.taskOrder) {
		if t.removal != nil {
			s.endTask(t)
		}
	}
}

// endSupervision closes everything of a task whose browser is gone. The task stays known until it is removed.
func (s *State) endSupervision(t *task, reason string) {
	for _, d := range slices.Clone(t.open) {
		s.closeDialog(d, abi.ClosedByDisconnected, reason)
	}
	s.failTask(t, disconnected(t.ID, reason))
	for _, tb := range t.tabs {
		s.do(Interrupt{Task: t.ID, Page: tb.id, Reason: InterruptDisconnected})
	}
	s.loseDownloads(t, reason)
	t.tabs, t.workers, t.dirty = nil, nil, true
}

// forgetSessions drops everything that belonged to a connection.
func (s *State) forgetSessions() {
	s.failAgentRequests(cmp.Or(s.lost, s.down))
	clear(s.commands)
	clear(s.inFlight)
	clear(s.sessions)
	clear(s.targets)
	s.undecided, s.creating, s.asides = nil, 0, 0
}

func disconnected(task, reason string) *TaskError {
	return &TaskError{Task: task, Reason: "the connection to the browser was lost: " + reason, Disconnected: true}
}

// suspend keeps tabs and dialogs while there is no connection.
func (s *State) suspend() {
	for _, id := range sortedKeys(s.sessions) {
		s.disarm(&s.sessions[id].unstickTimer)
		s.disarm(&s.sessions[id].freeTimer)
		s.forgetStops(s.sessions[id])
		s.dropNavigations(s.sessions[id])
		s.dropRequests(s.sessions[id])
		s.dropGuarded(s.sessions[id])
	}
	s.loseGate()
	s.noteProcesses()
	s.forgetSessions()
	for _, t := range slices.Clone(s.taskOrder) {
		s.failTask(t, disconnected(t.ID, s.down))
		s.loseDownloads(t, s.down)
		for _, worker := range t.workers {
			s.do(Notify{Task: t.ID, Kind: NotifyTargetGone, Target: workerView(worker)})
		}
		t.workers, t.dirty, t.bridge.begin = nil, true, nil
		for _, tb := range t.tabs {
			s.suspendTab(tb)
		}
		for _, d := range slices.Clone(t.open) {
			s.suspendDialog(d)
		}
		if t.removal != nil {
			s.endTaskOffline(t)
		}
	}
}

// noteProcesses records which dialogs belong to frames in other processes than their page's. Such a frame can be
// removed under its dialog, while a page that is blocked by a dialog removes nothing.
func (s *State) noteProcesses() {
	for _, t := range s.taskOrder {
		for _, d := range t.open {
			if f := s.frames[d.Frame]; d.process == processUnknown {
				d.process = processOther
				// A dialog of the bridge is harmless in any process.
				if d.stop != nil || f != nil && f.session == d.tab.session {
					d.process = processOfPage
				}
			}
		}
	}
}

// suspendTab takes the sessions away from a tab and its frames. The frames stay as they were last known.
func (s *State) suspendTab(tb *tab) {
	tb.session = &session{info: tb.info, task: tb.task, tab: tb}
	tb.probing = false
	tb.walk(func(f *frame) { f.session, f.guessed = nil, false })
	s.treeChanged(tb)
	s.do(Interrupt{Task: tb.task.ID, Page: tb.id, Reason: InterruptDisconnected})
}

// suspendDialog keeps a dialog pending, along with its watchdog. The outcome of an answer in flight is unknown: an
// agent is told so, and a plugin's answer is sent again if the dialog turns out to be still open.
func (s *State) suspendDialog(d *dialog) {
	sent := d.answerTimer != 0 && !d.answer.waits
	s.disarm(&d.answerTimer)
	d.answer.command, d.answer.waits, d.forceReason, d.Session = 0, false, "", ""
	switch {
	case d.confirmed != nil:
		d.Accepted, d.Text = d.confirmed.Accepted, d.confirmed.UserInput
		s.closeDialog(d, d.answer.by, "")
		return
	case d.watchdog == 0:
		if d.process == processOther { // the browser may show it still when the tab is back, see [State.rebind]
			d.tab.healing = healingLost
		}
		s.closeDialog(d, abi.ClosedByDisconnected, "its time ran out when the connection was lost")
		return
	}
	d.maybeClosed, d.retriesUntil = true, s.now.Add(bridgeRetries)
	if request := d.answer.request; sent && request != 0 {
		d.Phase, d.answer = PhasePending, answer{}
		s.do(Reply{Request: request, Dialog: d.Dialog, Err: &DialogError{Kind: DialogUnconfirmed, ID: d.ID, Reason: s.down}})
	}
}

// endTaskOffline removes a task while there is no connection. The tabs that it opened are closed after reconnecting.
func (s *State) endTaskOffline(t *task) {
	s.disarm(&t.removal.timer)
	for _, tb := range t.tabs {
		if tb.openedByTask {
			s.closeOnReturn = append(s.closeOnReturn, tb.id)
		}
	}
	for _, d := range slices.Clone(t.open) {
		s.closeDialog(d, abi.ClosedByDisconnected, "its task ended while the connection was lost")
	}
	s.endTask(t)
}

// servedWhileDown reports whether an event can be handled while there is no connection, or before the targets of a new
// one are known.
func servedWhileDown(event Event) bool {
	switch event.(type) {
	case AddTask, RemoveTask, Respond, OpenTab, UseTab, AttachAgent, ArmDialog, DisarmDialog, ClearConsole, DownloadKept,
		AddRoute, RemoveRoute,
		DialogVerdict, FramesVerdict, BridgeVerdict, NavigateVerdict, RequestVerdict, ConsoleVerdict, HooksChanged, Tick,
		TargetChanged, TargetDestroyed, ConnectionLost, Redialing, Discovered:
		return true
	}
	return false
}

// applyAfterEnd handles the events that still make sense after the connection has ended for good.
func (s *State) applyAfterEnd(event Event) {
	switch e := event.(type) {
	case ArmDialog:
		s.fail(e.Request, disconnected(e.Task, s.lost))
	case DisarmDialog:
		s.disarmRequest(e)
	case ClearConsole:
		s.clearConsole(e)
	case AddTask:
		s.fail(e.Request, disconnected(e.Settings.ID, s.lost))
	case RemoveTask:
		if t := s.tasks[e.Task]; t != nil {
			delete(s.tasks, e.Task)
			s.taskOrder = removeFrom(s.taskOrder, t)
		}
		s.do(Reply{Request: e.Request})
	case AddRoute:
		s.fail(e.Request, disconnected(e.Task, s.lost))
	case RemoveRoute:
		s.fail(e.Request, disconnected(e.Task, s.lost))
	case OpenTab:
		s.fail(e.Request, disconnected(e.Task, s.lost))
	case AttachAgent:
		s.fail(e.Request, disconnected(e.Task, s.lost))
	case Respond:
		reason := disconnected(e.Task, s.lost).Reason
		s.fail(e.Request, &DialogError{Kind: DialogNone, ID: e.Dialog, Reason: reason})
	case DialogVerdict, FramesVerdict, BridgeVerdict, NavigateVerdict, RequestVerdict:
		s.counters.VerdictsDropped++
	default:
		s.counters.EventsIgnored++
	}
}
