package facts

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
)

// A synchronous request to a host that does not exist, and what it gives: the text of the reply, or the error's name.
const asker = `(address => { try { const x = new XMLHttpRequest(); x.open("GET", address, false); x.send(); return x.responseText } catch (e) { return e.name } })`

const (
	askHTTPS   = asker + `("https://bridge.invalid/?1")`
	askHTTP    = asker + `("http://bridge.invalid/?1")`
	securePage = "https://secure.invalid/page"
)

// intercepts makes a session intercept requests to the bridge's host and to an https page.
func (p *tab) intercepts(session string) {
	p.t.Helper()
	p.conn.Subscribe("Fetch.requestPaused", "Runtime.executionContextCreated")
	p.call(session, "Fetch.enable", params{"patterns": []params{
		{"urlPattern": "https://bridge.invalid/*"}, {"urlPattern": "http://bridge.invalid/*"}, {"urlPattern": securePage},
	}})
}

// fulfil waits for a request that is intercepted and replies to it.
func (p *tab) fulfil(from mark, session, url, contentType, body string) {
	p.t.Helper()
	e := p.expect(from, event(session, "Fetch.requestPaused", "request.url", url))[0]
	p.call(session, "Fetch.fulfillRequest", params{
		"requestId": e.str("requestId"), "responseCode": 200, "body": base64.StdEncoding.EncodeToString([]byte(body)),
		"responseHeaders": []params{{"name": "Access-Control-Allow-Origin", "value": "*"}, {"name": "Content-Type", "value": contentType}},
	})
}

// asks evaluates an asker in a context (nil: of the top frame) and checks whether the request came.
func (p *tab) asks(what, expression string, context any, comes bool) {
	p.t.Helper()
	from := p.mark()
	in := params{"expression": expression, "returnByValue": true}
	if context != nil {
		in["contextId"] = context
	}
	id := p.send(p.session, "Runtime.evaluate", in)
	want := "NetworkError"
	if comes {
		want = "the reply"
		p.fulfil(from, p.session, strings.Split(expression, `"`)[len(strings.Split(expression, `"`))-2], "text/plain", want)
	}
	p.want(what, p.expect(from, reply(id))[0].get("result", "value"), want)
	if !comes {
		p.never(from, event(p.session, "Fetch.requestPaused"), p.session)
	}
}

