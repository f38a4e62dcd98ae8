package facts

import (
	"context"
	"os"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/browser"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// portLab is a lab whose browser can be reached again after its connection is lost.
type portLab struct {
	*lab
	process *browser.Process
}

func newPortLab(t *testing.T) *portLab {
	t.Helper()
	process, err := browser.Launch(t.Context(), browser.LaunchOptions{
		Executable: os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE"),
		Transport:  browser.TransportPort,
		Args:       []string{"--site-per-process"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := process.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	p := &portLab{process: process, lab: &lab{t: t, site: newSite(t)}}
	p.connect()
	return p
}

// connect takes the place of the connection that there was, as after its loss.
func (p *portLab) connect() {
	p.t.Helper()
	l := &lab{t: p.t, site: p.site, changed: make(chan struct{}), prepare: p.conn == nil}
	if p.conn != nil {
		_ = p.conn.Close()
		<-p.conn.Done()
	}
	conn, err := cdp.Dial(p.t.Context(), p.process.WebSocketURL(), cdp.Options{Handler: l.handle})
	if err != nil {
		p.t.Fatal(err)
	}
	l.conn = conn
	p.lab = l
	p.t.Cleanup(func() {
		_ = conn.Close()
		<-conn.Done()
	})
	l.conn.Subscribe("Target.targetCreated", "Target.attachedToTarget", "Target.detachedFromTarget", "Target.targetCrashed",
		"Inspector.targetCrashed", "Page.javascriptDialogOpening", "Page.javascriptDialogClosed", "Page.frameNavigated", "Page.loadEventFired", "Page.frameDetached")
	l.call("", "Target.setDiscoverTargets", params{"discover": true, "filter": pagesOnly["filter"]})
	l.call("", "Target.setAutoAttach", pagesOnly)
}

// again gives the session of a tab on a new connection. The browser attaches to all tabs that it has before it replies.
func (p *portLab) again(old *tab) *tab {
	p.t.Helper()
	p.connect()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.trace {
		if e.Method == "Target.attachedToTarget" && e.str("targetInfo", "targetId") == old.target {
			return &tab{lab: p.lab, target: old.target, session: e.str("sessionId"), context: old.context}
		}
	}
	p.t.Fatalf("the tab was not attached before the reply\n%s", p.dump(0))
	return nil
}

func TestFactsAboutDialogsThatOutliveTheirConnection(t *testing.T) {
	t.Parallel()
	t.Run("the page answers nothing, the dialog takes no answer, the release frees both and is told", func(t *testing.T) {
		p := newPortLab(t)
		old := p.open("/leaf")
		old.confirm(old.session, old.target)
		tb := p.again(old)
		from := tb.mark()
		tree := tb.send(tb.session, "Page.getFrameTree", nil)
		tb.send(tb.session, "Page.enable", nil)
		tb.refused(-32602, "No dialog is showing", tb.session, "Page.handleJavaScriptDialog", params{"accept": true})
		tb.call(tb.session, "Input.dispatchKeyEvent", params{"type": "keyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13})
		tb.refused(-32602, "No dialog is showing", tb.session, "Page.handleJavaScriptDialog", params{"accept": true})
		tb.never(from, reply(tree))
		tb.release()
		tb.expect(from, tb.closed(tb.target, false))
		tb.expect(from, reply(tree))
		tb.want("what the page got", tb.eval(tb.session, "answer"), false)
		tb.healthy()
	})

	t.Run("of a frame in another process, the page answers and the release frees it", func(t *testing.T) {
		p := newPortLab(t)
		old := p.open("/leaf")
		old.eval(old.session, `new Promise(r => { f = document.createElement("iframe"); f.src = "`+p.site.url("b", "/leaf")+`"; f.onload = r; document.body.append(f) }).then(() => 0)`)
		session, frame := old.oopif(old.session, p.site.url("b", "/leaf"))
		old.confirm(session, frame)
		tb := p.again(old)
		from := tb.mark()
		tb.call(tb.session, "Page.getFrameTree", nil)
		tb.call(tb.session, "Page.enable", nil)
		tb.release()
		tb.expect(from, tb.closed(frame, false))
		tb.healthy()
	})

	// Nobody tells of it any more, and no answer reaches it ("No dialog is showing"). A session with Page.enable that is
	// there when the tab is closed, or navigated, ends the whole browser all the same.
	for _, c := range []struct {
		name string
		way  func(tb *tab)
	}{
		{"by a session that has not enabled the Page domain", func(*tab) {}},
		{"by one that has disabled it again", func(tb *tab) {
			tb.call(tb.session, "Page.enable", nil)
			tb.refused(-32602, "No dialog is showing", tb.session, "Page.handleJavaScriptDialog", params{"accept": false})
			tb.send(tb.session, "Page.disable", nil) // whose reply needs not be awaited
		}},
		{"after a release, before which nothing was enabled", func(tb *tab) {
			tb.call(tb.session, "Page.navigate", params{"url": releaseURL}) // its reply must be awaited
			tb.call(tb.session, "Page.enable", nil)
		}},
	} {
		t.Run("of a frame that is gone, the tab can be closed "+c.name, func(t *testing.T) {
			p := newPortLab(t)
			old := p.open("/tree")
			session, frame := old.oopif(old.session, p.site.url("b", "/x1"))
			old.confirm(session, frame)
			old.eval(old.session, `document.getElementById("x1").remove()`)
			tb := p.again(old)
			c.way(tb)
			from := tb.mark()
			closing := tb.send("", "Target.closeTarget", params{"targetId": tb.target})
			tb.expect(from, event("", "Target.detachedFromTarget", "sessionId", tb.session))
			tb.expect(from, reply(closing))
			tb.call("", "Target.getTargets", nil)
		})
	}

	t.Run("a beforeunload dialog only ends with its tab", func(t *testing.T) {
		p := newPortLab(t)
		old := p.open("/leaf")
		from := old.mark()
		old.eval(old.session, `addEventListener("beforeunload", e => e.preventDefault()); 0`)
		old.send(old.session, "Page.navigate", params{"url": p.site.url("b", "/leaf")})
		old.opening(from, old.target)
		tb := p.again(old)
		from = tb.mark()
		tree := tb.send(tb.session, "Page.getFrameTree", nil)
		tb.release()
		tb.refused(-32602, "No dialog is showing", tb.session, "Page.handleJavaScriptDialog", params{"accept": true})
		tb.call(tb.session, "Page.stopLoading", nil)
		tb.call("", "Target.getTargets", nil)
		tb.never(from, reply(tree))
		tb.call("", "Target.closeTarget", params{"targetId": tb.target})
		tb.expect(from, event("", "Target.detachedFromTarget", "sessionId", tb.session))
	})

	t.Run("a crash is told again to a session that enables the Inspector domain", func(t *testing.T) {
		p := newPortLab(t)
		old := p.open("/leaf")
		from := old.mark()
		old.send(old.session, "Page.crash", nil)
		old.expect(from, event("", "Target.targetCrashed", "targetId", old.target))
		tb := p.again(old)
		from = tb.mark()
		tb.call(tb.session, "Inspector.enable", nil)
		tb.expect(from, event(tb.session, "Inspector.targetCrashed"))
	})

	t.Run("and likewise that of an OOPIF", func(t *testing.T) {
		p := newPortLab(t)
		old := p.open("/tree")
		oopif, id := old.oopif(old.session, old.site.url("b", "/x1"))
		from := old.mark()
		old.send(oopif, "Page.crash", nil)
		old.expect(from, event(oopif, "Inspector.targetCrashed"))
		tb := p.again(old)
		from = tb.mark()
		tb.call(tb.session, "Target.setAutoAttach", params{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
		child := tb.expect(from, event(tb.session, "Target.attachedToTarget", "targetInfo.targetId", id))[0].str("sessionId")
		tb.call(child, "Inspector.enable", nil)
		tb.expect(from, event(child, "Inspector.targetCrashed"))
	})
}
