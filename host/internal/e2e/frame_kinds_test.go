package e2e

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Every kind of frame, and every way in which one comes and goes, against what Chromium itself says.
func TestTheRawTreeIsChromiumsOwn(t *testing.T) {
	pages := map[string]string{
		"/empty":  `<title>empty</title>`,
		"/local":  `<iframe src=/empty></iframe>`,
		"/local2": `<iframe src=/local name=two></iframe><iframe src=/empty></iframe>`,
		"/in1":    `<iframe src=$C/in2></iframe><iframe src=/empty></iframe>`,
		"/in2":    `<iframe src=$A/in3></iframe>`,
		"/in3":    `<iframe src=$D/empty></iframe>`,
		"/deep":   `<iframe src=$B/in1></iframe>`,
		"/box":    `<iframe sandbox src=/empty></iframe><iframe sandbox=allow-scripts srcdoc="<p>x"></iframe>`,
	}
	tests := map[string]struct {
		html string
		do   string   // evaluated after the load; its promise is awaited
		want []string // nil: whatever Chromium says
	}{
		"a page without frames":            {html: ``, want: []string{}},
		"a frame of the same origin":       {html: `<iframe src=/empty></iframe>`, want: []string{"$A/empty"}},
		"same-origin frames, nested":       {html: `<iframe src=/local2></iframe>`, want: []string{"$A/empty", "$A/empty", "$A/local", "$A/local2"}},
		"an OOPIF":                         {html: `<iframe src=$B/empty></iframe>`, want: []string{"$B/empty (oopif)"}},
		"an OOPIF with a frame of its own": {html: `<iframe src=$B/local></iframe>`, want: []string{"$B/empty", "$B/local (oopif)"}},
		"two OOPIFs of one site":           {html: `<iframe src=$B/empty></iframe><iframe src=$B/local></iframe>`, want: []string{"$B/empty", "$B/empty (oopif)", "$B/local (oopif)"}},
		"OOPIFs four deep":                 {html: `<iframe src=$B/in1></iframe>`, want: []string{"$A/in3 (oopif)", "$B/empty", "$B/in1 (oopif)", "$C/in2 (oopif)", "$D/empty (oopif)"}},
		"an OOPIF below a local frame":     {html: `<iframe src=/deep></iframe>`, want: []string{"$A/deep", "$A/in3 (oopif)", "$B/empty", "$B/in1 (oopif)", "$C/in2 (oopif)", "$D/empty (oopif)"}},
		"srcdoc":                           {html: `<iframe srcdoc="<iframe src=$B/empty></iframe>"></iframe>`, want: []string{"$B/empty (oopif)", "about:srcdoc"}},
		"about:blank and no address":       {html: `<iframe src=about:blank></iframe><iframe></iframe>`, want: []string{"about:blank", "about:blank"}},
		"a data: address":                  {html: `<iframe src="data:text/html,<p>x"></iframe>`, want: []string{"data:text/html,<p>x"}},
		"a javascript: address":            {html: `<iframe src="javascript:'<p>x'"></iframe>`, want: []string{"about:blank"}},
		"a blob: address":                  {html: `<iframe id=f></iframe>`, do: `new Promise(r => { f.onload = () => r(); f.src = URL.createObjectURL(new Blob(['<iframe src=$B/empty></iframe>'], {type: 'text/html'})) })`, want: []string{"$B/empty (oopif)", "blob:$A/*"}},
		"sandboxed frames":                 {html: `<iframe src=/box></iframe>`, want: []string{"$A/box", "$A/empty (oopif)", "about:srcdoc (oopif)"}},
		"a sandboxed OOPIF":                {html: `<iframe sandbox=allow-scripts src=$B/local></iframe>`, want: []string{"$B/empty", "$B/local (oopif)"}},
		"object and embed":                 {html: `<object data=$B/empty type=text/html></object><embed src=/empty type=text/html><object data=/empty></object>`, want: []string{"$A/empty", "$A/empty", "$B/empty (oopif)"}},
		"a frameset":                       {html: `<frameset cols=*,*><frame src=/empty name=one><frame src=$B/empty name=two></frameset>`, want: []string{"$A/empty", "$B/empty (oopif)"}},
		"an error page":                    {html: `<iframe src=http://localhost:1/none></iframe>`, want: []string{"http://localhost:1/none"}},
		"a frame that answers 204":         {html: `<iframe src=/report/x></iframe>`, want: []string{"about:blank"}},
		"a fragment":                       {html: `<iframe src=$B/empty#one></iframe>`, do: `location.hash = 'two'`, want: []string{"$B/empty#one (oopif)"}},
		"a frame that is removed":          {html: `<iframe src=/local id=f></iframe>`, do: `f.remove()`, want: nil},
		"an OOPIF that is removed":         {html: `<iframe src=$B/local id=f></iframe>`, do: `f.remove()`, want: nil},
		"a subtree with OOPIFs removed":    {html: `<iframe src=/deep id=f></iframe><iframe src=/empty></iframe>`, do: `f.remove()`, want: []string{"$A/empty"}},
		"a chain of OOPIFs removed":        {html: `<iframe src=$B/in1 id=f></iframe>`, do: `f.remove()`, want: nil},
		"an OOPIF from out to in":          {html: `<iframe src=$B/in1 id=f></iframe>`, do: to("$A/local"), want: []string{"$A/empty", "$A/local"}},
		"a frame from in to out":           {html: `<iframe src=/local2 id=f></iframe>`, do: to("$B/local"), want: []string{"$B/empty", "$B/local (oopif)"}},
		"an OOPIF to another site":         {html: `<iframe src=$B/in1 id=f></iframe>`, do: to("$D/local"), want: []string{"$D/empty", "$D/local (oopif)"}},
		"an OOPIF to about:blank":          {html: `<iframe src=$B/in1 id=f></iframe>`, do: to("about:blank"), want: []string{"about:blank"}},
		"an OOPIF to srcdoc":               {html: `<iframe src=$B/in1 id=f></iframe>`, do: `new Promise(r => { f.onload = () => r(); f.srcdoc = '<iframe src=$C/empty></iframe>' })`, want: []string{"$C/empty (oopif)", "about:srcdoc"}},
		"a frame that is moved":            {html: `<iframe src=$B/in1 id=f></iframe><div id=d></div>`, do: `new Promise(r => { f.onload = () => r(); d.append(f) })`, want: []string{"$A/in3 (oopif)", "$B/empty", "$B/in1 (oopif)", "$C/in2 (oopif)", "$D/empty (oopif)"}},
		"there and back, five times": {html: `<iframe src=$B/empty id=f></iframe>`, do: `(async () => {
			for (let i = 0; i < 5; i++) for (const to of ['$A/local', '$B/local', '$C/in2'])
				await new Promise(r => { f.onload = () => r(); f.src = to + '?' + i })
		})()`, want: []string{"$A/in3 (oopif)", "$C/in2?4 (oopif)", "$D/empty (oopif)"}},
		"there and back without waiting": {html: `<iframe src=$B/empty id=f></iframe>`, do: `(async () => {
			for (let i = 0; i < 30; i++) { f.src = ['$A/local', '$B/local', '$C/in2'][i % 3] + '?' + i; await new Promise(r => setTimeout(r, i % 7 * 3)) }
		})()`}, // which navigation wins is Chromium's affair: one that starts while another commits may be lost
		"document.open of the top document": {html: `<iframe src=$B/in1></iframe>`, do: `new Promise(r => { window.done = r; document.open(); document.write('<iframe src=$C/empty onload=done()></iframe>'); document.close() }).then(() => 0)`, want: []string{"$C/empty (oopif)"}},
		"document.open of a frame":          {html: `<iframe src=/local id=f></iframe>`, do: `const d = f.contentDocument; d.open(); d.write('<iframe src=$B/empty></iframe>'); d.close(); new Promise(r => { f.onload = () => r() })`, want: []string{"$A/document.open-of-a-frame", "$B/empty (oopif)"}},
		"document.write while parsing":      {html: `<script>document.write('<iframe src=$B/empty></iframe><iframe src=/empty></iframe>')</script>`, want: []string{"$A/empty", "$B/empty (oopif)"}},
		"replaceState in a frame":           {html: `<iframe src=/local id=f></iframe>`, do: `f.contentWindow.history.replaceState(0, '', '/other?q#x')`, want: []string{"$A/empty", "$A/other?q#x"}},
		"200 frames":                        {html: `<script>for (let i = 0; i < 200; i++) document.write('<iframe src=' + (i % 20 ? '/empty' : '$B/empty') + '?' + i + '></iframe>')</script>`, want: many(200)},
	}
	cases := slices.Sorted(maps.Keys(tests))
	for _, name := range cases {
		pages["/"+strings.ReplaceAll(name, " ", "-")] = tests[name].html
	}
	w := newWorld(t, onSites(pages), host.TaskOptions{})
	w.keepProcesses()
	for _, name := range cases {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			w.ctx = testContext(t)
			w.load("/" + strings.ReplaceAll(name, " ", "-"))
			if do := tests[name].do; do != "" {
				w.evaluate(w.long(do))
			}
			if want := tests[name].want; want != nil {
				w.becomes("", want...)
			} else {
				w.sameTree("")
			}
		})
	}
}

