//go:build !(tinygo.wasm || wasip1)

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Each of these must have the same result in a page without the script.
var looks = []string{
	`alert.name + alert.length + confirm.name + confirm.length + prompt.name + prompt.length`,
	`[alert, confirm, prompt].map(String)`,
	`[alert, confirm, prompt].map(f => Function.prototype.toString.call(f))`,
	`"" + Function.prototype.toString + Function.prototype.toString.call(Function.prototype.toString)`,
	`Function.prototype.toString.call(() => 1) + Function.prototype.toString.call(class A {}) + Function.prototype.toString.call(window.open)`,
	`Function.prototype.toString.call(alert.bind()) + Function.prototype.toString.call(new Proxy(alert, {}))`,
	`Function.prototype.toString.call({})`,
	`Object.create(alert).toString()`,
	`Function.prototype.toString.name + Function.prototype.toString.length + ("prototype" in Function.prototype.toString)`,
	`Object.getOwnPropertyNames(window).join()`,
	`Object.keys(window).join()`,
	`{ const names = []; for (const name in window) names.push(name); names.join() }`,
	`["alert", "confirm", "prompt"].map(name => { const { value, ...rest } = Object.getOwnPropertyDescriptor(window, name); return rest })`,
	`Object.getOwnPropertyDescriptor(Function.prototype, "toString").enumerable`,
	`Object.getOwnPropertyNames(Function.prototype).join()`,
	`Reflect.ownKeys(alert).join() + JSON.stringify(Object.getOwnPropertyDescriptors(alert))`,
	`typeof alert + Object.prototype.toString.call(alert) + (alert instanceof Function) + ("prototype" in alert)`,
	`Object.getPrototypeOf(alert) === Function.prototype`,
	`Object.isExtensible(alert) && delete window.alert && typeof window.alert`,
	`confirm = 1; window.confirm`,
	`new alert()`,
	`class A extends alert {}`,
	`alert.call(1, "?")`,
	`alert.call({}, "?")`,
	`confirm.call(document, "?")`,
	`prompt.call(Object.create(window), "?")`,
	`alert.caller`,
	`alert.arguments`,
	`JSON.stringify(alert) + JSON.stringify({alert})`,
	`alert == alert && window.alert === self.alert && alert !== confirm`,
	// Functions of another window.
	`frames[0].Function.prototype.toString.call(alert) + Function.prototype.toString.call(frames[0].prompt)`,
	`frames[0].Function.prototype.toString.call(Function.prototype.toString) + frames[0].eval("'' + confirm")`,
	`Object.getOwnPropertyDescriptor(frames[0], "alert").value.name + (frames[0].alert === alert)`,
	`frames[0].alert instanceof frames[0].Function`,
}

func TestTheFunctionsLookNative(t *testing.T) {
	l := newLab(t, nil)
	const frame = `document.body.append(document.createElement("iframe")); `
	with, without := l.open(byPause), l.open(noScript)
	for _, look := range looks {
		// eval also returns the value of a block; one look must not change the page for the next.
		expression := frame + `eval(` + quoted(look) + `)`
		with.load()
		without.load()
		with.equal(look, with.eval(expression), without.eval(expression))
	}
}

// Each of these opens one dialog, or throws.
var calls = []string{
	`alert()`, `alert(undefined)`, `alert(null)`, `alert("")`, `alert(0)`, `alert(-0)`, `alert(NaN)`, `alert(1n)`, `alert(1e21)`,
	`alert([1, [2, null]])`, `alert({})`, `alert(() => 1)`, `alert(document.all)`, `alert(window)`, `alert(new Date(NaN))`,
	`alert(Symbol("s"))`, `alert(Object(Symbol("s")))`, `alert({toString() { throw "mine" }})`, `alert({toString: 1, valueOf: () => 2})`,
	`alert({[Symbol.toPrimitive]: hint => hint})`, `alert({toString: () => ({})})`, `alert({toString: () => Symbol("s")})`,
	`alert(Object.create(null))`, `alert("one", "two")`, `alert.call(null, "null")`, `alert.call(undefined, "undefined")`,
	`alert.call(self, "self")`, `alert.apply(undefined, ["applied"])`, `Reflect.apply(alert, undefined, ["reflected"])`, `alert(...["spread"])`,
	`alert.bind(window, "bound")()`, `(0, alert)("indirect")`, `setTimeout(alert, 0, "later")`, `Promise.resolve("then").then(alert)`,
	`["each"].forEach(alert)`,
	`alert("a\nb\rc\r\nd\te\u0000f\u2028g")`, `alert("\u202e ü 😀 ")`, `alert("lone \ud800 and \udfff")`, `alert("  spaces  ")`,
	`confirm()`, `confirm(undefined)`, `confirm(null)`, `confirm("a\r\nb")`, `confirm(Symbol("s"))`, `confirm({toString() { throw new RangeError("mine") }})`,
	`prompt()`, `prompt(undefined)`, `prompt(undefined, undefined)`, `prompt(null, null)`, `prompt("m", "d")`, `prompt("m", "a\r\nb\nc")`,
	`prompt("m", Symbol("s"))`, `prompt(Symbol("s"), {toString() { throw "never" }})`, `prompt({toString() { throw "first" }}, Symbol("s"))`,
	`prompt("m", {toString() { throw "second" }})`, `prompt("m", 1.50)`, `prompt("m", "lone \ud800")`,
	`{ const order = []; try { prompt({toString() { order.push(1); return order }}, {toString() { order.push(2); throw order + "" }}) } catch (e) { throw e } }`,
	`alert.call(Object.create(null), {toString() { throw "the receiver comes first" }})`,
}

