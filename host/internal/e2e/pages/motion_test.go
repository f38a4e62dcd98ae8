package pages

import "testing"

func TestAnElementThatSlidesInIsClickedWhereItComesToRest(t *testing.T) {
	w := newWorld(t, map[string]string{"/slide": `<style>
@keyframes in { from { transform: translateX(-600px) } } #b { animation: in 700ms ease-out; width: 100px }
@keyframes round { to { transform: rotate(360deg) } } #spin { animation: round 2s linear infinite; width: 120px; display: inline-block; margin-top: 150px } /* where it covers nothing */
@keyframes across { to { transform: translateX(600px) } } #drives { animation: across 1s linear infinite; width: 120px }
@keyframes fade { from { opacity: 0 } } #fades { animation: fade 500ms }
</style><button id=opens onclick="document.getElementById('late').hidden = false">open</button>
<div id=late hidden><button id=b onclick="this.dataset.at = event.clientX + ',' + event.isTrusted">slides</button></div>
<button id=fades onclick="this.textContent = 'clicked'">fades</button><br><button id=spin onclick="this.textContent = 'stopped'">spins</button>
<p><button id=drives onclick="this.textContent = 'stopped'">drives</button>`})
	w.open("/slide")
	w.good("browser_click", args{"selector": "#opens"})
	w.good("browser_click", args{"selector": "#b"})
	within := `e => { const r = e.getBoundingClientRect(), [x, trusted] = e.dataset.at.split(','); return trusted === 'true' && x >= r.left && x <= r.right }`
	is(t, "the click is within where it rests", w.js(within, args{"selector": "#b"}), "true")
	w.good("browser_click", args{"selector": "#fades"})
	w.good("browser_click", args{"selector": "#spin"}) // its middle stays where it is
	is(t, "the one that spins", w.js("document.getElementById('spin').textContent"), `"stopped"`)

	// One that never rests is refused, unless two looks within one frame find it at one place: then it is pressed there.
	for try := 1; ; try++ {
		a := args{"selector": "#drives", "timeout_ms": 10000}
		r := w.call("browser_click", a)
		if r.IsError || try == 3 {
			want(t, w.failed(r, "browser_click", a, "not_actionable", "moving", "force"), "obstacle", `"moving"`)
			break
		}
		is(t, "the one that drives", w.js("document.getElementById('drives').textContent"), `"stopped"`)
		w.js("document.getElementById('drives').textContent = 'drives'")
	}
}

func TestAnOverlayIsNamedAndClosedFirst(t *testing.T) {
	w := newWorld(t, map[string]string{"/overlay": `<button id=buy onclick="this.textContent = 'bought'">Buy</button>
<div id=consent role=dialog aria-label="Cookies" style="position:fixed;inset:0;background:#0008"><button id=agree style="position:absolute;bottom:0" onclick="close_()">Agree</button></div>
<div id=veil style="position:fixed;inset:0;display:none;transition:opacity 300ms;background:#fff8"></div><script>
function close_() { consent.remove(); veil.style.display = 'block'; requestAnimationFrame(() => { veil.style.opacity = 0 });
	setTimeout(() => veil.remove(), 400) }
</script>`})
	w.open("/overlay")
	page := w.good("browser_snapshot", nil)
	r := w.bad("browser_click", args{"ref": w.ref(page, `"Buy"`), "timeout_ms": 10000}, "not_actionable", "covered", "Cookies", "#consent")
	want(t, r, "obstacle", `"covered"`)
	is(t, "the button", w.js("buy.textContent"), `"Buy"`)
	w.good("browser_click", args{"ref": w.ref(page, `"Agree"`)})
	w.good("browser_click", args{"ref": w.ref(page, `"Buy"`), "wait_for_hidden": "#veil"})
	is(t, "the button", w.js("buy.textContent"), `"bought"`)
}

// To Chromium an element below a bar that stays in place while the page scrolls is in view. People scroll on.
func TestWhatIsBelowABarIsScrolledToWhereItIsSeen(t *testing.T) {
	w := newWorld(t, map[string]string{"/bars": `<!doctype html><style>html { scroll-behavior: smooth } body { margin: 0 } header, footer { position: sticky; top: 0; height: 120px; background: #ccc }
footer { position: fixed; top: auto; bottom: 0; width: 100% } #box { height: 150px; overflow: auto } #box header { height: 60px } button { display: block }</style>
<header>Head</header><p style="height: 560px">text</p><button id=low>Low</button><p style="height: 100px">text</p>
<div id=box><header>Box</header><p style="height: 500px">rows</p><button id=in>In the box</button><p style="height: 500px">rows</p></div><p style="height: 900px">text</p><footer>Foot</footer>
<div id=veil hidden style="position:fixed;inset:0"></div>
<script>globalThis.log = []; addEventListener("click", e => log.push(e.target.id))</script>`})
	w.open("/bars")
	for _, id := range []string{"low", "in"} {
		w.good("browser_click", args{"selector": "#" + id})
	}
	w.js("scrollTo({top: low.offsetTop - 60, behavior: 'instant'})") // below the header
	w.good("browser_click", args{"selector": "#low"})
	// Below the header of the box.
	w.js("box.scrollTo({top: document.getElementById('in').offsetTop - box.offsetTop - 30, behavior: 'instant'})")
	w.good("browser_click", args{"selector": "#in"})
	// What is in the way wherever it is scrolled to is named, and not the bar that it is below at last.
	w.js("document.body.insertAdjacentHTML('beforeend', '<aside id=mask style=\"position:absolute;left:0;width:200px;height:60px\"></aside>'), mask.style.top = low.offsetTop - 20 + 'px', 0")
	w.bad("browser_click", args{"selector": "#low", "timeout_ms": 5000}, "not_actionable", "covered", "#mask")
	w.js("mask.remove()")
	w.js("veil.hidden = false, setTimeout(() => { veil.hidden = true }, 1500), scrollTo({top: low.offsetTop - 60, behavior: 'instant'})")
	w.good("browser_click", args{"selector": "#low"}) // once what covers all of the page is gone
	is(t, "what was clicked", w.js("log"), `["low","in","low","in","low"]`)
}