func TestFactsAboutRequests(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for path, header := range map[string][2]string{
		"/none":    {"Content-Security-Policy", "default-src 'none'"},
		"/self":    {"Content-Security-Policy", "default-src 'self'"},
		"/no-sync": {"Permissions-Policy", "sync-xhr=()"},
	} {
		l.site.handle(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set(header[0], header[1])
		})
	}

	l.fact(t, "", "a page's policies block a request before it is intercepted", func(p *tab) {
		p.intercepts(p.session)
		for path, comes := range map[string]bool{"/leaf": true, "/none": false, "/self": false, "/no-sync": false} {
			p.load("a", path)
			p.asks("https from "+path, askHTTPS, nil, comes)
			p.asks("http from "+path, askHTTP, nil, comes)
		}
	})

	l.fact(t, "", "an https page and its srcdoc, data:, blob: and about: frames can ask by https only", func(p *tab) {
		p.intercepts(p.session)
		from := p.mark()
		p.send(p.session, "Page.navigate", params{"url": securePage})
		p.fulfil(from, p.session, securePage, "text/html", `<!doctype html><iframe srcdoc="srcdoc"></iframe><iframe src="data:text/html,data"></iframe>`+
			`<iframe></iframe><script>document.write('<iframe src="' + URL.createObjectURL(new Blob(["blob"], {type: "text/html"})) + '"></iframe>')</script>`)
		p.expect(from, event(p.session, "Page.loadEventFired"))
		p.asks("https from the page", askHTTPS, nil, true)
		p.asks("http from the page", askHTTP, nil, false)
		from = p.mark()
		p.call(p.session, "Runtime.disable", nil)
		p.call(p.session, "Runtime.enable", nil)
		tree := entry{body: p.call(p.session, "Page.getFrameTree", nil)}
		children := tree.get("frameTree", "childFrames").([]any)
		p.want("frames", len(children), 4)
		for _, child := range children {
			frame := entry{body: child.(map[string]any)}
			context := p.expect(from, event(p.session, "Runtime.executionContextCreated", "context.auxData.frameId", frame.str("frame", "id")))[0].get("context", "id")
			p.asks("https from "+frame.str("frame", "url"), askHTTPS, context, true)
			p.asks("http from "+frame.str("frame", "url"), askHTTP, context, false)
		}
	})

	// https://chromestatus.com/feature/4664843055398912
	l.fact(t, "/leaf", "a page sends a synchronous request while it ends only when it is kept in the back/forward cache", func(p *tab) {
		p.intercepts(p.session)
		for _, c := range []struct {
			event       string
			kept, comes bool
		}{
			{"pageswap", true, true}, {"pagehide", true, true}, {"visibilitychange", true, true}, {"beforeunload", true, false},
			{"pageswap", false, true}, {"pagehide", false, false}, {"visibilitychange", false, false}, {"beforeunload", false, false},
			{"unload", false, false},
		} {
			p.load("a", "/leaf")
			p.eval(p.session, `sessionStorage.clear(); addEventListener("pagehide", e => { sessionStorage.kept = e.persisted }); addEventListener("`+
				c.event+`", () => { sessionStorage.got = `+askHTTPS+` })`)
			if !c.kept { // a listener of unload keeps a page out of that cache
				p.eval(p.session, `addEventListener("unload", () => {})`)
			}
			from := p.mark()
			p.start(p.session, `location = "/two"`)
			want := "NetworkError"
			if c.comes {
				want = "the reply"
				p.fulfil(from, p.session, "https://bridge.invalid/?1", "text/plain", want)
			}
			p.expect(from, event(p.session, "Page.frameNavigated", "frame.url", p.site.url("a", "/two")), event(p.session, "Page.loadEventFired"))
			p.want(c.event, p.eval(p.session, `sessionStorage.got`), want)
			p.want("kept", p.eval(p.session, `sessionStorage.kept`), c.kept)
		}
	})

	// Chromium forgets to end it, so the phase does not tell whether a listener of the window still runs.
	l.fact(t, "/leaf", "the events of a window keep their phase when they are over", func(p *tab) {
		p.load("a", "/leaf")
		for name, want := range map[string]any{"beforeunload": 2, "pagehide": 2, "pageshow": 2, "pageswap": 0} {
			p.load("a", "/leaf")
			p.eval(p.session, `addEventListener("`+name+`", e => { kept = e; setTimeout(() => { phase = e.eventPhase }, 0) }, true)`)
			from := p.mark()
			p.start(p.session, `location = "/two"`)
			p.expect(from, event(p.session, "Page.frameNavigated", "frame.url", p.site.url("a", "/two")), event(p.session, "Page.loadEventFired"))
			p.start(p.session, `history.back()`)
			p.expect(from, event(p.session, "Page.frameNavigated", "type", "BackForwardCacheRestore"))
			p.want(name, p.eval(p.session, `kept.eventPhase`), want)
		}
	})

	// Where requests go is decided by the page's own process, which hears of an interception when it is next idle. So a
	// page that tries again and again in one call is never heard by a supervisor that came back.
	l.fact(t, "/leaf", "a held request fails when its session goes, and a busy page is not heard by a new session", func(p *tab) {
		p.intercepts(p.session)
		from := p.mark()
		p.start(p.session, `all = ""; setTimeout(() => { for (const end = performance.now() + 3000; performance.now() < end;) all += `+askHTTPS+` }, 0)`)
		p.expect(from, event(p.session, "Fetch.requestPaused"))
		p.call("", "Target.detachFromTarget", params{"sessionId": p.session})
		p.session = p.second()
		from = p.mark()
		runtime := p.send(p.session, "Runtime.enable", nil) // the page's process answers
		p.intercepts(p.session)                             // the browser's process answers
		p.never(from, reply(runtime))
		p.expect(from, reply(runtime))
		p.never(from, event(p.session, "Fetch.requestPaused"), p.session)
		p.want("tries", strings.ReplaceAll(p.eval(p.session, `all`).(string), "NetworkError", ""), "")
		p.asks("when it is idle again", askHTTPS, nil, true)
	})

	l.fact(t, "/leaf", "a document that is there already gets a script only when it is run at once", func(p *tab) {
		inject := func(session string, atOnce bool) {
			p.call(session, "Page.enable", nil)
			p.call(session, "Page.addScriptToEvaluateOnNewDocument", params{"source": "window.injected = 1", "runImmediately": atOnce})
		}
		inject(p.session, false)
		p.want("a loaded page", p.eval(p.session, `typeof injected`), "undefined")
		p.want("its new frame", p.eval(p.session, `document.body.append(document.createElement("iframe")); typeof frames[0].injected`), "number")
		inject(p.session, true)
		p.want("a loaded page, at once", p.eval(p.session, `typeof injected`), "number")

		// A popup that is held counts as not there yet.
		p.hold()
		from := p.mark()
		p.start(p.session, `open("about:blank"); 0`)
		popup := p.expect(from, event("", "Target.attachedToTarget", "targetInfo.type", "page"))[0].str("sessionId")
		inject(popup, false)
		p.call(popup, "Runtime.runIfWaitingForDebugger", nil)
		p.want("a held popup", p.eval(popup, `typeof injected`), "number")
		p.unhold()
	})
}
