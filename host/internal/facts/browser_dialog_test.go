package facts

import (
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A page's address of a scheme that the browser does not know is another program's. The browser then asks in a dialog
// of its own, over the tab, whether to start that. Under such a dialog a tab has no input, and nobody is told of it.
func TestFactsAboutDialogsOfTheBrowser(t *testing.T) {
	t.Parallel()
	l := newLabOf(t, shared.AskingExecutable(t))

	l.fact(t, "/leaf", "an unknown scheme takes the input from a tab, until it shows another site; the release takes none", func(p *tab) {
		released := p.open("/leaf")
		released.confirm(released.session, released.target)
		from := released.mark()
		released.release()
		released.expect(from, released.closed(released.target, false))
		want := p.call(p.session, "Page.navigate", params{"url": "hermes-unknown:1"})["errorText"]
		p.want("error", want, "net::ERR_ABORTED")
		p.awaitHearing(false) // it takes the browser a moment to ask
		p.want("the released tab hears", released.hears(), true)
		p.load("a", "/two")
		p.want("after a navigation within the site the tab hears", p.hears(), false)
		p.load("b", "/leaf")
		p.awaitHearing(true)
	})
}

// awaitHearing waits until keys reach the document, or no longer do.
func (p *tab) awaitHearing(want bool) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); p.hears() != want; {
		if time.Now().After(deadline) {
			p.t.Fatalf("whether the tab hears is never %t\n%s", want, p.dump(0))
		}
	}
}

// hears tells whether a key reaches the document.
func (p *tab) hears() bool {
	p.t.Helper()
	p.eval(p.session, `globalThis.heard = false; addEventListener("keydown", () => { heard = true }, {once: true}); 0`)
	p.call(p.session, "Input.dispatchKeyEvent", params{"type": "rawKeyDown", "key": "Shift", "code": "ShiftLeft", "windowsVirtualKeyCode": 16})
	p.call(p.session, "Input.dispatchKeyEvent", params{"type": "keyUp", "key": "Shift", "code": "ShiftLeft", "windowsVirtualKeyCode": 16})
	return p.eval(p.session, "heard") == true
}
