package act

import (
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"

	cdproto "github.com/chromedp/cdproto/cdp"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
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
		w.windows = append(w.windows, e.URL)
	}
}

// noteAttached notes a tab that came from the watched one. The addresses of windows come in the order of the windows.
func (w *pageWatch) noteAttached(params []byte) {
	var e struct {
		Info struct {
			ID     target.ID `json:"targetId"`
			Type   string    `json:"type"`
			Opener target.ID `json:"openerId"`
		} `json:"targetInfo"`
	}
	if cdp.Unmarshal(params, &e) != nil || e.Info.Type != "page" || w.before[string(e.Info.ID)] || w.openedTab(e.Info.ID) != nil {
		return
	}
	if e.Info.Opener != w.tab && w.openedTab(e.Info.Opener) == nil || e.Info.Opener == "" {
		return
	}
	tab := &openedTab{id: e.Info.ID}
	if i := len(w.opened); i < len(w.windows) {
		tab.url = w.windows[i]
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
func (w *pageWatch) noteOpened(id target.ID, method string, params []byte) {
	tab := w.openedTab(id)
	if tab == nil {
		return
	}
	switch method {
	case engine.EventNavigated:
		var e cdppage.EventFrameNavigated
		tab.settled = tab.settled || cdp.Unmarshal(params, &e) == nil && e.Frame != nil && e.Frame.ID == cdproto.FrameID(id)
	case engine.EventStopped:
		var e cdppage.EventFrameStoppedLoading
		tab.stopped = tab.stopped || cdp.Unmarshal(params, &e) == nil && e.FrameID == cdproto.FrameID(id)
	case engine.EventDownload:
		tab.file = true
		w.noteDownload(params)
	case engine.EventDownloaded:
		w.noteProgress(params)
	}
}
