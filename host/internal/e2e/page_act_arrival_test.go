package e2e

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// unhurried gives enough time for any action on a busy machine.
func (w *world) unhurried() context.Context {
	w.t.Helper()
	return within(w.t, w.ctx, 40*time.Second)
}

func TestInputThatTheBrowserDropsIsAnError(t *testing.T) {
	w := newWorldAsking(t, map[string]string{
		// The page does what it can to look as if it got input.
		"/deaf": hearing + `<a id=tel href="tel:12345">call</a><input id=c type=checkbox><script>
setInterval(() => {
	for (const type of ["pointerdown", "pointermove", "pointerover", "click"]) b.dispatchEvent(new PointerEvent(type, {bubbles: true, composed: true}));
	f.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true})); b.click(); dispatchEvent(new WheelEvent("wheel"));
}, 1);
globalThis.hermesInputArrived = () => {}; performance.eventCounts.__proto__.get = () => Math.random();
</script>`,
	})
	w.open("/deaf")
	acted, err := w.Tab("").Click(w.unhurried(), host.BySelector("#tel"), nil)
	if err != nil || !strings.Contains(acted.NotNavigated, "(tel:)") {
		t.Fatalf("%+v, %v", acted, err)
	}
	for err == nil { // it takes the browser a moment to ask whether to call
		_, err = w.Tab("").Press(w.unhurried(), "Shift", nil)
	}
	wantError(t, err, host.ErrNotDelivered)
	at := func(id string) host.Locator { return host.Locator{Selector: "#" + id} }
	for name, act := range map[string]func() (host.ActionResult, error){
		"click": func() (host.ActionResult, error) {
			return w.Tab("").Click(w.unhurried(), at("b"), nil)
		},
		"hover": func() (host.ActionResult, error) { return w.Tab("").Hover(w.unhurried(), at("b"), nil) },
		"type": func() (host.ActionResult, error) {
			return w.Tab("").Type(w.unhurried(), at("f"), "text", nil)
		},
		"press": func() (host.ActionResult, error) {
			return w.Tab("").Press(w.unhurried(), "a", &host.PressOptions{Locator: at("f")})
		},
		"check": func() (host.ActionResult, error) { return w.Tab("").Check(w.unhurried(), at("c"), true, nil) },
		"drag":  func() (host.ActionResult, error) { return w.Tab("").Drag(w.unhurried(), at("b"), at("f"), nil) },
		"scroll": func() (host.ActionResult, error) {
			return w.Tab("").Scroll(w.unhurried(), nil)
		},
		"scrolled": func() (host.ActionResult, error) {
			return w.Tab("").Scroll(w.unhurried(), &host.ScrollOptions{Locator: at("b")})
		},
	} {
		_, err := act()
		wantError(t, err, host.ErrNotDelivered)
		if err != nil && !strings.Contains(err.Error(), "dialog of its own over the tab, about a URL for another program (tel:)") {
			t.Errorf("%s does not say why: %v", name, err)
		}
		want(t, name, host.CodeOf(err), host.ErrNotDelivered)
	}
	want(t, "the field", w.evaluate("f.value"), `""`)
	loaded, err := w.Tab("").Navigate(w.ctx, w.url("localhost", "/deaf"), nil)
	if err != nil || !loaded.InputRecovered {
		t.Fatalf("%+v, %v", loaded, err)
	}
	back, err := w.Tab("").Back(w.ctx)
	if err != nil || back.Navigated != w.url("localhost", "/deaf") {
		t.Fatalf("back, past the address by way of which the tab was fixed: %+v, %v", back, err)
	}
	if _, err := w.Tab("").Type(w.unhurried(), at("f"), "text", nil); err != nil {
		t.Errorf("the tab got no input after its page was loaded again: %v", err)
	}
	want(t, "the field", w.evaluate("f.value"), `"text"`)
}

// A tab that got its input back by itself keeps its page.
func TestATabThatWasDeafIsLeftInPeaceOnceItHears(t *testing.T) {
	w := newWorldAsking(t, map[string]string{"/deaf": `<a href="tel:12345">call</a>`, "/page": `<input id=f>`})
	w.open("/deaf")
	_, err := w.Tab("").Click(w.unhurried(), host.BySelector("a"), nil)
	for err == nil { // it takes the browser a moment to ask whether to call
		_, err = w.Tab("").Press(w.unhurried(), "Shift", nil)
	}
	wantError(t, err, host.ErrNotDelivered)
	other := w.url("127.0.0.1", "/page")
	w.evaluate("location = '" + other + "'; 0")
	w.await("the other site", func(s *host.Snapshot) bool { return s.Page().URL == other && s.Page().Ready })
	if _, err := w.Tab("").Type(w.unhurried(), host.BySelector("#f"), "text", nil); err != nil {
		t.Fatal(err)
	}
	loaded, err := w.Tab("").Navigate(w.ctx, other+"#part", nil)
	if err != nil || loaded.InputRecovered {
		t.Errorf("%+v, %v", loaded, err)
	}
	want(t, "the field", w.evaluate("f.value"), `"text"`)
}

