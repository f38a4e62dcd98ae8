//go:build !(tinygo.wasm || wasip1)

package main

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// spies replaces everything that a page can replace with functions that record their use in spied, while spying is on.
//
//go:embed testdata/spies.js
var spies string

func TestAPageThatReplacedEverythingSeesNothing(t *testing.T) {
	l := newLab(t, nil)
	for _, way := range bothWays {
		p := l.open(way.ways)
		p.equal("the spies", p.eval(spies), `undefined`)
		p.equal("the spies", p.eval(`spying = true; [1].map(x => x); spying = false; spied = spied.slice(0, 3)`), `"map"`)
		for _, expression := range []string{`confirm("a\r\nb")`, `confirm()`, `confirm(1)`} {
			done := p.start(`spying = true; said = ` + expression + `; spying = false; said`)
			p.asked().accept()
			p.equal(way.via.String(), <-done, `true`)
		}
		done := p.start(`spying = true; said = prompt("?", "default"); spying = false; said`)
		p.asked().want(way.via, abi.DialogTypePrompt, "?", "default").typed("typed")
		p.equal(way.via.String(), <-done, `"typed"`)
		p.equal("what the page saw", p.eval(`spied.slice(3)`), `""`)
	}
}

// A page that replaced everything before the script ran, in a document that is older than the supervisor, sees
// requests, but never the token of a pause.
func TestAPageThatWasThereFirstSeesNoPauseToken(t *testing.T) {
	l := newLab(t, nil)
	p := l.open(byPause)
	p.equal("the spies", p.eval(spies), `undefined`)
	p.eval(`spying = true`)
	p.eval(p.script.Source)
	done := p.start(`confirm({toString: () => "?"})`)
	p.asked().want(abi.BridgeViaPause, abi.DialogTypeConfirm, "?", "").accept()
	p.equal("confirm", <-done, `true`)
	p.eval(`spying = false`)
	noToken(t, "the spies", p.eval(`spied`))
}

// sites calls a function for each frame of the stack. The functions of strict code, and what is called by it, are
// hidden.
const sites = `function sites() {
	Error.prepareStackTrace = (_, sites) => sites;
	const all = new Error().stack;
	delete Error.prepareStackTrace;
	return all.map(s => [s.getFunctionName(), "" + s.getFunction?.(), typeof s.getThis?.(), s.getScriptNameOrSourceURL()].join(" ")).join("\n");
}`

func TestThePauseTokenIsNotOnTheStack(t *testing.T) {
	p := newLab(t, nil).open(byPause)
	p.eval(sites)
	done := p.start(`seen = ""; confirm({toString() { return seen = sites() }}); seen`)
	p.asked().dismiss()
	seen := <-done
	if strings.Contains(string(seen), p.script.SourceURL) {
		t.Errorf("the script is on the stack of a call: %s", seen)
	}
	p.eval(`Reflect.getOwnPropertyDescriptor = function () { seen = sites(); throw 1 }`)
	p.eval(p.script.Source)
	seen = p.eval(`seen`)
	if !strings.Contains(string(seen), p.script.SourceURL) {
		t.Fatalf("the script is not on the stack: %s", seen)
	}
	noToken(t, "the stack of the script", seen)
}

func noToken(t *testing.T, what string, seen outcome) {
	t.Helper()
	if strings.Contains(string(seen), pauseToken) {
		t.Errorf("%s show the token of a pause: %s", what, seen)
	}
}
