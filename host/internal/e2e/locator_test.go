package e2e

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// Each way to name an element reaches it in every frame and shadow root, and what names several, or nothing, is
// refused.
func TestEveryWayToNameAnElement(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<h1>Files</h1><p>Two <b>old</b> files</p><button onclick="report('first')">Delete  all</button>
<p>twin</p><p>twin</p><button>Twin</button><button>Twin</button><div style="display: none">nowhere</div>
<div id=one></div><div id=two></div><iframe src="{{127.0.0.1}}/frame"></iframe><script>
const root = two.attachShadow({mode: "closed"});
root.innerHTML = "<span>deep in a closed root</span>";
root.querySelector("span").onclick = () => report("closed");
one.attachShadow({mode: "open"}).innerHTML = "<p>in <i>an open</i> root</p>";
one.shadowRoot.querySelector("i").onclick = () => report("open");
</script>`,
		"/frame": `<button onclick="report('framed')">Save</button><p>only here</p>`,
	}, host.TaskOptions{})
	w.open("/page")
	tab := w.Tab("")
	r := w.readUntil(host.ReadOptions{}, "Save", "Delete all")
	frame := w.Snapshot().Page().RawFrameTree.Children[0].FrameID
	for name, l := range map[string]host.Locator{
		"first": host.ByRole("button", "Delete all"), "framed": host.ByRole("button", "Save").In(frame),
		"closed": host.ByText("deep in a closed root"), "open": host.ByText("an open"),
	} {
		if _, err := tab.Click(within(t, w.ctx, 20*time.Second), l, nil); err != nil {
			t.Errorf("%s: %v", l, err)
			continue
		}
		w.reported(name)
	}
	for text, want := range map[string]string{"Two old files": "P", "old": "B", "  Delete\nall ": "BUTTON", "only here": "P", "Files": "H1"} {
		got, err := tab.Evaluate(w.ctx, "e => e.tagName", &host.EvaluateOptions{Locator: host.ByText(text)})
		if err != nil || string(got.Value) != `"`+want+`"` {
			t.Errorf("the text %q is in %s, %v", text, got.Value, err)
		}
	}
	short := func(l host.Locator) (err error) { // on a busy machine the page may not have answered at all
		for limit := 3 * time.Second; limit < 2*time.Minute; limit *= 2 {
			_, err = tab.Hover(within(t, w.ctx, shared.Patience(limit)), l, nil)
			answered := errors.Is(err, host.ErrNoElement) || !errors.Is(err, host.ErrRendererBusy) && !errors.Is(err, host.ErrTimeout)
			if answered {
				break
			}
		}
		return err
	}
	for _, l := range []host.Locator{host.ByText("twin"), host.ByRole("button", "Twin"), host.ByRole("button", "")} {
		wantError(t, short(l), host.ErrAmbiguousElement)
	}
	// The time for an element to appear may be less than that of its call.
	for _, l := range []host.Locator{host.BySelector("#nowhere"), host.ByText("nowhere"), host.ByRole("button", "Twi")} {
		l.Within = time.Second
		_, err := tab.Click(w.ctx, l, nil)
		wantError(t, err, host.ErrNoElement)
		if !strings.Contains(err.Error(), "within 1s") {
			t.Error(err)
		}
	}
	for _, l := range []host.Locator{
		host.ByText("nowhere"), host.ByRole("button", "Twi"), host.ByText("only here").In(w.Snapshot().Page().RawFrameTree.Top.FrameID),
	} {
		wantError(t, short(l), host.ErrNoElement)
	}
	for _, l := range []host.Locator{
		{}, host.InFrame(frame), host.ByRef(""), host.BySelector(""), host.ByText(" "), host.ByRole("", "Save"), {Name: "Save"},
		{Selector: "p", Text: "twin"}, {Ref: w.ref(r, "Save"), FrameID: frame},
	} {
		wantError(t, short(l), host.ErrBadArguments)
	}
	if _, err := tab.Evaluate(w.ctx, "e => e", &host.EvaluateOptions{Locator: host.ByRef("")}); err == nil {
		t.Error("an empty ref is taken for none")
	}
}
