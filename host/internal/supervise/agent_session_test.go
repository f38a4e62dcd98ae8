package supervise_test

import (
	"testing"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// wantsSession asks for an agent's session of the story's tab.
func (s *script) wantsSession(id supervise.RequestID) *script {
	p, _ := s.state.Locate("task", supervise.FrameSelector{})
	return s.on(supervise.AttachAgent{Request: id, Task: "task", Place: p})
}

// withAgent is a story in which an agent has a session of the tab.
func withAgent(t *testing.T) *script {
	t.Helper()
	s := newStory(t).ok("browser attach tab").wantsSession(1).wantsSession(2).wantSent("browser attach tab")
	s.on(pageAttached("tab", "agent")).wantSent()
	s.reply("browser attach tab", supervise.CommandReply{Session: "agent"})
	for id := range supervise.RequestID(2) {
		if r := s.replyTo(id + 1); r.Err != nil || r.Session != "agent" {
			t.Fatalf("the reply is %+v", r)
		}
	}
	return s.quiet()
}

func TestAnAgentsSessionIsAttachedOnceAndKept(t *testing.T) {
	s := withAgent(t).wantsSession(3)
	if r := s.replyTo(3); r.Session != "agent" {
		t.Errorf("the reply is %+v", r)
	}
	s.wantSent()
}

func TestTheEventsOfAnAgentsSessionAreNotTheSupervisors(t *testing.T) {
	s := withAgent(t)
	s.on(supervise.ConsoleMessage{Session: "agent", Entry: supervise.ConsoleEntry{Text: "twice"}})
	e := opens("tab", 1)
	e.Session = "agent"
	s.on(e, supervise.FrameAttached{Session: "agent", Frame: "frame", Parent: "tab"}, contextCreated("agent", "tab", "other"))
	s.wantTree("tab").wantDialogs().wantPlace(supervise.FrameSelector{}, "page ", supervise.Located)
	if v, _ := s.state.View("task"); len(v.Console) != 0 {
		t.Errorf("the console is %+v", v.Console)
	}
	// Targets attached below it are released, and do not wait.
	s.quiet().on(oopif("frame", "tab", "below", "agent")).wantSent("below Runtime.runIfWaitingForDebugger", "agent detach below")
}

func TestOnlyTheSessionOfTheReplyIsTheAgents(t *testing.T) {
	s := newStory(t).ok("browser attach tab").wantsSession(1).quiet()
	s.on(pageAttached("tab", "another"), pageAttached("tab", "agent")).wantSent()
	s.reply("browser attach tab", supervise.CommandReply{Session: "agent"})
	s.wantSent("another Runtime.runIfWaitingForDebugger", "browser detach another")
}

func TestARefusedSessionIsTold(t *testing.T) {
	s := newStory(t).ok("browser attach tab").wantsSession(1).refuse("browser attach tab", "No target with given id found")
	if r := s.replyTo(1); r.Err == nil {
		t.Error("the reply has no error")
	}
	s.quiet().wantsSession(2).wantSent("browser attach tab") // and another attempt is made
}

func TestAnAgentsSessionEndsBeforeTheSupervisors(t *testing.T) {
	s := withAgent(t)
	s.removeTask()
	s.ok("page Page.getFrameTree")
	s.wantSent("page Page.getFrameTree", "browser detach agent", "browser detach page")
}

// The frame of a page in the back/forward cache keeps its target; the supervisor's session of it ends.
func TestAnAgentsSessionEndsWithTheSupervisorsOfItsTarget(t *testing.T) {
	s := newStory(t)
	s.on(oopif("frame", "tab", "below", "page"), navigated("below", document("frame", "tab", "https://other/")))
	p, _ := s.state.Locate("task", supervise.FrameSelector{Frame: "frame", Any: true})
	s.on(supervise.AttachAgent{Request: 1, Task: "task", Place: p})
	s.on(supervise.Attached{Session: "agent", Info: target.Info{TargetID: "frame", Type: "iframe"}})
	s.reply("browser attach frame", supervise.CommandReply{Session: "agent"}).quiet()
	s.on(supervise.Detached{Session: "below"})
	var ended []target.SessionID
	for _, e := range effectsOf[supervise.Interrupt](s) {
		ended = append(ended, e.Session)
	}
	if len(ended) != 2 || ended[1] != "agent" {
		t.Errorf("calls end on %q", ended)
	}
	s.wantSent("browser detach agent", "page Page.getFrameTree")
}

// Chromium crashes when it reports a dialog to a session with the Page domain enabled after the frame is gone.
func TestTheAgentsPageDomainIsOffWhileATabIsHealed(t *testing.T) {
	s := withAgent(t).on(supervise.AgentEnabledPage{Session: "agent", Enabled: true})
	s.on(supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"}, opens("frame", 1)).quiet()
	s.on(supervise.FrameDetached{Session: "page", Frame: "frame"})
	s.wantSent("page Page.disable", "agent Page.disable", "page navigate vbscript:nowhere")
	s.ok("page navigate vbscript:nowhere")
	s.wantSent("page Page.enable", "page Page.setLifecycleEventsEnabled", "agent Page.enable", "page Page.getFrameTree")
}

func TestWhatAnAgentWaitsForEndsWithTheConnection(t *testing.T) {
	s := newStory(t).wantsSession(1).wantsSession(2)
	s.on(supervise.OpenTab{Request: 3, Task: "task"}, supervise.ConnectionLost{Reason: "cut"})
	for id := range supervise.RequestID(3) {
		if r := s.replyTo(id + 1); r.Err == nil {
			t.Errorf("the reply is %+v", r)
		}
	}
}

func TestATabThatAnAgentOpensIsTheTasksAndGoesWhereItShouldOncePrepared(t *testing.T) {
	s := newStory(t).on(supervise.OpenTab{Request: 1, Task: "task", URL: "https://there/"}).wantSent("browser create about:blank")
	waiting := pageAttached("second", "next")
	waiting.Waiting = true
	s.on(waiting).wantSent()
	s.reply("browser create about:blank", supervise.CommandReply{Target: "second"})
	if r := s.replyTo(1); r.Err != nil || r.Target != "second" {
		t.Errorf("the reply is %+v", r)
	}
	s.wantSent(append(prepared("next"), "next navigate https://there/")...)
}
