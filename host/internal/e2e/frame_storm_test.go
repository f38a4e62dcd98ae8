package e2e

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Frames are inserted, swapped between processes, emptied, moved and removed at any depth, without waiting for one
// another. Once the page is quiet the raw tree is Chromium's own. A failure prints the seed.
func TestAStormOfFrameOperationsEndsInChromiumsTree(t *testing.T) {
	w := newWorld(t, onSites(map[string]string{
		"/storm": stormPage, "/local": `<iframe src=/empty></iframe>`, "/in1": `<iframe src=$C/in2></iframe><iframe src=/empty></iframe>`,
		"/in2": `<iframe src=$A/empty></iframe>`, "/relay": stormPage + `<iframe src=$B/empty></iframe>`,
	}), host.TaskOptions{})
	w.keepProcesses()
	w.load("/storm")
	for round, seed := range []uint64{1, 2, uint64(time.Now().UnixNano())} {
		script := storm(rand.New(rand.NewPCG(seed, 0)), 67)
		t.Logf("round %d, seed %d", round, seed)
		w.evaluate(w.long("(async () => {" + script + "})()"))
		w.sameTree("")
	}
	// Everything goes, and nothing is left over.
	w.evaluate("document.querySelectorAll('iframe').forEach(f => f.remove())")
	w.becomes("")
	want(t, "the page still runs", w.evaluate("1 + 1"), "2")
}

// stormPage does operations on its frames, and lets a frame with the same page do them on its own.
const stormPage = `<body><script>
function frames() { return [...document.querySelectorAll('iframe')]; }
function operate(op) {
  const list = frames(), f = list[op.at % list.length];
  if (op.deeper && f) { f.contentWindow.postMessage({...op, deeper: op.deeper - 1}, '*'); return; }
  switch (op.kind) {
  case 'insert': const n = document.createElement('iframe'); if (op.url) n.src = op.url; document.body.append(n); break;
  case 'navigate': if (f) f.src = op.url; break;
  case 'replace': if (f) f.contentWindow.location.replace(op.url); break;
  case 'srcdoc': if (f) f.srcdoc = '<iframe src=' + op.url + '></iframe>'; break;
  case 'move': if (f) document.body.append(f); break;
  case 'wrap': if (f) { const d = document.createElement('div'); f.replaceWith(d); d.append(f); } break;
  case 'remove': if (f) f.remove(); break;
  }
}
addEventListener('message', e => operate(e.data));
</script>`

// storm writes a script of n operations; between some of them it lets the page run on for a moment.
func storm(random *rand.Rand, n int) string {
	urls := []string{"$A/local", "$B/local", "$C/in2", "$B/in1", "$D/empty", "$B/relay", "$C/relay", "$A/relay", "about:blank", "data:text/html,x"}
	kinds := []string{"insert", "insert", "insert", "navigate", "navigate", "navigate", "navigate", "replace", "srcdoc", "move", "wrap", "remove"}
	var script strings.Builder
	for range n {
		fmt.Fprintf(&script, "operate({kind: %q, at: %d, url: %q, deeper: %d});", kinds[random.IntN(len(kinds))], random.IntN(100),
			urls[random.IntN(len(urls))], max(0, random.IntN(4)-1))
		if pause := random.IntN(60) - 30; pause > 0 {
			fmt.Fprintf(&script, "await new Promise(r => setTimeout(r, %d));", pause)
		}
	}
	return script.String()
}
