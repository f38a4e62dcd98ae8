package pages

import (
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A function shadow(host, mode, html) for pages that have shadow roots.
const shadow = `<script>
function shadow(host, mode, html) { const root = host.attachShadow({mode}); root.innerHTML = html; return root }
</script>`

var shadowPages = map[string]string{
	"/shadow": shadow + `<p>Before</p><div id=shut><b>Slotted</b><i>unslotted</i></div><div id=wide></div><p>After <u style="text-transform:uppercase">loud</u></p>
<iframe src="/same"></iframe><iframe src="{{127.0.0.1}}/other"></iframe><script>
shut.firstChild.slot = 'here';
shadow(shut, 'closed', 'Bare closed<p>In closed</p><slot name=here></slot><p hidden>not shown</p><details><summary>Sum</summary>folded</details><p>End of closed</p>');
shadow(shadow(wide, 'open', '<p>In open</p><div></div>').querySelector('div'), 'closed', '<button id=nested onclick="this.textContent=1">Nested</button>');
</script>`,
	"/same":  shadow + `<div id=h></div><script>shadow(h, 'closed', '<p>In the same origin</p>'); report('same')</script>`,
	"/other": shadow + `<div id=h></div><script>shadow(h, 'closed', '<p>In another process</p>'); report('other')</script>`,
}

func TestTextInClosedShadowRootsIsExtractedWhereItIsSeen(t *testing.T) {
	w := newWorld(t, shadowPages)
	w.open("/shadow")
	w.reported("same")
	w.reported("other")
	got := text(t, w.good("browser_extract_text", nil), "text")
	wanted := "Before\nBare closed\nIn closed\nSlotted\nSum\nEnd of closed\nIn open\nNested\nAfter LOUD\n\nIn the same origin\n\nIn another process"
	squeezed := strings.Join(strings.FieldsFunc(got, func(r rune) bool { return r == '\n' }), "\n")
	is(t, "the text", squeezed, strings.ReplaceAll(wanted, "\n\n", "\n"))
	is(t, "the text of the host", text(t, w.good("browser_extract_text", args{"selector": "#shut"}), "text"), "Bare closed\nIn closed\nSlotted\nSum\nEnd of closed")
	is(t, "the text of one inside", text(t, w.good("browser_extract_text", args{"selector": "#nested"}), "text"), "Nested")
	want(t, w.good("browser_extract_text", args{"max_chars": 10}), "text", `"Before\nBar"`)
}

func TestItIsWaitedForTextInClosedShadowRoots(t *testing.T) {
	w := newWorld(t, map[string]string{"/late": shadow + `<div id=h></div><iframe src="{{127.0.0.1}}/frame"></iframe><script>
const root = shadow(h, 'closed', '<p id=p>waiting</p>');
globalThis.finish = () => { root.getElementById('p').textContent = 'all   done' };
globalThis.remove = () => { root.getElementById('p').remove() };
</script>`, "/frame": shadow + `<div id=h></div><script>
const root = shadow(h, 'closed', '<p id=p></p>');
onmessage = () => { root.getElementById('p').textContent = 'framed' }; report('frame')</script>`})
	w.open("/late")
	w.reported("frame")
	soon := shared.Patience(300 * time.Millisecond).Milliseconds() // by then the page has answered that it is not there
	w.bad("browser_wait_for", args{"text": "all done", "timeout_ms": soon}, "timeout", `"all done" did not become visible`)
	w.js("void setTimeout(finish, 100)")
	want(t, w.good("browser_wait_for", args{"text": "all done"}), "state", `"visible"`)
	w.js("void setTimeout(() => frames[0].postMessage('', '*'), 100)")
	w.good("browser_wait_for", args{"text": "framed"})
	w.bad("browser_wait_for", args{"text": "all done", "state": "hidden", "timeout_ms": soon}, "timeout")
	w.js("void setTimeout(remove, 100)")
	want(t, w.good("browser_wait_for", args{"text": "all done", "state": "hidden"}), "state", `"hidden"`)
}

var selectorPages = map[string]string{
	"/selectors": shadow + `<div id=one></div><div id=two></div><iframe src="/selectors-same"></iframe><iframe src="{{127.0.0.1}}/selectors-other"></iframe><script>
const field = name => '<button class=b id=' + name + ' onclick="this.dataset.did=event.isTrusted">' + name + '</button><input id=' + name + '-field>';
shadow(one, 'open', field('in-open') + '<section><div id=inner></div></section>');
shadow(two, 'closed', field('in-closed') + '<div id=deep></div>');
shadow(one.shadowRoot.getElementById('inner'), 'closed', field('nested'));
</script>`,
	"/selectors-same":  `<button class=b id=in-frame onclick="this.dataset.did=event.isTrusted">in-frame</button><input id=in-frame-field><script>report('same')</script>`,
	"/selectors-other": shadow + `<div id=h></div><script>shadow(h, 'closed', '<button class=b id=in-other onclick="this.dataset.did=event.isTrusted">in-other</button><input id=in-other-field>'); report('other')</script>`,
}

// One rule for all tools: a selector is searched in all frames, and in open and closed shadow roots; it does not cross
// the border of one.
func TestASelectorReachesIntoFramesAndShadowRoots(t *testing.T) {
	w := newWorld(t, selectorPages)
	w.open("/selectors")
	w.reported("same")
	w.reported("other")
	for _, name := range []string{"in-open", "in-closed", "nested", "in-frame", "in-other"} {
		at := "#" + name
		want(t, w.good("browser_click", args{"selector": at}), "clicked", `"button \"`+name+`\""`)
		is(t, "the click in "+name, w.js("e => e.dataset.did", args{"selector": at}), `"true"`)
		w.good("browser_hover", args{"selector": at})
		w.good("browser_type", args{"selector": at + "-field", "text": "typed"})
		w.good("browser_press", args{"selector": at + "-field", "key": "!"})
		is(t, "the field in "+name, w.js("e => e.value", args{"selector": at + "-field"}), `"typed!"`)
		w.good("browser_wait_for", args{"selector": at})
		is(t, "the text of "+name, text(t, w.good("browser_extract_text", args{"selector": at}), "text"), name)
		r := w.good("browser_interact", args{"actions": []args{
			{"action": "fill", "selector": at + "-field", "text": "again"}, {"action": "wait_for_selector", "selector": at}, {"action": "click", "selector": at},
		}})
		want(t, r, "results.2.success", "true")
		is(t, "the field in "+name, w.js("e => e.value", args{"selector": at + "-field"}), `"again"`)
	}
	for _, across := range []string{"#two #in-closed", "body #in-open", "section #nested"} {
		w.bad("browser_click", args{"selector": across, "timeout_ms": 4000}, "no_element")
		w.bad("browser_evaluate", args{"selector": across, "expression": "e => 1", "timeout_ms": 4000}, "no_element")
		w.bad("browser_wait_for", args{"selector": across, "timeout_ms": int(shared.Patience(300 * time.Millisecond).Milliseconds())}, "timeout")
	}
	// The first match is that of the document, then that of its shadow roots, then that of the frames.
	is(t, "the first of all", w.js("e => e.id", args{"selector": ".b"}), `"in-open"`)
	w.bad("browser_click", args{"selector": "::::"}, "bad_arguments", "::::")
	w.bad("browser_evaluate", args{"selector": "::::", "expression": "e => 1"}, "bad_arguments", "::::")
}

func TestAFormWhoseFieldsHideItsPropertiesIsRead(t *testing.T) {
	w := newWorld(t, map[string]string{"/clobber": shadow + `<form id=f>Form text<input name=innerText><input name=shadowRoot><input name=children>
<input name=textContent><input name=id><button id=b type=button onclick="report('clicked')">b</button></form><div id=h></div><script>shadow(h, 'closed', 'in shadow')</script>`})
	w.open("/clobber")
	if got := text(t, w.good("browser_extract_text", nil), "text"); !strings.Contains(got, "in shadow") {
		t.Errorf("the text is %q", got)
	}
	w.good("browser_extract_text", args{"selector": "form"})
	w.good("browser_click", args{"selector": "#b"})
	w.reported("clicked")
}
