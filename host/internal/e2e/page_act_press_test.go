package e2e

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// pressLog keeps the element of each event of a press that a page receives, in the order of the events.
const pressLog = `<script>
globalThis.pressed = [];
for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"])
	document.addEventListener(type, e => { pressed.push((e.target.closest("button, dialog, div, iframe") ?? e.target).id + " " + type) }, true);
</script>`

// movingPages have a button "keep" that is not where it was once the pointer has got there, and something else is.
var movingPages = map[string]string{
	"/menu": pressLog + `<style>body { margin: 0 } ul { display: none; height: 40px; margin: 0 } nav:hover ul { display: block } button { display: block; height: 40px }</style>
<nav id=nav>Menu<ul><li>x</ul></nav><button id=keep>Keep</button><button id=delete>Delete</button>`,
	"/tooltip": pressLog + `<style>button { display: block; height: 40px } #tip { display: none; position: absolute; inset: 0; background: gold }</style>
<button id=keep onpointerenter="tip.style.display = 'block'; setTimeout(() => tip.remove(), 700)">Keep</button><div id=tip>tip</div>`,
	"/enters": pressLog + `<style>button { position: absolute; left: 10px; width: 90px; height: 40px } #keep { top: 10px } #delete { top: 10px; z-index: -1 }</style>
<button id=keep onpointerenter="this.style.top = '100px'">Keep</button><button id=delete>Delete</button>`,
	"/replaced": pressLog + `<style>button { display: block; height: 40px }</style><main><button id=keep onpointerenter="replace()">Keep</button></main><script>
function replace() { const other = keep.cloneNode(true); other.onpointerenter = null; keep.replaceWith(other) }</script>`,
	"/framed": `<style>body { margin: 0 } ul { display: none; height: 40px; margin: 0 } nav:hover ul { display: block } iframe { width: 300px; height: 300px; border: 0 }</style>
<nav id=nav>Menu<ul><li>x</ul></nav><iframe src="{{127.0.0.1}}/inner"></iframe>`,
	"/inner": pressLog + `<style>body { margin: 0 } button { display: block; height: 40px }</style><button id=keep>Keep</button><button id=delete>Delete</button><script>report("there")</script>`,
	"/flees": pressLog + `<style>button { position: absolute; left: 10px; width: 90px; height: 40px; top: 10px } #delete { z-index: -1; width: 300px; height: 300px }</style>
<button id=keep onpointermove="this.style.left = this.style.left === '110px' ? '10px' : '110px'">Keep</button><button id=delete>Delete</button>`,
	"/stays": pressLog + `<style>#tip { display: none; position: absolute; inset: 0; background: gold }</style>
<button id=keep onpointerenter="tip.style.display = 'block'">Keep</button><div id=tip role=tooltip aria-label=Tip>tip</div>`,
	"/later": pressLog + `<style>body { margin: 0 } button { display: block; height: 40px } #gap { height: 40px }</style><div id=gap></div><button id=keep>Keep</button><button id=delete>Delete</button><script>
keep.onpointermove = () => { setTimeout(() => gap.remove(), new URL(location).searchParams.get("after")) }</script>`,
}

func (w *world) pressed(frame string) string {
	w.t.Helper()
	got, err := w.Tab("").Evaluate(w.ctx, "[...new Set(pressed.map(p => p.split(' ')[0]))].join()", &host.EvaluateOptions{Locator: host.InFrame(frame)})
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.Trim(string(got.Value), `"`)
}

