package facts

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// inputStyle puts each frame 55 pixels right of and 45 below the one around it, and reports where the mouse went down.
const inputStyle = `<style>body { margin: 0 } iframe { border: 5px solid; position: absolute; left: 50px; top: 40px; width: 400px; height: 300px }
button, input, a { position: absolute; left: 10px; top: 10px }</style>
<script>addEventListener("mousedown", e => console.log(location.pathname + " " + e.clientX + "," + e.clientY + " " + e.isTrusted))</script>`

func TestFactsAboutInput(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.conn.Subscribe("Page.frameRequestedNavigation", "Page.frameStoppedLoading", "Page.fileChooserOpened", "Page.downloadWillBegin", "Page.downloadProgress")
	l.site.page("/deep", inputStyle+`<button onclick="console.log('top')">top</button><iframe src="/deep-same"></iframe>`)
	l.site.page("/deep-same", inputStyle+`<button>same</button><iframe src="//b.localhost:PORT/deep-one"></iframe>`)
	l.site.page("/deep-one", inputStyle+`<iframe src="//c.localhost:PORT/deep-two"></iframe>`)
	l.site.page("/deep-two", inputStyle+`<button>two</button><input style="top: 100px">`)
	l.site.page("/links", inputStyle+`<a href="/two">link</a><a href="/file" style="top: 50px">file</a><input type=file style="top: 100px">`)
	l.site.handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.txt")
		_, _ = w.Write([]byte("text"))
	})

	l.fact(t, "/deep", "a mouse event on the tab's session reaches an OOPIF by the tab's coordinates, one on its own session by its own", func(p *tab) {
		first, _ := p.oopif(p.session, p.site.url("b", "/deep-one"))
		second, _ := p.oopif(first, p.site.url("c", "/deep-two"))
		p.reachable(second, 3*55+20, 3*45+20)
		for session, offset := range map[string][2]float64{p.session: {3 * 55, 3 * 45}, second: {0, 0}} {
			from := p.mark()
			p.click(session, offset[0]+20, offset[1]+20)
			p.expect(from, said(second, "/deep-two 20,20 true"))
		}
	})

	l.fact(t, "/deep", "keys and text on the tab's session go to the frame that has the focus", func(p *tab) {
		first, _ := p.oopif(p.session, p.site.url("b", "/deep-one"))
		second, _ := p.oopif(first, p.site.url("c", "/deep-two"))
		p.reachable(second, 3*55+20, 3*45+110)
		p.click(p.session, 3*55+20, 3*45+110)
		p.call(p.session, "Input.dispatchKeyEvent", params{"type": "keyDown", "key": "a", "code": "KeyA", "text": "a"})
		p.call(p.session, "Input.insertText", params{"text": "é😀"})
		p.want("the field", p.eval(second, `document.querySelector("input").value`), "aé😀")
	})

	l.fact(t, "/deep", "quads are in the viewport of the outermost frame of the session's process", func(p *tab) {
		first, _ := p.oopif(p.session, p.site.url("b", "/deep-one"))
		second, _ := p.oopif(first, p.site.url("c", "/deep-two"))
		corner := func(session, expression string) any {
			object := p.call(session, "Runtime.evaluate", params{"expression": expression})["result"].(map[string]any)["objectId"]
			quads := p.call(session, "DOM.getContentQuads", params{"objectId": object})["quads"].([]any)
			return quads[0].([]any)[:2]
		}
		p.want("in a frame of the tab's process", corner(p.session, `frames[0].document.querySelector("button")`), []any{65.0, 55.0})
		p.want("in an OOPIF", corner(second, `document.querySelector("button")`), []any{10.0, 10.0})
	})

	l.fact(t, "/deep", "a stuck OOPIF does not delay a click in its parent, even when the pointer comes from it", func(p *tab) {
		first, _ := p.oopif(p.session, p.site.url("b", "/deep-one"))
		p.reachable(first, 2*55+200, 2*45+5)
		from := p.mark()
		p.start(first, `setTimeout(() => { console.log("stuck"); for (;;); }); 0`)
		p.expect(from, said(first, "stuck"))
		p.send(p.session, "Input.dispatchMouseEvent", params{"type": "mouseMoved", "x": 2*55 + 200, "y": 2*45 + 5})
		from = p.mark()
		p.click(p.session, 20, 20)
		p.expect(from, said(p.session, "top"))
		p.call(first, "Runtime.terminateExecution", nil)
	})

	l.fact(t, "/links", "what a click causes is told before what the page says next", func(p *tab) {
		p.call(p.session, "Page.setInterceptFileChooserDialog", params{"enabled": true})
		from := p.mark()
		p.click(p.session, 20, 110)
		p.eval(p.session, "1")
		p.came(from, event(p.session, "Page.fileChooserOpened"))
		from = p.mark()
		p.click(p.session, 20, 20)
		p.eval(p.session, "1")
		p.came(from, event(p.session, "Page.frameRequestedNavigation", "url", p.site.url("a", "/two"), "disposition", "currentTab"))
		p.expect(from, event(p.session, "Page.loadEventFired"))
	})

	l.fact(t, "/links", "a navigation that becomes a download is told as one on the tab's session, without any command", func(p *tab) {
		from := p.mark()
		p.click(p.session, 20, 60)
		p.expect(from, event(p.session, "Page.frameRequestedNavigation"), event(p.session, "Page.downloadWillBegin", "suggestedFilename", "x.txt"))
		p.expect(from, event(p.session, "Page.frameStoppedLoading"))
	})

	l.fact(t, "/links", "a page handles a move of the pointer in its next frame, or at once if a character of a system key follows, of which it hears nothing", func(p *tab) {
		p.eval(p.session, `globalThis.first = []; globalThis.heard = [];
			document.body.insertAdjacentHTML("beforeend", "<textarea>kept</textarea>"); document.querySelector("textarea").focus();
			for (const type of ["keydown", "keypress", "keyup", "beforeinput", "input", "textInput"]) {
				addEventListener(type, e => heard.push(e.type), true);
				document.addEventListener(type, e => heard.push(e.type), true);
			}
			addEventListener("mousemove", () => {
				const task = new MessageChannel(), said = first.length;
				task.port1.onmessage = () => { first[said] ??= "task" };
				task.port2.postMessage(0);
				requestAnimationFrame(() => { first[said] ??= "frame" });
			}); 0`)
		// handled lists what came first after each of some moves: the next task or the next frame.
		handled := func(character bool) string {
			p.eval(p.session, "first.length = 0")
			for x := range 20 {
				from := p.mark()
				moved := p.send(p.session, "Input.dispatchMouseEvent", params{"type": "mouseMoved", "x": 200 + x, "y": 200})
				if character {
					p.send(p.session, "Input.dispatchKeyEvent", params{"type": "char", "isSystemKey": true})
				}
				p.expect(from, reply(moved))
				p.eval(p.session, "new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
			}
			return p.eval(p.session, "first.join()").(string)
		}
		if all := handled(false); strings.Contains(all, "task") {
			t.Errorf("without the character: %s", all)
		}
		if all := handled(true); !strings.Contains(all, "task") { // a busy machine may draw a frame first
			t.Errorf("with the character: %s", all)
		}
		p.want("what the page heard", p.eval(p.session, `heard.join() + document.querySelector("textarea").value`), "kept")
	})

	l.fact(t, "/leaf", "a tab in the background draws frames while focus is emulated", func(p *tab) {
		p.eval(p.session, `window.open("/two"); 0`)
		p.call(p.session, "Emulation.setFocusEmulationEnabled", params{"enabled": true})
		p.want("visible", p.eval(p.session, "document.visibilityState"), "visible")
		p.want("drawn", p.eval(p.session, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"), 1)
	})
}

// reachable waits until the browser routes a pointer at a point of the tab to that frame: what it needs to know for
// that comes with the first pictures of the frame's process, which no event tells of.
func (p *tab) reachable(frame string, x, y float64) {
	p.t.Helper()
	p.eval(frame, `globalThis.pointed = false; addEventListener("mousemove", () => { pointed = true }); 0`)
	timeout := time.After(patience)
	for nudge := 0.0; p.eval(frame, "pointed") != true; nudge = 1 - nudge {
		select {
		case <-timeout:
			p.t.Fatalf("a pointer at %v,%v never reached the frame\n%s", x, y, p.dump(0))
		default:
			p.call(p.session, "Input.dispatchMouseEvent", params{"type": "mouseMoved", "x": x + nudge, "y": y})
		}
	}
}

// came checks that an event is in the trace already.
func (p *tab) came(from mark, event pattern) {
	p.t.Helper()
	if p.count(from, event) == 0 {
		p.t.Fatalf("has not come yet: %s\n%s", event.name, p.dump(from))
	}
}

// click clicks with the left button at a point, and waits for the replies.
func (p *tab) click(session string, x, y float64) {
	p.t.Helper()
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		button := params{"type": kind, "x": x, "y": y}
		if kind != "mouseMoved" {
			button["button"], button["clickCount"] = "left", 1
		}
		p.call(session, "Input.dispatchMouseEvent", button)
	}
}

// said is a console message of one text.
func said(session, text string) pattern {
	return pattern{"message " + text, func(e entry) bool {
		args, _ := e.get("args").([]any)
		return e.Method == "Runtime.consoleAPICalled" && e.SessionID == session && len(args) > 0 && args[0].(map[string]any)["value"] == text
	}}
}
