package facts

import (
	"encoding/base64"
	"testing"
)

// screencast asks for pictures as a recording does.
var screencast = params{"format": "webp", "quality": 50, "maxWidth": 320, "maxHeight": 320, "maxFramesInFlight": 1, "sendLastFrame": true}

const screencastFrame = "Page.screencastFrame"

// paint makes the page another colour, and returns when that is drawn.
func (p *tab) paint(colour string) {
	p.t.Helper()
	p.eval(p.session, `document.body.style.background = "`+colour+`"; new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))`)
}

func TestFactsAboutScreencasts(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.conn.Subscribe(screencastFrame)

	l.fact(t, "/leaf", "a picture can be lossy WebP, within the size that was asked for, although the protocol names JPEG and PNG", func(p *tab) {
		from := p.mark()
		p.call(p.session, "Page.startScreencast", screencast)
		picture, err := base64.StdEncoding.DecodeString(p.expect(from, event(p.session, screencastFrame))[0].str("data"))
		if err != nil || len(picture) < 30 {
			t.Fatalf("%d bytes, %v", len(picture), err)
		}
		p.want("the picture", string(picture[:4])+string(picture[8:16]), "RIFFWEBPVP8 ")
		p.want("its width", int(picture[26])|int(picture[27])<<8, 320)
	})

	l.fact(t, "/leaf", "of one frame in flight the acknowledgement brings the newest, and one who does not acknowledge gets no more", func(p *tab) {
		from := p.mark()
		p.call(p.session, "Page.startScreencast", screencast)
		first := p.expect(from, event(p.session, screencastFrame))[0]
		for _, colour := range []string{"red", "lime", "blue"} {
			p.paint(colour)
		}
		p.want("frames", p.count(from, event(p.session, screencastFrame)), 1)
		from = p.mark()
		p.call(p.session, "Page.screencastFrameAck", params{"sessionId": first.get("sessionId")})
		p.expect(from, event(p.session, screencastFrame))
		p.want("frames", p.count(from, event(p.session, screencastFrame)), 1)
	})

	l.fact(t, "/leaf", "the browser itself begins and ends one while a dialog or a loop holds the page", func(p *tab) {
		p.confirm(p.session, p.target)
		p.call(p.session, "Page.startScreencast", screencast)
		p.call(p.session, "Page.stopScreencast", nil)
		p.answer(true)
		from := p.mark()
		loop := p.start(p.session, `for (const end = Date.now() + 2000; Date.now() < end;);`)
		begun, ended := p.send(p.session, "Page.startScreencast", screencast), p.send(p.session, "Page.stopScreencast", nil)
		p.expect(from, reply(begun), reply(ended), reply(loop))
	})

	l.fact(t, "/leaf", "each session has its own, and needs no Page.enable for it", func(p *tab) {
		other := p.second()
		from := p.mark()
		p.call(other, "Page.startScreencast", screencast)
		p.expect(from, event(other, screencastFrame))
		p.never(from, event(p.session, screencastFrame), p.session, other)
		p.call(p.session, "Page.startScreencast", screencast)
		p.expect(from, event(p.session, screencastFrame))
		p.refused(-32000, "already active", p.session, "Page.startScreencast", screencast)
	})

	l.fact(t, "/leaf", "a tab behind another one is not drawn for one, and has frames when it is in front again", func(p *tab) {
		from := p.mark()
		created := p.send("", "Target.createTarget", params{"url": "about:blank", "browserContextId": p.context})
		other := p.expect(from, reply(created))[0].str("targetId")
		p.eval(p.session, `document.hidden || new Promise(r => addEventListener("visibilitychange", r))`)
		p.call(p.session, "Page.startScreencast", screencast) // which has one frame at the start, or none
		p.want("drawn", p.eval(p.session, `Promise.race([new Promise(r => requestAnimationFrame(() => r(true))), new Promise(r => setTimeout(r, 300, false))])`), false)
		from = p.mark()
		p.call("", "Target.closeTarget", params{"targetId": other})
		for _, e := range p.all(event(p.session, screencastFrame)) {
			p.call(p.session, "Page.screencastFrameAck", params{"sessionId": e.get("sessionId")})
		}
		p.paint("red")
		p.expect(from, event(p.session, screencastFrame))
	})
}

// all gives the entries of the whole trace that match.
func (l *lab) all(p pattern) (found []entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.trace {
		if p.match(e) {
			found = append(found, e)
		}
	}
	return found
}