func TestAClickPressesWhatItWasFor(t *testing.T) {
	w := newWorld(t, movingPages, host.TaskOptions{})
	for _, path := range []string{"/menu", "/tooltip", "/enters", "/replaced", "/framed"} {
		for name, click := range map[string]func() error{
			"a click": func() error { _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#keep"), nil); return err },
			"a double click": func() error {
				_, err := w.Tab("").Click(w.unhurried(), host.BySelector("#keep"), &host.ClickOptions{Double: true})
				return err
			},
		} {
			w.open(path)
			frame := ""
			if path == "/framed" {
				w.reported("there")
				frame = w.await("the frame", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 1 }).Page().RawFrameTree.Children[0].FrameID
				w.forget()
			}
			if path == "/menu" || path == "/framed" {
				if _, err := w.Tab("").Hover(w.unhurried(), host.BySelector("#nav"), nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := click(); err != nil {
				t.Errorf("%s at %s: %v", name, path, err)
			}
			want(t, name+" at "+path, w.pressed(frame), "keep")
		}
	}
}

func TestAClickThatAnotherElementWouldGetPressesNothing(t *testing.T) {
	w := newWorld(t, movingPages, host.TaskOptions{})
	for path, by := range map[string]string{"/flees": `button "Delete"`, "/stays": `tooltip "Tip"`} {
		w.open(path)
		err := w.inVain(host.BySelector("#keep"))
		var not *host.NotActionableError
		if !errors.As(err, &not) || not.Obstacle != host.ObstacleCovered || !strings.Contains(not.By, by) {
			t.Errorf("at %s: %v", path, err)
		}
		want(t, path, w.pressed(""), "")
	}
}

// A page that changes some time after the pointer has come may do so between the last look and the press.
func TestAClickIsHeldBackWhereThePageChangesAtThatMoment(t *testing.T) {
	w := newWorld(t, movingPages, host.TaskOptions{})
	for _, after := range []string{"0", "1", "2", "3", "4", "6", "8", "10", "13", "16", "20", "25", "30", "40"} {
		w.open("/later?after=" + after)
		if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#keep"), nil); err != nil {
			t.Errorf("after %s ms: %v", after, err)
		}
		// Between a press and its release the page may change as well: the release then presses nothing.
		want(t, after, w.evaluate("[...new Set(pressed.filter(p => !/up$/.test(p)).map(p => p.split(' ')[0]).filter(Boolean))].join()"), `"keep"`)
	}
}

// A double click of which another element would get the second half ends after the first.
func TestADoubleClickOfAnElementThatGoesAwayPressesNothingElse(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": pressLog + `<style>button { display: block; height: 40px }</style>
<button id=keep onclick="this.remove()">Keep</button><button id=delete>Delete</button>`}, host.TaskOptions{})
	w.open("/page")
	_, err := w.Tab("").Click(w.unhurried(), host.BySelector("#keep"), &host.ClickOptions{Double: true})
	var not *host.NotDeliveredError
	if !errors.As(err, &not) || !not.CutShort || !strings.Contains(err.Error(), `was clicked once; the next click would have gone to button "Delete"`) {
		t.Errorf("got %v", err)
	}
	want(t, "what was pressed", w.pressed(""), "keep")
}

// What the first half of a double click makes the page draw again gets the other half, too. A button of the next row
// with the same text does not.
func TestADoubleClickOfWhatIsDrawnAgainIsOne(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": pressLog + `<main></main><p id=twice></p><script>
const rows = ["One", "Two"], main = document.querySelector("main"), twice = document.querySelector("p");
const draw = () => { main.innerHTML = rows.map(row => "<div style='height: 30px'><span>" + row + "</span> <button class=" + row + ">Delete</button></div>").join("") };
let selected = "";
main.onclick = e => {
	if (e.target.className) rows.splice(rows.indexOf(e.target.className), 1);
	if (selected !== e.target.textContent) { selected = e.target.textContent; draw() }
};
main.ondblclick = e => { twice.textContent = e.target.textContent };
draw()</script>`}, host.TaskOptions{})
	w.open("/page")
	double := &host.ClickOptions{Double: true}
	if _, err := w.Tab("").Click(w.unhurried(), host.ByText("Two"), double); err != nil {
		t.Error(err)
	}
	want(t, "what was clicked twice", w.evaluate("twice.textContent"), `"Two"`)
	_, err := w.Tab("").Click(w.unhurried(), host.BySelector(".One"), double)
	var not *host.NotDeliveredError
	if !errors.As(err, &not) || !not.CutShort {
		t.Errorf("got %v", err)
	}
	want(t, "the rows", w.evaluate("rows.join()"), `"Two"`)
}

// The guard that holds a press back goes with its action.
func TestOtherElementsArePressedAfterAnActionThatFailed(t *testing.T) {
	w := newWorld(t, movingPages, host.TaskOptions{})
	w.open("/flees")
	if _, err := w.Tab("").Click(within(t, w.ctx, shared.Patience(3*time.Second)), host.BySelector("#keep"), nil); err == nil {
		t.Fatal("it was caught")
	}
	if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#delete"), nil); err != nil {
		t.Error(err)
	}
	want(t, "what was pressed", w.pressed(""), "delete")
}

// An action waits all its time for what it needs.
func TestAClickWaitsForItsElementAsLongAsItHasTime(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/overlay": pressLog + `<button id=keep>Keep</button><div id=over style="position: fixed; inset: 0"></div><script>setTimeout(() => over.remove(), 3000)</script>`,
		"/renders": pressLog + `<main></main><script>let n = 0; const i = setInterval(() => {
	document.querySelector("main").innerHTML = "<button id=keep " + (n++ < 60 ? "disabled" : "") + ">Keep</button>"; if (n > 60) clearInterval(i) }, 50)</script>`,
		"/jumps": pressLog + `<style>button { position: relative }</style><button id=keep>Keep</button><script>
const i = setInterval(() => { keep.style.left = Math.random() * 300 + "px" }, 10); setTimeout(() => clearInterval(i), 3000)</script>`,
	}, host.TaskOptions{})
	for _, path := range []string{"/overlay", "/renders", "/jumps"} {
		for name, act := range map[string]func() error{
			"a click": func() error {
				_, err := w.Tab("").Click(within(t, w.ctx, shared.Patience(8*time.Second)), host.BySelector("#keep"), nil)
				return err
			},
			"by text": func() error {
				_, err := w.Tab("").Click(within(t, w.ctx, shared.Patience(8*time.Second)), host.ByText("Keep"), nil)
				return err
			},
		} {
			w.open(path)
			if err := act(); err != nil {
				t.Errorf("%s at %s: %v", name, path, err)
			}
			// What jumps may do so between a press and its release, which then presses nothing: it is pressed once more.
			want(t, name+" at "+path, w.evaluate("[...new Set(pressed.filter(p => !/up$/.test(p)).map(p => p.split(' ')[0]).filter(Boolean))].join()"), `"keep"`)
			want(t, "clicks by "+name+" at "+path, w.evaluate("pressed.filter(p => p === 'keep click').length"), "1")
		}
	}
}

// An element that moves when it is pressed, so that the release misses it, is not clicked by that.
func TestAPressFromWhichItsElementMovesAwayIsRepeated(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": pressLog + `<style>button { position: absolute; left: 10px; top: 10px; width: 90px }</style>
<button id=keep onpointerdown="if (moves-- > 0) this.style.top = this.offsetTop + 100 + 'px'">Keep</button><script>
let moves = +new URL(location).searchParams.get("moves")</script>`}, host.TaskOptions{})
	w.open("/page?moves=1")
	if _, err := w.Tab("").Click(w.ctx, host.BySelector("#keep"), nil); err != nil {
		t.Error(err)
	}
	want(t, "what the page got", w.evaluate("pressed.filter(p => /^keep (pointerdown|click)$/.test(p)).join()"), `"keep pointerdown,keep pointerdown,keep click"`)

	w.open("/page?moves=1000")
	err := w.inVain(host.BySelector("#keep"))
	var not *host.NotDeliveredError
	if !errors.As(err, &not) || !not.Slipped || !strings.Contains(err.Error(), `pressed on button "Keep", but each time it moved away`) {
		t.Errorf("got %v", err)
	}
	want(t, "clicks", w.evaluate("pressed.filter(p => p === 'keep click').length"), "0")
}

// A menu that opens when its button is pressed has had its press: another one would close it. That the page shifts as
// it opens, so that the release misses the button, changes nothing about that.
func TestAPressThatOpensAMenuIsNotRepeatedWhenThePageShifts(t *testing.T) {
	const open = pressLog + `<style>body { margin: 8px } h3 { margin: 20px 0 } button { display: block; height: 10px; padding: 0; font-size: 8px }</style>
<h3>Menus</h3><button id=menu aria-haspopup=menu>Menu</button><script>
let isOpen = false;
menu.onpointerdown = () => { isOpen = !isOpen; document.body.style.paddingTop = isOpen ? "1px" : ""; show(isOpen) };
const show = isOpen => { `
	w := newWorld(t, map[string]string{
		// As of a library that lets only the menu have the pointer while it is open.
		"/inert":  open + `document.body.style.pointerEvents = isOpen ? "none" : "" };</script>`,
		"/cover":  open + `const c = document.createElement("div"); c.style = "position: fixed; inset: 0"; if (isOpen) document.body.append(c) };</script>`,
		"/states": open + `menu.setAttribute("aria-expanded", isOpen) };</script>`,
	}, host.TaskOptions{})
	for _, path := range []string{"/inert", "/cover", "/states"} {
		w.open(path)
		if _, err := w.Tab("").Click(w.unhurried(), host.BySelector("#menu"), nil); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		want(t, path+" is open", w.evaluate("isOpen"), "true")
		want(t, "presses of "+path, w.evaluate("pressed.filter(p => p === 'menu pointerdown').length"), "1")
		want(t, "clicks of "+path, w.evaluate("pressed.filter(p => p === 'menu click').length"), "0") // else it shows nothing
	}
}

// A page that replaces its fields keeps no action from them.
func TestFieldsThatThePageReplacesAreActedOn(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<main></main><script>
const render = off => { document.querySelector("main").innerHTML = "<input id=field " + off + "><input type=checkbox id=box " + off + "><select id=choice " + off + "><option>a<option>b</select>" };
let n = 0;
const i = setInterval(() => { if (n++ < 60) return render("disabled"); render(""); clearInterval(i) }, 50);
</script>`}, host.TaskOptions{})
	at := func(id string) host.Locator { return host.BySelector("#" + id) }
	for expression, act := range map[string]func() error{
		"field.value":  func() error { _, err := w.Tab("").Type(w.unhurried(), at("field"), "text", nil); return err },
		"box.checked":  func() error { _, err := w.Tab("").Check(w.unhurried(), at("box"), true, nil); return err },
		"choice.value": func() error { _, err := w.Tab("").Select(w.unhurried(), at("choice"), []string{"b"}, nil); return err },
	} {
		w.open("/page")
		if err := act(); err != nil {
			t.Errorf("%s: %v", expression, err)
		}
		want(t, expression, w.evaluate(expression), map[string]string{"field.value": `"text"`, "box.checked": "true", "choice.value": `"b"`}[expression])
	}
}

