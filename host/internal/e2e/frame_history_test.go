package e2e

import (
	"testing"

	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

var historyPages = onSites(map[string]string{
	"/deep":  `<iframe src=$B/in1 name=first></iframe><iframe src=/local></iframe><iframe srcdoc="<iframe src=$C/empty></iframe>"></iframe>`,
	"/in1":   `<iframe src=$C/in2></iframe><iframe src=/empty></iframe>`,
	"/in2":   `<iframe src=$A/empty></iframe>`,
	"/local": `<iframe src=/empty></iframe>`,
	"/lazy":  `<div style="height:1000000px"></div><iframe loading=lazy src=$B/empty></iframe>`,
})

var deepFrames = []string{"$B/in1 (oopif)", "$B/empty", "$C/in2 (oopif)", "$A/empty (oopif)", "$A/local", "$A/empty", "about:srcdoc", "$C/empty (oopif)"}

func TestATopNavigationTakesTheFramesAlong(t *testing.T) {
	w := newWorld(t, historyPages, host.TaskOptions{})
	for _, to := range []string{"$A/empty", "$A/local", "$B/local", "$C/empty", "about:blank", "data:text/html,x"} {
		w.load("/deep")
		w.becomes("", deepFrames...)
		if err := commit(w.ctx, w.Tab(""), w.long(to)); err != nil {
			t.Fatal(err)
		}
		if top := w.Snapshot().Page().RawFrameTree.Top.URL; top != w.long(to) {
			t.Errorf("after the navigation to %s the top frame is at %s", to, top)
		}
		switch to {
		case "$A/local", "$B/local":
			w.becomes("", to[:2]+"/empty")
		default:
			w.becomes("")
		}
	}
}

func TestAReloadBuildsTheSameTreeAgain(t *testing.T) {
	w := newWorld(t, historyPages, host.TaskOptions{})
	w.load("/deep")
	for range 3 {
		w.becomes("", deepFrames...)
		before := w.Snapshot().Page().RawFrameTree.Children[0].FrameID
		w.start("location.reload()")
		w.await("the frames of the new document", func(s *host.Snapshot) bool {
			children := s.Page().RawFrameTree.Children
			return len(children) > 0 && children[0].FrameID != before
		})
	}
	w.becomes("", deepFrames...)
}

// A document that comes back from the back/forward cache brings its frames along without announcing them.
func TestHistoryBackBringsTheFramesBack(t *testing.T) {
	w := newWorld(t, historyPages, host.TaskOptions{})
	w.load("/deep")
	w.becomes("", deepFrames...)
	w.evaluate("globalThis.kept = true")
	for range 3 {
		w.load("/empty")
		w.becomes("")
		w.start("history.back()")
		w.await("the first page", func(s *host.Snapshot) bool { return s.Page().URL == w.url("localhost", "/deep") })
		want(t, "kept in the cache", w.evaluate("globalThis.kept === true"), "true")
		w.becomes("", deepFrames...)
	}
}

func TestAFragmentOrAHistoryEntryChangesTheAddressOnly(t *testing.T) {
	w := newWorld(t, historyPages, host.TaskOptions{})
	w.load("/deep")
	w.becomes("", deepFrames...)
	for _, step := range []struct{ script, url string }{
		{"location.hash = 'one'", "/deep#one"},
		{"history.pushState(0, '', '/pushed?x')", "/pushed?x"},
		{"history.replaceState(0, '', '/replaced')", "/replaced"},
		{"history.back()", "/deep#one"},
	} {
		w.evaluate(step.script)
		w.await(step.script, func(s *host.Snapshot) bool {
			p := s.Page()
			return p.URL == w.url("localhost", step.url) && p.RawFrameTree.Top.URL == p.URL
		})
		w.becomes("", deepFrames...)
	}
}

func TestALazyFrameIsThereBeforeItIsLoaded(t *testing.T) {
	w := newWorld(t, historyPages, host.TaskOptions{})
	w.load("/lazy")
	w.becomes("", "about:blank")
	w.evaluate("document.querySelector('iframe').scrollIntoView()")
	w.becomes("", "$B/empty (oopif)")
}

// A frame whose page is known to the browser long before the task: the whole tree has to be found by asking.
func TestATaskThatComesLateFindsTheWholeTree(t *testing.T) {
	w := newWorld(t, historyPages, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, w.address)
	id := raw.newTab()
	defer raw.call("", "Target.closeTarget", map[string]string{"targetId": id}, nil)
	session := raw.attach(id)
	raw.call(session, cdppage.CommandEnable, nil, nil)
	raw.navigate(session, w.url("localhost", "/deep"))
	raw.evaluate(session, loaded)

	late, err := w.host.Attach(w.ctx, t.Name()+"/late", w.address, &host.TaskOptions{TargetID: id})
	if err != nil {
		t.Fatal(err)
	}
	first := late.Snapshot().Target(id)
	if first == nil || !first.Ready || first.URL != w.url("localhost", "/deep") {
		t.Fatalf("the first snapshot has %s", shared.Dump(first))
	}
	w.Task = late
	w.becomes(id, deepFrames...)
	if err := late.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	raw.evaluate(session, "1") // the tab is still there, and its scripts run
}
