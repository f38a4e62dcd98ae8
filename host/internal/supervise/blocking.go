package supervise

import (
	"net/netip"
	"net/url"
	"slices"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"golang.org/x/net/publicsuffix"
)

// A dialog blocks the main thread of its renderer process, and with it every page that runs there: its own tab, and
// tabs of the same site that opened it or that it opened. Chromium replies to none of their commands until the dialog
// is closed.

// awaitsAgent reports whether a dialog waits for an agent, not for a verdict or for the browser to confirm an answer.
func (d *dialog) awaitsAgent() bool { return d.Phase == PhasePending && d.asked == 0 }

// blocks reports whether a dialog blocks a tab. If the main thread of a tab is not known, tabs of the same site that
// are related by openers are assumed to share one: refusing a call needlessly is better than letting it hang.
func (s *State) blocks(d *dialog, tb *tab) bool {
	if d.tab == tb || d.tab.task != tb.task {
		return d.tab == tb
	}
	showing := d.tab.session
	if f := s.frames[d.Frame]; f != nil && f.tab == d.tab {
		showing = f.session
	}
	switch {
	case sameThread(showing, tb.session):
		return true
	case differentThreads(showing, tb.session):
		return false
	}
	return s.rootOpener(d.tab) == s.rootOpener(tb) && sameSite(d.URL, tb.root.url)
}

// rootOpener is the first tab in the chain of a tab's openers.
func (s *State) rootOpener(tb *tab) *tab {
	for range len(tb.task.tabs) {
		opener := s.tabOf(tb.info.OpenerID)
		if opener == nil || opener.task != tb.task {
			break
		}
		tb = opener
	}
	return tb
}

// sameSite compares the schemes and registrable domains of two URLs, as Chromium does to choose a process. A URL
// without a host, such as about:blank, counts as the same site as its opener.
//
// https://html.spec.whatwg.org/multipage/browsers.html#sites
func sameSite(a, b string) bool {
	x, errX := url.Parse(a)
	y, errY := url.Parse(b)
	if errX != nil || errY != nil || x.Hostname() == "" || y.Hostname() == "" {
		return true
	}
	return x.Scheme == y.Scheme && domain(x.Hostname()) == domain(y.Hostname())
}

// domain is the registrable domain of a host, or the host itself if it has none: an IP address, localhost or a public
// suffix.
func domain(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if registrable, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return registrable
	}
	return host
}

// interruptBlocked ends the calls on every tab that a dialog blocks, now that it waits for an agent.
func (s *State) interruptBlocked(d *dialog) {
	for _, tb := range d.tab.task.tabs {
		if s.blocks(d, tb) {
			s.do(Interrupt{Task: tb.task.ID, Page: tb.id, Reason: InterruptDialog})
		}
	}
}

// BlockingDialogs returns the dialogs that block a page and wait for an agent, oldest first.
func (s *State) BlockingDialogs(task string, page target.ID) []Dialog {
	var list []Dialog
	s.eachBlocking(task, page, func(d *dialog) {
		if d.awaitsAgent() {
			list = append(list, d.Dialog)
		}
	})
	return list
}

// MustWait reports whether commands to a page have to wait for a moment: a dialog that blocks it is being decided or
// answered, the page is being healed, a navigation that a dialog delayed is finishing, or the page is not usable yet
// after a lost connection.
func (s *State) MustWait(task string, page target.ID) bool {
	tb := s.tabOf(page)
	busy := tb != nil && tb.task.ID == task && (tb.healing != notHealing || tb.settling > 0 || tb.probing || !s.owns(tb.session))
	s.eachBlocking(task, page, func(d *dialog) { busy = busy || !d.awaitsAgent() })
	return busy
}

// blockedByKnown reports whether a known dialog blocks a tab.
func (s *State) blockedByKnown(tb *tab) bool {
	return slices.ContainsFunc(tb.task.open, func(d *dialog) bool { return s.blocks(d, tb) })
}

func (s *State) eachBlocking(task string, page target.ID, visit func(*dialog)) {
	t, tb := s.tasks[task], s.tabOf(page)
	if t == nil || tb == nil || tb.task != t {
		return
	}
	for _, d := range t.open {
		if s.blocks(d, tb) {
			visit(d)
		}
	}
}

// settleTimeout bounds how long a tab's commands wait for a reply of its main thread.
const settleTimeout = 5 * time.Second

// settle delays commands to a tab until one of its sessions has answered a command on its main thread, or has not in
// time. A navigation has to wait for two things: the script behind a beforeunload dialog, whose own navigation would
// abort it, and what a session that came back has to emulate, which the new document would not know.
func (s *State) settle(ss *session) {
	tb := ss.tab
	tb.settling++
	s.sendWithin(settleTimeout, ss, cdppage.CommandGetFrameTree, nil, func() { tb.settling-- })
}
