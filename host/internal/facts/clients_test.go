package facts

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// Two clients that both attach to every page before its first script.
func TestFactsAboutPopupsOfTwoClients(t *testing.T) {
	t.Parallel()
	one := newPortLab(t)
	opener := one.open("/leaf")
	other := &lab{t: t, site: one.site, changed: make(chan struct{})}
	conn, err := cdp.Dial(t.Context(), one.process.WebSocketURL(), cdp.Options{Handler: other.handle})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = conn.Close()
		<-conn.Done()
	})
	other.conn = conn
	conn.Subscribe("Target.attachedToTarget", "Page.frameNavigated")
	other.call("", "Target.setAutoAttach", pagesOnly)
	one.hold()
	one.conn.Subscribe("Fetch.requestPaused")

	const knowing, unknowing = `open("/leaf")`, `open("/leaf", "", "noopener")`
	popup := func(script string) (target, ours, theirs string) {
		from, from2 := one.mark(), other.mark()
		one.start(opener.session, script)
		e := one.expect(from, event("", "Target.attachedToTarget", "waitingForDebugger", true))[0]
		target = e.str("targetInfo", "targetId")
		one.want("knows its opener", e.get("targetInfo", "canAccessOpener"), script == knowing)
		return target, e.str("sessionId"), other.expect(from2, attached(target))[0].str("sessionId")
	}
	waited := func(session string) { // the request is still to come
		one.t.Helper()
		from := one.mark()
		one.send(session, "Fetch.enable", documents)
		one.send(session, "Runtime.runIfWaitingForDebugger", nil)
		one.expect(from, event(session, "Fetch.requestPaused", "request.url", one.site.url("a", "/leaf")))
		one.send(session, "Fetch.disable", nil)
	}
	detach := func(l *lab, session string) { l.call("", "Target.detachFromTarget", params{"sessionId": session}) }
	held := func(target string) any {
		return other.call("", "Target.getTargetInfo", params{"targetId": target})["targetInfo"].(map[string]any)["attached"]
	}

	t.Run("the first that resumes one that knows its opener resumes it for all", func(*testing.T) {
		_, _, theirs := popup(knowing)
		from := other.mark()
		other.send(theirs, "Page.enable", nil)
		other.send(theirs, "Runtime.runIfWaitingForDebugger", nil)
		other.expect(from, event(theirs, "Page.frameNavigated", "frame.url", one.site.url("a", "/leaf")))
	})
	t.Run("one that knows its opener waits for who is left, and the browser says whether anybody is", func(*testing.T) {
		target, ours, theirs := popup(knowing)
		detach(other, theirs)
		other.want("held by the other", held(target), true)
		waited(ours)
	})
	t.Run("one that knows its opener and that all have left waits for the next client", func(*testing.T) {
		target, ours, theirs := popup(knowing)
		detach(other, theirs)
		detach(one.lab, ours)
		other.want("held", held(target), false)
		again := one.call("", "Target.attachToTarget", params{"targetId": target, "flatten": true})["sessionId"].(string)
		waited(again)
	})
	t.Run("one that knows no opener waits for each client", func(*testing.T) {
		_, ours, theirs := popup(unknowing)
		other.send(theirs, "Runtime.runIfWaitingForDebugger", nil)
		detach(other, theirs)
		waited(ours)
	})
}