// keepProcesses opens a second tab with frames of every site, so that the frames of the first need no new process each
// time: that is what takes most of the time.
func (w *world) keepProcesses() {
	w.t.Helper()
	w.open("/empty")
	w.start("window.open(URL.createObjectURL(new Blob(['" + w.long("<iframe src=$A/empty></iframe><iframe src=$B/empty></iframe><iframe src=$C/empty></iframe><iframe src=$D/empty></iframe>") + "'], {type: 'text/html'})), '', 'noopener')")
}

// load opens a page and waits for its load event.
func (w *world) load(path string) {
	w.t.Helper()
	w.open(path)
	w.evaluate(loaded)
}

const loaded = `new Promise(r => document.readyState == 'complete' ? r() : addEventListener('load', () => r())).then(() => 0)`

// to navigates the frame f and waits for its load.
func to(url string) string {
	return "new Promise(r => { f.onload = () => r(); f.src = '" + url + "' })"
}

func many(n int) []string {
	list := make([]string, n)
	for i := range list {
		if i%20 == 0 {
			list[i] = "$B/empty?" + strconv.Itoa(i) + " (oopif)"
		} else {
			list[i] = "$A/empty?" + strconv.Itoa(i)
		}
	}
	slices.Sort(list)
	return list
}

// A page asks by a frame without a URL in its own name: a rule for its origin holds for that dialog.
func TestADialogOfAFrameWithoutAURLIsOfThePageThatMadeIt(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<iframe name=blank></iframe><iframe name=doc srcdoc="<p>x"></iframe><iframe name=written></iframe>
		<iframe name=sandboxed sandbox="allow-scripts allow-modals" srcdoc="<script>onmessage = () => confirm('sandboxed')</script>"></iframe>
		<script>written.document.open(); written.document.write("<p>x"); written.document.close()</script>`}, host.TaskOptions{})
	w.open("/page")
	origin := w.url("localhost", "")
	for _, c := range []struct{ name, asks, origin string }{
		{"blank", `blank.confirm("blank")`, origin}, {"doc", `doc.confirm("doc")`, origin}, {"written", `written.confirm("written")`, origin},
		{"sandboxed", `sandboxed.postMessage(0, "*")`, "null"}, {"popup", `open("").confirm("popup")`, origin},
	} {
		w.start(c.asks)
		d := w.dialog()
		if d.Message != c.name || d.Origin != c.origin {
			t.Errorf("the dialog of %s is %q of %q, want %q", c.name, d.Message, d.Origin, c.origin)
		}
		w.answer(host.DialogResponse{DialogID: d.ID, Accept: true})
	}
}
