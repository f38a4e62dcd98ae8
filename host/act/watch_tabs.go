package act

import (
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// openedTab is a tab that came from the one that is watched.
type openedTab struct {
	id      target.ID
	url     string // for which it was opened; untrusted
	settled bool   // it has that document
	stopped bool   // it stopped loading without one
	file    bool   // it gave a file instead; most such tabs are closed by the browser
}

// noteWindow notes that the tab asks for a window. The browser may refuse it.
func (w *pageWatch) noteWindow(params []byte) {
	var e cdppage.EventWindowOpen
	if cdp.Unmarshal(params, &e) == nil {
		w.windowURLs = append(w.windowURLs, e.URL)
	}
}

// noteAttached notes a tab that came from the watched one. The addresses of windows come in the order of the windows.
func (w *pageWatch) noteAttached(e engine.Event) {
	attached, ok := e.Decoded.(supervise.Attached)
	info := attached.Info
	if !ok || info.Type != "page" || w.openBefore[string(info.TargetID)] || w.openedTab(info.TargetID) != nil {
		return
	}
	if info.OpenerID != w.tab && w.openedTab(info.OpenerID) == nil || info.OpenerID == "" {
		return
	}
	tab := &openedTab{id: info.TargetID}
	if i := len(w.opened); i < len(w.windowURLs) {
		tab.url = w.windowURLs[i]
	}
	tab.settled = tab.url == "" || tab.url == "about:blank"
	w.opened = append(w.opened, tab)
}

func (w *pageWatch) openedTab(id target.ID) *openedTab {
	for _, tab := range w.opened {
		if tab.id == id {
			return tab
		}
	}
	return nil
}

// noteOpened notes what becomes of a tab that came from the watched one.
func (w *pageWatch) noteOpened(id target.ID, e engine.Event) {
	tab := w.openedTab(id)
	if tab == nil {
		return
	}
	switch e.Method {
	case engine.EventNavigated:
		navigated, ok := e.Decoded.(supervise.FrameNavigated)
		tab.settled = tab.settled || ok && navigated.Frame.ID == cdproto.FrameID(id)
	case engine.EventStopped:
		var stopped cdppage.EventFrameStoppedLoading
		tab.stopped = tab.stopped || cdp.Unmarshal(e.Params, &stopped) == nil && stopped.FrameID == cdproto.FrameID(id)
	case engine.EventDownload:
		tab.file = true
		w.noteDownload(e.Params)
	case engine.EventDownloaded:
		w.noteProgress(e.Params)
	}
}

const (
	// openedLimit is how long an action waits for the documents of the tabs that it opened.
	openedLimit = 2 * time.Second
	// comesToNothing is how long a tab that stopped loading has to tell what came of it, and one that gave a file to close.
	outcomeLimit = 500 * time.Millisecond
)

// awaitOpened waits until the tabs that the action opened have their documents, or gave a file and were closed again.
func (a *action) awaitOpened() error {
	known := func(tab *openedTab) bool { return tab.settled || tab.stopped || tab.file }
	if err := a.awaitTabs(openedLimit, known); err != nil {
		return err
	}
	return a.awaitTabs(outcomeLimit, func(tab *openedTab) bool { return tab.settled || !tab.stopped && !tab.file })
}

// untilOpened waits until each of the opened tabs is closed, or as it should be.
func (a *action) awaitTabs(limit time.Duration, is func(*openedTab) bool) error {
	all := func(w *pageWatch) bool {
		for _, tab := range w.opened {
			if !is(tab) && a.task.Snapshot().Target(string(tab.id)) != nil {
				return false
			}
		}
		return true
	}
	already := false
	a.d.watch.inspect(func(w *pageWatch) { already = all(w) })
	if already {
		return nil
	}
	return a.waitUntil(limit, all)
}

// newTabs are those that came since the action began, those that are closed again at the end.
func (a *action) newTabs() []Tab {
	var list []Tab
	for _, tab := range a.task.Tabs() {
		if a.before.Target(tab.TargetID) == nil {
			list = append(list, tab)
		}
	}
	a.d.watch.inspect(func(w *pageWatch) {
		for _, tab := range w.opened {
			if a.task.Snapshot().Target(string(tab.id)) == nil {
				id := string(tab.id)
				list = append(list, Tab{Handle: a.task.Handle(id), TargetID: id, URL: tab.url, Popup: true, Closed: true})
			}
		}
	})
	return list
}
