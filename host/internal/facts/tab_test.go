package facts

import "testing"

// tab is a page of a lab.
type tab struct {
	*lab
	target  string // also the id of its top frame
	session string
	context string
}

// open makes a tab in a browser context of its own and loads a page of site a.
func (l *lab) open(path string) *tab {
	l.t.Helper()
	context := l.call("", "Target.createBrowserContext", nil)["browserContextId"].(string)
	from := l.mark()
	id := l.send("", "Target.createTarget", params{"url": "about:blank", "browserContextId": context})
	target := l.expect(from, reply(id))[0].str("targetId")
	attached := l.expect(from, event("", "Target.attachedToTarget", "targetInfo.targetId", target))[0]
	p := &tab{lab: l, target: target, session: attached.str("sessionId"), context: context}
	l.expect(from, ready(p.session))
	if path != "" {
		p.load("a", path)
	}
	return p
}

// fact runs one fact on a tab of its own. The facts of a lab run one after the other.
func (l *lab) fact(t *testing.T, path, name string, f func(p *tab)) {
	t.Run(name, func(t *testing.T) {
		l.t = t
		p := l.open(path)
		f(p)
		// Closing a tab ends the whole browser while a dialog of an OOPIF is open, so facts leave none behind.
		l.call("", "Target.disposeBrowserContext", params{"browserContextId": p.context})
	})
	l.t = t
}

// load navigates and waits for the load event, that is for all frames.
func (p *tab) load(letter, path string) {
	p.t.Helper()
	from := p.mark()
	navigated := p.call(p.session, "Page.navigate", params{"url": p.site.url(letter, path)})
	p.expect(from, event(p.session, "Page.frameNavigated", "frame.loaderId", navigated["loaderId"]), event(p.session, "Page.loadEventFired"))
}

// oopif gives the session and frame id of an OOPIF, by the session of its parent and its url. What a command on it
// returns comes after all that attached it, so it is ready.
func (p *tab) oopif(parent, url string) (session, frame string) {
	p.t.Helper()
	p.mu.Lock()
	var candidates []entry
	for _, e := range p.trace {
		if e.Method == "Target.attachedToTarget" && e.SessionID == parent && e.str("targetInfo", "type") == "iframe" {
			candidates = append(candidates, e)
		}
	}
	p.mu.Unlock()
	for i := len(candidates) - 1; i >= 0; i-- {
		session := candidates[i].str("sessionId")
		if tree, err := p.try(session, "Page.getFrameTree", nil); err == nil {
			if (entry{body: tree}).str("frameTree", "frame", "url") == url {
				return session, candidates[i].str("targetInfo", "targetId")
			}
		}
	}
	p.t.Fatalf("no OOPIF %s\n%s", url, p.dump(0))
	return "", ""
}

// opening waits for a dialog of that frame on the tab's own session.
func (p *tab) opening(from mark, frame string) entry {
	p.t.Helper()
	return p.expect(from, event(p.session, "Page.javascriptDialogOpening", "frameId", frame))[0]
}

// confirm opens a dialog from a timer, so that no command of ours waits for it, in the frame of that session.
func (p *tab) confirm(session, frame string) mark {
	p.t.Helper()
	from := p.mark()
	p.start(session, `answer = "open"; setTimeout(() => { answer = confirm("?") }, 0); 0`)
	p.opening(from, frame)
	return from
}

// answer answers the open dialog and gives what the browser said.
func (p *tab) answer(accept bool) {
	p.t.Helper()
	p.call(p.session, "Page.handleJavaScriptDialog", params{"accept": accept})
}

// release frees the tab from a dialog that cannot be answered.
func (p *tab) release() int64 {
	p.t.Helper()
	return p.send(p.session, "Page.navigate", params{"url": releaseURL})
}

// healthy checks that the tab runs script, and that its dialogs are announced and answered.
func (p *tab) healthy() {
	p.t.Helper()
	from := p.mark()
	id := p.start(p.session, `confirm("healthy?")`)
	p.opening(from, p.target)
	p.answer(true)
	p.want("the dialog's result", p.expect(from, reply(id))[0].get("result", "value"), true)
}

// closed is the event of a dialog's end.
func (p *tab) closed(frame string, result bool) pattern {
	return event(p.session, "Page.javascriptDialogClosed", "frameId", frame, "result", result)
}

// frame is an event about a frame of a session.
func frame(session, method, id string, pairs ...any) pattern {
	if method == "Page.frameNavigated" {
		return event(session, method, append([]any{"frame.id", id}, pairs...)...)
	}
	return event(session, method, append([]any{"frameId", id}, pairs...)...)
}

// second attaches another session to the tab, as another client would.
func (p *tab) second() string {
	p.t.Helper()
	return p.call("", "Target.attachToTarget", params{"targetId": p.target, "flatten": true})["sessionId"].(string)
}
