package browsertool

import (
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/act"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/look"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/move"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/network"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/script"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// Browser has the tools of one task, a method for each. It is safe for concurrent use.
//
// If a dialog holds the page the error is a [*host.BlockedError], and if the page is busy with an action a
// [*host.DeliveredError]. [Browser.Resume] takes its CallID and returns the result once the dialog is answered or the
// page is no longer busy. Other errors are those of package host, and [*ArgumentError].
type Browser struct {
	*looking
	*moving
	*acting
	*scripting
	*networking
	kit *toolkit.Kit // embedded by all of the above, so that its methods are ambiguous here: only the tools are promoted
}

// The tools of the packages below, under names that users of [Browser] do not see.
type (
	looking    = look.Kit
	moving     = move.Kit
	acting     = act.Kit
	scripting  = script.Kit
	networking = network.Kit
)

// NewBrowser returns the tools of a task. It keeps the continuations of interrupted calls, so create one for a task and
// use it as long as the task exists.
func NewBrowser(t *host.Task, o BrowserOptions) *Browser {
	k := toolkit.New(t, o)
	return &Browser{look.New(k), move.New(k), act.New(k), script.New(k), network.New(k), k}
}

// Task returns the task that the tools work on.
func (b *Browser) Task() *host.Task { return b.kit.Task }

// Resumes reports whether an interrupted call is a tool's, so that [Browser.Resume] returns its result.
func (b *Browser) Resumes(callID string) bool { return b.kit.Kept.Get(callID) != nil }

// Prepare makes the host know, before an action that is observed, which answers the page waits for after it. b is nil
// for a tool that works without a browser, and so observes nothing.
func (b *Browser) Prepare(parameters any) {
	if b != nil {
		b.kit.Prepare(parameters)
	}
}

// MarkRequests notes that an action begins: a later wait for a request is for one that follows.
func (b *Browser) MarkRequests() { b.kit.MarkRequests() }

// Tell adds to a result what happened in the task besides the call and was not told yet.
func (b *Browser) Tell(r result.Result, tools result.Offered) result.Result {
	return b.kit.Tell(r, tools)
}
