package loading

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func event(method, params string) cdp.Message {
	return cdp.Message{SessionID: "s", Method: method, Params: []byte(params)}
}

func TestANavigationLastsUntilItsDocumentOrItsEnd(t *testing.T) {
	started := supervise.NavigationStarted{Session: "s", Frame: "tab", URL: "https://slow.test/"}
	within := supervise.NavigatedWithinDocument{Frame: "tab"}
	for name, c := range map[string]struct {
		begin   supervise.Event // nil: the page asks for it
		then    cdp.Message
		decoded supervise.Event
		lasts   bool
	}{
		"its document":                      {started, event(eventNavigated, ``), supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "tab"}}, false},
		"the document of another frame":     {started, event(eventNavigated, ``), supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "child"}}, true},
		"document.open in the old document": {started, event("Page.documentOpened", ``), supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "tab"}}, true},
		"the end of loading":                {started, event("", ``), supervise.LoadingStopped{Frame: "tab"}, false},
		"the end of its session":            {started, event("", ``), supervise.Detached{Session: "s"}, false},
		"the end of another session":        {started, event("", ``), supervise.Detached{Session: "other"}, true},
		"a fragment meanwhile":              {started, event("", ``), within, true},
		"a fragment is what was asked for":  {nil, event("", ``), within, false},
	} {
		t.Run(name, func(t *testing.T) {
			var n Navigations
			begin := event("", ``)
			if c.begin == nil {
				begin = event(eventRequested, `{"frameId":"tab","url":"https://slow.test/","disposition":"currentTab"}`)
			}
			n.Note("tab", begin, c.begin)
			began := n.Of("tab")
			if began.URL != "https://slow.test/" || began.Session != "s" || began.Started != (c.begin != nil) {
				t.Fatalf("%+v", began)
			}
			n.Note("tab", c.then, c.decoded)
			if lasts := n.Of("tab") == began; lasts != c.lasts {
				t.Errorf("the navigation is %+v, lasts: %v", n.Of("tab"), lasts)
			}
		})
	}
}

func TestNoNavigationOfATabBegins(t *testing.T) {
	var n Navigations
	for name, note := range map[string]func(){
		"in another frame": func() { n.Note("tab", event("", ``), supervise.NavigationStarted{Session: "s", Frame: "child"}) },
		"in another tab":   func() { n.Note("tab", event(eventRequested, `{"frameId":"tab","disposition":"newTab"}`), nil) },
	} {
		note()
		if n.Of("tab") != (Navigation{}) || n.Of("child") != (Navigation{}) {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

func TestOnlyTheNavigationThatIsMeantIsForgotten(t *testing.T) {
	var n Navigations
	n.Note("tab", event(eventRequested, `{"frameId":"tab","url":"https://a.test/","disposition":"currentTab"}`), nil)
	first := n.Of("tab")
	n.Note("tab", event("", ``), supervise.NavigationStarted{Session: "s", Frame: "tab", URL: "https://a.test/"})
	second := n.Of("tab")
	if n.Forget("tab", first); n.Of("tab") != second {
		t.Error("the one that began later is forgotten")
	}
	if n.Forget("tab", second); n.Of("tab") != (Navigation{}) {
		t.Error("it is not forgotten")
	}
}

func TestMilestonesAreThoseOfOneDocument(t *testing.T) {
	var m Milestones
	reached := func(frame, document string) [2]bool {
		loaded, idle := m.Reached("tab", cdproto.FrameID(frame), cdproto.LoaderID(document))
		return [2]bool{loaded, idle}
	}
	lifecycle := func(frame, document, name string) {
		m.Note("tab", event(eventLifecycle, `{"frameId":"`+frame+`","loaderId":"`+document+`","name":"`+name+`","timestamp":1}`), nil)
	}
	lifecycle("tab", "1", "load")
	lifecycle("child", "c", "load")
	if reached("tab", "1") != [2]bool{true, false} || reached("child", "c") != [2]bool{true, false} || reached("tab", "2") != [2]bool{} {
		t.Error("a document has loaded")
	}
	lifecycle("tab", "1", "networkIdle")
	if reached("tab", "1") != [2]bool{true, true} {
		t.Error("its network has been idle")
	}
	m.Note("tab", event(eventNavigated, ``), supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "tab", Loader: "2"}})
	lifecycle("tab", "2", "init")
	if reached("child", "c") != [2]bool{} || reached("tab", "2") != [2]bool{} {
		t.Error("another document has reached nothing")
	}
	m.Note("tab", event(eventNavigated, ``), supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "tab", Restored: true}})
	if reached("tab", "1") != [2]bool{true, true} {
		t.Error("nothing is announced again for a restored document")
	}
	m.Note("", event("Target.targetDestroyed", ``), supervise.TargetDestroyed{Target: "tab"})
	if reached("tab", "1") != [2]bool{} {
		t.Error("the tab is gone")
	}
}

