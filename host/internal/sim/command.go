package sim

import (
	"math"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fedcm"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// nowhere is the scheme of the URLs with which a navigation frees a tab.
const nowhere = "vbscript:"

func failure(message string) supervise.CommandReply {
	return supervise.CommandReply{Err: &supervise.CommandError{Code: -32000, Message: message}}
}

// reply queues a reply, unless nobody is waiting for it.
func (b *Browser) reply(token supervise.Token, r supervise.CommandReply) {
	if token > b.forgotten {
		r.Token = token
		b.emit(r)
	}
}

func (b *Browser) execute(c command) {
	if c.Session == "" {
		b.executeOnBrowser(c)
		return
	}
	s := b.session(c.Session)
	if s == nil {
		b.reply(c.Token, failure("Session with given id not found."))
		return
	}
	switch c.Method {
	case cdppage.CommandEnable:
		b.enablePage(c, s)
	case cdppage.CommandDisable:
		b.disablePage(c, s)
	case cdppage.CommandGetFrameTree, runtime.CommandGetIsolateID: // whose own value nobody uses
		s.unanswered = append(s.unanswered, c.Token)
		b.unblocked()
	case cdppage.CommandHandleJavaScriptDialog:
		b.handleDialog(c, s)
	case cdppage.CommandNavigate:
		b.navigate(c, s)
	case cdppage.CommandGetNavigationHistory: // the result of which nobody uses
		if d := s.tab.native; d != nil && d.trap {
			b.reply(c.Token, failure("Not attached to an active page"))
		} else {
			b.reply(c.Token, supervise.CommandReply{})
		}
	case target.CommandSetAutoAttach:
		s.autoAttach = true
		b.attachExisting(s)
		b.reply(c.Token, supervise.CommandReply{})
	case target.CommandDetachFromTarget:
		b.detach(c, s)
	case runtime.CommandRunIfWaitingForDebugger:
		b.resume(c, s)
	case inspector.CommandEnable:
		if s.kind == "page" && s.tab.Crashed || s.root != nil && s.root.crashed {
			b.emit(supervise.SessionCrashed{Session: s.id})
		}
		b.reply(c.Token, supervise.CommandReply{})
	case cdplog.CommandEnable, cdppage.CommandSetLifecycleEventsEnabled, fedcm.CommandEnable:
		b.reply(c.Token, supervise.CommandReply{})
	case runtime.CommandEnable:
		if s.root != nil {
			s.root.walk(func(f *Frame) {
				if f.localRoot() == s.root {
					b.emit(contextCreated(s.id, f))
				}
			})
		}
		b.reply(c.Token, supervise.CommandReply{})
	case network.CommandEnable:
		b.reply(c.Token, supervise.CommandReply{})
	default:
		if !b.executeBridge(c, s) {
			b.violate("%s is not known to the model", c.Method)
		}
	}
}

func (b *Browser) executeOnBrowser(c command) {
	switch c.Method {
	case target.CommandCreateTarget:
		b.createTarget(c)
	case target.CommandAttachToTarget:
		b.attachToTarget(c)
	case target.CommandGetTargetInfo:
		b.getTargetInfo(c)
	case target.CommandCloseTarget:
		b.closeTarget(c)
	case target.CommandDetachFromTarget:
		b.detach(c, nil)
	case fetch.CommandEnable, fetch.CommandDisable:
		b.setGate(c, c.Method == fetch.CommandEnable)
	case fetch.CommandContinueRequest:
		b.endAtGate(c, c.Params.(*fetch.ContinueRequestParams).RequestID)
	case fetch.CommandFailRequest:
		b.endAtGate(c, c.Params.(*fetch.FailRequestParams).RequestID)
	default:
		b.violate("%s on the browser's session is not known to the model", c.Method)
	}
}

func (b *Browser) enablePage(c command, s *session) {
	if s.kind != "page" && s.kind != "iframe" {
		b.violate("Page.enable on the %s %s, which has no such domain", s.kind, s.id)
		return
	}
	if s.tab.Private {
		b.violate("Page.enable on %s, a tab that no task owns", s.tab.ID)
	}
	if s.resumed && !s.everEnabled {
		b.violate("Page.enable on %s after it was resumed", s.id)
	}
	if d := s.tab.native; s.kind == "page" && d != nil && d.lost && d.releasing {
		b.crash(c, d.losing, "Page.enable before the reply to the navigation that releases a lost dialog")
		return
	}
	s.pageEnabled, s.everEnabled = true, true
	b.reply(c.Token, supervise.CommandReply{})
}

func (b *Browser) disablePage(c command, s *session) {
	if d := s.tab.native; s.kind == "page" && d != nil && !d.lost {
		if d.trap {
			b.crash(c, d.told, "Page.disable while a dialog of a page that is being left is open")
			return
		}
		if c.told(d.told) && d.on == s && d.frame == s.root { // the client may not know that the others still live
			b.violate("Page.disable on %s while a dialog is open: nobody can answer it any more", s.id)
		}
		d.blind = true
	}
	s.pageEnabled = false
	b.reply(c.Token, supervise.CommandReply{})
}

// localFrames returns the frames of a session's own process.
func (b *Browser) localFrames(s *session) []supervise.FrameInfo {
	var list []supervise.FrameInfo
	if s.root.moving != nil {
		for _, m := range s.root.moving.sessions {
			if m == s {
				return []supervise.FrameInfo{{ID: s.root.ID, Parent: s.root.Parent.ID, Loader: "initial " + cdproto.LoaderID(s.id)}}
			}
		}
	}
	s.root.walk(func(f *Frame) {
		if f.localRoot() == s.root {
			list = append(list, f.frameInfo())
		}
	})
	return list
}

func (b *Browser) handleDialog(c command, s *session) {
	if s.kind != "page" {
		b.reply(c.Token, failure("Command can only be executed on top-level targets"))
		return
	}
	p := c.Params.(*cdppage.HandleJavaScriptDialogParams)
	d := s.tab.native
	switch {
	case d == nil || d.blind || d.crashed:
		b.reply(c.Token, failure("No dialog is showing"))
	case d.trap:
		b.reply(c.Token, failure("Not attached to an active page"))
	case d.lost && b.pageEnabled(s.tab):
		b.crash(c, d.losing, "an answer to the dialog of a frame that is gone")
	case d.lost:
		s.tab.native = nil
		b.reply(c.Token, supervise.CommandReply{})
	default:
		input := ""
		if d.kind == abi.DialogTypePrompt && p.Accept {
			input = p.PromptText
		}
		b.closeNative(s.tab, p.Accept, input)
		b.reply(c.Token, supervise.CommandReply{})
	}
}

func (b *Browser) navigate(c command, s *session) {
	t := s.tab
	address := c.Params.(*cdppage.NavigateParams).URL
	if id := c.Params.(*cdppage.NavigateParams).FrameID; id != "" && id != t.Root.ID {
		b.navigateChild(c, t, id)
		return
	}
	if s.kind != "page" {
		b.violate("Page.navigate on %s, which is not a page", s.id)
		return
	}
	if !strings.HasPrefix(address, nowhere) {
		b.soon(func() {
			if !t.Closed {
				b.reply(c.Token, supervise.CommandReply{})
				b.leave(t, startSite(address))
			}
		})
		return
	}
	if d := t.native; d != nil && d.lost {
		if b.pageEnabled(t) {
			b.crash(c, d.losing, "a navigation while the dialog of a frame that is gone is shown")
			return
		}
		d.releasing = true
	}
	if d := t.native; d != nil && d.kind == abi.DialogTypeBeforeUnload && !d.lost {
		t.unanswered = true
		return // the tab is not freed, and there is no reply
	}
	b.soon(func() { b.navigateNowhere(c, t) })
}

// navigateNowhere dismisses the dialog of a tab, and leaves the page where it is.
func (b *Browser) navigateNowhere(c command, t *Tab) {
	d := t.native
	switch {
	case t.Closed:
		return
	case d == nil:
	case d.lost && b.pageEnabled(t):
		b.crash(c, d.losing, "a navigation while the dialog of a frame that is gone is shown")
		return
	case d.lost:
		t.native = nil
	case d.kind == abi.DialogTypeBeforeUnload: // it opened in the meantime, for another navigation
	default:
		b.closeNative(t, false, "")
	}
	if t.Crashed {
		// It now has an empty document, in which nothing happens until a real navigation.
		for _, s := range b.sessionsShowing(t.Root) {
			b.failUnanswered(s)
		}
	}
	b.reply(c.Token, supervise.CommandReply{})
}

func (b *Browser) resume(c command, s *session) {
	if s.resumed {
		b.violate("%s was resumed twice", s.id)
	}
	s.resumed = true
	if s.kind == "page" {
		s.tab.waiting = false
	}
	s.release()
	b.reply(c.Token, supervise.CommandReply{})
	if s.kind == "page" && s.tab.Opener != nil {
		t := s.tab
		b.soon(func() {
			if !t.Crashed && b.CanLeave(t) && !b.blocked(t.Root) {
				b.leave(t, t.Root.Site)
			}
		})
	}
}

func (b *Browser) createTarget(c command) {
	p := c.Params.(*target.CreateTargetParams)
	if p.URL != "about:blank" {
		b.violate("createTarget with the URL %q: its scripts run before the tab is prepared", p.URL)
	}
	t := b.makeTab(p.BrowserContextID, nil)
	b.attachNew(t, true, p.URL)
	b.reply(c.Token, supervise.CommandReply{Target: t.ID})
}

func (b *Browser) attachToTarget(c command) {
	p := c.Params.(*target.AttachToTargetParams)
	t := b.Tab(p.TargetID)
	if t == nil {
		b.reply(c.Token, failure("No target with given id found"))
		return
	}
	b.attachTab(t, false, t.Root.URL)
	b.reply(c.Token, supervise.CommandReply{})
}

func (b *Browser) getTargetInfo(c command) {
	t := b.Tab(c.Params.(*target.GetTargetInfoParams).TargetID)
	if t == nil {
		b.reply(c.Token, failure("No target with given id found"))
		return
	}
	b.reply(c.Token, supervise.CommandReply{Info: t.info()})
}

func (b *Browser) closeTarget(c command) {
	p := c.Params.(*target.CloseTargetParams)
	t := b.Tab(p.TargetID)
	if t == nil {
		b.reply(c.Token, failure("No target with given id found"))
		return
	}
	d := t.native
	enabled := b.pageEnabled(t)
	switch {
	case d != nil && d.lost && enabled:
		telling := d.losing
		if d.outlived {
			telling = 1 // a client that closes a tab after a reconnection must expect a dialog that nobody told it about
		}
		b.crash(c, telling, "closing a tab while the dialog of a frame that is gone is shown")
		return
	case d != nil && enabled && !d.lost && d.frame.localRoot() != t.Root:
		telling := d.told
		if d.crashed && d.told != 0 {
			telling = max(telling, d.crashing) // otherwise an answer before it would have been safe
		}
		if d.secret {
			telling = math.MaxUint64 // likewise
		}
		b.crash(c, telling, "closing a tab while the dialog of an OOPIF is open")
		return
	case d != nil && d.lost:
		t.native = nil
	}
	b.Close(t)
	b.reply(c.Token, supervise.CommandReply{})
}

// detach ends a session; only the session that announced it can do that.
func (b *Browser) detach(c command, on *session) {
	s := b.session(c.Params.(*target.DetachFromTargetParams).SessionID)
	if s == nil || s.parent != on {
		if s != nil {
			b.violate("%s was to be detached on a session that did not announce it", s.id)
		}
		b.reply(c.Token, failure("No session with given id"))
		return
	}
	if s.kind == "page" && s.pageEnabled && s.tab.native != nil && !s.tab.native.lost {
		d := s.tab.native
		if d.trap {
			b.crash(c, d.told, "detaching while a dialog of a page that is being left is open")
			return
		}
		if c.told(d.told) && d.on == s && !d.blind && !d.crashed { // nobody can answer those anyway
			b.violate("%s was detached while a dialog was open: nobody can answer it any more", s.id)
		}
		d.blind = true
	}
	gone := append([]*session{s}, b.below(s)...)
	b.end(s)
	if s.waiting && s.kind == "page" && s.tab.Opener != nil {
		s.tab.waiting = true
	}
	for _, g := range gone {
		g.release()
	}
	b.reply(c.Token, supervise.CommandReply{})
}
