package agents

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A turn of the wheel says how far it scrolled and what is left, and leaves what is partly in view where it is.
func TestAScrollSaysHowFarAndWhatIsLeft(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div style="height: 300px">top</div><div id=box style="height: 2000px; width: 300px; overflow: auto"><div style="height: 5000px; width: 900px">much</div></div>
		<div id=low style="height: 900px">low</div>`, `document.body.style.margin = 0; 0`)
	place := func() string { return u.value("[scrollY, box.scrollTop, box.scrollLeft]") }
	box := arguments{"selector": "#box"}
	r := u.good("browser_scroll", box.with(arguments{"direction": "down", "amount": 400}))
	is(t, "after a turn over the box", place(), "[0,400,0]")
	want(t, r, "pixels.by", "400")
	want(t, r, "pixels.up", "400")
	want(t, r, "at_end", "null")
	if !strings.Contains(r.Text, "scrolled down by 400 pixels; left to scroll: 400 up, ") {
		t.Error(r.Text)
	}
	r = u.good("browser_scroll", box.with(arguments{"direction": "down", "amount": 9000}))
	want(t, r, "at_end", "true")
	want(t, r, "pixels.down", "0")
	r = u.good("browser_scroll", box.with(arguments{"direction": "right", "amount": 100}))
	want(t, r, "pixels.by", "100")
	want(t, r, "pixels.left", "100")
	is(t, "the page", u.value("scrollY"), "0")
	// What is out of view is scrolled to, and only that.
	u.value("scrollTo(0, 0), box.scrollTop = 0")
	r = u.good("browser_scroll", arguments{"selector": "#low", "direction": "up", "amount": 10})
	want(t, r, "pixels.by", "10")
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	r = u.good("browser_scroll", arguments{"direction": "down"})
	want(t, r, "pixels.by", "0")
	want(t, r, "at_end", "true")
	if !strings.Contains(r.Text, "nothing scrolled: ") {
		t.Error(r.Text)
	}

	// In a frame of another origin that lies partly below the edge: the frame scrolls, then the page around it.
	u.body(`<div style="height: 500px">top</div><iframe id=f style="width: 500px; height: 1000px"></iframe><div style="height: 3000px"></div>`,
		`f.src = location.href.replace("localhost", "127.0.0.1"); await new Promise(r => f.onload = r); 0`)
	frame := u.SettledSnapshot(u.ctx).Page().FrameTree.Children[0].FrameID
	u.good("browser_evaluate", arguments{"frame_id": frame, "expression": `document.body.innerHTML = "<div id=in style='height: 1500px'>in</div>"; 0`})
	in := arguments{"selector": "#in", "frame_id": frame, "direction": "down"}
	want(t, u.good("browser_scroll", in.with(arguments{"amount": 100})), "pixels.by", "100")
	is(t, "the page around the frame", u.value("scrollY"), "0")
	u.good("browser_scroll", in.with(arguments{"amount": 5000}))
	want(t, u.good("browser_scroll", in.with(arguments{"amount": 70})), "pixels.by", "70")
	is(t, "the page around the frame", u.value("scrollY > 0"), "true")

	// What scrolls is within the element that is named: a grid in a widget, and a frame in a section.
	u.body(`<div id=widget style="width: 300px"><div>Name</div><div id=grid style="height: 200px; overflow: auto"><div style="height: 5000px">rows</div></div></div>
		<section id=section style="width: 500px"><iframe id=g style="width: 100%; height: 300px; border: 0" srcdoc="<body style='height: 3000px'>"></iframe></section>
		<div style="height: 3000px"></div>`, `await new Promise(r => g.onload = r); 0`)
	for _, named := range []struct{ selector, scrolled string }{{"#widget", "grid.scrollTop"}, {"#section", "g.contentWindow.scrollY"}} {
		r := u.good("browser_scroll", arguments{"selector": named.selector, "direction": "down", "amount": 150})
		want(t, r, "pixels.by", "150")
		want(t, r, "pixels.up", "150")
		is(t, named.scrolled, u.value(named.scrolled), "150")
	}
	u.good("browser_scroll", arguments{"selector": "#g", "direction": "up", "amount": 100})
	is(t, "the frame", u.value("g.contentWindow.scrollY"), "50")
	is(t, "the page around them", u.value("scrollY"), "0")
}

// A hit test of the browser takes places of the document, not of its viewport.
func TestPointsOfAScrolledPageAreThoseThatAreSeen(t *testing.T) {
	t.Parallel()
	u := newBench(t, common.Address(t), host.Options{}).newUser(t, host.TaskOptions{})
	u.body(`<div id=high style="height: 300px; width: 600px; overflow: auto"><div style="height: 5000px">high</div></div>
		<div id=low style="height: 150px; overflow: auto"><div style="height: 5000px"><button id=save style="width: 300px">Save</button></div></div>
		<iframe id=f style="width: 800px; height: 600px; border: 0" srcdoc="<body style='height: 3000px'><button>Inside</button>"></iframe><div style="height: 3000px"></div>`,
		`await new Promise(r => f.onload = r); 0`)
	u.value(`scrollTo(0, low.offsetTop)`)
	want(t, u.good("browser_mouse", arguments{"action": "click", "x": 60, "y": 10}), "element", `"button \"Save\""`)
	want(t, u.good("browser_mouse", arguments{"action": "hover", "x": 30, "y": 170}), "element", `"button \"Inside\""`)
	r := u.good("browser_scroll", arguments{"selector": "#low", "direction": "down", "amount": 100})
	want(t, r, "pixels.up", "100")
	is(t, "the lower box", u.value("low.scrollTop"), "100")
	r = u.good("browser_scroll", arguments{"direction": "down", "amount": 80}) // the frame is in the middle
	want(t, r, "pixels.up", "80")
	is(t, "the frame", u.value("f.contentWindow.scrollY"), "80")
}
