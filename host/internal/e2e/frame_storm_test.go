package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Frames are inserted, swapped between processes, emptied, moved and removed at any depth, without waiting for one
// another. Once the page is quiet the raw tree is Chromium's own. A failure prints the seed.
//
// Once in a few hundred such storms Chromium 156 itself crashes, also if all that a client does is to attach. So this
// has browsers of its own, and another one after such a crash.
func TestAStormOfFrameOperationsEndsInChromiumsTree(t *testing.T) {
	t.Parallel()
	for range 3 {
		if !crashedInStorm(t) {
			return
		}
	}
	t.Error("three browsers in a row crashed")
}

// crashedInStorm reports whether the browser ended in the middle of it.
func crashedInStorm(t *testing.T) bool {
	t.Helper()
	address, process := shared.Own(t)
	w := newWorldOn(t, address, host.Options{}, map[string]string{
		"/storm": stormPage, "/local": `<iframe src=/empty></iframe>`, "/in1": `<iframe src=$C/in2></iframe><iframe src=/empty></iframe>`,
		"/in2": `<iframe src=$A/empty></iframe>`, "/relay": stormPage + `<iframe src=$B/empty></iframe>`,
	}, host.TaskOptions{})
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	go func() {
		<-process.Done()
		cancel()
	}()
	w.keepProcesses()
	w.load("/storm")
	for round, seed := range []uint64{1, 2, uint64(time.Now().UnixNano())} {
		t.Logf("round %d, seed %d", round, seed)
		script := w.long("(async () => {" + storm(rand.New(rand.NewPCG(seed, 0)), 67) + "})()")
		_, err := w.Tab("").Evaluate(ctx, script, &host.EvaluateOptions{AwaitPromise: true})
		if err == nil {
			_, err = w.agree(ctx, "")
		}
		if err == nil {
			continue
		}
		select {
		case <-process.Done():
			t.Logf("Chromium crashed: %v", process.Err())
			return true
		case <-time.After(5 * time.Second): // its end may be known later than that of the connection
			t.Fatal(err)
		}
	}
	// Everything goes, and nothing is left over.
	w.evaluate("document.querySelectorAll('iframe').forEach(f => f.remove())")
	w.becomes("")
	want(t, "the page still runs", w.evaluate("1 + 1"), "2")
	return false
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
