package e2e

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// framePages has a frame of each kind: in the page's process, without an address, and in others at three depths.
var framePages = map[string]string{
	"/frames":    `<script>who = 'top'</script><iframe src="/local"></iframe><iframe srcdoc="<p id=same><script>who = 'srcdoc'</script>"></iframe><iframe src="{{127.0.0.1}}/one"></iframe>`,
	"/local":     `<p id=same><script>who = 'local'</script>`,
	"/one":       `<p id=same><script>who = 'one'</script><iframe src="{{127.0.0.2}}/two"></iframe>`,
	"/two":       `<p id=same><script>who = 'two'</script><iframe src="{{x.localhost}}/three"></iframe><iframe src="/two-local"></iframe>`,
	"/three":     `<p id=same><script>who = 'three'</script>`,
	"/two-local": `<p id=same><script>who = 'two-local'</script>`,
}

// frameNames are the frames of framePages by the end of their address.
var frameNames = map[string]string{"/local": "local", "about:srcdoc": "srcdoc", "/one": "one", "/two": "two", "/three": "three", "/two-local": "two-local"}

// openFrames loads the frames and waits until all are known and have their documents.
func (w *world) openFrames() {
	w.t.Helper()
	w.open("/frames")
	w.await("the frames", func(*host.Snapshot) bool { return len(w.frameIDs()) == len(frameNames) })
}

// frameIDs are the frames below the top by name.
func (w *world) frameIDs() map[string]string {
	ids := map[string]string{}
	page := w.Snapshot().Page()
	if page == nil || page.RawFrameTree == nil {
		return ids
	}
	for _, f := range page.RawFrameTree.Children {
		for end, name := range frameNames {
			if strings.HasSuffix(f.URL, end) {
				ids[name] = f.FrameID
			}
		}
	}
	return ids
}

func TestAnExpressionRunsInTheFrameThatIsNamed(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	for name, id := range w.frameIDs() {
		got, err := w.Tab("").Evaluate(w.ctx, "who", &host.EvaluateOptions{Locator: host.InFrame(id)})
		if err != nil || string(got.Value) != `"`+name+`"` {
			t.Errorf("in %s: %s, %v", name, got.Value, err)
		}
	}
	want(t, "in the top frame", w.evaluate("who"), `"top"`)
	top, err := w.Tab("").Evaluate(w.ctx, "who", &host.EvaluateOptions{Locator: host.InFrame(w.Snapshot().Page().ID)})
	if err != nil || string(top.Value) != `"top"` {
		t.Errorf("in the top frame by its id: %s, %v", top.Value, err)
	}
}

func TestTheIsolatedWorldOfAFrame(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	frames := w.frameIDs()
	frames["top"] = ""
	for name, id := range frames {
		o := host.EvaluateOptions{Locator: host.InFrame(id), World: host.WorldIsolated}
		for i, tc := range []struct{ expression, value string }{
			{"typeof who", `"undefined"`}, {"globalThis.mine = 1; document.title = 'seen'; 0", "0"}, {"mine", "1"},
		} {
			got, err := w.Tab("").Evaluate(w.ctx, tc.expression, &o)
			if err != nil || string(got.Value) != tc.value {
				t.Errorf("%d in %s: %s, %v", i, name, got.Value, err)
			}
		}
		got, err := w.Tab("").Evaluate(w.ctx, "[typeof mine, document.title]", &host.EvaluateOptions{Locator: host.InFrame(id)})
		if err != nil || string(got.Value) != `["undefined","seen"]` {
			t.Errorf("the main world of %s: %s, %v", name, got.Value, err)
		}
	}
}

