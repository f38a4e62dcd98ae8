package supervise_test

import (
	"slices"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

func contextCreated(session target.SessionID, frame cdproto.FrameID, unique string) supervise.ContextCreated {
	return supervise.ContextCreated{Session: session, Context: supervise.ExecutionContext{Unique: unique, Frame: frame, Main: true}}
}

// located returns the session and the context in which an expression would run.
func (s *script) located(w supervise.FrameSelector) (string, supervise.LocateResult) {
	p, how := s.state.Locate("task", w)
	return string(p.Session) + " " + p.Context.Unique, how
}

func (s *script) wantPlace(w supervise.FrameSelector, place string, how supervise.LocateResult) *script {
	s.t.Helper()
	got, gotHow := s.located(w)
	if gotHow != how || how == supervise.Located && got != place {
		s.t.Fatalf("%+v is at %q (%d), want %q (%d)", w, got, gotHow, place, how)
	}
	return s
}

// A popup that asks as it opens has not announced its main world yet.
func TestADialogOfAPopupThatIsNotKnownYetIsOfThePageThatOpenedIt(t *testing.T) {
	for name, c := range map[string]struct {
		url        string
		accessible bool
		known      []supervise.Event
		origin     string
	}{
		"unknown":           {"about:blank", true, nil, "https://top/"},
		"known":             {"about:blank", true, []supervise.Event{supervise.ContextCreated{Session: "x", Context: supervise.ExecutionContext{Frame: "popup", Main: true, Origin: "https://made"}}}, "https://made"},
		"without an opener": {"about:blank", false, nil, "null"},
		"another document":  {"https://other/", true, nil, "https://other"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t)
			a := popup("popup", "x", "tab")
			a.Info.OpenerFrameID, a.Info.CanAccessOpener = "tab", c.accessible
			origin := "null"
			if c.url != "about:blank" {
				origin = "https://other"
			}
			s.on(a, supervise.FrameNavigated{Session: "x", Frame: supervise.FrameInfo{ID: "popup", Loader: "l", URL: c.url, Origin: origin}})
			s.on(c.known...)
			s.on(supervise.DialogOpening{Session: "x", Frame: "popup", Type: abi.DialogTypeConfirm, URL: c.url})
			if v, _ := s.state.View("task"); len(v.Pending) != 1 || v.Pending[0].Origin != c.origin {
				t.Errorf("the dialogs are %+v, want one of %s", v.Pending, c.origin)
			}
		})
	}
}

