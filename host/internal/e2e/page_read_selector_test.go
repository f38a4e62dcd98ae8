package e2e

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A selector may name an element that says nothing itself, in any frame and shadow root, however the frame is read.
func TestReadingsOfWhatASelectorNames(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/parts": `<main><div id=one>First <button>One</button></div><div id=two class=part><p>Second</p><button>Two</button></div>
<div id=host></div><div id=nothing hidden>hidden</div><button id=inside>Go <b id=bold>there</b></button></main>
<iframe src="{{127.0.0.1}}/framed"></iframe>
<script>host.attachShadow({mode: 'closed'}).innerHTML = '<section id=deep><i>in the shadow</i><button>Deep</button></section>'</script>`,
		"/framed": `<div id=framed><button>Framed</button></div><button>Beside</button>`,
		// Roots and frames of one process: this document is read from the accessibility tree.
		"/told": `<div id=one><button>One</button></div><div id=two><button>Two</button><iframe srcdoc="<button>Inner</button>"></iframe></div><div id=host></div>
<script>host.attachShadow({mode: 'open'}).innerHTML = '<button>Deep</button>'</script>`,
	}, host.TaskOptions{})
	for _, c := range []struct {
		page, selector string
		has, hasNot    []string
	}{
		{"/parts", "#two", []string{"Second", `button "Two" @e`}, []string{"First", "One", "Deep", "Framed"}},
		{"/parts", ".part p", []string{"Second"}, []string{"Two", "One"}},
		{"/parts", "#deep", []string{"in the shadow", `button "Deep" @e`}, []string{"One", "Two"}},
		{"/parts", "#framed", []string{`button "Framed" @e`}, []string{"Beside", "One"}},
		{"/parts", "iframe", []string{`button "Framed" @e`, "Beside"}, []string{"One"}},
		{"/parts", "#bold", []string{`button "Go there" @e`}, []string{"One", "Two"}},
		{"/parts", "body", []string{"One", "Two", "Deep", "Framed"}, nil},
		{"/told", "#two", []string{`button "Two" @e`, `button "Inner" @e`}, []string{"One", "Deep"}},
	} {
		w.open(c.page)
		all := w.readUntil(host.ReadOptions{}, map[string]string{"/parts": "Beside", "/told": "Inner"}[c.page])
		r := w.read(host.ReadOptions{Selector: c.selector})
		for _, text := range c.has {
			if !strings.Contains(r.Text, text) {
				t.Errorf("%s: there is no %s in\n%s", c.selector, text, r.Text)
			}
		}
		for _, text := range c.hasNot {
			if strings.Contains(r.Text, text) {
				t.Errorf("%s: there is %s in\n%s", c.selector, text, r.Text)
			}
		}
		if again := w.read(host.ReadOptions{}); again.Text != all.Text {
			t.Errorf("after the reading of %s the page is\n%s\nand was\n%s", c.selector, again.Text, all.Text)
		}
	}
	w.open("/parts")
	_, err := w.Tab("").Read(w.ctx, &host.ReadOptions{Selector: "#nothing"})
	wantError(t, err, host.ErrNoElement)
	_, err = w.Tab("").Read(w.ctx, &host.ReadOptions{Selector: "#two", Scope: "e1"})
	wantError(t, err, host.ErrBadArguments)
	_, err = w.Tab("").Read(w.ctx, &host.ReadOptions{Selector: ":::"})
	wantError(t, err, host.ErrBadArguments)
}
