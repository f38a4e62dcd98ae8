package facts

import "testing"

func TestFactsAboutPasskeys(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	button := `<body style="margin:0"><button style="width:100px;height:50px" onclick="navigator.credentials.get({publicKey: {challenge: new Uint8Array(16), timeout: 600000}})
		.catch(e => console.log(e.name)); console.log('clicked')"></button>`
	l.site.page("/frame", button)
	l.site.page("/passkey", button+`<iframe src="//b.localhost:PORT/frame" allow="publickey-credentials-get *" style="position:absolute;left:0;top:100px;border:0"></iframe>`)
	// waits clicks twice on a button that asks for a passkey: what a dialog of the browser takes does not arrive.
	waits := func(p *tab, session string, y float64) {
		p.t.Helper()
		for range 2 {
			from := p.mark()
			p.click(p.session, 20, y)
			p.expect(from, said(session, "clicked"))
		}
	}

	l.fact(t, "/leaf", "nobody is asked for one once the domain is enabled, in no document and no frame of the tab", func(p *tab) {
		p.call(p.session, "WebAuthn.enable", nil)
		for _, letter := range []string{"a", "c"} {
			p.load(letter, "/passkey")
			waits(p, p.session, 20)
		}
		frame, _ := p.oopif(p.session, p.site.url("b", "/frame"))
		p.reachable(frame, 20, 120)
		waits(p, frame, 120)
	})
	l.fact(t, "/leaf", "nor after another session that had enabled it has left", func(p *tab) {
		p.call(p.session, "WebAuthn.enable", nil)
		other := p.second()
		p.call(other, "WebAuthn.enable", nil)
		p.call(other, "WebAuthn.addVirtualAuthenticator", params{"options": params{"protocol": "ctap2", "transport": "internal"}})
		p.load("a", "/passkey")
		from := p.mark()
		p.click(p.session, 20, 20)
		p.expect(from, said(p.session, "NotAllowedError"))
		p.call("", "Target.detachFromTarget", params{"sessionId": other})
		p.load("a", "/passkey")
		waits(p, p.session, 20)
	})
}