func TestAFrameIsLocatedInTheSessionAndContextThatShowIt(t *testing.T) {
	s := newStory(t)
	frame := supervise.FrameSelector{Frame: "frame", Any: true}
	s.wantPlace(supervise.FrameSelector{}, "page ", supervise.Located)
	s.wantPlace(frame, "", supervise.LocateNoFrame)
	s.on(supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"})
	s.wantPlace(frame, "", supervise.LocateNotYet)
	s.on(contextCreated("page", "tab", "top"), contextCreated("page", "frame", "first"))
	s.wantPlace(supervise.FrameSelector{}, "page top", supervise.Located).wantPlace(frame, "page first", supervise.Located)
	s.wantPlace(supervise.FrameSelector{Frame: "frame", Target: "other"}, "", supervise.LocateNoFrame)
	s.wantPlace(supervise.FrameSelector{Target: "other"}, "", supervise.LocateNoTarget)

	// A new document: its context is announced before the old one ends, or after.
	s.on(contextCreated("page", "frame", "second"))
	s.wantPlace(frame, "page second", supervise.Located)
	s.on(supervise.ContextDestroyed{Session: "page", Unique: "first"})
	s.wantPlace(frame, "page second", supervise.Located)
	s.on(supervise.ContextDestroyed{Session: "page", Unique: "second"})
	s.wantPlace(frame, "", supervise.LocateNotYet)
	s.on(contextCreated("page", "frame", "third"))
	s.on(supervise.ContextsCleared{Session: "page"})
	s.wantPlace(frame, "", supervise.LocateNotYet)

	// Into another process and back, but never in the parent's process in between.
	s.on(contextCreated("page", "frame", "fourth"), oopif("frame", "tab", "apart", "page"))
	s.wantPlace(frame, "page fourth", supervise.Located)
	s.on(navigated("apart", document("frame", "tab", "https://apart/")))
	s.wantPlace(frame, "apart ", supervise.Located) // the session's default context
	s.on(supervise.Detached{Session: "apart"})
	s.wantPlace(frame, "", supervise.LocateNotYet)
}

func TestWhatIsKnownOfMainThreadsDecidesWhichTabsADialogHolds(t *testing.T) {
	s := newStory(t)
	s.on(popup("popup", "second", "tab"))
	s.on(navigated("page", document("tab", "", "https://top/")), navigated("second", document("popup", "", "https://top/")))
	s.on(opens("tab", 1))
	s.on(supervise.DialogVerdict{Token: s.lastAsk().Token, Abstained: true})
	holds := func(want int, why string) {
		t.Helper()
		if got := len(s.state.BlockingDialogs("task", "popup")); got != want {
			t.Errorf("%s: the popup is held by %d dialogs, want %d", why, got, want)
		}
	}
	isolate := func(session target.SessionID, id string, loader cdproto.LoaderID) {
		s.on(supervise.IsolateKnown{Session: session, Isolate: id, Loader: loader})
	}
	holds(1, "a guess, by family and site")
	isolate("page", "one", "loader of https://top/")
	holds(1, "a guess while only one is known")
	isolate("second", "two", "loader of a document that is gone")
	holds(1, "a guess while what is known is of an older document")
	isolate("second", "two", "loader of https://top/")
	holds(0, "different main threads")
	isolate("second", "one", "loader of https://top/")
	holds(1, "the same main thread")
	s.on(navigated("second", document("popup", "", "https://other/")))
	holds(0, "a guess again, after a navigation to another site")
}

// Chromium tells the origin of a frame by its URL; a document without one has that of its maker, or an opaque one.
func TestADocumentWithoutAURLHasTheOriginOfItsMainWorld(t *testing.T) {
	s := newStory(t).on(navigated("page", document("tab", "", "https://top/")))
	s.on(supervise.FrameAttached{Session: "page", Frame: "frame", Parent: "tab"})
	wantOrigin := func(want string) {
		t.Helper()
		v, _ := s.state.View("task")
		frames := v.Targets[0].Frames
		i := slices.IndexFunc(frames, func(f supervise.Frame) bool { return f.ID == "frame" })
		if i < 0 || frames[i].Origin != want {
			t.Errorf("the origin of frame %d is to be %q: %+v", i, want, frames)
		}
	}
	world := func(unique, origin string, main bool) supervise.ContextCreated {
		return supervise.ContextCreated{Session: "page", Context: supervise.ExecutionContext{Unique: unique, Frame: "frame", Main: main, Origin: origin}}
	}
	without := func(url, loader string) supervise.FrameNavigated {
		return navigated("page", supervise.FrameInfo{ID: "frame", Parent: "tab", URL: url, Loader: cdproto.LoaderID(loader), Origin: "null"})
	}
	wantOrigin("null")
	s.on(world("isolated", "https://elsewhere", false))
	wantOrigin("null")
	s.on(world("first", "https://top", true))
	wantOrigin("https://top")
	s.on(without("about:srcdoc", "srcdoc"))
	wantOrigin("https://top")
	s.on(world("sandboxed", "null", true))
	wantOrigin("null")
	s.on(navigated("page", document("frame", "tab", "https://other/")))
	wantOrigin("https://other/")
	s.on(world("late", "https://top", true))
	wantOrigin("https://other/")
	s.on(without("data:text/html,x", "data"))
	wantOrigin("null")
}
