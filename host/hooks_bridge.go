package host

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// askBridgeScript asks for a task's bridge script off the owner's goroutine; the verdict comes back through the inbox.
func (l *link) askBridgeScript(e supervise.AskBridgeScript) {
	v := supervise.BridgeVerdict{Token: e.Token}
	l.askBridge(abi.HookBridgeScript, e.Task, &e.Event.Header, e.Event.Append, v.Script.Unmarshal, &v)
}

// askBridgeRequest asks likewise what a pause or a request is about.
func (l *link) askBridgeRequest(e supervise.AskBridgeRequest) {
	v := supervise.BridgeVerdict{Token: e.Token}
	l.askBridge(abi.HookBridgeRequest, e.Task, &e.Event.Header, e.Event.Append, v.Request.Unmarshal, &v)
}

// askBridgeReply asks likewise for the words of an answer.
func (l *link) askBridgeReply(e supervise.AskBridgeReply) {
	v := supervise.BridgeVerdict{Token: e.Token}
	l.askBridge(abi.HookBridgeReply, e.Task, &e.Event.Header, e.Event.Append, v.Reply.Unmarshal, &v)
}

func (l *link) askBridge(hook abi.Hook, task string, header *abi.Header, encode func([]byte) []byte, decode plugin.Decode, v *supervise.BridgeVerdict) {
	l.work.Go(func() {
		out := l.host.ask(l.ctx, hook, task, header, encode, decode)
		v.Abstained, v.Fault, v.Provenance = !out.decided && out.fault == "", out.fault, out.provenance
		l.inbox.put(supervise.Event(*v))
	})
}