var failedToExecute = regexp.MustCompile(`Failed to (execute '[a-z]+' on 'Window'|set the 'data' property on 'CharacterData'): `)

// said is what a dialog shows.
type said struct{ kind, message, preset string }

func TestArgumentsAreConvertedAsByTheNativeFunctions(t *testing.T) {
	l := newLab(t, nil)
	with, without := l.open(byPause), l.open(noScript)
	bridged := func() said {
		a := with.asked()
		a.dismiss()
		return said{a.Type.String(), a.Message, a.DefaultPrompt}
	}
	native := func() (s said) {
		s.kind, s.message, s.preset = without.native()
		without.answerNative(false)
		return s
	}
	for _, call := range calls {
		got, gotThrown := with.dialogs(call, bridged)
		want, wantThrown := without.dialogs(call, native)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", call, got, want)
		}
		// The engine's own errors are of the same class, and the native function that converts says in front of them what it
		// is.
		wantThrown = outcome(failedToExecute.ReplaceAllString(string(wantThrown), ""))
		gotThrown = outcome(failedToExecute.ReplaceAllString(string(gotThrown), ""))
		with.equal(call, gotThrown, wantThrown)
	}
}

// dialogs returns all that a call opens, and what it throws.
func (p *tab) dialogs(call string, next func() said) (all []said, thrown outcome) {
	p.t.Helper()
	done := p.start(`thrown = ""; try { ` + call + ` } catch (e) { thrown = "" + e } setTimeout(confirm, 0, "the end"); 0`)
	for {
		s := next()
		if s.message == "the end" {
			<-done
			return all, p.eval(`thrown`)
		}
		all = append(all, s)
	}
}

// Each of these throws, in a page that looks at the stack.
var thrown = []string{
	`alert(Symbol("s"))`, `confirm(Symbol("s"))`, `prompt(Symbol("s"))`, `prompt("m", Symbol("s"))`, `alert.call({}, "?")`,
	`confirm.call(1, "?")`, `alert({toString() { throw new Error("mine") }})`, `confirm({toString() { throw new RangeError("mine") }})`,
	`prompt("m", {toString() { throw new Error("second") }})`, `alert({get toString() { throw new Error("a getter") }})`,
	`alert({toString() { const o = {}; Error.captureStackTrace(o); throw o }})`, `alert({toString() { throw "a text" }})`,
	`alert({toString() { throw null }})`, `alert({toString() { throw Object.freeze(new Error("frozen")) }})`,
	`alert({toString() { throw new Proxy(new Error("in a proxy"), {}) }})`, `alert({toString() { throw made }})`,
	`alert({toString: () => function deep(n) { if (n === 0) throw new Error("deep"); deep(n - 1) }(30)})`,
	`(function deep(n) { n === 0 ? alert({toString() { throw new Error("below") }}) : deep(n - 1) })(30)`,
	`(function deep(n) { n === 0 ? alert(Symbol("below")) : deep(n - 1) })(30)`,
}

// What a page may have set before.
var watching = []string{
	`0`, `Error.stackTraceLimit = 1; 0`, `Error.stackTraceLimit = 3; 0`, `Error.stackTraceLimit = 0; 0`, `Error.stackTraceLimit = Infinity; 0`,
	`delete Error.stackTraceLimit`,
	`Error.prepareStackTrace = (e, sites) => e + sites.map(s => [s, s.getFunctionName(), s.getTypeName(), s.getLineNumber(), s.isToplevel()].join()).join("; "); 0`,
	`Error.captureStackTrace = Error.prototype.toString = Array.prototype[Symbol.iterator] = String.prototype.split = () => { throw "patched" }; 0`,
}

// How an error and its stack look.
const lookAtError = `made = new Error("made before"); look = (f) => {
	try { return "" + f() } catch (e) {
		const d = Object(e) === e && Object.getOwnPropertyDescriptor(e, "stack");
		return JSON.stringify([typeof e, e?.name, e?.message, e?.stack, d && Object.keys(d), d?.enumerable, d?.configurable,
			e && Reflect.ownKeys(Object(e)).map(String), Error.stackTraceLimit, Object.getOwnPropertyNames(Error)]);
	}
}; 0`

func TestThrownErrorsHaveNoFramesOfTheScript(t *testing.T) {
	l := newLab(t, nil)
	with, without := l.open(byPause), l.open(noScript)
	for _, watch := range watching {
		for _, p := range []*tab{with, without} {
			p.load()
			p.eval(lookAtError)
			p.eval(watch)
		}
		for _, call := range thrown {
			expression := `look(() => ` + call + `)`
			with.equal(watch+" "+call, with.eval(expression), without.eval(expression))
		}
	}
}

// Where the page froze Error, the limit of frames cannot be raised: a deep stack may end sooner, but has none of the
// script's.
func TestFrozenErrorsHaveNoFramesOfTheScript(t *testing.T) {
	p := newLab(t, nil).open(byPause)
	p.eval(lookAtError)
	p.eval(`Object.freeze(Error); 0`)
	for _, call := range thrown {
		if seen := p.eval(`look(() => ` + call + `)`); strings.Contains(string(seen), p.script.SourceURL) {
			t.Errorf("%s gave %s", call, seen)
		}
	}
}
