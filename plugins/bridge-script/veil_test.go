//go:build !(tinygo.wasm || wasip1)

package main

import "testing"

// How a page looks for something between it and the browser.
const lookers = `
	stackOf = (e) => [String(e), e?.stack, e && Object(e) === e ? Reflect.ownKeys(e).map(String).join() : ""].join(" / ");
	caught = (f) => { try { return "gave " + f() } catch (e) { return "threw " + stackOf(e) } };
	looking = (f) => { let seen; const look = { toString() { seen = stackOf(new Error("looks")) + Error.stackTraceLimit + Object.getOwnPropertyNames(Error) + Reflect.ownKeys(Array.prototype).map(String); throw "enough" } }; try { f(look) } catch {} return seen };
	uncaught = (f) => new Promise((done) => { onerror = (...said) => { done(said.slice(0, 4).join() + stackOf(said[4])); return true }; setTimeout(f) });
	frame = document.body.appendChild(document.createElement("iframe")).contentWindow;
0`

// Each of these is what a page could ask to find the script, under its name.
var probes = []struct{ name, expression string }{
	{"stack inside toString", `looking(o => alert(o))`},
	{"stack inside toString, confirm", `looking(o => confirm(o))`},
	{"stack inside toString, prompt", `looking(o => prompt(o))`},
	{"stack inside the second toString", `looking(o => prompt({toString: () => "first"}, o))`},
	{"stack inside Symbol.toPrimitive", `looking(o => alert({[Symbol.toPrimitive]() { return o.toString() }}))`},
	{"stack inside a getter of toString", `looking(o => alert({get toString() { return o.toString() }}))`},
	{"stack inside valueOf", `looking(o => alert({toString: null, valueOf() { return o.toString() }}))`},
	{"stack inside the toString of an array's element", `looking(o => alert([o]))`},
	{"stack inside a proxy's trap", `looking(o => alert(new Proxy({}, {get() { o.toString() }})))`},
	{"stack inside, by call", `looking(o => alert.call(window, o))`},
	{"stack inside, by apply", `looking(o => alert.apply(undefined, [o]))`},
	{"stack inside, bound", `looking(alert.bind(null))`},
	{"stack inside, as a callback", `looking(o => [o].forEach(alert))`},
	{"stack inside, with a limit of one", `Error.stackTraceLimit = 1; looking(o => alert(o))`},
	{"stack inside, unlimited", `Error.stackTraceLimit = Infinity; looking(o => alert(o))`},
	{"call sites inside", `Error.prepareStackTrace = (_, sites) => sites.map(s => [s, s.getThis(), s.getFunction(), s.getFunctionName(), s.isNative()].join()).join("; "); looking(o => alert(o))`},
	{"stack inside, captured for an object", `{ let seen; const o = {toString() { Error.captureStackTrace(o); seen = o.stack; throw 1 }}; try { alert(o) } catch {} seen }`},
	{"callers inside", `{ let seen = ""; function toString() { seen = String(toString.caller) + toString.arguments.length; throw 1 } try { confirm({toString}) } catch {} seen }`},
	{"the message of another frame's function", `looking(o => frame.alert(o))`},
	{"another frame's function with this receiver", `looking(o => frame.confirm.call(window, o))`},
	{"this function with another frame as its receiver", `looking(o => alert.call(frame, o))`},
	{"caught: a symbol", `caught(() => alert(Symbol("s")))`},
	{"caught: a second symbol", `caught(() => prompt("m", Symbol("s")))`},
	{"caught: a wrong receiver", `caught(() => alert.call({}, "?"))`},
	{"caught: a wrong receiver that is a primitive", `caught(() => confirm.call(1, "?"))`},
	{"caught: as a constructor", `caught(() => new alert())`},
	{"caught: thrown by toString", `caught(() => alert({toString() { throw new Error("mine") }}))`},
	{"caught: a symbol, another frame's function", `caught(() => frame.alert(Symbol("s")))`},
	{"realm of an error", `{ let e; try { frame.prompt(Symbol("s")) } catch (x) { e = x } [e instanceof TypeError, e instanceof frame.TypeError].join() }`},
	{"realm of an error of this frame", `{ let e; try { frame.Reflect.apply(prompt, undefined, [Symbol("s")]) } catch (x) { e = x } [e instanceof TypeError, e instanceof frame.TypeError].join() }`},
	{"uncaught: a symbol", `uncaught(() => alert(Symbol("s")))`},
	{"uncaught: a wrong receiver", `uncaught(() => alert.call({}, "?"))`},
	{"uncaught: an error of toString", `uncaught(() => alert({toString() { throw new Error("mine") }}))`},
	{"uncaught: a text thrown by toString", `uncaught(() => confirm({toString() { throw "a text" }}))`},
	{"uncaught: an object thrown by the second toString", `uncaught(() => prompt("m", {toString() { throw {a: 1} }}))`},
	{"uncaught: an error made before", `made = new Error("before"); made.stack; uncaught(() => alert({toString() { throw made }}))`},
	{"uncaught: of another frame's function", `uncaught(() => frame.alert({toString() { throw "a text" }}))`},
	{"a name of the page's for the function", `{ let seen = ""; Object.defineProperty(alert, "name", {get() { seen += new Error().stack; return "n" }}); try { alert({toString() { throw 1 }}) } catch {} seen }`},
	{"a Symbol.toPrimitive of the page's on arrays", `{ Array.prototype[Symbol.toPrimitive] = function (hint) { return hint + this.length }; let said = ""; try { alert({toString() { said = "" + [1, 2]; throw 1 }}) } catch {} said + Object.keys(Object.getOwnPropertyDescriptor(Array.prototype, Symbol.toPrimitive)) }`},
	{"the running script", `looking(o => alert({toString() { if (document.currentScript !== null) throw 1; o.toString() }}))`},
	{"elements of the page", `document.documentElement.outerHTML + document.childNodes.length`},
	{"keys of Array.prototype", `Reflect.ownKeys(Array.prototype).map(String).join()`},
	{"the same function twice", `[alert === alert, alert === frame.alert, Object.is(window.alert, self.alert)].join()`},
	{"instanceof", `caught(() => ({}) instanceof alert)`},
	{"a new.target", `caught(() => Reflect.construct(Object, [], alert))`},
	{"a clone", `caught(() => structuredClone(alert))`},
	{"a state of the history", `caught(() => history.pushState(confirm, ""))`},
	{"frozen arrays, uncaught", `Object.freeze(Array.prototype); uncaught(() => alert({toString() { throw "a text" }}))`},
	{"the descriptor of toString", `JSON.stringify(Object.getOwnPropertyDescriptor(Function.prototype, "toString"))`},
	{"a frozen function", `Object.isFrozen(Object.freeze(alert)) + Reflect.ownKeys(alert).join()`},
	{"another prototype", `alert.__proto__ = null; String(Object.getPrototypeOf(alert))`},
}

