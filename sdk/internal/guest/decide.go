package guest

// Decision is what a handler decided: a verdict, an error, or neither, which leaves the decision to others.
type Decision[M any] struct {
	Verdict M
	Decided bool
	Err     error
}

// Decide returns a decision with a verdict.
func Decide[M any](verdict M) Decision[M] { return Decision[M]{Verdict: verdict, Decided: true} }

// Fail returns an error: the reason why there is no verdict.
func Fail[M any](reason string) Decision[M] { return Decision[M]{Err: Error(reason)} }

// Hook is a hook with one handler, and what is reused from call to call.
type Hook[E, V any] struct {
	handler func(E) V
	event   E
	verdict V
}

// Handle registers the handler, or with nil removes it. A second one is an error of the plugin.
func (h *Hook[E, V]) Handle(in string, f func(E) V) {
	if f != nil && h.handler != nil {
		Misuse(in + ".Handle was called twice; one handler decides on all events of the hook")
	}
	h.handler = f
}

// ServeHook is the body of the hook's export. of returns the decision in what the handler returned.
//
// E and M are messages of package abi, and their pointers are parameters for the reason that [Serve] gives.
func ServeHook[E, V, M any, PE interface {
	*E
	UnmarshalAlias(src []byte) error
}, PM interface {
	*M
	Append(dst []byte) []byte
}](n int32, h *Hook[E, V], of func(*V) *Decision[M]) int32 {
	return Serve(n, PE(&h.event), func() (PM, error) {
		if h.handler == nil {
			return nil, Abstain
		}
		h.verdict = h.handler(h.event)
		d := of(&h.verdict)
		if d.Err == nil && !d.Decided {
			return nil, Abstain
		}
		return &d.Verdict, d.Err
	})
}
