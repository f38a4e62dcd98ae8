package e2e

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// stuckPage has something for each action whose handler never ends, in the top frame, and the same page in frames of
// the same process and of others. What the handlers do first is kept.
const stuckControls = `<style>* { margin: 2px } #drop { width: 60px; height: 20px } #wheel { height: 30px; width: 100px; overflow: auto }</style>
<script>
globalThis.kept = 0;
function spin() { kept++; while (true) {} }
function spinLater() { kept++; setTimeout(() => { while (true) {} }) }
function spinSoon() { kept++; setTimeout(() => { while (true) {} }, 50) }
</script>
<button id=click onclick="spin()">click</button><button id=down onpointerdown="spin()" onmousedown="spin()">down</button>
<button id=later onclick="spinLater()">later</button><button id=soon onpointerdown="spinSoon()">soon</button><button id=twice ondblclick="spin()">twice</button>
<button id=over onmouseenter="spin()">over</button><input id=field oninput="spin()"><input id=key onkeydown="spin()">
<select id=choice onchange="spin()"><option>a<option>b</select><input type=checkbox id=box onchange="spin()">
<input type=file id=file onchange="spin()"><button id=from draggable=true ondragstart="spin()">from</button><div id=drop>drop</div>
<button id=focus onfocus="spin()">focus</button><div id=wheel onscroll="spin()"><div style="height: 2000px">wheel</div></div>`

var stuckPages = map[string]string{
	"/stuck":        stuckControls + `<iframe src="/stuck-same" width=600 height=260></iframe><iframe src="{{127.0.0.1}}/stuck-far" width=600 height=260></iframe>`,
	"/stuck-same":   stuckControls,
	"/stuck-far":    stuckControls + `<script>report("there")</script>`,
	"/stuck-spins":  `<p>spins<script>report("spins").finally(() => { while (true) {} })</script>`,
	"/stuck-other":  `<p>other`,
	"/stuck-blurs":  `<input id=here onblur="kept = 1; while (true) {}" autofocus><iframe src="{{127.0.0.1}}/stuck-far" width=600 height=260></iframe>`,
	"/stuck-opener": `<button onclick="const r = new XMLHttpRequest(); r.open('POST', '/report/spins', false); r.send('1'); while (true) {}">spin</button>`,
}

// openStuck loads the page, and gives its frames by the end of their addresses.
func (w *world) openStuck(path string, frames int) map[string]string {
	w.t.Helper()
	w.open(path)
	w.reported("there")
	ids := map[string]string{"/stuck": ""}
	s := w.await("the frames", func(s *host.Snapshot) bool {
		loaded := 0
		for _, f := range s.Page().RawFrameTree.Children {
			if strings.Contains(f.URL, "/stuck-") {
				loaded++
			}
		}
		return loaded == frames
	})
	for _, f := range s.Page().RawFrameTree.Children {
		ids[f.URL[strings.LastIndex(f.URL, "/"):]] = f.FrameID
	}
	return ids
}

// stuckActions does each action on the page.
var stuckActions = map[string]func(w *world, at func(id string) host.Locator) error{
	"a click": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Click(w.ctx, at("click"), nil)
		return err
	},
	"a press of the button with two handlers": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Click(w.ctx, at("down"), nil)
		return err
	},
	"a click whose handler leaves it for later": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Click(w.ctx, at("later"), nil)
		return err
	},
	"a double click": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Click(w.ctx, at("twice"), &host.ClickOptions{Double: true})
		return err
	},
	"hovering": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Hover(w.ctx, at("over"), nil)
		return err
	},
	"typing": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Type(w.ctx, at("field"), "ab", nil)
		return err
	},
	"pressing a key": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Press(w.ctx, "Enter", &host.PressOptions{Locator: at("key")})
		return err
	},
	"the focus": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Press(w.ctx, "a", &host.PressOptions{Locator: at("focus")})
		return err
	},
	"selecting": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Select(w.ctx, at("choice"), []string{"b"}, nil)
		return err
	},
	"checking": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Check(w.ctx, at("box"), true, nil)
		return err
	},
	"uploading": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Upload(w.ctx, at("file"), []string{"stuck_act_test.go"}, nil)
		return err
	},
	"dragging": func(w *world, at func(string) host.Locator) error {
		_, err := w.Tab("").Drag(w.ctx, at("from"), at("drop"), nil)
		return err
	},
	"scrolling": func(w *world, at func(string) host.Locator) error {
		if _, err := w.Tab("").Hover(w.ctx, at("wheel"), nil); err != nil { // now it is known to be in view
			return err
		}
		_, err := w.Tab("").Scroll(w.ctx, &host.ScrollOptions{Locator: at("wheel"), Amount: 50})
		return err
	},
}

