package e2e

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A page at rest is not read again, in whatever processes its frames are; a change in any of them is read.
func TestAPageAtRestKeepsItsReading(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/outer": `<button>Outer</button><iframe title=Near src="{{localhost}}/near"></iframe><iframe title=Far src="{{127.0.0.1}}/far"></iframe>`,
		"/near":  `<button>Near</button><input aria-label=Name>`, "/far": `<button>Far</button><input aria-label=Place>`,
	}, host.TaskOptions{})
	w.open("/outer")
	atRest := func() *host.Reading {
		t.Helper()
		last := w.readUntil(host.ReadOptions{}, "Name", "Place")
		waitUntil(t, "a page at rest", func() bool {
			before := last.Token
			last = w.read(host.ReadOptions{})
			return last.Token == before
		})
		return last
	}
	first := atRest()
	if since := w.read(host.ReadOptions{Since: first.Token}); since.Token != first.Token || since.Changed || strings.Contains(since.Text, "Far") {
		t.Errorf("of a page at rest the reading is %s:\n%s", since.Token, since.Text)
	}
	for _, f := range w.Snapshot().Page().RawFrameTree.Children {
		before := atRest()
		w.says(f.FrameID, `document.querySelector("input").value = "typed"`)
		changed := w.read(host.ReadOptions{Since: before.Token})
		if changed.Token == before.Token || !changed.Changed || !strings.Contains(changed.Text, "typed") {
			t.Errorf("after a change in the frame %s the reading is %s:\n%s", f.URL, changed.Token, changed.Text)
		}
	}
}
