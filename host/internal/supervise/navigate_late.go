package supervise

import (
	"strings"

	"github.com/chromedp/cdproto/page"
)

// A document can come over the network without a request that the Fetch domain pauses: a service worker answered, or the
// page had the browser fetch it ahead. Such a document is asked about when it is there. It runs until the verdict, and
// what is denied is left for an empty document.

// askLate asks about the document that a frame is about to show. One of the back/forward cache was asked about before.
func (s *State) askLate(f *frame, ss *session, info FrameInfo) {
	if info.Restored || !strings.HasPrefix(info.URL, "http:") && !strings.HasPrefix(info.URL, "https:") {
		return
	}
	n := &navigation{session: ss, late: true, loader: info.Loader, paused: RequestPaused{
		Session: ss.id, Frame: f.id, URL: withoutFragment(info.URL), Method: "GET", Document: true,
	}}
	ss.navigations = append(ss.navigations, n)
	s.askNavigate(n, f)
}

// leaveLate replaces a document that was denied, or rewritten, after it came. A document that has come meanwhile is another's.
func (s *State) leaveLate(n *navigation, address string) {
	f := s.frameOf(n.session, n.paused.Frame)
	if f == nil || f.loader != n.loader || f.session == nil {
		return
	}
	s.send(f.session.id, page.CommandNavigate, &page.NavigateParams{URL: address, FrameID: f.id})
}
