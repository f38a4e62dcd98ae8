package engine

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/lifecycle"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// askRequest asks the request hook.
func (l *Link) askRequest(e supervise.AskRequest) {
	v := supervise.RequestVerdict{Token: e.Token}
	e.Event.URL = secret.WithoutUser(e.Event.URL)
	if t := l.tasks[e.Task]; t != nil {
		e.Event.Headers = t.network.WithoutSecrets(e.Headers)
	}
	q := lifecycle.Question{Hook: abi.HookRequest, Task: e.Task, Header: &e.Event.Header, Encode: e.Event.Append, Decode: decodes(&v.Verdict)}
	l.askModules(e.Token, e.Until, q, func(out Outcome) supervise.Event {
		v.Abstained, v.Fault, v.Provenance = out.abstained(), out.Fault, out.provenance
		return v
	})
}

// noteBlocked adds to the record of the task's requests who blocked one, and why.
func (l *Link) noteBlocked(e supervise.NoteBlocked) {
	if t := l.tasks[e.Task]; t != nil {
		t.network.Block(e.Blocked)
	}
}
