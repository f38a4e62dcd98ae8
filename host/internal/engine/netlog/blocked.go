package netlog

import (
	"strings"

	"github.com/chromedp/cdproto/network"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// maxBlockedNotes is how many blocked requests wait for the events of the network that announce them.
const maxBlockedNotes = 200

// blockedNote is what is known about a blocked request.
type blockedNote struct{ url, by string }

// Block notes who blocked a request, and why. It waits for the request if the event that announces it comes later: the
// renderer announces requests and the browser pauses them.
func (n *Log) Block(b supervise.Blocked) {
	if b.Network == "" {
		return
	}
	note := blockedNote{url: secret.WithoutUser(b.URL), by: strings.TrimSpace(b.Decision.Module + ": " + b.Reason)}
	n.mu.Lock()
	defer n.mu.Unlock()
	if x := n.latest[b.Network]; x != nil && n.explains(x, note) {
		return
	}
	if n.blocked == nil || len(n.blocked) >= maxBlockedNotes {
		n.blocked = map[network.RequestID]blockedNote{}
	}
	n.blocked[b.Network] = note
}

// explains notes who blocked a request, unless the note is about a later hop of a redirect.
func (n *Log) explains(x *Exchange, note blockedNote) bool {
	if address, _, _ := strings.Cut(x.URL, "#"); !strings.HasPrefix(address, note.url) {
		return false
	}
	x.BlockedBy = note.by
	n.grew(x)
	return true
}
