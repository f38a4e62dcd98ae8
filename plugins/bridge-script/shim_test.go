//go:build !(tinygo.wasm || wasip1)

package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// How a script asks, and what a tab needs for it.
var bothWays = []struct {
	ways ways
	via  abi.BridgeVia
}{{byPause, abi.BridgeViaPause}, {byRequest, abi.BridgeViaRequest}}

func TestThePageGetsWhatANativeDialogWouldGive(t *testing.T) {
	l := newLab(t, nil)
	const text = "\"'\\\n\r\u2028\u2029\x00 ü 😀 `${1}` </script>"
	for _, way := range bothWays {
		p := l.open(way.ways)
		for _, c := range []struct {
			expression string
			kind       abi.DialogType
			answer     func(*asked)
			want       outcome
		}{
			{`alert("?")`, abi.DialogTypeAlert, (*asked).accept, `undefined`},
			{`alert("?")`, abi.DialogTypeAlert, (*asked).dismiss, `undefined`},
			{`confirm("?")`, abi.DialogTypeConfirm, (*asked).accept, `true`},
			{`confirm("?")`, abi.DialogTypeConfirm, (*asked).dismiss, `false`},
			{`prompt("?")`, abi.DialogTypePrompt, (*asked).accept, `""`},
			{`prompt("?")`, abi.DialogTypePrompt, (*asked).dismiss, `null`},
			{`prompt("?")`, abi.DialogTypePrompt, func(a *asked) { a.typed("") }, `""`},
			{`prompt("?")`, abi.DialogTypePrompt, func(a *asked) { a.typed("typed") }, `"typed"`},
			{`escape(prompt("?"))`, abi.DialogTypePrompt, func(a *asked) { a.typed(text) },
				`"%22%27%5C%0A%0D%u2028%u2029%00%20%FC%20%uD83D%uDE00%20%60%24%7B1%7D%60%20%3C/script%3E"`},
		} {
			done := p.start(c.expression)
			c.answer(p.asked().want(way.via, c.kind, "?", ""))
			p.equal(way.via.String()+": "+c.expression, <-done, c.want)
		}
	}
}

func TestALongTextIsTruncatedForTheHostButWholeForThePage(t *testing.T) {
	l := newLab(t, abi.Struct{{Key: "max_message", Value: abi.NumberValue(5)}})
	for _, way := range bothWays {
		p := l.open(way.ways)
		done := p.start(`prompt("1234😀6", "abcde😀g")`)
		// Half a surrogate pair is not valid Unicode.
		p.asked().want(way.via, abi.DialogTypePrompt, "1234\ufffd", "abcde").accept()
		p.equal("an accepted default text", <-done, `"abcde\ud83d\ude00g"`)
	}
}

func TestAPauseThatIsNotAnsweredBecomesARequest(t *testing.T) {
	p := newLab(t, nil).open(byPause)
	done := p.start(`confirm("?")`)
	first := p.asked().want(abi.BridgeViaPause, abi.DialogTypeConfirm, "?", "")
	first.abandon()
	again := p.asked().want(abi.BridgeViaRequest, abi.DialogTypeConfirm, "?", "")
	if again.Key != first.Key {
		t.Errorf("the key was %s and is %s", first.Key, again.Key)
	}
	again.accept()
	p.equal("confirm", <-done, `true`)
}

func TestARequestThatIsNotAnsweredBecomesANativeDialog(t *testing.T) {
	p := newLab(t, nil).open(byRequest)
	done := p.start(`confirm("?")`)
	p.asked().want(abi.BridgeViaRequest, abi.DialogTypeConfirm, "?", "").abandon()
	p.native()
	p.answerNative(true)
	p.equal("confirm", <-done, `true`)
}

func TestWithoutASupervisorTheDialogIsNative(t *testing.T) {
	l := newLab(t, nil)
	p := l.open(noWay)
	for _, c := range []struct{ expression, kind, message, preset string }{
		{`alert({toString: () => "made once " + (window.count = (window.count || 0) + 1)})`, "alert", "made once 1", ""},
		{`confirm("?")`, "confirm", "?", ""},
		{`prompt("?", "default")`, "prompt", "?", "default"},
	} {
		done := p.start(c.expression)
		if kind, message, preset := p.native(); kind != c.kind || message != c.message || preset != c.preset {
			t.Errorf("%s opens %s %q %q", c.expression, kind, message, preset)
		}
		p.answerNative(true)
		p.equal(c.expression, <-done, map[string]outcome{"alert": `undefined`, "confirm": `true`, "prompt": `""`}[c.kind])
	}
}

const leavingAsk = `sessionStorage.clear(); function ask() { const said = confirm("leaving?"); sessionStorage.said = "" + said }; `

// leave runs a script in a page and goes to the next one; ask is called meanwhile, if it is not nil. It gives what the
// page's function ask was told.
func (p *tab) leave(script string, ask func()) outcome {
	p.t.Helper()
	p.eval(leavingAsk + script)
	left := p.start(`location.href = "/next"; 0`)
	if ask != nil {
		ask()
	}
	<-left
	p.await("Page.loadEventFired")
	return p.eval(`sessionStorage.said`)
}

// leavingPages ask while they end, when a native dialog would block the tab and no pause is possible.
var leavingPages = map[string]string{
	"pageswap":                        `addEventListener("pageswap", ask)`,
	"pagehide":                        `addEventListener("pagehide", ask)`,
	"visibilitychange":                `document.addEventListener("visibilitychange", ask)`,
	"a microtask of pagehide":         `addEventListener("pagehide", () => Promise.resolve().then(ask))`,
	"pagehide of a frame, by its top": `document.body.append(document.createElement("iframe")); frames[0].addEventListener("pagehide", ask)`,
}