// What is left; RATIONALE.md says why.
var tells = []struct{ name, expression string }{
	{"toString of what is no function, caught", `caught(() => Function.prototype.toString.call({}))`},
	{"toString of what is no function, uncaught", `uncaught(() => Function.prototype.toString.call({}))`},
	{"a prototype in a circle", `Reflect.setPrototypeOf(alert, Object.create(alert))`},
	{"what has no string", `caught(() => alert(Object.create(null)))`},
	{"frozen arrays", `Object.freeze(Array.prototype); looking(o => alert(o))`},
}

func TestAPageCannotTellTheScriptFromTheBrowser(t *testing.T) {
	l := newLab(t, nil)
	with, without := l.open(byPause), l.open(noScript)
	for _, probe := range probes {
		if got, want := look(probe.expression, with, without); got != want {
			t.Errorf("%s: %s\n gives %s\n natively %s", probe.name, probe.expression, got, want)
		}
	}
}

// When the script or the browser fixes one of these, move it to the probes above.
func TestWhatAPageCanStillTell(t *testing.T) {
	l := newLab(t, nil)
	with, without := l.open(byPause), l.open(noScript)
	for _, tell := range tells {
		got, native := look(tell.expression, with, without)
		if got == native {
			t.Errorf("%s: %s gives %s also natively", tell.name, tell.expression, got)
		}
		t.Logf("%s gives %s, natively %s", tell.name, got, native)
	}
}

func look(expression string, with, without *tab) (got, native outcome) {
	for _, p := range []*tab{with, without} {
		p.load()
		p.eval(lookers)
	}
	return with.eval(expression), without.eval(expression)
}

// Where the stack overflows between the call and the conversion, what waits for it is left behind; it must harm
// nothing.
func TestAnOverflowLeavesArraysAsTheyWere(t *testing.T) {
	p := newLab(t, nil).open(noWay)
	p.equal("arrays", p.eval(`{
		const go = (n) => { n === 0 ? alert({toString() { throw "enough" }}) : go(n - 1) };
		const said = new Set();
		const overflows = (n) => { try { go(n) } catch (e) { return e instanceof RangeError } };
		let first = 1000;
		while (!overflows(first)) first += 100;
		for (let n = first - 200; n < first + 100; n++) {
			overflows(n);
			said.add(`+"`${[1, 2]}`"+`);
		}
		[...said, Object.hasOwn(Array.prototype, Symbol.toPrimitive)].join();
	}`), `"1,2,false"`)
}
