package agents

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// place is where a page can be in a tab. The page itself is one of those of [kindsOfPages].
type place struct {
	name string
	// The pages above its own, the tab's first; NEXT in one is the address of the next, KIND the page's kind.
	above []string
	hosts []string // of the pages above, and of its own
	root  string   // where in its document it is: body, open or closed
	popup bool
	zoom  float64 // by CSS; 0: none
}

const frame = `<iframe style="width: 900px; height: 640px" src="NEXT"></iframe>`

// places are all of them.
var places = []place{
	{name: "main frame", root: "body"},
	{name: "frame of the same origin", above: []string{frame}, hosts: []string{"localhost", "localhost"}, root: "body"},
	{name: "frame of another origin", above: []string{frame}, hosts: []string{"localhost", "127.0.0.1"}, root: "body"},
	{
		name: "three frames deep, each of another origin", root: "body", above: []string{frame, frame, frame},
		hosts: []string{"localhost", "127.0.0.1", "127.0.0.2", "x.localhost"},
	},
	{name: "open shadow root", root: "open"},
	{name: "closed shadow root", root: "closed"},
	{name: "closed shadow root in a frame of another origin", root: "closed", above: []string{frame}, hosts: []string{"localhost", "127.0.0.1"}},
	{name: "popup", root: "body", popup: true},
	{name: "popup of another origin", root: "body", popup: true, hosts: []string{"127.0.0.1"}},
	{
		name: "frames that are scrolled, turned and shrunk", root: "body", zoom: 0.8, hosts: []string{"localhost", "localhost", "127.0.0.1"},
		above: []string{
			`<div style="height: 900px"></div><iframe style="width: 900px; height: 600px; border: 9px solid; padding: 13px; transform: rotate(4deg) scale(0.9)" src="NEXT"></iframe>`,
			`<div style="height: 500px"></div><iframe style="width: 800px; height: 500px; zoom: 0.8; margin-left: 30px" src="NEXT"></iframe><div style="height: 900px"></div>`,
		},
	},
}

// kindsOfPages are scripts with a function make(root), which builds a page in a root.
var kindsOfPages = map[string]string{"play": playScript, "wall": wallScript}

// pages are what the site serves: a chain of pages for each kind in each place, and what those need.
func pages() map[string]string {
	all := map[string]string{"/log.js": logScript, "/logo.svg": logo, "/file.bin": fileContent, "/after": "<p>after</p>", "/two": "<p>two</p>",
		"/hanging": hangingPage, "/link": "<a href=/two>Next</a>", "/opener": openerPage, "/busy": busyPage, "/hands": handsPage, "/late": latePage,
		"/asks": `<button onclick="document.title='sure: '+confirm('Sure?')">Ask</button>`, "/framed": `<iframe src="{{127.0.0.1}}/after"></iframe>`,
		"/closer": "<button id=close onclick=\"window.close()\">close</button>"}
	for kind, script := range kindsOfPages {
		all["/"+kind+".js"] = script
		for _, p := range places {
			for i, above := range p.above {
				all[p.path(kind, i)] = strings.NewReplacer("NEXT", p.address(kind, i+1), "KIND", kind).Replace(above)
			}
			all[p.path(kind, len(p.above))] = p.document(kind)
			if p.popup {
				all[p.opener(kind)] = `<button id=opens onclick="window.open('` + p.address(kind, 0) + `', '', 'width=1000,height=700')">Open</button>`
			}
		}
	}
	return all
}

// document is the page itself.
func (p place) document(kind string) string {
	into := map[string]string{"body": "document.body"}[p.root]
	if into == "" {
		into = `document.getElementById("shadow").attachShadow({mode: "` + p.root + `"})`
	}
	return `<body><div id=shadow></div><script src="/log.js"></script><script src="/` + kind + `.js"></script><script>make(` + into + `)</script>`
}

// path is that of a page of the chain, in which the page itself is the last.
func (p place) path(kind string, i int) string {
	return "/" + kind + "-" + strings.ReplaceAll(strings.ReplaceAll(p.name, ",", ""), " ", "-") + "-" + string(rune('0'+i))
}

func (p place) opener(kind string) string { return p.path(kind, 9) }

func (p place) host(i int) string {
	if len(p.hosts) == 0 {
		return "localhost"
	}
	return p.hosts[i]
}

func (p place) address(kind string, i int) string { return "{{" + p.host(i) + "}}" + p.path(kind, i) }

// scale is how large things are there, for one who looks at the tab.
func (p place) scale() float64 { return cmp.Or(p.zoom, 1) }

// framed tells whether the place is below the top of its tab.
func (p place) framed() bool { return len(p.above) > 0 }

// spot is a page at a place, open in a task.
type spot struct {
	*user
	place
	kind   string
	tab    string // the handle of its tab; empty for the first
	target string // its target id
	frame  string // the id of its frame
	read   agent.Result
}