func TestInputThatAnotherElementGetsIsAnErrorThatNamesIt(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<input id=one aria-label=One><input id=two aria-label=Two>
<script>one.onfocus = () => two.focus()</script>`}, host.TaskOptions{})
	for _, tc := range []struct {
		name, met string
		act       func(host.Tab, context.Context) error
	}{
		{"type", `textbox "Two"`, func(tab host.Tab, ctx context.Context) error {
			_, err := tab.Type(ctx, host.BySelector("#one"), "x", nil)
			return err
		}},
		{"press", `textbox "Two"`, func(tab host.Tab, ctx context.Context) error {
			_, err := tab.Press(ctx, "a", &host.PressOptions{Locator: host.BySelector("#one")})
			return err
		}},
	} {
		w.open("/page")
		err := tc.act(w.Tab(""), w.unhurried())
		var not *host.NotDeliveredError
		if !errors.As(err, &not) || !strings.Contains(not.Met, tc.met) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

func TestInputIsHeardOfThoughThePageStopsItsEvents(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<div style="height: 3000px"><button id=b>press me</button><input id=f></div><script>
globalThis.heard = {};
for (const type of ["pointerdown", "pointermove", "pointerover", "keydown", "beforeinput", "input", "wheel"]) {
	addEventListener(type, e => { heard[type] = true; e.stopImmediatePropagation() }, true);
}
</script>`}, host.TaskOptions{})
	w.open("/page")
	if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#b"), nil); err != nil {
		t.Errorf("click: %v", err)
	}
	if _, err := w.Tab("").Type(w.unhurried(), host.BySelector("#f"), "aé", nil); err != nil {
		t.Errorf("type: %v", err)
	}
	if _, err := w.Tab("").Scroll(w.unhurried(), nil); err != nil {
		t.Errorf("scroll: %v", err)
	}
	if _, err := w.Tab("").Hover(w.unhurried(), host.BySelector("#f"), nil); err != nil {
		t.Errorf("hover: %v", err)
	}
	want(t, "the field", w.evaluate("f.value === 'aé'"), "true")
	want(t, "what the page stopped", w.evaluate("Object.keys(heard).sort().join()"), `"beforeinput,input,keydown,pointerdown,pointermove,pointerover,wheel"`)
	want(t, "what the page knows of it", w.evaluate("typeof hermesInputArrived"), `"undefined"`)
}

func TestInputArrivesInEveryPlace(t *testing.T) {
	// What input does here it does without scripts, too.
	const things = `<textarea id=ID aria-label=ID></textarea><details id=ID-more><summary id=ID-press>more</summary></details>
<input id=ID-box type=checkbox><br><input id=ID-range type=range style="width: 100px"><b id=ID-end style="margin-left: 20px">end</b><div style="height: 2000px"></div>`
	in := func(id string) string { return strings.ReplaceAll(things, "ID", id) }
	w := newWorld(t, map[string]string{
		"/page": `<style>iframe { width: 300px; height: 150px; display: block }</style>` + in("top") + `<div id=host></div>
<iframe src="/same"></iframe><iframe sandbox="" src="/sandboxed"></iframe><iframe src="{{127.0.0.1}}/other"></iframe>
<script>host.attachShadow({mode: "closed"}).innerHTML = ` + "`" + in("shadowed") + "`" + `; onload = () => report("loaded")</script>`,
		"/same":      in("same") + `<iframe srcdoc='` + in("srcdoc") + `'></iframe>`,
		"/sandboxed": in("sandboxed"),
		"/other":     in("other") + `<iframe src="{{127.0.0.2}}/deep"></iframe>`,
		"/deep":      in("deep"),
	}, host.TaskOptions{})
	w.open("/page")
	w.reported("loaded")
	for _, id := range []string{"top", "shadowed", "same", "srcdoc", "sandboxed", "other", "deep"} {
		t.Run(id, func(t *testing.T) {
			w := w.in(t)
			l := host.Locator{Selector: "#" + id}
			if _, err := w.Tab("").Type(w.unhurried(), l, "aé", nil); err != nil {
				t.Fatalf("type: %v", err)
			}
			if _, err := w.Tab("").Press(w.unhurried(), "b", nil); err != nil {
				t.Errorf("press: %v", err)
			}
			if _, err := w.Tab("").Press(w.unhurried(), "c", &host.PressOptions{Locator: l}); err != nil {
				t.Errorf("press on it: %v", err)
			}
			if _, err := w.Tab("").Hover(w.unhurried(), l, nil); err != nil {
				t.Errorf("hover: %v", err)
			}
			if _, err := w.Tab("").Scroll(w.unhurried(), &host.ScrollOptions{Locator: l, Amount: 20}); err != nil {
				t.Errorf("scroll: %v", err)
			}
			at := func(part string) host.Locator { return host.Locator{Selector: l.Selector + part} }
			if _, err := w.Tab("").Click(w.unhurried(), at("-press"), nil); err != nil {
				t.Errorf("click: %v", err)
			}
			if _, err := w.Tab("").Click(w.unhurried(), at("-end"), nil); err != nil { // which is no control
				t.Errorf("click on a text: %v", err)
			}
			if _, err := w.Tab("").Check(w.unhurried(), at("-box"), true, nil); err != nil {
				t.Errorf("check: %v", err)
			}
			if acted, err := w.Tab("").Drag(w.unhurried(), at("-range"), at("-end"), nil); err != nil || acted.Note != "" {
				t.Errorf("drag: %q, %v", acted.Note, err)
			}
			for part, is := range map[string]string{"": "e => e.value === 'aébc'", "-more": "e => e.open", "-box": "e => e.checked", "-range": "e => e.value === '100'"} {
				value, err := w.Tab("").Evaluate(w.ctx, is, &host.EvaluateOptions{Locator: host.BySelector(l.Selector + part), World: host.WorldIsolated})
				if err != nil || string(value.Value) != "true" {
					t.Errorf("%s: %s, %v", is, value.Value, err)
				}
			}
		})
	}
}