// actLimit is enough for every action that ends.
const actLimit = 2 * time.Second

func TestAnActionWhoseHandlerNeverEndsIsEndedAndTheNextCallWorks(t *testing.T) {
	for _, place := range []string{"/stuck", "/stuck-same", "/stuck-far"} {
		t.Run(place, func(t *testing.T) {
			w := newWorldAlone(t, stuckPages, host.TaskOptions{})
			for name, act := range stuckActions {
				err := w.actInVain(place, act)
				var stopped *host.StoppedError
				if !errors.As(err, &stopped) || !wasEnded(stopped) || !stopped.Sent || host.CodeOf(err) != host.ErrTimeout {
					t.Errorf("%s: %v", name, err)
				}
				if err != nil && !strings.Contains(err.Error(), "what it did until then remains") {
					t.Errorf("%s does not say that its effects remain: %v", name, err)
				}
			}
		})
	}
}

// actInVain does an action whose handler never ends, and makes sure that all frames answer afterwards. On a busy
// machine the time may be over before the action has met the handler: it is then done once more, with more time. A
// handler takes the processor for as long as that, so the time is short at first.
func (w *world) actInVain(place string, act func(*world, func(string) host.Locator) error) error {
	w.t.Helper()
	for more := 1; ; more *= 2 {
		var frame string
		pace := shared.Measure(func() { frame = w.openStuck("/stuck", 2)[place] })
		limit := pace.Times(more, time.Duration(more)*actLimit/4)
		limited := *w
		limited.ctx = within(w.t, w.ctx, limit)
		err := act(&limited, func(id string) host.Locator {
			return host.Locator{Selector: "#" + id, FrameID: frame}
		})
		w.kept("")
		if got := w.kept(frame); got != "0" || limit > shared.Limit()/4 {
			return err
		}
	}
}

// kept is what the handlers of a frame have done.
func (w *world) kept(frame string) string {
	w.t.Helper()
	got, err := w.Tab("").Evaluate(within(w.t, w.ctx, shared.Limit()/4), "kept", &host.EvaluateOptions{Locator: host.InFrame(frame)})
	if err != nil {
		w.t.Errorf("the next call, in %q: %v", frame, err)
	}
	return string(got.Value)
}

// On a busy machine, input can reach the page when its action has just ended, and what a handler leaves for later
// begins after the reply to the input. The main thread that runs it need not be that of the page, which gets the
// input.
func TestAHandlerThatBeginsAfterTheEndOfItsActionIsEnded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ place, element string }{
		"in the page":                       {"/stuck", "down"},
		"later, in the page":                {"/stuck", "soon"},
		"later, in a frame of another site": {"/stuck-far", "soon"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, _ := shared.Own(t)
			p := newProxy(t, address)
			w := newWorldOn(t, p.address, host.Options{}, stuckPages, host.TaskOptions{})
			frame := w.openStuck("/stuck", 2)[c.place]
			p.delay(toBrowser, `"mousePressed"`)
			at := host.Locator{Selector: "#" + c.element, FrameID: frame}
			_, err := w.Tab("").Click(within(t, w.ctx, shared.Patience(time.Second)), at, nil)
			var stopped *host.StoppedError
			if !errors.As(err, &stopped) || !wasEnded(stopped) || !stopped.Sent || host.CodeOf(err) != host.ErrTimeout {
				t.Errorf("the click: %v", err)
			}
			p.release(t)
			waitUntil(t, "the beginning of its handler", func() bool { return w.kept(frame) != "0" })
		})
	}
}
