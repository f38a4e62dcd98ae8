package facts

import (
	"net/http"
	"testing"
)

func TestFactsAboutDownloads(t *testing.T) {
	t.Parallel()
	// The lab's browser writes into it for as long as it runs; so it is made before the lab, and removed after it.
	folder := t.TempDir()
	l := newLab(t)
	l.conn.Subscribe("Page.windowOpen", "Page.downloadWillBegin", "Page.downloadProgress", "Browser.downloadWillBegin", "Browser.downloadProgress")
	l.site.page("/new-tab", inputStyle+`<a href="/file" target=_blank>file</a>`)
	l.site.page("/in-frame", inputStyle+`<iframe src="//b.localhost:PORT/link"></iframe>`)
	l.site.page("/link", inputStyle+`<a href="/file">file</a>`)
	l.site.handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=x.txt")
		_, _ = w.Write([]byte("text"))
	})
	into := func(p *tab) {
		p.call("", "Browser.setDownloadBehavior", params{
			"behavior": "allowAndName", "browserContextId": p.context, "downloadPath": folder, "eventsEnabled": true,
		})
	}

	l.fact(t, "/new-tab", "a download in a new tab begins on that tab's session, and ends, when the tab is closed, on the browser's", func(p *tab) {
		into(p)
		from := p.mark()
		p.click(p.session, 20, 20)
		found := p.expect(from, event(p.session, "Page.windowOpen", "url", p.site.url("a", "/file")),
			event("", "Target.attachedToTarget", "targetInfo.openerId", p.target))
		opened := found[1].str("sessionId")
		began := p.expect(from, event(opened, "Page.downloadWillBegin", "suggestedFilename", "x.txt"))[0]
		p.expect(from, event("", "Target.detachedFromTarget", "sessionId", opened))
		p.expect(from, event("", "Browser.downloadProgress", "guid", began.str("guid"), "state", "completed"))
	})

	l.fact(t, "/link", "a navigation to what is a download is aborted, and its answer says that it is one", func(p *tab) {
		into(p)
		from := p.mark()
		answer := p.call(p.session, "Page.navigate", params{"url": p.site.url("a", "/file")})
		p.want("error", answer["errorText"], "net::ERR_ABORTED")
		p.want("whether it is a download", answer["isDownload"], true)
		p.expect(from, event(p.session, "Page.downloadWillBegin", "suggestedFilename", "x.txt")) // in whichever order
	})

	l.fact(t, "/in-frame", "a download of an OOPIF is told of on the session of the OOPIF", func(p *tab) {
		into(p)
		frame, id := p.oopif(p.session, p.site.url("b", "/link"))
		p.reachable(frame, 75, 65)
		from := p.mark()
		p.click(p.session, 75, 65)
		p.expect(from, event(frame, "Page.downloadWillBegin", "frameId", id), event(frame, "Page.downloadProgress", "state", "completed"))
	})
}

func TestFactsAboutDrags(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.conn.Subscribe("Input.dragIntercepted")
	l.site.page("/drags", inputStyle+`<iframe src="//b.localhost:PORT/source"></iframe>`)
	l.site.page("/source", inputStyle+`<div draggable=true style="position:absolute;left:10px;top:10px;width:60px;height:20px" ondragstart="event.dataTransfer.setData('text/plain', 'x')">drag</div>`)

	l.fact(t, "/drags", "a drag that an OOPIF begins is intercepted on the tab's session", func(p *tab) {
		frame, _ := p.oopif(p.session, p.site.url("b", "/source"))
		p.reachable(frame, 85, 65)
		p.call(p.session, "Input.setInterceptDrags", params{"enabled": true})
		from := p.mark()
		for i, kind := range []string{"mouseMoved", "mousePressed", "mouseMoved", "mouseMoved", "mouseMoved"} {
			p.call(p.session, "Input.dispatchMouseEvent", params{
				"type": kind, "x": 75, "y": 65 + 4*max(0, i-1), "button": "left", "buttons": min(1, i), "clickCount": 1,
			})
		}
		p.expect(from, event(p.session, "Input.dragIntercepted", "data.items", "[map[data:x mimeType:text/plain]]"))
	})
}

func TestFactsAboutSandboxes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.site.page("/sandbox", `<iframe sandbox srcdoc="<p>text"></iframe>`)

	l.fact(t, "/sandbox", "where scripts are switched off expressions run and promises are kept, but timers never fire", func(p *tab) {
		from := mark(0)
		attached := p.expect(from, event(p.session, "Target.attachedToTarget", "targetInfo.type", "iframe"))[0]
		frame := attached.str("sessionId")
		p.want("what came first", p.eval(frame, `new Promise(done => {
			setTimeout(() => done("a timer"));
			(async () => { for (let i = 0; i < 50; i++) await new Blob([""]).arrayBuffer(); done("a promise") })();
		})`), "a promise")
	})
}