func TestInputForAFrameArrivesInIt(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<iframe id=editor srcdoc="<body contenteditable style='height: 100px'></body>"></iframe><iframe id=local src="/in"></iframe><iframe id=other src="{{127.0.0.1}}/in" style="position: fixed; left: 200px; top: 20%; width: 60%; height: 60%"></iframe>`,
		"/in":   `<div style="height: 3000px"></div><script>onpointerdown = () => report(location.host, 'pressed'); onwheel = () => report('wheel', location.host)</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	for id, place := range map[string]string{"local": "localhost", "other": "127.0.0.1"} {
		if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#"+id), nil); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		want(t, id, w.reported(place+":"+w.port), `"pressed"`)
	}
	if _, err := w.Tab("").Type(w.unhurried(), host.BySelector("#editor"), "text", nil); err != nil {
		t.Error(err)
	}
	want(t, "the editor", w.evaluate("editor.contentDocument.body.innerText"), `"text"`)
	if _, err := w.Tab("").Scroll(w.unhurried(), nil); err != nil {
		t.Error(err)
	}
	want(t, "the wheel over the middle of the viewport", w.reported("wheel"), `"127.0.0.1:`+w.port+`"`)
}

func TestASelectionThatThePageTakesBackIsAnError(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<select id=s onchange="this.selectedIndex = 0"><option>one<option>two</select>`,
	}, host.TaskOptions{})
	w.open("/page")
	_, err := w.Tab("").Select(w.unhurried(), host.BySelector("#s"), []string{"two"}, nil)
	wantError(t, err, host.ErrNotActionable)
	acted, err := w.Tab("").Select(w.unhurried(), host.BySelector("#s"), []string{"one"}, nil)
	if err != nil || !slices.Equal(acted.Selected, []string{"one"}) {
		t.Errorf("%v, %v", acted.Selected, err)
	}
}

// What a page announces can be lost when its document is replaced, and nobody can be asked any more whether it received
// the input. The next document may look the same: what is clicked there once more is ordered twice.
func TestInputAfterWhichAnotherDocumentIsThereIsNotRepeated(t *testing.T) {
	t.Parallel()
	p := newProxy(t, common.Address(t))
	w := newWorldOn(t, p.address, host.Options{}, map[string]string{
		"/page": `<form action="/page" onsubmit="sessionStorage.orders = Number(sessionStorage.orders ?? 0) + 1"><button id=order>Order</button></form>`,
	}, host.TaskOptions{})
	w.open("/page")
	p.lose(`"name":"hermesInputArrived"`)
	order := host.BySelector("#order")
	const orders = 10
	for name, act := range map[string]func(context.Context) (host.ActionResult, error){
		"click": func(ctx context.Context) (host.ActionResult, error) { return w.Tab("").Click(ctx, order, nil) },
		"press": func(ctx context.Context) (host.ActionResult, error) {
			return w.Tab("").Press(ctx, "Enter", &host.PressOptions{Locator: order})
		},
	} {
		w.evaluate("sessionStorage.clear()")
		for range orders {
			acted, err := act(within(t, w.ctx, shared.Patience(time.Minute)))
			if err != nil || acted.Navigated == "" {
				t.Fatalf("%s: %s, %v", name, shared.Dump(acted), err)
			}
		}
		want(t, "orders with "+name, w.evaluate("Number(sessionStorage.orders)"), strconv.Itoa(orders))
	}
}

// A look at what was heard takes six commands. Where the page announces the input it is not taken, and listening goes
// along with what is asked anyway: less than a look is left to each of these numbers, so one more is too many.
func TestTheProofOfAnArrivalTakesNoCommandsMoreThanItHas(t *testing.T) {
	t.Parallel()
	p := newProxy(t, common.Address(t))
	w := newWorldOn(t, p.address, host.Options{}, map[string]string{"/page": dragged + `<input id=f>`}, host.TaskOptions{})
	w.open("/page")
	at := func(id string) host.Locator { return host.Locator{Selector: "#" + id} }
	for name, tc := range map[string]struct {
		most int
		act  func() (host.ActionResult, error)
	}{
		"click": {55, func() (host.ActionResult, error) {
			return w.Tab("").Click(w.unhurried(), at("to"), nil)
		}},
		"type": {76, func() (host.ActionResult, error) {
			return w.Tab("").Type(w.unhurried(), at("f"), "x", nil)
		}},
		"press": {18, func() (host.ActionResult, error) {
			return w.Tab("").Press(w.unhurried(), "a", nil)
		}},
		"press on": {39, func() (host.ActionResult, error) {
			return w.Tab("").Press(w.unhurried(), "a", &host.PressOptions{Locator: at("f")})
		}},
		"drag": {125, func() (host.ActionResult, error) { return w.Tab("").Drag(w.unhurried(), at("from"), at("to"), nil) }},
	} { // in any order: a press where the body has the focus takes one more
		var took []int // a wait repeats its question, so the fewest count
		for range 8 {
			before := p.passed()[toBrowser]
			if _, err := tc.act(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			took = append(took, p.passed()[toBrowser]-before)
		}
		if slices.Min(took) > tc.most {
			t.Errorf("%s took %d commands, and not at most %d", name, took, tc.most)
		}
	}
}

// Chromium keeps a move of the pointer for the page's next frame, unless another event follows. What an animation moves
// is there only in that frame, so there the move has to wait for it.
func TestTheMoveBeforeAPressWaitsForNoFrame(t *testing.T) {
	t.Parallel()
	p := newProxy(t, common.Address(t))
	w := newWorldOn(t, p.address, host.Options{}, map[string]string{"/page": `<style>@keyframes move { from { margin-left: 1px } to { margin-left: 2px } }
#moving { animation: move 1s infinite alternate }</style><button id=still>still</button><button id=moving>moving</button>`}, host.TaskOptions{})
	w.open("/page")
	for id, want := range map[string]bool{"still": true, "moving": false} {
		p.delay(toBrowser, `"isSystemKey":true`)
		if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#"+id), nil); err != nil {
			t.Fatal(err)
		}
		if p.delays() != want {
			t.Errorf("a click on what is %s sent the event that ends the wait: %t", id, p.delays())
		}
		if p.delays() {
			p.release(t)
		}
	}
}

