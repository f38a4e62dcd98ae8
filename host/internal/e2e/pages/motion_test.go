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
