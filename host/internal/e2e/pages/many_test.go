package pages

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// allPages reads all pages of a snapshot, each with a budget, and gives the refs of the elements that a pattern names.
func (w *world) allPages(pattern *regexp.Regexp, budget time.Duration) map[string]string {
	w.t.Helper()
	found := map[string]string{}
	for n, pages := 0, 1; n < pages; n++ {
		r := w.good("browser_snapshot", args{"page": n, "timeout_ms": budget.Milliseconds()})
		snapshot := text(w.t, r, "snapshot")
		if size := utf8.RuneCountInString(snapshot); size > host.DefaultReadBudget {
			w.t.Errorf("page %d has %d characters", n, size)
		}
		for line := range strings.Lines(snapshot) {
			if name, ref := pattern.FindString(line), refPattern.FindStringSubmatch(line); name != "" && ref != nil {
				found[name] = ref[1]
			}
		}
		if r.Structured["pages"] != nil {
			if _, err := fmt.Sscan(lookUp(w.t, r, "pages"), &pages); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	return found
}

func TestTwoHundredFrames(t *testing.T) {
	w := newWorld(t, map[string]string{"/many": `<h1>Many</h1><script>for (let i = 0; i < 200; i++) {
	const f = document.createElement('iframe');
	f.srcdoc = '<input aria-label="Field ' + i + '"><button onclick="parent.said = this.previousSibling.value + ' + i + '">Send ' + i + '</button>';
	document.body.append(f);
}</script>`})
	w.open("/many")
	w.until("all frames", "browser_evaluate", args{"expression": "Array.from({length: frames.length}, (_, i) => frames[i]).filter(f => f.document.querySelector('button')).length"},
		func(r agent.Result) bool { return lookUp(t, r, "result") == "200" })
	found := w.allPages(regexp.MustCompile(`(textbox "Field|button "Send) [0-9]+"`), time.Minute)
	is(t, "elements on all pages", len(found), 400)
	w.good("browser_type", args{"ref": found[`textbox "Field 197"`], "text": "typed in "})
	w.good("browser_click", args{"ref": found[`button "Send 197"`]})
	is(t, "what the frame said", w.js("said"), `"typed in 197"`)
}

// Ten thousand elements are read within the default budget of a call, on a machine that has nothing else to do, each
// can be reached by paging, and the last ones be clicked.
func TestTenThousandElements(t *testing.T) {
	w := newWorld(t, map[string]string{"/ten": `<ul id=list></ul><script>
let text = '';
for (let i = 0; i < location.search.slice(1); i++) text += '<li><button>Order number ' + i + '</button></li>';
list.innerHTML = text;
list.onclick = e => { globalThis.clicked = e.target.textContent + ' ' + e.isTrusted };
</script>`})
	w.open("/ten?1000")
	pace := shared.Measure(func() { w.good("browser_snapshot", nil) })
	w.open("/ten?10000")
	found := w.allPages(regexp.MustCompile(`button "Order number [0-9]+"`), min(pace.Times(40, 30*time.Second), 10*time.Minute))
	is(t, "buttons on all pages", len(found), 10_000)
	w.good("browser_click", args{"ref": found[`button "Order number 9990"`]})
	is(t, "what was clicked", w.js("clicked"), `"Order number 9990 true"`)
}

func TestPagesOfOneReadingFitTogetherAndEndWithAnAction(t *testing.T) {
	w := newWorld(t, map[string]string{"/moves": `<ul id=list></ul><script>
list.innerHTML = Array.from({length: 1000}, (_, i) => '<li><button>Item ' + i + '</button></li>').join('');
globalThis.turn = () => { for (const b of document.querySelectorAll('button')) b.textContent = b.textContent.replace('Item', 'Thing') };
</script><a href="/moves#x" onclick="turn()">turn</a>`})
	w.open("/moves")
	first := w.good("browser_snapshot", nil)
	second := w.good("browser_snapshot", args{"page": 1})
	is(t, "the reading of page 1", lookUp(t, second, "token"), lookUp(t, first, "token"))
	w.good("browser_click", args{"selector": "a"})
	third := w.good("browser_snapshot", args{"page": 1})
	if lookUp(t, third, "token") == lookUp(t, first, "token") || strings.Contains(text(t, third, "snapshot"), `"Item`) {
		t.Errorf("page 1 after a click is %s", show(third))
	}
	w.open("/empty")
	w.bad("browser_snapshot", args{"page": 1}, "bad_arguments")
}

func TestInfiniteScroll(t *testing.T) {
	w := newWorld(t, map[string]string{"/endless": `<style>li { height: 80px }</style><ul id=list></ul><p id=end>loading</p><script>
let count = 0;
const more = () => { for (let i = 0; i < 20; i++, count++) { const li = document.createElement('li');
	li.innerHTML = '<button onclick="globalThis.clicked = this.textContent">Entry ' + count + '</button>'; list.append(li) } };
more();
new IntersectionObserver(seen => { if (seen.at(-1).isIntersecting && count < 400) setTimeout(more, 20) }, {rootMargin: '200px'}).observe(end);
</script>`})
	w.open("/endless")
	if snapshot := text(t, w.good("browser_snapshot", nil), "snapshot"); strings.Contains(snapshot, `"Entry 150"`) {
		t.Fatalf("all is there at once: %s", snapshot)
	}
	w.until("entry 150", "browser_scroll", args{"direction": "down"}, func(agent.Result) bool {
		return ref(w.good("browser_snapshot", nil), `"Entry 150"`) != ""
	})
	w.good("browser_click", args{"ref": w.ref(w.good("browser_snapshot", nil), `"Entry 150"`)})
	is(t, "what was clicked", w.js("clicked"), `"Entry 150"`)
}