func TestATabThatWasDeafIsMendedByGoingBackAndByAReload(t *testing.T) {
	w := newWorldAsking(t, map[string]string{"/first": `<input id=f>`, "/deaf": `<input id=f><a href="tel:12345">call</a>`})
	for name, tc := range map[string]struct {
		move func() (host.ActionResult, error)
		to   string
	}{
		"reload": {func() (host.ActionResult, error) { return w.Tab("").Reload(w.ctx) }, "/deaf"},
		"back":   {func() (host.ActionResult, error) { return w.Tab("").Back(w.ctx) }, "/first"},
	} {
		w.open("/first")
		w.open("/deaf")
		_, err := w.Tab("").Click(w.unhurried(), host.BySelector("a"), nil)
		for err == nil { // it takes the browser a moment to ask whether to call
			_, err = w.Tab("").Press(w.unhurried(), "Shift", nil)
		}
		wantError(t, err, host.ErrNotDelivered)
		acted, err := tc.move()
		if err != nil || acted.Document == nil || !acted.Document.InputRecovered || acted.Document.URL != w.url("localhost", tc.to) {
			t.Errorf("%s: %s, %v", name, shared.Dump(acted), err)
		}
		if _, err := w.Tab("").Type(w.unhurried(), host.BySelector("#f"), "text", nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if acted, err := w.Tab("").Reload(w.ctx); err != nil || acted.Document == nil || acted.Document.InputRecovered {
			t.Errorf("%s: a reload of a tab that hears: %s, %v", name, shared.Dump(acted), err)
		}
	}
}
