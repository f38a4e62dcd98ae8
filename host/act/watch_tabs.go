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

// openedTab is a tab that the watched tab, or one that it opened, has opened.
type openedTab struct {
	id      target.ID
	url     string // that it was opened with; untrusted
	settled bool   // it has the document of that URL
	stopped bool   // it stopped loading without a document
	failed  bool   // it has the browser's error page instead
	file    bool   // it started a download instead; the browser closes most such tabs
}

// noteWindow records that the tab asks for a window. The browser may refuse it.
func (w *pageWatch) noteWindow(params []byte) {
	var e cdppage.EventWindowOpen
	if cdp.Unmarshal(params, &e) == nil {
		w.windowURLs = append(w.windowURLs, e.URL)
		w.noteExternal(e.URL)
	}
}

// noteAttached records a tab that the watched one opened. The URLs of windows come in the order of the windows.
func (w *pageWatch) noteAttached(e engine.Event) {
	attached, ok := e.Decoded.(supervise.Attached)
	info := attached.Info
	if !ok || info.Type != "page" || w.openBefore[string(info.TargetID)] || w.openedTab(info.TargetID) != nil {
		return
	}
	if info.OpenerID == "" { // as of a click with Control, or the middle button
		if len(w.aside) > 0 {
			w.opened = append(w.opened, &openedTab{id: info.TargetID, url: w.aside[0], settled: w.aside[0] == "about:blank"})
			w.aside = w.aside[1:]
		}
		return
	}
	if info.OpenerID != w.tab && w.openedTab(info.OpenerID) == nil {
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

// countOpened is how many tabs the watched one, or one that it opened, has opened.
func (w *pageWatch) countOpened() (n int) {
	w.inspect(func(w *pageWatch) { n = len(w.opened) })
	return n
}

// noteOpened records what happens to a tab that the watched one opened.
func (w *pageWatch) noteOpened(id target.ID, e engine.Event) {
	tab := w.openedTab(id)
	if tab == nil {
		return
	}
	switch e.Method {
	case engine.EventNavigated:
		navigated, ok := e.Decoded.(supervise.FrameNavigated)
		if ok && navigated.Frame.ID == cdproto.FrameID(id) {
			tab.settled, tab.failed = true, navigated.Frame.ErrorPage
		}
	case engine.EventStopped:
		var stopped cdppage.EventFrameStoppedLoading
		tab.stopped = tab.stopped || cdp.Unmarshal(e.Params, &stopped) == nil && stopped.FrameID == cdproto.FrameID(id)
	case engine.EventDownload:
		tab.file = true
	}
}

const (
	// openedLimit is how long an action waits for the documents of the tabs that it opened.
	openedLimit = 2 * time.Second
	// outcomeLimit is how long a tab that stopped loading may take to start a download or to close, and one that started a
	// download to close.
	outcomeLimit = 500 * time.Millisecond
)

// awaitOpened waits until the tabs that the action opened have their documents, or started a download and were closed
// again.
func (a *action) awaitOpened() error {
	known := func(tab *openedTab) bool { return tab.settled || tab.stopped || tab.file }
	if err := a.awaitTabs(openedLimit, known); err != nil {
		return err
	}
	return a.awaitTabs(outcomeLimit, func(tab *openedTab) bool { return tab.settled || !tab.stopped && !tab.file })
}

// awaitTabs waits until each of the opened tabs is closed or fulfils a condition.
func (a *action) awaitTabs(limit time.Duration, done func(*openedTab) bool) error {
	all := func(w *pageWatch) bool {
		for _, tab := range w.opened {
			if !done(tab) && a.pages.Snapshot().Target(string(tab.id)) != nil {
				return false
			}
		}
		return true
	}
	return a.awaitMoment(limit, all)
}

// newTabs are the tabs that opened since the action began, those that have closed again last.
func (a *action) newTabs() []TabInfo {
	var list []TabInfo
	failed := map[string]bool{}
	a.d.watch.inspect(func(w *pageWatch) {
		for _, tab := range w.opened {
			failed[string(tab.id)] = tab.failed
		}
	})
	for _, tab := range a.pages.TabsIn(a.pages.Snapshot()) {
		if a.before.Target(tab.TargetID) == nil {
			tab.Failed = a.whyFailed(tab.TargetID, tab.URL, failed[tab.TargetID])
			list = append(list, tab)
		}
	}
	a.d.watch.inspect(func(w *pageWatch) {
		for _, tab := range w.opened {
			if a.pages.Snapshot().Target(string(tab.id)) == nil {
				id := string(tab.id)
				_, why := a.denied(id)
				list = append(list, TabInfo{Handle: a.pages.Handle(id), TargetID: id, URL: tab.url, Popup: true, Closed: true, Failed: why})
			}
		}
	})
	return list
}
