package engine

import (
	"strings"

	"github.com/chromedp/cdproto/network"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/route"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// askRequest asks the request hook.
func (l *Link) askRequest(e supervise.AskRequest) {
	v := supervise.RequestVerdict{Token: e.Token}
	e.Event.URL = secret.WithoutUser(e.Event.URL)
	if t := l.tasks[e.Task]; t != nil {
		e.Event.Headers = t.network.open(e.Headers)
	}
	q := lifecycle.Question{Hook: abi.HookRequest, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&v.Verdict)}
	l.askModules(e.Token, e.Until, q, func(out Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = out.abstained(), out.Fault, out.provenance
		return v
	})
}

// open returns the headers that are no secret, as many as an event has room for.
func (n *networkLog) open(list []route.Header) []abi.HTTPHeader {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []abi.HTTPHeader
	room := abi.MaxRequestHeadersBytes
	for _, h := range list {
		if secret.Name(h.Name) || n.hidden[strings.ToLower(h.Name)] {
			continue
		}
		value := h.Value
		if strings.EqualFold(h.Name, "Referer") {
			value = secret.WithoutUser(value)
		}
		if room -= len(h.Name) + len(value); room < 0 {
			break
		}
		out = append(out, abi.HTTPHeader{Name: h.Name, Value: value})
	}
	return out
}

// maxBlockedNotes is how many blocked requests wait for the events of the network that announce them.
const maxBlockedNotes = 200

// blockedNote is what is known about a blocked request.
type blockedNote struct{ url, by string }

// noteBlocked adds to the record of the task's requests who blocked one, and why.
func (l *Link) noteBlocked(e supervise.NoteBlocked) {
	t := l.tasks[e.Task]
	if t == nil || e.Blocked.Network == "" {
		return
	}
	b, by := e.Blocked, e.Blocked.Decision.Module
	note := blockedNote{url: secret.WithoutUser(b.URL), by: strings.TrimSpace(by + ": " + b.Reason)}
	t.network.mu.Lock()
	defer t.network.mu.Unlock()
	t.network.noteBlocked(e.Blocked.Network, note)
}

// noteBlocked waits for the request if the event that announces it comes later: the renderer announces requests and the
// browser pauses them.
func (n *networkLog) noteBlocked(id network.RequestID, note blockedNote) {
	if x := n.latest[id]; x != nil && n.explains(x, note) {
		return
	}
	if n.blocked == nil || len(n.blocked) >= maxBlockedNotes {
		n.blocked = map[network.RequestID]blockedNote{}
	}
	n.blocked[id] = note
}

// explains notes who blocked a request, unless the note is about a later hop of a redirect.
func (n *networkLog) explains(x *exchange, note blockedNote) bool {
	if address, _, _ := strings.Cut(x.URL, "#"); !strings.HasPrefix(address, note.url) {
		return false
	}
	x.BlockedBy = note.by
	n.grew(x)
	return true
}
