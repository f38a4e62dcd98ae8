package supervise

import (
	"net/netip"
	"net/url"
	"slices"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"golang.org/x/net/publicsuffix"
)

// A dialog stops the main thread of its renderer process, and with it every page that runs there: its own tab, and tabs
// of the same site that opened it or that it opened. Chromium answers none of their commands until the dialog is closed.

// held tells whether a dialog waits for an agent: not for a plugin's decision, and not for the browser to take an answer.
func (d *dialog) awaitsAgent() bool { return d.Phase == PhasePending && d.asked == 0 }

// holds tells whether a tab is stopped by a dialog. Where it is not known which main thread serves a tab, tabs of one
// family and one site are taken to share it: a call that is refused in vain is better than one that hangs.
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

// family is the tab at the root of a tab's openers.
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

// sameSite compares the schemes and registrable domains of two addresses, as Chromium does to choose a process. An address
// without a host, as about:blank, takes the site of whoever opened it.
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

// domain is the registrable domain of a host, or the host where it has none: an address, localhost, or a public suffix.
func domain(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if registrable, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return registrable
	}
	return host
}

// hold ends the calls on every tab that a dialog stops, now that it waits for an agent.
func (s *State) interruptBlocked(d *dialog) {
	for _, tb := range d.tab.task.tabs {
		if s.blocks(d, tb) {
			s.do(Interrupt{Task: tb.task.ID, Page: tb.id, Reason: InterruptDialog})
		}
	}
}

// Holding returns the dialogs that stop a page and wait for an agent, oldest first.
func (s *State) Holding(task string, page target.ID) []Dialog {
	var list []Dialog
	s.eachBlocking(task, page, func(d *dialog) {
		if d.awaitsAgent() {
			list = append(list, d.Dialog)
		}
	})
	return list
}

// Busy tells whether commands to a page have to wait for a moment: a dialog that stops it is being decided or answered,
// or the page is being healed, or a navigation that a dialog held comes to its end, or the page is not yet back after a
// loss of the connection.
func (s *State) Busy(task string, page target.ID) bool {
	tb := s.tabOf(page)
	busy := tb != nil && tb.task.ID == task && (tb.healing || tb.settling > 0 || tb.probing || !s.owns(tb.session))
	s.eachBlocking(task, page, func(d *dialog) { busy = busy || !d.awaitsAgent() })
	return busy
}

// held tells whether a dialog that is known stops a tab.
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

// settleTimeout bounds what a tab's commands wait for a beforeunload handler to end.
const settleTimeout = 5 * time.Second

// settle holds back commands to a tab until the script that a beforeunload dialog held is over. A navigation that starts
// before would be aborted by the end of the one that the dialog belonged to. The fence is a command that a page answers
// on its main thread; a page that does not answer in time is not waited for.
func (s *State) settle(tb *tab) {
	tb.settling++
	var timer Token
	done := false
	settled := func() {
		if !done {
			done = true
			tb.settling--
			s.disarm(&timer)
		}
	}
	timer = s.after(settleTimeout, settled)
	s.call(tb.session.id, page.CommandGetFrameTree, nil, WantNothing, func(CommandReply) { settled() })
}