// An element that moves away from the pointer, and is replaced on its way, is found again where it comes to rest.
func TestAnElementThatIsReplacedOnItsWayIsPressed(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": pressLog + `<style>button { position: absolute; left: 10px; width: 90px; top: 10px }</style>
<button id=keep>Keep</button><script>
keep.onpointerover = () => {
	const old = keep;
	let frames = 0;
	old.style.top = "200px";
	const move = () => {
		old.style.top = 200 + 5 * ++frames + "px";
		if (frames < 20) return requestAnimationFrame(move);
		const other = old.cloneNode(true);
		other.style.top = "400px";
		old.replaceWith(other);
	};
	requestAnimationFrame(move);
};</script>`}, host.TaskOptions{})
	for _, l := range []host.Locator{host.BySelector("#keep"), host.ByText("Keep"), host.ByRole("button", "Keep")} {
		w.open("/page")
		if _, err := w.Tab("").Click(w.unhurried(), l, nil); err != nil {
			t.Errorf("%v: %v", l, err)
		}
		want(t, "clicks", w.evaluate("pressed.filter(p => p === 'keep click').length"), "1")
	}
}

// While Chromium shows the suggestions of a field, keys that choose one are not the page's, and are not sent twice. It
// closes the list when another tab of the browser is used.
func TestKeysChooseFromTheSuggestionsOfAField(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/list": `<input id=field list=known onkeydown="keys += event.key + ' '"><datalist id=known><option value=beta><option value=bern></datalist><input id=plain><script>keys = ""</script>`,
	}, host.TaskOptions{})
	press := func(key string) string {
		t.Helper()
		r, err := w.Tab("").Press(w.ctx, key, nil)
		if err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		return r.Note
	}
	w.open("/list")
	if _, err := w.Tab("").Type(w.ctx, host.BySelector("#field"), "be", nil); err != nil {
		t.Fatal(err)
	}
	for note := ""; note == ""; { // the list opens a moment later
		note = press("ArrowDown")
	}
	w.evaluate(`keys = ""`)
	press("ArrowDown")
	want(t, "the keys that the page got", w.evaluate("keys"), `""`)
	if note := press("Enter"); note != "" {
		t.Errorf("Enter was %s", note)
	}
	if value := w.evaluate("field.value"); value != `"beta"` && value != `"bern"` {
		t.Errorf("the value is %s, the keys %s", value, w.evaluate("keys"))
	}
	if note := press("Escape"); note != "" { // no list is open any more
		t.Errorf("Escape was %s", note)
	}
	if _, err := w.Tab("").Click(w.ctx, host.BySelector("#plain"), nil); err != nil {
		t.Fatal(err)
	}
	if note := press("ArrowDown"); note != "" {
		t.Errorf("ArrowDown was %s", note)
	}
}

// Chromium takes some keys before the page does. In a window, it does not answer the command for one that brings
// another tab to the front, and confuses the answers to all keys after it.
func TestAKeyThatTheBrowserTakesIsRefused(t *testing.T) {
	w := newWorld(t, map[string]string{"/keys": `<!doctype html><script>keys = []; addEventListener('keydown', e => { keys.push(e.key) })</script>`}, host.TaskOptions{})
	w.open("/keys")
	for _, key := range []string{"Ctrl+T", "Ctrl+Tab", "ctrl+shift+n", "Ctrl+W"} {
		if _, err := w.Tab("").Press(w.unhurried(), key, nil); !errors.Is(err, host.ErrBadArguments) {
			t.Errorf("%s: %v", key, err)
		}
	}
	if _, err := w.Tab("").Press(w.unhurried(), "Ctrl+B", nil); err != nil {
		t.Error(err)
	}
	want(t, "what the page heard", w.evaluate(`keys.join(" ")`), `"Control b"`)
	want(t, "tabs", len(w.Snapshot().Targets), 1)
}
