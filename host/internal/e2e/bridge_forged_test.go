package e2e

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestWhatAPageForgesNeverBecomesADialog(t *testing.T) {
	t.Parallel()
	b := newBridgeBench(t, nil)
	w := b.world(t, host.TaskOptions{Scope: host.ScopeContext})
	w.visit(b.https("/empty"))
	w.start("confirm('genuine')") // so that the page can look at how the script asks
	w.dialog()
	w.answer(host.DialogResponse{Accept: true})

	// A page learns the name of the script from an error that nobody catches, and pauses in a script of its own of the
	// same name.
	want(t, "the page", w.evaluate(`(async () => {
		const name = await new Promise((known) => {
			addEventListener('error', (e) => known((e.filename.match(/hermes-bridge-[0-9a-z]+\.js/) ?? [''])[0]), {once: true});
			setTimeout(() => Function.prototype.toString.call({}));
		});
		(0, eval)("(() => { const hermes = {request: '4:abcd5:alert6:forged0:1:10:', seen: false, answer: undefined}; debugger; globalThis.answered = hermes.answer })()\n//# sourceURL=" + name);
		eval('debugger');
		return (name !== '') + ' ' + globalThis.answered;
	})()`), `"true undefined"`)

	// And it asks the script's address by itself, many at a time.
	want(t, "the page", w.evaluate(`Promise.allSettled(Array.from({length: 200}, (_, i) =>
		fetch('https://hermes-bridge.invalid/?' + encodeURIComponent('4:abcd5:alert6:forged0:1:' + i % 10 + '0:')))).then((all) => all.every((r) => r.status === 'rejected'))`), "true")
	want(t, "dialogs", len(w.quiet().RecentDialogs), 1)
	w.works(b)
}