// at opens a page of a kind at a place in a task of its own.
func (b *bench) at(t *testing.T, p place, kind string) *spot {
	t.Helper()
	s := &spot{user: b.newUser(t, host.TaskOptions{}), place: p, kind: kind}
	s.open()
	return s
}

// open loads the page, and waits until all its frames are there.
func (s *spot) open() {
	s.t.Helper()
	if !s.popup {
		s.good("browser_navigate", arguments{"url": s.address(s.kind, 0)})
	} else {
		s.good("browser_navigate", arguments{"url": "{{localhost}}" + s.opener(s.kind)})
		s.tab = text(s.t, s.good("browser_click", arguments{"selector": "#opens"}), "new_tabs.0.handle")
	}
	s.locate(s.URL(s.host(len(s.above)), s.path(s.kind, len(s.above))))
	s.good("browser_wait_for", s.inTab(arguments{"selector": "#ready", "state": "attached"}))
	s.read = agent.Result{}
}

// locate waits until the document of the place is known, and learns its frame and tab.
func (s *spot) locate(address string) {
	s.t.Helper()
	_, ok := s.Wait(s.ctx, func(now *host.Snapshot) bool {
		for _, target := range now.Targets {
			if target.RawFrameTree == nil {
				continue
			}
			for _, f := range append([]host.Frame{target.RawFrameTree.Top}, target.RawFrameTree.Children...) {
				if f.URL == address && f.SessionID != "" {
					s.target, s.frame = target.ID, f.FrameID
					return true
				}
			}
		}
		return false
	})
	if !ok {
		s.t.Fatalf("no frame with %s", address)
	}
}

// inTab adds the tab of the place to the arguments of a call.
func (s *spot) inTab(a arguments) arguments {
	if s.tab == "" {
		return a
	}
	return a.with(arguments{"tab": s.tab})
}

// way is how an element is named.
type way struct {
	name string
	arguments
}

// ways are those by which every element can be named.
func (s *spot) ways(role, name, id string) []way {
	s.t.Helper()
	return []way{
		{"by ref", arguments{"ref": s.ref(role, name)}},
		{"by selector", s.inTab(arguments{"selector": "#" + id})},
		{"by selector in a frame", s.inTab(arguments{"selector": "#" + id, "frame_id": s.frame})},
	}
}

// snapshot is the page as it was read last.
func (s *spot) snapshot() agent.Result {
	s.t.Helper()
	if s.read.Structured == nil {
		s.read = s.good("browser_snapshot", s.inTab(nil))
	}
	return s.read
}

// ref is that of an element in the snapshot.
func (s *spot) ref(role, name string) string {
	s.t.Helper()
	return refIn(s.t, s.snapshot(), role, name)
}

func refIn(t *testing.T, r agent.Result, role, name string) string {
	t.Helper()
	tree, _ := r.Structured["snapshot"].(string)
	match := regexp.MustCompile(role + ` "` + regexp.QuoteMeta(name) + `".*@(e\d+)`).FindStringSubmatch(tree)
	if match == nil {
		t.Fatalf("no %s %q in %s", role, name, show(r))
	}
	return match[1]
}

// event is one that the page has written down.
type event struct {
	Type    string
	ID      string // of the element
	Trusted bool   // it came from the browser, and no script made it
	Inside  bool   // the pointer was within the element
	Key     string
	Value   string // of the element, or what the handler says
	Button  int
}

// evaluate gives the value of an expression in the world of the page's own scripts.
func (s *spot) evaluate(expression string, into any) {
	s.t.Helper()
	value, err := s.Tab(s.target).Evaluate(s.ctx, expression, &host.EvaluateOptions{Locator: host.InFrame(s.frame), AwaitPromise: true})
	if err != nil {
		s.t.Fatalf("evaluate %s: %v", expression, err)
	}
	if err := json.Unmarshal(value.Value, into); err != nil {
		s.t.Fatalf("evaluate %s: %v", expression, err)
	}
}

// took waits until an element has got an event, and takes the page's log up to now; it gives those of the type and
// element.
func (s *spot) took(kind, id string) []event {
	s.t.Helper()
	var all, some []event
	s.evaluate(`take("`+kind+`", "`+id+`")`, &all)
	for _, e := range all {
		if e.Type == kind && e.ID == id {
			some = append(some, e)
		}
	}
	return some
}

// tookOne is took of exactly one event, which the browser made, and for which the pointer was where the element is.
func (s *spot) tookOne(kind, id string) event {
	s.t.Helper()
	list := s.took(kind, id)
	if len(list) != 1 || !list[0].Trusted || !list[0].Inside {
		s.t.Errorf("%s got %s %s", id, kind, shared.Dump(list))
	}
	return list[0]
}

// log is what the page has written down since it was taken last.
func (s *spot) log() (list []event) {
	s.t.Helper()
	s.evaluate("log.splice(0)", &list)
	return list
}
