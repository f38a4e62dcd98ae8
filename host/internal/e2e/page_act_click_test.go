package e2e

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// actPages has one button in each place where one can be: each says that it was clicked, and whether by a person's
// event.
var actPages = map[string]string{
	"/act": `<style>iframe { border: 7px solid; margin: 3px; width: 500px; height: 400px }</style>
<button id=top onclick="report('top', event.isTrusted)">top</button>
<div id=open></div><div id=closed></div><div style="height: 3000px"></div>
<iframe src="/act-same" style="padding: 11px"></iframe><iframe src="{{127.0.0.1}}/act-one" style="transform: rotate(10deg) scale(0.8)"></iframe>
<script>
for (const mode of ["open", "closed"]) {
	const root = document.getElementById(mode).attachShadow({mode});
	root.innerHTML = "<div><p><slot></slot></p></div><button id=in-" + mode + ">in " + mode + "</button>";
	root.querySelector("button").onclick = e => report("in-" + mode, e.isTrusted);
}
</script>`,
	"/act-same": `<div style="height: 900px"></div><button id=same onclick="report('same', event.isTrusted)">same</button><iframe srcdoc="<button id=srcdoc onclick='parent.report(&quot;srcdoc&quot;, event.isTrusted)'>srcdoc</button>"></iframe>`,
	"/act-one":  `<button id=one onclick="report('one', event.isTrusted)">one</button><iframe src="{{127.0.0.2}}/act-two" style="width: 400px; height: 300px; margin-top: 700px"></iframe>`,
	"/act-two":  `<button id=two onclick="report('two', event.isTrusted)">two</button><iframe src="{{x.localhost}}/act-three"></iframe>`,
	"/act-three": `<div style="height: 400px"></div><button id=three onclick="report('three', event.isTrusted)">three</button><div id=deep></div><script>
const root = deep.attachShadow({mode: "closed"});
root.innerHTML = "<button id=in-three>in three</button>";
root.querySelector("button").onclick = e => report("in-three", e.isTrusted);
report("loaded");
</script>`,
}

// openAct loads the page and waits until its innermost frame is there.
func (w *world) openAct() {
	w.t.Helper()
	w.open("/act")
	w.reported("loaded")
	w.await("the frames", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 5 })
	if err := w.Tab("").Wait(w.ctx, host.Locator{Selector: "#srcdoc"}, host.WaitVisible); err != nil {
		w.t.Fatal(err)
	}
}

func TestAClickMeetsItsElementInEveryPlace(t *testing.T) {
	w := newWorld(t, actPages, host.TaskOptions{})
	w.openAct()
	for _, id := range []string{"top", "in-open", "in-closed", "same", "srcdoc", "one", "two", "three", "in-three"} {
		t.Run(id, func(t *testing.T) {
			w := w.in(t)
			acted, err := w.Tab("").Click(within(t, w.ctx, shared.Limit()), host.BySelector("#"+id), nil)
			if err != nil {
				t.Fatal(err)
			}
			want(t, "the event", w.reported(id), "true")
			want(t, "the element", acted.Element, `button "`+strings.ReplaceAll(id, "-", " ")+`"`)
		})
	}
}

// inVain clicks what cannot be clicked. Where the time is too short to find out, on a busy machine, it takes more.
func (w *world) inVain(l host.Locator) error {
	for limit := 4 * time.Second; ; limit *= 3 {
		_, err := w.Tab("").Click(within(w.t, w.ctx, limit), l, nil)
		if limit > time.Minute || !errors.Is(err, host.ErrTimeout) && !errors.Is(err, host.ErrRendererBusy) {
			return err
		}
	}
}

func TestAClickSaysWhatIsInTheWay(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<style>button { position: absolute; width: 150px; height: 40px; left: 10px } @keyframes move { to { transform: translateX(400px) } }</style>
<button id=covered style="top: 10px">Covered</button><div id=cover role=dialog aria-label="Cookies" style="position: absolute; inset: 0 0 auto 0; height: 60px; background: red"></div>
<button id=disabled disabled style="top: 100px">Disabled</button>
<div aria-disabled=true><button id=aria style="top: 150px">Aria</button></div>
<button id=hidden style="top: 200px; visibility: hidden">Hidden</button>
<div id=none style="display: none"><button id=within>Within</button></div>
<button id=moving style="top: 300px; animation: move 1.7s infinite linear">Moving</button>
<button id=soon disabled style="top: 400px" onclick="report('soon', 1)">Soon</button>
<button id=outside style="top: -500px">Outside</button>
<button id=forced style="top: 450px; left: 200px" onclick="report('forced', 1)">Forced</button><div style="position: absolute; top: 440px; left: 190px; width: 300px; height: 90px; pointer-events: auto" onclick="report('cover', 1)"></div>
<script>setTimeout(() => { soon.disabled = false }, 300)</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	for id, tc := range map[string]struct {
		obstacle any
		text     string
	}{
		"covered":  {host.ObstacleCovered, `button "Covered" is covered by dialog "Cookies" (selector "div#cover")`},
		"disabled": {host.ObstacleDisabled, "disabled"},
		"aria":     {host.ObstacleDisabled, "aria-disabled"},
		"hidden":   {host.ObstacleHidden, "visibility: hidden"},
		"within":   {host.ObstacleHidden, "display: none on div#none"},
		"moving":   {host.ObstacleMoving, "at rest"},
		"outside":  {host.ObstacleOutside, "visible"},
	} {
		err := w.inVain(host.Locator{Selector: "#" + id})
		var not *host.NotActionableError
		if !errors.As(err, &not) || any(not.Obstacle) != tc.obstacle || !strings.Contains(err.Error(), tc.text) || !errors.Is(err, host.ErrNotActionable) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := w.Tab("").Click(w.ctx, host.BySelector("#soon"), nil); err != nil {
		t.Errorf("what is enabled soon: %v", err)
	}
	w.reported("soon")
	if _, err := w.Tab("").Click(w.ctx, host.BySelector("#forced"), &host.ClickOptions{ActionOptions: host.ActionOptions{Force: true}}); err != nil {
		t.Errorf("with force: %v", err)
	}
	w.reported("cover")
	wantError(t, w.inVain(host.Locator{Selector: "#nothing"}), host.ErrNoElement)
	_, err := w.Tab("").Click(w.ctx, host.BySelector("::::"), nil)
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Click(w.ctx, host.Locator{}, nil)
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Click(w.ctx, host.BySelector("#soon"), &host.ClickOptions{Button: "fourth"})
	wantError(t, err, host.ErrBadArguments)
}