// Half a document looks like a whole one.
func TestADocumentIsAwaitedUntilItIsParsed(t *testing.T) {
	const patience = 3 * time.Second
	navigated := func(frame string) supervise.Event {
		return supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: cdproto.FrameID(frame), Loader: cdproto.LoaderID(frame + "'s")}}
	}
	started := supervise.NavigationStarted{Frame: "child"}
	type heard struct {
		method  string
		decoded supervise.Event
	}
	parsed := func(frame string) heard {
		return heard{`{"frameId":"` + frame + `","loaderId":"` + frame + `'s","name":"DOMContentLoaded","timestamp":1}`, nil}
	}
	top, child := heard{eventNavigated, navigated("tab")}, heard{eventNavigated, navigated("child")}
	restored := heard{eventNavigated, supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "tab", Restored: true}}}
	comes, ends := heard{"", started}, func(frame string) heard {
		return heard{"", supervise.LoadingStopped{Frame: cdproto.FrameID(frame)}}
	}
	const half, rest = time.Second / 2, patience - time.Second/2
	old := slices.Repeat([]heard{{}}, int(patience/half))
	for name, c := range map[string]struct {
		before []heard // half a second apart, and before the wait
		then   heard   // half a second after the wait has begun
		waits  time.Duration
		frame  cdproto.FrameID // empty: all
	}{
		"a document that was there before":        {nil, heard{}, 0, ""},
		"one that is parsed":                      {[]heard{top, parsed("tab")}, heard{}, 0, ""},
		"one that is being parsed":                {[]heard{top}, parsed("tab"), half, ""},
		"one that never is":                       {[]heard{top}, parsed("other"), rest, ""},
		"one that is not since long":              {append([]heard{top}, old...), heard{}, 0, ""},
		"one that is broken off":                  {[]heard{top}, ends("tab"), half, ""},
		"one that is replaced":                    {[]heard{top}, top, patience + half, ""},
		"one that a script opens again":           {[]heard{top, parsed("tab"), {"Page.documentOpened", navigated("tab")}}, heard{}, 0, ""},
		"one from the back/forward cache":         {[]heard{restored}, heard{}, 0, ""},
		"a frame's":                               {[]heard{top, parsed("tab"), child}, parsed("child"), half, ""},
		"a frame's in another process":            {[]heard{child, {"", supervise.FrameDetached{Frame: "child", Swap: true}}}, parsed("child"), half, ""},
		"a frame's that is gone":                  {[]heard{child}, heard{"", supervise.FrameDetached{Frame: "child"}}, half, ""},
		"a frame's that comes to a new page":      {[]heard{top, parsed("tab"), comes}, heard{}, rest - 2*half, ""},
		"a frame's that does not come after all":  {[]heard{top, parsed("tab"), comes}, ends("child"), half, ""},
		"a frame's that is there, but not parsed": {[]heard{top, parsed("tab"), comes, child}, heard{}, rest, ""},
		"a frame's that comes to an old page":     {append(append([]heard{top, parsed("tab")}, old...), comes), heard{}, 0, ""},
		"the top one alone":                       {[]heard{top, parsed("tab"), comes, child}, heard{}, 0, "tab"},
		"the top one, whatever its frames do":     {[]heard{child, top}, parsed("tab"), half, "tab"},
		"a frame's alone":                         {[]heard{top, child}, parsed("child"), half, "child"},
		"a dialog that opens meanwhile":           {[]heard{top}, heard{"", supervise.DialogOpening{Frame: "tab"}}, half, ""},
		"those of a tab that is closed":           {[]heard{top}, heard{"", supervise.TargetDestroyed{Target: "tab"}}, half, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var m Milestones
				var held atomic.Bool
				note := func(h heard) {
					e := event(h.method, "")
					if h.decoded == nil && h.method != "" {
						e = event(eventLifecycle, h.method)
					}
					m.Note("tab", e, h.decoded)
					_, opens := h.decoded.(supervise.DialogOpening)
					held.Store(held.Load() || opens)
				}
				for _, h := range c.before {
					note(h)
					<-time.After(half)
				}
				time.AfterFunc(half, func() { note(c.then) })
				began := time.Now()
				m.AwaitParsed(t.Context(), "tab", c.frame, patience, held.Load)
				if waited := time.Since(began); waited != c.waits {
					t.Errorf("it waited for %v, not %v", waited, c.waits)
				}
				<-time.After(time.Second) // for what follows to be noted
			})
		})
	}
}

func TestWhatIsNotHeardOfALostConnectionIsNotAwaited(t *testing.T) {
	var m Milestones
	m.Note("tab", event(eventNavigated, ``), supervise.FrameNavigated{Frame: supervise.FrameInfo{ID: "tab", Loader: "1"}})
	m.Note("tab", event("", ``), supervise.NavigationStarted{Frame: "child"})
	if m.IsParsed("tab") {
		t.Error("the document is being parsed")
	}
	if m.Lost(); !m.IsParsed("tab") {
		t.Error("nobody hears that it is parsed")
	}
	m.AwaitParsed(t.Context(), "tab", "", time.Hour, func() bool { return false })
}
