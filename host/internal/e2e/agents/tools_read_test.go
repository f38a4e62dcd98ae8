package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// readRows look and touch nothing.
var readRows = []row{
	{name: "of the page", tool: "browser_snapshot", run: func(t *testing.T, s *spot) {
		s.read = agent.Result{}
		r := s.snapshot()
		wantKeys(t, r, "snapshot", "element_count", "pending_dialogs", "recent_dialogs", "frame_tree", "url", "title", "token")
		want(t, r, "pending_dialogs", "[]")
		for _, line := range []string{
			`button "Save"`, `link "Link"`, `textbox "Name"`, `textbox "Notes"`, `checkbox "Box"`, `radio "Red"`, `combobox "Size"`,
			`button "Source"`, `button "Pane"`, `textbox "Edit"`, `The text of the place`,
		} {
			if !strings.Contains(text(t, r, "snapshot"), line) {
				t.Errorf("no %s in %s", line, show(r))
			}
		}
		// Below two frames of other origins the frame filter shows no more.
		if filtered := lookUp(t, r, "frame_tree.truncated") == "true"; s.framed() && !filtered && !strings.Contains(lookUp(t, r, "frame_tree"), s.frame) {
			t.Errorf("the frame %s is not in %s", s.frame, lookUp(t, r, "frame_tree"))
		}
		again := s.good("browser_snapshot", s.inTab(nil))
		is(t, "the ref of the button in a second look", refIn(t, again, "button", "Save"), s.ref("button", "Save"))
	}},
	{name: "of a part, of the whole, and of what changed", tool: "browser_snapshot", run: func(t *testing.T, s *spot) {
		part := s.good("browser_snapshot", arguments{"scope": s.ref("combobox", "Size")})
		if tree := text(t, part, "snapshot"); !strings.Contains(tree, "Medium") || strings.Contains(tree, "Save") {
			t.Errorf("the part is %s", tree)
		}
		part = s.good("browser_snapshot", s.inTab(arguments{"selector": "#size"}))
		if tree := text(t, part, "snapshot"); !strings.Contains(tree, "Medium") || strings.Contains(tree, "Save") {
			t.Errorf("what the selector names is %s", tree)
		}
		whole := s.good("browser_snapshot", s.inTab(arguments{"full": true}))
		if !strings.Contains(text(t, whole, "snapshot"), "/after") {
			t.Errorf("no address of the link in %s", show(whole))
		}
		token := text(t, whole, "token")
		s.evaluate(`{ find("save").textContent = "Saved"; 0 }`, new(int))
		changed := s.good("browser_snapshot", s.inTab(arguments{"since": token}))
		want(t, changed, "changed", "true")
		if tree := text(t, changed, "snapshot"); !strings.Contains(tree, "Saved") || strings.Contains(tree, `textbox "Name"`) {
			t.Errorf("changed is %s", tree)
		}
		s.evaluate(`{ find("save").textContent = "Save"; 0 }`, new(int))
		unknown := s.good("browser_snapshot", s.inTab(arguments{"since": "r99999"}))
		want(t, unknown, "changed", "true")
		if tree := text(t, unknown, "snapshot"); !strings.Contains(tree, "remembered") || !strings.Contains(tree, `textbox "Name"`) {
			t.Errorf("since a reading that there is not: %s", tree)
		}
	}},
	{name: "in all frames", tool: "browser_find", run: func(t *testing.T, s *spot) {
		for _, a := range []arguments{{"role": "button", "name": "SAVE"}, {"pattern": "^Save$"}, {"text": "save", "role": "button", "context": 2}} {
			r := s.good("browser_find", s.inTab(a))
			found := regexp.MustCompile(`\* button "Save" @(e\d+)`).FindStringSubmatch(text(t, r, "snapshot"))
			if found == nil || lookUp(t, r, "found") == "0" {
				t.Fatalf("%s: %s", shared.Dump(a), show(r))
			}
		}
		if ref := s.ref("button", "Save"); !strings.Contains(text(t, s.good("browser_find", s.inTab(arguments{"name": "Save"})), "snapshot"), "@"+ref) {
			t.Errorf("nothing has the ref %s", ref)
		}
		none := s.good("browser_find", s.inTab(arguments{"text": "no page says this"}))
		want(t, none, "found", "0")
		s.bad("browser_find", s.inTab(arguments{"context": 1}), "bad_arguments", "text, a pattern, a role or a name")
		s.bad("browser_find", s.inTab(arguments{"pattern": "("}), "bad_arguments", "pattern", "missing closing )")
	}},
	{name: "of the page", tool: "browser_network_requests", run: func(t *testing.T, s *spot) {
		path := s.requested(t)
		r := s.good("browser_network_requests", s.inTab(arguments{"filter": path}))
		if !strings.Contains(r.Text, "1 of 1 that match") || !strings.Contains(r.Text, path) {
			t.Error(show(r))
		}
		s.bad("browser_network_requests", s.inTab(arguments{"status": "many"}), "bad_arguments", "status")
	}},
	{name: "in the frame", tool: "browser_emulate", run: func(t *testing.T, s *spot) {
		want(t, s.good("browser_emulate", arguments{"color_scheme": "dark", "timezone": "Asia/Tokyo"}), "color_scheme", `"dark"`)
		const expression = `[matchMedia("(prefers-color-scheme: dark)").matches, Intl.DateTimeFormat().resolvedOptions().timeZone].join()`
		want(t, s.good("browser_evaluate", s.inTab(arguments{"frame_id": s.frame, "expression": expression})), "result", `"true,Asia/Tokyo"`)
		s.bad("browser_emulate", arguments{"timezone": "Nowhere/Town"}, "bad_arguments", "timezone")
		s.bad("browser_emulate", arguments{"latitude": 1}, "bad_arguments", "longitude")
		r := s.good("browser_emulate", arguments{"device": "iphone 15", "width": 400, "network": "4g", "headers": arguments{"X-Key": "very-secret"}})
		want(t, r, "width", "400")
		want(t, r, "height", "852")
		want(t, r, "network.latency_ms", "165")
		want(t, r, "headers", `["X-Key"]`)
		if strings.Contains(show(r), "very-secret") {
			t.Errorf("a secret is shown: %s", show(r))
		}
		want(t, s.good("browser_emulate", arguments{"network": "offline"}), "offline", "true")
		want(t, s.good("browser_emulate", arguments{"latency_ms": 50, "offline": false}), "network", `{"latency_ms":50}`)
		for word, a := range map[string]arguments{
			"did you mean iPhone 15?": {"device": "iPhone15x"}, "latency_ms": {"network": "4g", "latency_ms": 5}, "offline": {"network": "4g", "offline": true},
			"X-Key": {"headers": arguments{"X-Key": 7}}, "X Key": {"headers": arguments{"X Key": "x"}},
		} {
			s.bad("browser_emulate", a, "bad_arguments", word)
		}
		if r := s.good("browser_emulate", arguments{"reset": true}); r.Text != "nothing is emulated" {
			t.Error(show(r))
		}
	}},
	{name: "in the frame", tool: "browser_route", run: func(t *testing.T, s *spot) {
		const ask = `fetch("/routed?" + Math.random()).then(r => r.text())`
		var answer string
		added := s.good("browser_route", arguments{"action": "add", "pattern": "*/routed*", "do": "fulfil", "body": "by the rule"})
		if s.evaluate(ask, &answer); answer != "by the rule" {
			t.Errorf("the answer is %q", answer)
		}
		id := text(t, added, "id")
		want(t, s.good("browser_route", arguments{"action": "list"}), "rules.0.matched", "1")
		s.good("browser_route", arguments{"action": "remove", "id": id})
		if s.evaluate(ask, &answer); answer == "by the rule" {
			t.Error("the rule was not removed")
		}
		s.bad("browser_route", arguments{"action": "remove", "id": id}, "bad_arguments", id)
	}},
	{name: "one", tool: "browser_network_request", run: func(t *testing.T, s *spot) {
		path := s.requested(t)
		r := s.good("browser_network_request", arguments{"id": named(s.request(path)), "bodies": true})
		if !strings.Contains(r.Text, path) || !strings.Contains(r.Text, "404 page not found") {
			t.Error(show(r))
		}
		s.bad("browser_network_request", arguments{"id": "r999999"}, "bad_arguments", "r999999")
	}},
	{name: "of the page", tool: "browser_get_images", run: func(t *testing.T, s *spot) {
		r := s.good("browser_get_images", s.inTab(nil))
		want(t, r, "count", "1")
		want(t, r, "images.0.alt", `"Logo"`)
		want(t, r, "images.0.src", shared.Dump(s.URL(s.host(len(s.above)), "/logo.svg")))
		want(t, r, "images.0.width", shared.Dump(40*s.scale()))
		want(t, r, "images.0.height", shared.Dump(20*s.scale()))
	}},
	{name: "what comes late", tool: "browser_wait_for", run: func(t *testing.T, s *spot) {
		late := []arguments{{"selector": "#late"}, {"text": "It is late"}, {"selector": "#late", "frame_id": s.frame}}
		for _, a := range late {
			s.evaluate(`{ find("late").hidden = true; 0 }`, new(int))
			want(t, s.good("browser_wait_for", s.inTab(a.with(arguments{"state": "hidden"}))), "state", `"hidden"`)
			s.good("browser_click", arguments{"ref": s.ref("button", "Later")})
			r := s.good("browser_wait_for", s.inTab(a))
			want(t, r, "state", `"visible"`)
			wantKeys(t, r, "waited_ms")
		}
		want(t, s.good("browser_wait_for", s.inTab(arguments{"selector": "#late", "state": "attached"})), "state", `"attached"`)
		want(t, s.good("browser_wait_for", s.inTab(arguments{"selector": "#never", "state": "detached"})), "state", `"detached"`)
		s.log()
	}},
	{name: "of an element and of all", tool: "browser_extract_text", run: func(t *testing.T, s *spot) {
		for _, w := range s.ways("button", "Save", "save") {
			r := s.good("browser_extract_text", w.arguments)
			want(t, r, "text", `"Save"`)
			want(t, r, "chars", "4")
		}
		for _, a := range []arguments{{}, {"frame_id": s.frame}} {
			if r := s.good("browser_extract_text", s.inTab(a)); !strings.Contains(text(t, r, "text"), "The text of the place") {
				t.Errorf("%s: no text of the place in %s", shared.Dump(a), show(r))
			}
		}
		r := s.good("browser_extract_text", s.inTab(arguments{"selector": "#text", "max_chars": 8}))
		want(t, r, "text", `"The text"`)
		want(t, r, "chars", "21")
		want(t, r, "truncated", "true")
	}},
	{name: "of an element", tool: "browser_screenshot", run: func(t *testing.T, s *spot) {
		for _, a := range []arguments{{"ref": s.ref("button", "Save")}, s.inTab(arguments{"selector": "#save"})} {
			r := s.good("browser_screenshot", a)
			picture := pictureOf(t, r)
			if part := green(picture, picture.Bounds()); part < 0.5 {
				t.Errorf("%s: %.2f of the picture of %v is of the button's colour", shared.Dump(a), part, picture.Bounds())
			}
			kept, err := os.ReadFile(text(t, r, "screenshot_path"))
			if err != nil || !bytes.Equal(kept, r.Images[0].Data) {
				t.Errorf("%s: the file is another picture: %v", shared.Dump(a), err)
			}
		}
	}},
	{name: "of an element", tool: "browser_get", run: func(t *testing.T, s *spot) {
		save := s.ref("button", "Save")
		s.good("browser_hover", arguments{"ref": save}) // which brings it into view
		r, seen := s.seen(t, save)
		got := s.good("browser_get", arguments{"ref": save, "what": "box"})
		box := func(name string) (v int) {
			if err := json.Unmarshal([]byte(lookUp(t, got, "box."+name)), &v); err != nil {
				t.Error(err)
			}
			return v
		}
		at := image.Rect(box("x"), box("y"), box("x")+box("width"), box("y")+box("height"))
		if part := green(pictureOf(t, r), at); part < 0.4 || !at.Overlaps(seen) {
			t.Errorf("%.2f of the box %v is of the button's colour; the picture has it at %v", part, at, seen)
		}
		want(t, got, "box.in_view", "true")
		s.inEveryWay(t, "button", "Save", "save", func(s *spot, element arguments) {
			html := s.good("browser_get", element.with(arguments{"what": "html"}))
			if !strings.Contains(text(s.t, html, "value"), `id="save"`) {
				s.t.Errorf("its HTML is %s", show(html))
			}
			want(s.t, s.good("browser_get", element.with(arguments{"what": "attribute", "property": "id"})), "value", `"save"`)
			want(s.t, s.good("browser_get", element.with(arguments{"what": "attribute", "property": "nothing"})), "value", "null")
			want(s.t, s.good("browser_get", element.with(arguments{"what": "state"})), "state.enabled", "true")
			want(s.t, s.good("browser_get", element.with(arguments{"what": "style", "property": "display"})), "style.display", `"inline-block"`)
		})
		s.bad("browser_get", arguments{"ref": save, "what": "attribute"}, "bad_arguments", "property")
		s.log()
	}},
	{name: "around elements", tool: "browser_highlight", run: func(t *testing.T, s *spot) {
		save := s.ref("button", "Save")
		s.good("browser_hover", arguments{"ref": save}) // which brings it into view
		const body = "document.documentElement.outerHTML"
		before := lookUp(t, s.good("browser_evaluate", s.inTab(arguments{"frame_id": s.frame, "expression": body})), "result")
		lines := func() int { return pink(pictureOf(t, s.good("browser_screenshot", s.inTab(nil)))) }
		want(t, s.good("browser_highlight", arguments{"ref": save}), "highlighted", "1")
		one := lines()
		for one == 0 && s.framed() && s.ctx.Err() == nil { // a picture shows what other processes have drawn until then
			one = lines()
		}
		if one == 0 {
			t.Errorf("there is no line around %s", save)
		}
		want(t, s.good("browser_highlight", arguments{"refs": []string{save, s.ref("button", "Tell")}}), "highlighted", "2")
		if two := lines(); two < one || two == one && !s.framed() { // in a frame the other may be out of view
			t.Errorf("the lines around two elements have %d pixels, and that around one %d", two, one)
		}
		if after := lookUp(t, s.good("browser_evaluate", s.inTab(arguments{"frame_id": s.frame, "expression": body})), "result"); after != before {
			t.Errorf("the page was %s and is %s", before, after)
		}
		s.good("browser_highlight", s.inTab(arguments{"clear": true}))
		if none := lines(); none > 0 {
			t.Errorf("%d pixels are left", none)
		}
		s.bad("browser_highlight", arguments{"ref": save, "clear": true}, "bad_arguments", "clear")
		s.bad("browser_highlight", nil, "bad_arguments", "ref")
	}},
	{name: "as files", tool: "browser_save", top: true, run: func(t *testing.T, s *spot) {
		for format, has := range map[string]string{"pdf": "%PDF-", "mhtml": "multipart/related"} {
			r := s.good("browser_save", s.inTab(arguments{"format": format}))
			kept, err := os.ReadFile(text(t, r, "path"))
			if err != nil || !strings.Contains(string(kept), has) {
				t.Errorf("%s: %q: %v", format, kept[:min(len(kept), 200)], err)
			}
			want(t, r, "bytes", shared.Dump(len(kept)))
		}
	}},
	{name: "of what is done", tool: "browser_trace", top: true, run: func(t *testing.T, s *spot) {
		want(t, s.good("browser_trace", arguments{"action": "start"}), "tracing", "true")
		s.good("browser_get_images", s.inTab(nil))
		r := s.good("browser_trace", arguments{"action": "stop"})
		kept, err := os.ReadFile(text(t, r, "trace_path"))
		if err != nil || !strings.Contains(string(kept), "browser_get_images") {
			t.Errorf("%q: %v", kept[:min(len(kept), 200)], err)
		}
		want(t, r, "calls", "1")
	}},
	{name: "of what is stored", tool: "browser_state", top: true, run: func(t *testing.T, s *spot) {
		r := s.good("browser_state", arguments{"action": "save", "name": "spot"})
		kept, err := os.ReadFile(text(t, r, "state_path"))
		if err != nil || !strings.Contains(string(kept), `"cookies"`) {
			t.Errorf("%q: %v", kept[:min(len(kept), 200)], err)
		}
		want(t, s.good("browser_state", arguments{"action": "load", "name": "spot"}), "cookies", lookUp(t, r, "cookies"))
	}},
	{name: "by a person", tool: "browser_ask_operator", top: true, run: func(t *testing.T, s *spot) { s.asksAPerson(t) }},
	{name: "of what is shown", tool: "browser_record", top: true, run: func(t *testing.T, s *spot) {
		want(t, s.good("browser_record", arguments{"action": "start"}), "recording", "true")
		s.good("browser_screenshot", s.inTab(nil)) // the page is drawn
		r := s.good("browser_record", arguments{"action": "stop"})
		want(t, r, "recording", "false")
	}},
	{name: "of the tab", tool: "browser_screenshot", top: true, run: func(t *testing.T, s *spot) {
		seen := pictureOf(t, s.good("browser_screenshot", s.inTab(nil)))
		whole := pictureOf(t, s.good("browser_screenshot", s.inTab(arguments{"full_page": true})))
		if green(seen, seen.Bounds()) == 0 || whole.Bounds().Dy() < seen.Bounds().Dy() {
			t.Errorf("the pictures have %v and %v", seen.Bounds(), whole.Bounds())
		}
	}},
	{name: "with the refs", tool: "browser_vision", run: func(t *testing.T, s *spot) {
		s.good("browser_hover", arguments{"ref": s.ref("button", "Save")}) // which brings it into view
		r, box := s.seen(t, s.ref("button", "Save"))
		wantKeys(t, r, "screenshot_path", "question", "annotations")
		if part := green(pictureOf(t, r), box); part < 0.4 {
			t.Errorf("%.2f of the box %v is of the button's colour", part, box)
		}
		s.log()
	}},
}

