package supervise

import (
	"slices"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// ExecutionContext is a JavaScript world of the document in a frame.
//
// https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-ExecutionContextDescription
type ExecutionContext struct {
	ID     runtime.ExecutionContextID // unique only within its process
	Unique string                     // unique across processes, and the same on every session
	Frame  cdproto.FrameID
	Main   bool   // the page's own world
	Name   string // of an isolated world
	Origin string // of the document, if this is the main world
}

func (s *State) contextCreated(e ContextCreated) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	ss.contexts = append(ss.contexts, e.Context)
	f := s.frameOf(ss, e.Context.Frame)
	if f == nil || !e.Context.Main {
		return
	}
	if before := f.origin; s.inherit(f) != before {
		s.treeChanged(f.tab)
	}
	if f == ss.tab.root {
		s.checkOrigin(f, e.Context.Origin)
	}
}

// inherit gives a document without a URL of its own the origin that it has from the one that made it, and returns it.
// What Chromium says of a frame's origin comes from the URL alone; only the main world tells.
//
// https://html.spec.whatwg.org/multipage/browsers.html#determining-the-origin
func (s *State) inherit(f *frame) (origin string) {
	if f.session != nil && strings.HasPrefix(f.url, "about:") {
		main, known := f.session.context(f.id, func(c ExecutionContext) bool { return c.Main && c.Origin != "" })
		if known {
			f.origin = main.Origin
		}
	}
	return f.origin
}

// askingOrigin is the origin of a frame that opens a dialog. A popup may do so before its main world is announced: the
// document that it begins with has the origin of the frame that opened it.
func (s *State) askingOrigin(f *frame) string {
	info := f.tab.info
	opener := s.frames[info.OpenerFrameID]
	if f != f.tab.root || f.session == nil || opener == nil || !info.CanAccessOpener || f.url != "" && f.url != blank {
		return f.origin
	}
	if _, known := f.session.context(f.id, func(c ExecutionContext) bool { return c.Main }); known {
		return f.origin
	}
	return opener.origin
}

func (s *State) contextDestroyed(e ContextDestroyed) {
	if ss := s.pageSession(e.Session); ss != nil {
		ss.contexts = slices.DeleteFunc(ss.contexts, func(c ExecutionContext) bool { return c.Unique == e.Unique })
	}
}

func (s *State) contextsCleared(e ContextsCleared) {
	if ss := s.pageSession(e.Session); ss != nil {
		ss.contexts = nil
	}
}

// context finds the newest matching world of a frame. An older one belongs to the previous document and is about to be
// destroyed.
func (ss *session) context(frame cdproto.FrameID, fits func(ExecutionContext) bool) (ExecutionContext, bool) {
	for _, c := range slices.Backward(ss.contexts) {
		if c.Frame == frame && fits(c) {
			return c, true
		}
	}
	return ExecutionContext{}, false
}

// Pages of one renderer process share a main thread. The protocol identifies it by the id of its JavaScript isolate. A
// page that does not respond cannot report the id, so the last known one is kept.

// isolateKnown stores the isolate of a session, unless its document has been replaced since the command was sent: the
// new document may be in another process.
func (s *State) isolateKnown(e IsolateKnown) {
	ss := s.sessions[e.Session]
	if ss == nil || ss.task == nil {
		s.counters.EventsIgnored++
		return
	}
	if s.RootLoader(e.Session) == e.Loader {
		ss.isolate = e.Isolate
	}
}

// RootLoader is the loader id of the document in a session's root frame; empty for a worker.
func (s *State) RootLoader(session target.SessionID) cdproto.LoaderID {
	ss := s.sessions[session]
	if ss == nil || ss.tab == nil {
		return ""
	}
	if f := s.frameOf(ss, ss.frameID()); f != nil {
		return f.loader
	}
	return ""
}

// Isolate identifies the main thread of a session; empty if unknown.
func (s *State) Isolate(session target.SessionID) string {
	if ss := s.sessions[session]; ss != nil {
		return ss.isolate
	}
	return ""
}

// Siblings lists the tabs of a task that share the main thread of a page. If the threads are not known, it guesses from
// openers and sites.
func (s *State) Siblings(task string, p ScriptTarget) []target.ID {
	t, tb := s.tasks[task], s.tabOf(p.Page)
	if t == nil || tb == nil {
		return nil
	}
	var list []target.ID
	for _, other := range t.tabs {
		shares := false
		other.session.walk(func(ss *session) { shares = shares || ss.isolate != "" && ss.isolate == p.Isolate })
		if p.Isolate == "" || other.session.isolate == "" {
			shares = shares || s.rootOpener(other) == s.rootOpener(tb) && sameSite(other.root.url, tb.root.url)
		}
		if other != tb && shares && !slices.Contains(list, other.id) {
			list = append(list, other.id)
		}
	}
	return list
}

