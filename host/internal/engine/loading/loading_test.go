package loading

import (
	"testing"

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
