package supervise_test

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func add(settings supervise.TaskSettings) supervise.AddTask {
	if settings.ID == "" {
		settings.ID = "task"
	}
	return supervise.AddTask{Request: 1000, Settings: settings}
}

func TestATaskOpensItsTabEmptyAndNavigatesItOnceItIsPrepared(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{OpenURL: "https://start/"}))
	s.wantSent("browser create about:blank")
	waiting := pageAttached("tab", "page")
	waiting.Waiting = true
	s.on(waiting).wantSent()
	s.reply("browser create about:blank", supervise.CommandReply{Target: "tab"})
	s.wantSent(append(prepared("page"), "page navigate https://start/")...)
}

func TestATaskOfAContextNavigatesItsTabThoughItIsKnownBeforeTheReply(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{Scope: supervise.ScopeContext, BrowserContextID: "context", OpenURL: "https://start/"}))
	s.wantSent("browser create about:blank context")
	e := pageAttached("tab", "page")
	e.Info.BrowserContextID = "context"
	s.on(e).wantSent(prepared("page")...)
	s.reply("browser create about:blank context", supervise.CommandReply{Target: "tab"}).wantSent("page navigate https://start/")
}

func TestATabThatWasOpenedForATaskThatEndedMeanwhileIsClosed(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{}))
	ended := s.removeTask()
	if r := s.replyTo(ended); r.Err != nil {
		t.Fatal(r.Err)
	}
	s.quiet().on(pageAttached("tab", "page"))
	s.reply("browser create about:blank", supervise.CommandReply{Target: "tab"})
	s.wantSent("page Runtime.runIfWaitingForDebugger", "browser detach page", "browser close tab")
}

func TestWhoOwnsATab(t *testing.T) {
	context := func(e supervise.Attached) supervise.Attached {
		e.Info.BrowserContextID = "context"
		return e
	}
	inContext := supervise.TaskSettings{Scope: supervise.ScopeContext, BrowserContextID: "context"}
	for name, c := range map[string]struct {
		task  supervise.TaskSettings
		story []supervise.Event
		owned bool
	}{
		"the task of its browser context":                         {inContext, []supervise.Event{context(popup("new", "s", ""))}, true},
		"nobody, if it is of another context":                     {inContext, []supervise.Event{popup("new", "s", "")}, false},
		"the task that adopts it":                                 {supervise.TaskSettings{TargetID: "new"}, []supervise.Event{pageAttached("new", "s")}, true},
		"nobody, if a task adopts another":                        {supervise.TaskSettings{TargetID: "tab"}, []supervise.Event{pageAttached("new", "s")}, false},
		"the task of its opener, also a noopener one":             {supervise.TaskSettings{TargetID: "tab"}, []supervise.Event{pageAttached("tab", "page"), popup("new", "s", "tab")}, true},
		"the task of its opener's opener":                         {supervise.TaskSettings{TargetID: "tab"}, []supervise.Event{pageAttached("tab", "page"), popup("first", "f", "tab"), popup("new", "s", "first")}, true},
		"nobody, if its opener is nobody's":                       {supervise.TaskSettings{TargetID: "tab"}, []supervise.Event{pageAttached("user", "u"), popup("new", "s", "user")}, false},
		"the task of the whole browser, if it is nobody else's":   {supervise.TaskSettings{Scope: supervise.ScopeBrowser}, []supervise.Event{popup("new", "s", "unknown")}, true},
		"nobody a second time: a session more of it is let go":    {supervise.TaskSettings{TargetID: "new"}, []supervise.Event{pageAttached("new", "first"), pageAttached("new", "s")}, false},
		"nobody, if it is a target that is neither page nor work": {supervise.TaskSettings{Scope: supervise.ScopeBrowser}, []supervise.Event{supervise.Attached{Session: "s", Info: target.Info{TargetID: "new", Type: "browser_ui"}}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(add(c.task))
			for len(s.sends) > 0 {
				s.reply(sendLine(s.sends[0]), supervise.CommandReply{Target: "its own"})
			}
			for _, e := range c.story {
				s.quiet().on(e)
			}
			if c.owned {
				s.wantSent(prepared("s")...)
			} else {
				s.wantSent("s Runtime.runIfWaitingForDebugger", "browser detach s")
			}
		})
	}
}

func TestATabIsHeldWhileItMayBeTheOneThatATaskOpens(t *testing.T) {
	for name, c := range map[string]struct {
		made target.ID
		sent []string
	}{
		"and supervised if it is":      {"new", prepared("s")},
		"and resumed if it is another": {"other", []string{"s Runtime.runIfWaitingForDebugger", "browser detach s"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t).on(add(supervise.TaskSettings{})).quiet()
			s.on(popup("new", "s", "")).wantSent()
			s.reply("browser create about:blank", supervise.CommandReply{Target: c.made}).wantSent(c.sent...)
		})
	}
}

func TestATaskOfTheWholeBrowserAdoptsTheTabsThatNobodyOwns(t *testing.T) {
	s := newStory(t).on(
		supervise.TargetChanged{Info: target.Info{TargetID: "tab", Type: "page"}},
		supervise.TargetChanged{Info: target.Info{TargetID: "user", Type: "page"}},
		supervise.TargetChanged{Info: target.Info{TargetID: "worker", Type: "service_worker"}},
	)
	s.on(supervise.AddTask{Request: 1, Settings: supervise.TaskSettings{ID: "all", Scope: supervise.ScopeBrowser}})
	s.wantSent("browser attach user")
}

func TestATaskIsReadyWhenTheTreeOfItsFirstTabIsKnownOrTheWaitIsOver(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{TargetID: "tab"}), pageAttached("tab", "page"))
	s.reply("page Page.getFrameTree", supervise.CommandReply{Frames: []supervise.FrameInfo{document("tab", "", "https://top/")}})
	if r := s.replyTo(1000); r.Err != nil || r.Target != "tab" {
		t.Errorf("a tab that is seeded: %+v", r)
	}
	s = newScript(t).on(add(supervise.TaskSettings{TargetID: "tab"}), pageAttached("tab", "page")).pass(5 * time.Second)
	if r := s.replyTo(1000); r.Err != nil || r.Target != "tab" {
		t.Errorf("a tab that does not answer: %+v", r)
	}
	s = newScript(t).on(add(supervise.TaskSettings{TargetID: "tab"})).pass(5 * time.Second)
	if r := s.replyTo(1000); r.Err == nil {
		t.Errorf("no tab: %+v", r)
	}
}
