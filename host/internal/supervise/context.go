package supervise

import (
	"slices"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// ExecutionContext is a JavaScript world of the document in a frame.
//
// https://chromedevtools.github.io/devtools-protocol/tot/Runtime/#type-ExecutionContextDescription
type ExecutionContext struct {
	ID     runtime.ExecutionContextID // only unique in its process
	Unique string                     // in all processes, and the same on every session
	Frame  cdp.FrameID
	Main   bool   // the page's own world
	Name   string // of an isolated world
	Origin string // of the document, where the world is the page's own
}

// ContextCreated is Runtime.executionContextCreated.
type ContextCreated struct {
	Session target.SessionID
	Context ExecutionContext
}

// ContextDestroyed is Runtime.executionContextDestroyed.
type ContextDestroyed struct {
	Session target.SessionID
	Unique  string
}

// ContextsCleared is Runtime.executionContextsCleared: the session shows another document, or one in another process.
type ContextsCleared struct{ Session target.SessionID }

func (ContextCreated) isEvent()   {}
func (ContextDestroyed) isEvent() {}
func (ContextsCleared) isEvent()  {}

func (s *State) contextCreated(e ContextCreated) {
	ss := s.pageSession(e.Session)
	if ss == nil {
		return
	}
	ss.contexts = append(ss.contexts, e.Context)
	if f := s.frameOf(ss, e.Context.Frame); f == ss.tab.root && e.Context.Main {
		s.checkOrigin(f, e.Context.Origin)
	}
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

// context finds the newest world of a frame that fits: its document's, as an older one is about to be destroyed.
func (ss *session) context(frame cdp.FrameID, fits func(ExecutionContext) bool) (ExecutionContext, bool) {
	for _, c := range slices.Backward(ss.contexts) {
		if c.Frame == frame && fits(c) {
			return c, true
		}
	}
	return ExecutionContext{}, false
}
