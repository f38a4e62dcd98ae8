package supervise

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// Where names a frame, a tab or a worker of a task. The zero value is the tab in use.
type Where struct {
	Target target.ID   // a tab or a worker; empty with a frame: whichever tab has it
	Frame  cdp.FrameID // empty: the top frame
	World  string      // of an isolated world; empty: the page's own
}

// Place is where scripts of a frame, or of a worker, run.
type Place struct {
	Page    target.ID        // the tab; empty for a worker that several tabs share
	Session target.SessionID // of the supervisor, that shows the frame
	Target  target.ID        // of that session
	Frame   cdp.FrameID      // empty for a worker
	Root    bool             // the frame is the one that the session was attached for
	Context ExecutionContext // zero where it is not known: see [State.Locate]
	Isolate string           // the renderer's main thread; empty where it is not known
}

// Locating is how a search for a place ended.
type Locating int

// The ends of a search.
const (
	Located           Locating = iota
	LocateNoTab                // the task has no tab
	LocateNoTarget             // the task has no such tab or worker
	LocateNoFrame              // the task, or the tab, has no such frame
	LocateNotYet               // the frame is just moving to another process, or its document is being replaced
	LocateUnsupported          // a worker has one world
)

// Locate finds where scripts of a frame run now. The main world of a session's own root frame needs no context, as the
// session has it as its default; of all others the context is known, except for an isolated world that is not made yet.
func (s *State) Locate(task string, w Where) (Place, Locating) {
	t := s.tasks[task]
	if t == nil {
		return Place{}, LocateNoTarget
	}
	if w.Frame != "" {
		return s.locateFrame(t, w)
	}
	if page, _, ok := s.Page(task, w.Target); ok {
		w.Frame = cdp.FrameID(page)
		return s.locateFrame(t, w)
	}
	if w.Target == "" {
		return Place{}, LocateNoTab
	}
	for _, worker := range t.workers {
		if worker.info.TargetID == w.Target && w.World != "" {
			return Place{}, LocateUnsupported
		} else if worker.info.TargetID == w.Target {
			return Place{Page: worker.pageID(), Session: worker.id, Target: w.Target, Root: true, Isolate: worker.isolate}, Located
		}
	}
	return Place{}, LocateNoTarget
}

func (s *State) locateFrame(t *task, w Where) (Place, Locating) {
	f := s.frames[w.Frame]
	if f == nil || f.tab.task != t || w.Target != "" && w.Target != f.tab.id {
		return Place{}, LocateNoFrame
	}
	ss := f.session
	if ss == nil || !s.owns(ss) {
		return Place{}, LocateNotYet
	}
	p := Place{Page: f.tab.id, Session: ss.id, Target: ss.info.TargetID, Frame: f.id, Root: f.id == ss.frameID(), Isolate: ss.isolate}
	main, ok := ss.context(f.id, func(c ExecutionContext) bool { return c.Main })
	if !ok && !p.Root {
		return Place{}, LocateNotYet
	}
	p.Context = main
	if w.World != "" {
		p.Context, _ = ss.context(f.id, func(c ExecutionContext) bool { return c.Name == w.World })
	}
	return p, Located
}

// Attached tells whether a session, the supervisor's or an agent's, still belongs to a task.
func (s *State) Attached(task string, id target.SessionID) bool {
	ss := s.sessions[id]
	return ss != nil && (ss.task != nil && ss.task.ID == task || ss.agent != nil && ss.agent.task.ID == task)
}

// Owned tells whether a target is a tab, a worker or an out-of-process frame of a task.
func (s *State) Owned(task string, id target.ID) bool {
	t := s.tasks[task]
	if t == nil || id == "" {
		return false
	}
	if f := s.frames[cdp.FrameID(id)]; f != nil && f.tab.task == t {
		return f.tab.id == id || f.isOOPIF
	}
	for _, worker := range t.workers {
		if worker.info.TargetID == id {
			return true
		}
	}
	return false
}