// differentThreads reports whether two sessions are known to run on different main threads.
func differentThreads(a, b *session) bool {
	return a != nil && b != nil && a.isolate != "" && b.isolate != "" && a.isolate != b.isolate
}

// sameThread reports whether two sessions are known to run on the same main thread.
func sameThread(a, b *session) bool {
	return a != nil && b != nil && a.isolate != "" && a.isolate == b.isolate
}

// FrameSelector selects a frame, tab or worker of a task. The zero value is the tab in use.
type FrameSelector struct {
	Target target.ID       // a tab or worker; if empty and Frame is set: the tab of that frame
	Frame  cdproto.FrameID // empty: the top frame
	World  string          // name of an isolated world; empty: the main world
	Any    bool            // also a frame that the frame filter took from agents: the host itself looks
}

// ScriptTarget is where script of a frame or worker runs.
type ScriptTarget struct {
	Page    target.ID        // the tab; empty for a worker that several tabs share
	Session target.SessionID // the supervisor's session that shows the frame
	Target  target.ID        // the target of that session
	Frame   cdproto.FrameID  // empty for a worker
	Root    bool             // the frame is the session's root frame
	Context ExecutionContext // zero if unknown; see [State.Locate]
	Isolate string           // identifies the renderer's main thread; empty if unknown
	Refused string           // with [LocateFiltered]: the frame's origin, and why agents may not look into it
}

// LocateResult is the outcome of [State.Locate].
type LocateResult int

// The outcomes of [State.Locate].
const (
	Located           LocateResult = iota
	LocateNoTab                    // the task has no tab
	LocateNoTarget                 // the task has no such tab or worker
	LocateNoFrame                  // the task, or the tab, has no such frame
	LocateNotYet                   // it is moving to another process, or its document is being replaced or not decided on
	LocateUnsupported              // a worker has no isolated worlds
	LocateFiltered                 // the frame filter took the frame from agents
)

// Locate finds where script of a frame runs now. The context is not known for the main world of a root frame, where it
// is the default of the session, and for an isolated world that does not exist yet. All others are known.
func (s *State) Locate(task string, w FrameSelector) (ScriptTarget, LocateResult) {
	t := s.tasks[task]
	if t == nil {
		return ScriptTarget{}, LocateNoTarget
	}
	if w.Frame != "" {
		return s.locateFrame(t, w)
	}
	if page, _, ok := s.Page(task, w.Target); ok {
		w.Frame = cdproto.FrameID(page)
		return s.locateFrame(t, w)
	}
	if w.Target == "" {
		return ScriptTarget{}, LocateNoTab
	}
	for _, worker := range t.workers {
		if worker.info.TargetID == w.Target && w.World != "" {
			return ScriptTarget{}, LocateUnsupported
		} else if worker.info.TargetID == w.Target {
			return ScriptTarget{Page: worker.pageID(), Session: worker.id, Target: w.Target, Root: true, Isolate: worker.isolate}, Located
		}
	}
	return ScriptTarget{}, LocateNoTarget
}

func (s *State) locateFrame(t *task, w FrameSelector) (ScriptTarget, LocateResult) {
	f := s.frames[w.Frame]
	if f == nil || f.tab.task != t || w.Target != "" && w.Target != f.tab.id {
		return ScriptTarget{}, LocateNoFrame
	}
	if why, undecided := f.filtered(); !w.Any && why != "" {
		return ScriptTarget{Refused: f.origin + ", by " + why}, LocateFiltered
	} else if !w.Any && undecided {
		return ScriptTarget{}, LocateNotYet
	}
	ss := f.session
	if ss == nil || !s.owns(ss) {
		return ScriptTarget{}, LocateNotYet
	}
	p := ScriptTarget{
		Page: f.tab.id, Session: ss.id, Target: ss.info.TargetID,
		Frame: f.id, Root: f.id == ss.frameID(), Isolate: ss.isolate,
	}
	main, ok := ss.context(f.id, func(c ExecutionContext) bool { return c.Main })
	if !ok && !p.Root {
		return ScriptTarget{}, LocateNotYet
	}
	p.Context = main
	if w.World != "" {
		p.Context, _ = ss.context(f.id, func(c ExecutionContext) bool { return c.Name == w.World })
	}
	return p, Located
}

// Attached reports whether a session, the supervisor's or an agent's, still belongs to a task.
func (s *State) Attached(task string, id target.SessionID) bool {
	ss := s.sessions[id]
	return ss != nil && (ss.task != nil && ss.task.ID == task || ss.agent != nil && ss.agent.task.ID == task)
}

// Owned reports whether a target is a tab, worker or OOPIF of a task.
func (s *State) Owned(task string, id target.ID) bool {
	t := s.tasks[task]
	if t == nil || id == "" {
		return false
	}
	if f := s.frames[cdproto.FrameID(id)]; f != nil && f.tab.task == t {
		return f.tab.id == id || f.isOOPIF
	}
	for _, worker := range t.workers {
		if worker.info.TargetID == id {
			return true
		}
	}
	return false
}
