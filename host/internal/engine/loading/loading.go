// Package loading follows the documents of tabs: which ones are about to come, and what those that are there have
// reached.
package loading

import (
	"maps"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// The events that are heard besides those of the state machine. What a page's script asked for is requested before the
// reply to the command that ran the script, and started after it.
const (
	eventRequested = "Page.frameRequestedNavigation"
	eventLifecycle = "Page.lifecycleEvent"
)

// eventNavigated is what the state machine takes for a navigation, as it does document.open, which ends none.
const eventNavigated = "Page.frameNavigated"

// Methods are those of the events that are heard besides those of the state machine.
var Methods = []string{eventRequested, eventLifecycle}

// Navigation is a navigation of a tab whose document has not committed; zero: there is none.
type Navigation struct {
	Session target.SessionID
	URL     string
	Since   time.Time
	Started bool // false: the page has asked for it, and the browser has not announced it
}

// Navigations are those of all tabs. Chromium announces the start of each, and its end: a document, or that loading has
// stopped (package facts has the proof). The zero value is ready to use, by one goroutine.
type Navigations struct{ of map[target.ID]Navigation }

// Note takes an event of a tab, with what the state machine takes it for; nil: nothing.
func (n *Navigations) Note(tab target.ID, m cdp.Message, decoded supervise.Event) {
	isTop := func(frame cdproto.FrameID) bool { return tab != "" && frame == cdproto.FrameID(tab) }
	if m.Method == eventRequested {
		var requested cdppage.EventFrameRequestedNavigation
		if cdp.Unmarshal(m.Params, &requested) == nil && isTop(requested.FrameID) && requested.Disposition == cdppage.ClientNavigationDispositionCurrentTab {
			n.begin(tab, Navigation{target.SessionID(m.SessionID), requested.URL, time.Now(), false})
		}
	}
	switch decoded := decoded.(type) {
	case supervise.NavigationStarted:
		if isTop(decoded.Frame) {
			n.begin(tab, Navigation{decoded.Session, decoded.URL, time.Now(), true})
		}
	case supervise.LoadingStopped:
		delete(n.of, target.ID(decoded.Frame))
	case supervise.FrameNavigated:
		if m.Method == eventNavigated {
			delete(n.of, target.ID(decoded.Frame.ID))
		}
	case supervise.NavigatedWithinDocument:
		if !n.of[target.ID(decoded.Frame)].Started {
			delete(n.of, target.ID(decoded.Frame))
		}
	case supervise.Detached:
		maps.DeleteFunc(n.of, func(_ target.ID, load Navigation) bool { return load.Session == decoded.Session })
	}
}

func (n *Navigations) begin(tab target.ID, load Navigation) {
	if n.of == nil {
		n.of = map[target.ID]Navigation{}
	}
	n.of[tab] = load
}

// Of returns the navigation of a tab.
func (n *Navigations) Of(tab target.ID) Navigation { return n.of[tab] }

// Forget forgets a navigation of a tab, unless another one has begun.
func (n *Navigations) Forget(tab target.ID, load Navigation) {
	if n.of[tab] == load {
		delete(n.of, tab)
	}
}

// Clear forgets all navigations.
func (n *Navigations) Clear() { clear(n.of) }