func TestAPageThatEndsAsksByRequest(t *testing.T) {
	l := newLab(t, nil)
	for name, script := range leavingPages {
		p := l.open(byPause)
		p.equal(name, p.leave(script, func() {
			p.asked().want(abi.BridgeViaRequest, abi.DialogTypeConfirm, "leaving?", "").accept()
		}), `"true"`)
	}
}

func TestAPageThatEndsIsDismissedIfNobodyAnswers(t *testing.T) {
	l := newLab(t, nil)
	for name, script := range leavingPages {
		p := l.open(noWay)
		p.equal(name, p.leave(script, nil), `"false"`)
	}
}

// A page that is not kept in the back/forward cache sends no synchronous request after pageswap.
func TestAPageThatEndsForGoodIsDismissed(t *testing.T) {
	l := newLab(t, nil)
	pages := maps.Clone(leavingPages)
	delete(pages, "pageswap")
	pages["unload"] = `addEventListener("unload", ask)`
	for name, script := range pages {
		for _, forGood := range []string{`addEventListener("unload", () => {}); `, `document.open(); document.write("<body>"); `} {
			p := l.open(byPause)
			p.equal(forGood+name, p.leave(forGood+script, nil), `"false"`)
		}
	}
}

// A page is kept in the back/forward cache, which the script must not prevent, and asks again when it is back.
func TestAPageThatComesBackAsksAsBefore(t *testing.T) {
	p := newLab(t, nil).open(noWay)
	p.equal("left", p.leave(`addEventListener("pageshow", e => { document.title = "back " + e.persisted })`, nil), `undefined`)
	p.eval(`history.back(); 0`)
	p.client.Await("the page from the cache", func(e hosttest.Event) bool {
		return e.SessionID == p.session && strings.Contains(string(e.Params), `"type":"BackForwardCacheRestore"`)
	})
	p.equal("the title", p.eval(`document.title`), `"back true"`)
	done := p.start(`confirm("?")`)
	p.native()
	p.answerNative(true)
	p.equal("confirm", <-done, `true`)
}

func TestAPageThatStaysAsksAsBefore(t *testing.T) {
	p := newLab(t, nil).open(byPause)
	left := p.start(`addEventListener("beforeunload", e => { e.preventDefault(); alert("in beforeunload") }); location.href = "/next"; 0`)
	p.asked().dismiss()
	p.native() // asks whether to leave, and holds the script
	p.answerNative(false)
	p.equal("the navigation", <-left, `0`)
	done := p.start(`confirm("?")`)
	a := p.asked().want(abi.BridgeViaPause, abi.DialogTypeConfirm, "?", "")
	if a.Suppressed != abi.BridgeSuppressedUnspecified {
		t.Errorf("suppressed is %s", a.Suppressed)
	}
	a.accept()
	p.equal("confirm", <-done, `true`)
}

// Chromium pauses in a beforeunload handler, but sends no synchronous request.
func TestADialogInABeforeunloadHandlerIsMarked(t *testing.T) {
	l := newLab(t, nil)
	const script = `addEventListener("beforeunload", ask)`
	p := l.open(byPause)
	p.equal("with a supervisor", p.leave(script, func() {
		a := p.asked().want(abi.BridgeViaPause, abi.DialogTypeConfirm, "leaving?", "")
		if a.Suppressed != abi.BridgeSuppressedBeforeUnload {
			t.Errorf("suppressed is %s", a.Suppressed)
		}
		a.dismiss()
	}), `"false"`)
	for _, w := range []ways{byRequest, noWay} {
		p.equal("without a pause", l.open(w).leave(script, nil), `"false"`)
	}
}

// An event that a page makes itself does not change what its dialogs do.
func TestAMadeUpEventSuppressesNothing(t *testing.T) {
	p := newLab(t, nil).open(noWay)
	for _, name := range []string{"beforeunload", "pagehide", "pageswap", "visibilitychange"} {
		done := p.start(`addEventListener("` + name + `", () => { said = confirm("?") }); dispatchEvent(new Event("` + name + `")); said`)
		p.native()
		p.answerNative(true)
		p.equal(name, <-done, `true`)
	}
}

func TestOneCallIsOneDialogEvenIfTheScriptRanTwice(t *testing.T) {
	l := newLab(t, nil)
	for _, way := range bothWays {
		p := l.open(way.ways)
		p.eval(p.script.Source)
		done := p.start(`confirm("?")`)
		p.asked().want(way.via, abi.DialogTypeConfirm, "?", "").dismiss()
		p.equal("confirm", <-done, `false`)
		p.equal("toString", p.eval(`"" + confirm + Function.prototype.toString`),
			`"function confirm() { [native code] }function toString() { [native code] }"`)
	}
}

func TestAnArgumentMayAskItself(t *testing.T) {
	l := newLab(t, nil)
	for _, way := range bothWays {
		p := l.open(way.ways)
		done := p.start(`confirm({toString: () => "inner: " + prompt("inner?")})`)
		inner := p.asked().want(way.via, abi.DialogTypePrompt, "inner?", "")
		inner.typed("yes")
		outer := p.asked().want(way.via, abi.DialogTypeConfirm, "inner: yes", "")
		if inner.Key == outer.Key {
			t.Error("both have the same key")
		}
		outer.accept()
		p.equal("confirm", <-done, `true`)
	}
}
