package e2e

import (
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// hearing is a page that counts what the pointer, the keyboard and the wheel bring it.
const hearing = `<div style="height: 3000px"><button id=b>press me</button><input id=f></div><script>
globalThis.heard = {};
for (const type of ["click", "keydown", "wheel"]) addEventListener(type, e => { heard[type] = true }, true);
</script>`

// hears checks that the pointer, the keyboard and the wheel reach the first tab's page, which holds what it held.
func (w *world) hears() {
	w.t.Helper()
	w.evaluate("heard = {}")
	ctx := within(w.t, w.ctx, shared.Limit())
	if _, err := w.Tab("").Click(ctx, host.BySelector("#b"), nil); err != nil {
		w.t.Errorf("click: %v", err)
	}
	if _, err := w.Tab("").Press(ctx, "a", nil); err != nil {
		w.t.Errorf("press: %v", err)
	}
	if _, err := w.Tab("").Scroll(ctx, nil); err != nil {
		w.t.Errorf("scroll: %v", err)
	}
	want(w.t, "what the page heard", w.evaluate("new Promise(done => requestAnimationFrame(() => done(heard)))"), `{"click":true,"keydown":true,"wheel":true}`)
	want(w.t, "the field", w.evaluate("document.querySelector('#f').value"), `"kept"`)
}

// outwait waits as long as it takes this browser to ask in a dialog of its own about an address of an unknown scheme,
// which takes all input from the tab. The browser does not always ask in a tab, so others are tried.
func (c *rawClient) outwait(url string) {
	c.t.Helper()
	pace := time.NewTicker(50 * time.Millisecond) // what it waits for takes the processor, too
	defer pace.Stop()
	for {
		session := c.attach(c.newTab())
		c.navigate(session, url)
		c.call(session, cdppage.CommandNavigate, &cdppage.NavigateParams{URL: "hermes-unknown:1"}, nil)
		for end := time.Now().Add(shared.Patience(5 * time.Second)); time.Now().Before(end); <-pace.C {
			c.evaluate(session, `globalThis.heard = false; onkeydown = () => { heard = true }; 0`)
			c.pressShift(session)
			if c.evaluate(session, "heard") == "false" {
				return
			}
		}
	}
}

// pressShift sends a key. Chromium never answers for one that is on its way when it begins to ask, so nobody waits for
// that.
func (c *rawClient) pressShift(session string) {
	c.t.Helper()
	ctx := within(c.t, c.ctx, shared.Patience(5*time.Second))
	err := c.conn.Call(ctx, session, "Input.dispatchKeyEvent", map[string]any{"type": "rawKeyDown", "key": "Shift", "windowsVirtualKeyCode": 16}, nil)
	if err != nil && ctx.Err() == nil {
		c.t.Fatal(err)
	}
}

func TestInputReachesATabWhoseFrameWasRemovedUnderItsDialog(t *testing.T) {
	t.Parallel()
	w, process := newLost(t, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	session := raw.attach(w.Snapshot().Page().ID)
	w.open("/hearing")
	w.evaluate("document.querySelector('#f').value = 'kept'")
	w.evaluate("frames[0].postMessage(1, '*')")
	w.dialog()
	raw.evaluate(session, removal)
	w.reported("removed")
	w.closed(1)
	raw.outwait(w.url("localhost", "/empty"))
	w.hears()
	w.alive(process)
}

func TestInputReachesATabWhoseDialogOutlivedItsConnection(t *testing.T) {
	w, p := newBroken(t, map[string]string{"/hearing": hearing})
	raw := newRawClient(w.ctx, t, w.address)
	w.open("/hearing")
	w.evaluate("document.querySelector('#f').value = 'kept'")
	w.start("globalThis.said = confirm('still there?')")
	w.dialog()
	events := w.Events(100)
	p.cut()
	w.back(events)
	if _, err := w.RespondDialog(w.ctx, host.DialogResponse{DialogID: w.dialog().ID}); err != nil {
		t.Fatal(err)
	}
	raw.outwait(w.url("localhost", "/empty"))
	w.hears()
}
