package supervise

import (
	"slices"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// task is one agent's share of a browser.
type task struct {
	TaskSettings

	tabs      []*tab      // in the order in which they were attached
	workers   []*session  // likewise
	used      []target.ID // tabs that have been in use, the latest last; see [task.inUse]
	open      []*dialog   // pending and being answered, oldest first
	recent    ring[Dialog]
	console   console
	denials   ring[Denial]
	requests  requests
	network   bool // its sessions report their requests
	emulation Emulate
	routes    route.Table
	origins   origins
	auth      credentials
	downloads downloads
	faulted   time.Time       // the last fault of the console hook that was reported
	keeping   map[string]bool // downloads that are completed and whose files are being moved
	unseen    int             // see [View.Unseen]
	revision  uint64
	dirty     bool

	armed      *Armed // an answer that waits for its dialog
	armedTimer Token

	adopted      map[target.ID]bool   // tabs that the task adopted by id
	opened       map[target.ID]bool   // tabs that the task opened itself
	startURLs    map[target.ID]string // URLs to load in tabs that an agent opened, once they are prepared
	readyRequest RequestID            // the AddTask request, until the first tab is ready
	readyTimer   Token                // ends the wait for the first tab
	removal      *removal
	bridge       bridge
	gone         string // why its browser is gone, although there is a connection; see reconnect.go
}

// addTask adds a task. A ScopeBrowser task adopts the tabs that are already there. If there are none, a tab is opened,
// so every task has one.
func (s *State) addTask(e AddTask) {
	if s.tasks[e.Settings.ID] != nil {
		s.fail(e.Request, &TaskError{Task: e.Settings.ID, Reason: "a task with this id already exists"})
		return
	}
	if s.connection == connectionDown {
		s.fail(e.Request, disconnected(e.Settings.ID, s.down))
		return
	}
	t := &task{
		TaskSettings: e.Settings,
		recent:       ring[Dialog]{limit: recentDialogs},
		console:      newConsole(),
		denials:      ring[Denial]{limit: recentDenials},
		auth:         credentials{tried: map[fetch.RequestID]bool{}, refused: map[string]bool{}},
		requests:     requests{recent: ring[Blocked]{limit: recentBlocked}},
		adopted:      map[target.ID]bool{},
		opened:       map[target.ID]bool{},
		startURLs:    map[target.ID]string{},
		readyRequest: e.Request,
		dirty:        true,
	}
	s.dialogs = max(s.dialogs, t.DialogsAfter)
	s.tasks[t.ID] = t
	s.taskOrder = append(s.taskOrder, t)
	s.setGate()
	// A blocked tab may never answer, but its task is supervised all the same.
	t.readyTimer = s.after(s.config.AnswerTimeout, func() { s.taskReady(t, nil) })
	s.beginBridge(t, func() { s.beginTabs(t) })
}

func (s *State) beginTabs(t *task) {
	switch {
	case t.Scope == ScopeTab && t.TargetID != "":
		s.adoptTarget(t, t.TargetID)
	case t.Scope == ScopeBrowser && s.adoptAll(t):
	default:
		s.openTab(t, nil)
	}
}

// adoptAll attaches to every page that no task owns, and reports whether there was one.
func (s *State) adoptAll(t *task) bool {
	found := false
	for _, id := range sortedKeys(s.targets) {
		info := s.targets[id]
		if info.Type != "page" || info.Subtype != "" || s.ownerOf(info) != t || s.tabOf(id) != nil {
			continue
		}
		found = true
		s.adoptTarget(t, id)
	}
	return found
}

func (s *State) adoptTarget(t *task, id target.ID) {
	t.adopted[id] = true
	s.attachTo(id, WantNothing, func(r CommandReply) {
		if r.Err != nil && len(t.tabs) == 0 {
			s.failTask(t, &TaskError{Task: t.ID, Reason: "cannot attach to target " + string(id) + ": " + r.Err.Message})
		}
	})
}

// openTab opens an empty tab. A URL passed to Target.createTarget would run its scripts before the tab is prepared,
// because createTarget does not wait for the debugger.
func (s *State) openTab(t *task, reply func(CommandReply)) {
	s.creating++
	params := &target.CreateTargetParams{URL: blank, BrowserContextID: t.BrowserContextID}
	aside := 0
	if t.Background {
		params.Background, aside = &t.Background, 1
	}
	s.asides += aside
	s.sendThen("", target.CommandCreateTarget, params, WantTarget, func(r CommandReply) {
		s.creating--
		s.asides -= aside
		ended := s.tasks[t.ID] != t
		if r.Err == nil && !ended {
			t.opened[r.Target] = true
		}
		if reply != nil {
			reply(r)
		}
		s.decideUndecided()
		if r.Err == nil && ended {
			s.send("", target.CommandCloseTarget, &target.CloseTargetParams{TargetID: r.Target})
		}
		if tb := s.tabOf(r.Target); tb != nil && tb.task == t {
			s.goToStart(tb)
		}
		if r.Err != nil && reply == nil {
			s.failTask(t, &TaskError{Task: t.ID, Reason: "cannot open a tab: " + r.Err.Message})
		}
	})
}

// goToStart loads the first URL of a tab that the task opened. It runs once the tab is prepared and known to be the
// task's own, which can happen in either order.
func (s *State) goToStart(tb *tab) {
	t := tb.task
	if t.opened[tb.id] && t.OpenURL != "" {
		s.send(tb.session.id, cdppage.CommandNavigate, &cdppage.NavigateParams{URL: t.OpenURL})
		t.OpenURL = ""
	}
	if url := t.startURLs[tb.id]; url != "" {
		s.send(tb.session.id, cdppage.CommandNavigate, &cdppage.NavigateParams{URL: url})
		delete(t.startURLs, tb.id)
	}
}

// taskReady replies to AddTask, once.
func (s *State) taskReady(t *task, tb *tab) {
	s.disarm(&t.readyTimer)
	if t.readyRequest == 0 {
		return
	}
	reply := Reply{Request: t.readyRequest}
	t.readyRequest = 0
	switch {
	case tb != nil:
		reply.Target = tb.id
	case len(t.tabs) > 0:
		reply.Target = t.tabs[0].id
	default:
		reply.Err = &TaskError{Task: t.ID, Reason: "the browser reported no tab in time"}
	}
	s.do(reply)
}

func (s *State) failTask(t *task, err error) {
	s.disarm(&t.readyTimer)
	if t.readyRequest != 0 {
		s.fail(t.readyRequest, err)
		t.readyRequest = 0
	}
}

// ownerOf finds the task that owns a target: the task that opened it, else the task of its browser context, else the
// task that adopted it, else the task of its opener (noopener popups have one too), else the task that owns whatever no
// other task owns.
func (s *State) ownerOf(info target.Info) *task {
	for _, t := range s.taskOrder {
		if t.opened[info.TargetID] {
			return t
		}
	}
	for _, t := range s.taskOrder {
		if t.gone == "" && t.Scope == ScopeContext && t.BrowserContextID == info.BrowserContextID && info.BrowserContextID != "" {
			return t
		}
	}
	for _, t := range s.taskOrder {
		if t.adopted[info.TargetID] {
			return t
		}
	}
	if opener := s.tabOf(info.OpenerID); opener != nil {
		return opener.task
	}
	for _, t := range s.taskOrder {
		if t.gone == "" && t.Scope == ScopeBrowser {
			return t
		}
	}
	return nil
}

func (s *State) tabOf(id target.ID) *tab {
	if id == "" {
		return nil
	}
	if f := s.frames[cdproto.FrameID(id)]; f != nil && f.tab.id == id {
		return f.tab
	}
	return nil
}

// openAgentTab opens a tab for an agent. It belongs to the task from the start.
func (s *State) openAgentTab(e OpenTab) {
	t := s.tasks[e.Task]
	if t == nil || t.removal != nil {
		s.fail(e.Request, &TaskError{Task: e.Task, Reason: "the task has ended"})
		return
	}
	if s.connection == connectionDown {
		s.fail(e.Request, disconnected(e.Task, s.down))
		return
	}
	if s.opening == nil {
		s.opening = map[RequestID]bool{}
	}
	s.opening[e.Request] = true
	s.openTab(t, func(r CommandReply) {
		delete(s.opening, e.Request)
		reply := Reply{Request: e.Request, Target: r.Target}
		if r.Err != nil {
			reply.Err = &TaskError{Task: t.ID, Reason: "cannot open a tab: " + r.Err.Message}
		} else if e.URL != "" && e.URL != blank {
			t.startURLs[r.Target] = e.URL
		}
		s.do(reply)
	})
}

// failAgentRequests ends the requests of agents that cannot be served without a connection.
func (s *State) failAgentRequests(reason string) {
	fail := func(id RequestID) { s.do(Reply{Request: id, Err: disconnected("", reason)}) }
	for _, id := range sortedKeys(s.attaching) {
		for _, request := range s.attaching[id].requests {
			fail(request)
		}
	}
	for _, request := range sortedKeys(s.opening) {
		fail(request)
	}
	clear(s.attaching)
	clear(s.opening)
}

// maxOrigins bounds the origins that are remembered of a task: a page can lead to any number of them.
const maxOrigins = 500

// origins are those whose documents the tabs of a task have shown, the latest last. Chromium tells nobody which origins
// have stored something.
type origins struct {
	list    []string
	dropped int
}

func (o *origins) note(origin string) {
	if origin == opaque || originOf(origin) != origin {
		return // only sites can store anything
	}
	o.list = append(slices.DeleteFunc(o.list, func(known string) bool { return known == origin }), origin)
	if len(o.list) > maxOrigins {
		o.list = slices.Delete(o.list, 0, 1)
		o.dropped++
	}
}

// Origins lists the origins that the tabs of a task have shown, the latest last, and counts those that were forgotten.
func (s *State) Origins(task string) (list []string, dropped int) {
	if t := s.tasks[task]; t != nil {
		return slices.Clone(t.origins.list), t.origins.dropped
	}
	return nil, 0
}

// NoteOrigins adds origins whose storage has been set without showing them.
func (s *State) NoteOrigins(task string, list []string) {
	for _, origin := range list {
		if t := s.tasks[task]; t != nil {
			t.origins.note(origin)
		}
	}
}