func TestAFunctionGetsTheElementOfItsFrame(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	nodes := map[string]int64{}
	for name, id := range w.frameIDs() {
		for _, world := range []host.World{host.WorldMain, host.WorldIsolated} {
			o := host.EvaluateOptions{Locator: host.Locator{FrameID: id, Selector: "#same"}, World: world}
			got, err := w.Tab("").Evaluate(w.ctx, "e => (e === this ? 1 : e.id + ' ' + location.pathname)", &o)
			if err != nil || !strings.HasPrefix(string(got.Value), `"same `) {
				t.Errorf("by selector in %s: %s, %v", name, got.Value, err)
			}
			awaited := o
			awaited.AwaitPromise = true
			node, err := w.Tab("").Evaluate(w.ctx, "async e => e", &awaited)
			if err != nil || node.Subtype != "node" || node.BackendNodeID == 0 {
				t.Fatalf("the node in %s: %s, %v", name, shared.Dump(node), err)
			}
			nodes[name] = node.BackendNodeID
			o.Locator = host.Locator{FrameID: id, BackendNodeID: node.BackendNodeID}
			again, err := w.Tab("").Evaluate(w.ctx, "function(e) { return e === this && e.ownerDocument === document }", &o)
			if err != nil || string(again.Value) != "true" {
				t.Errorf("by its id in %s: %s, %v", name, again.Value, err)
			}
		}
	}
	local, srcdoc := w.frameIDs()["local"], w.frameIDs()["srcdoc"]
	for what, l := range map[string]host.Locator{
		"an element of another frame":    {FrameID: srcdoc, BackendNodeID: nodes["local"]},
		"an element that is not there":   {FrameID: local, BackendNodeID: 1 << 30},
		"a selector without a match":     {FrameID: local, Selector: "#other"},
		"a removed element of the frame": {FrameID: local, Selector: "#same.gone"},
	} {
		ctx := within(t, w.ctx, 4*shared.Soon()) // most of which a selector waits for its element
		_, err := w.Tab("").Evaluate(ctx, "e => { throw e }", &host.EvaluateOptions{Locator: l})
		if !errors.Is(err, host.ErrNoElement) || errors.Is(err, host.ErrEvaluate) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, o := range map[string]host.EvaluateOptions{
		"an element without a role": {Locator: host.Locator{Name: "same"}},
		"an element with two names": {Locator: host.Locator{Selector: "p", BackendNodeID: 1}},
		"a world that there is not": {World: "other"},
		"a selector that is none":   {Locator: host.Locator{FrameID: local, Selector: "::::"}},
	} {
		_, err := w.Tab("").Evaluate(w.ctx, "e => 1", &o)
		if !errors.Is(err, host.ErrBadArguments) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := w.Tab("").Evaluate(w.ctx, "1 + 1", &host.EvaluateOptions{Locator: host.Locator{FrameID: local, Selector: "p"}})
	wantError(t, err, host.ErrBadArguments) // it is no function
}

func TestAFrameOfAnotherTaskIsUnknown(t *testing.T) {
	w := newWorld(t, framePages, host.TaskOptions{})
	w.openFrames()
	other := attachAs(t, w.host, t.Name()+"/other", w.address, host.TaskOptions{Scope: host.ScopeContext})
	for name, id := range w.frameIDs() {
		_, err := other.Tab("").Evaluate(w.ctx, "who", &host.EvaluateOptions{Locator: host.InFrame(id)})
		if !errors.Is(err, host.ErrUnknownFrame) {
			t.Errorf("%s: %v", name, err)
		}
		_, err = other.CDP(w.ctx, host.CDPCall{Method: "Runtime.evaluate", Params: []byte(`{"expression":"who"}`), FrameID: id})
		if !errors.Is(err, host.ErrUnknownFrame) {
			t.Errorf("%s by raw CDP: %v", name, err)
		}
	}
	_, err := w.Tab("").Evaluate(w.ctx, "who", &host.EvaluateOptions{Locator: host.InFrame("NOSUCHFRAME")})
	wantError(t, err, host.ErrUnknownFrame)
	_, err = w.Tab(other.Snapshot().Page().ID).Evaluate(w.ctx, "who", nil)
	wantError(t, err, host.ErrUnknownTarget)
}

// While a frame's document is replaced again and again, by ones of this process and of others, an expression either
// meets one of the frame's documents or fails. It never meets the top frame's. On a busy machine the browser itself may
// crash of that (Chromium 156, in NavigationRequest when the response of such a frame is there: once in some hundred
// runs), so it is not the one that other tests share.
func TestAnExpressionNeverMeetsAnotherFrameWhileItsOwnNavigates(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/page": `<script>who = 'top'</script><iframe id=f src="/a"></iframe>`,
		"/a":    `<script>who = 'frame'; report('loaded')</script>`,
	}, host.TaskOptions{})
	w.open("/page")
	w.reported("loaded")
	frame := w.await("the frame", func(s *host.Snapshot) bool { return len(s.Page().RawFrameTree.Children) == 1 }).Page().RawFrameTree.Children[0].FrameID
	w.evaluate("globalThis.turn = 0; setInterval(() => f.src = (turn++ % 2 ? '" + w.url("127.0.0.1", "/a") + "' : '/a') + '?' + turn, 60); 0")
	met := 0
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
		got, err := w.Tab("").Evaluate(within(t, w.ctx, shared.Patience(5*time.Second)), "self === top ? 'top' : self.who ?? 'frame'", &host.EvaluateOptions{Locator: host.InFrame(frame)})
		switch {
		case err == nil && string(got.Value) == `"frame"`:
			met++
		case err == nil:
			t.Fatalf("the expression met %s", got.Value)
		case host.CodeOf(err).Kind() != host.ErrSessionLost && host.CodeOf(err) != host.ErrTimeout:
			t.Fatalf("the error is %v", err)
		}
	}
	if met == 0 {
		t.Error("the expression never met the frame")
	}
}

// A noopener popup of the same site has a process of its own. Once both pages have said which main thread serves them,
// the dialog of one does not keep the other from being asked.
func TestADialogDoesNotBlockATabWithAnotherMainThread(t *testing.T) {
	w := newWorld(t, nil, host.TaskOptions{})
	w.open("/empty")
	w.start("open('/empty', '', 'noopener')")
	s := w.await("the popup", func(s *host.Snapshot) bool {
		return len(s.Targets) == 2 && s.Targets[1].URL == w.url("localhost", "/empty")
	})
	popup := s.Targets[1].ID
	want(t, "the popup", w.evaluateIn(popup, "1 + 1"), "2")
	want(t, "the opener", w.evaluate("1 + 1"), "2")
	w.start("globalThis.said = confirm('in the opener')")
	w.dialog()
	want(t, "the popup while the opener has a dialog", w.evaluateIn(popup, "1 + 1"), "2")
	w.answer(host.DialogResponse{Accept: true})
	want(t, "the dialog", w.evaluate("said"), "true")
}