// seen is a picture with refs, and the box of one in it.
func (s *spot) seen(t *testing.T, ref string) (agent.Result, image.Rectangle) {
	t.Helper()
	r := s.good("browser_vision", s.inTab(arguments{"question": "where is the button?", "annotate": true}))
	var boxes []struct {
		Ref string
		Box [4]int
	}
	if err := json.Unmarshal([]byte(lookUpAll(t, r, "annotations")), &boxes); err != nil {
		t.Fatal(err)
	}
	for _, b := range boxes {
		if b.Ref == ref {
			return r, image.Rect(b.Box[0], b.Box[1], b.Box[0]+b.Box[2], b.Box[1]+b.Box[3])
		}
	}
	t.Fatalf("no box of %s in %s", ref, show(r))
	return r, image.Rectangle{}
}

// lookUpAll is lookUp of what may be long.
func lookUpAll(t *testing.T, r agent.Result, name string) string {
	t.Helper()
	encoded, err := json.Marshal(r.Structured[name])
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// pictureOf is the only picture of a result, which says how large it is.
func pictureOf(t *testing.T, r agent.Result) image.Image {
	t.Helper()
	if len(r.Images) != 1 || r.Images[0].MIMEType != "image/png" {
		t.Fatalf("got %d pictures", len(r.Images))
	}
	picture, err := png.Decode(bytes.NewReader(r.Images[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	want(t, r, "width", shared.Dump(picture.Bounds().Dx()))
	want(t, r, "height", shared.Dump(picture.Bounds().Dy()))
	return picture
}

// pink counts the pixels of lines around what is highlighted.
func pink(picture image.Image) (n int) {
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			if r, g, b, _ := picture.At(x, y).RGBA(); r > 0xe000 && g < 0x4000 && b > 0x8000 && b < 0xd000 {
				n++
			}
		}
	}
	return n
}

// green is how much of a part of a picture has the colour of the button Save.
func green(picture image.Image, part image.Rectangle) float64 {
	part = part.Intersect(picture.Bounds())
	n := 0
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			if r>>8 < 30 && g>>8 > 130 && g>>8 < 190 && b>>8 > 50 && b>>8 < 110 {
				n++
			}
		}
	}
	return float64(n) / float64(max(part.Dx()*part.Dy(), 1))
}

// requested makes the page request what its server does not have, and returns the path of that once the request is
// over.
func (s *spot) requested(t *testing.T) string {
	path := fmt.Sprintf("/nothing-%x", rand.Uint64())
	var status int
	s.evaluate("fetch("+shared.Dump(path)+").then(r => r.text().then(() => r.status))", &status)
	if status != http.StatusNotFound {
		t.Fatalf("the status of %s is %d", path, status)
	}
	s.request(path)
	return path
}
