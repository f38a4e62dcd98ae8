package facts

import "testing"

const (
	noDialog    = "No dialog is showing"                              // -32602
	notTopLevel = "Command can only be executed on top-level targets" // -32000
	notActive   = "Not attached to an active page"                    // -32000
)

func TestFactsAboutDialogs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.fact(t, "/tree", "the closed event comes before the reply to the answer, and both before the next dialog", func(p *tab) {
		from := p.mark()
		evaluate := p.start(p.session, `alert(1); confirm(2)`)
		p.opening(from, p.target)
		first := p.send(p.session, "Page.handleJavaScriptDialog", params{"accept": true})
		p.expect(from, p.closed(p.target, true), reply(first), event(p.session, "Page.javascriptDialogOpening", "message", "2"))
		second := p.send(p.session, "Page.handleJavaScriptDialog", params{"accept": false})
		p.expect(from, reply(first), p.closed(p.target, false), reply(second), reply(evaluate))
	})

	l.fact(t, "/tree", "every frame's dialog is announced on the session of the tab with the id of the frame", func(p *tab) {
		tree := entry{body: p.call(p.session, "Page.getFrameTree", nil)}
		local := tree.get("frameTree", "childFrames").([]any)[0].(map[string]any)["frame"].(map[string]any)["id"].(string)
		from := p.mark()
		id := p.start(p.session, `document.getElementById("same").contentWindow.confirm("local")`)
		p.opening(from, local)
		p.answer(true)
		p.expect(from, p.closed(local, true), reply(id))

		first, firstFrame := p.oopif(p.session, p.site.url("b", "/x1"))
		second, secondFrame := p.oopif(first, p.site.url("c", "/x2"))
		third, thirdFrame := p.oopif(second, p.site.url("d", "/leaf"))
		for session, frame := range map[string]string{first: firstFrame, second: secondFrame, third: thirdFrame} {
			from := p.confirm(session, frame)
			p.refused(-32000, notTopLevel, session, "Page.handleJavaScriptDialog", params{"accept": true})
			p.answer(true)
			p.expect(from, p.closed(frame, true))
		}
	})

	l.fact(t, "/tree", "a prompt accepted without text returns an empty string, not its default", func(p *tab) {
		for _, c := range []struct {
			answer params
			want   any
		}{
			{params{"accept": true}, ""},
			{params{"accept": true, "promptText": "typed"}, "typed"},
			{params{"accept": false}, nil},
		} {
			from := p.mark()
			id := p.start(p.session, `prompt("?", "default")`)
			p.want("default", p.opening(from, p.target).str("defaultPrompt"), "default")
			p.call(p.session, "Page.handleJavaScriptDialog", c.answer)
			p.want("the page got", p.expect(from, reply(id))[0].get("result", "value"), c.want)
		}
	})

	l.fact(t, "/tree", "the first answer wins and both sessions hear the end", func(p *tab) {
		other := p.second()
		p.call(other, "Page.enable", nil)
		from := p.confirm(p.session, p.target)
		p.expect(from, event(other, "Page.javascriptDialogOpening"))
		p.call(other, "Page.handleJavaScriptDialog", params{"accept": true})
		p.expect(from, p.closed(p.target, true))
		p.refused(-32602, noDialog, p.session, "Page.handleJavaScriptDialog", params{"accept": true})
	})

	// Chromium with a user interface keeps the native dialog when the last session with Page.enable goes: the page is not
	// freed by it, and nobody can answer any more.
	l.fact(t, "/tree", "a dialog that nobody holds any more is freed only by a release, which announces its end", func(p *tab) {
		from := p.confirm(p.session, p.target)
		p.call("", "Target.detachFromTarget", params{"sessionId": p.session})
		p.session = p.second()
		enable := p.send(p.session, "Page.enable", nil)
		p.refused(-32602, noDialog, p.session, "Page.handleJavaScriptDialog", params{"accept": true})
		p.release()
		p.expect(from, p.closed(p.target, false), reply(enable))
		p.want("the page got", p.eval(p.session, "answer"), false)
		p.healthy()
	})

	l.fact(t, "/tree", "a release closes a dialog and leaves the page as it is", func(p *tab) {
		from := p.confirm(p.session, p.target)
		id := p.release()
		aborted := p.expect(from, p.closed(p.target, false), reply(id))[1]
		p.want("error", aborted.str("errorText"), "net::ERR_ABORTED")
		p.want("the page got", p.eval(p.session, "answer"), false)
		p.never(from, event(p.session, "Page.frameNavigated"), p.session)
		p.healthy()
	})

	l.fact(t, "/tree", "navigating and reloading close a dialog first", func(p *tab) {
		for _, method := range []string{"Page.navigate", "Page.reload"} {
			from := p.confirm(p.session, p.target)
			var command params
			if method == "Page.navigate" {
				command = params{"url": p.site.url("a", "/leaf")}
			}
			p.send(p.session, method, command)
			p.expect(from, p.closed(p.target, false), frame(p.session, "Page.frameNavigated", p.target), event(p.session, "Page.loadEventFired"))
		}
		p.healthy()
	})

	// Two frames of different processes can ask at once. Chromium shows one dialog per tab: the second closes the first,
	// and the session forgets the second by mistake.
	l.fact(t, "/tree", "a second dialog of the tab closes the first and cannot be answered", func(p *tab) {
		first, firstFrame := p.oopif(p.session, p.site.url("b", "/x1"))
		second, secondFrame := p.oopif(first, p.site.url("c", "/x2"))
		from := p.confirm(first, firstFrame)
		p.confirm(second, secondFrame)
		p.expect(from, event(p.session, "Page.javascriptDialogOpening", "frameId", secondFrame), p.closed(firstFrame, false))
		p.refused(-32602, noDialog, p.session, "Page.handleJavaScriptDialog", params{"accept": true})
		p.release()
		p.expect(from, p.closed(secondFrame, false))
		p.want("the second got", p.eval(second, "answer"), false)
		p.healthy()
	})
}
