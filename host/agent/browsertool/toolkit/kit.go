// Package toolkit has what the tools of a task share: the task and its options, the element and the tab that a call
// names, what an action caused, the calls that go on after an interruption, and what results tell besides.
//
// It is public because parameters and results of tools are made of its types. Who calls the tools needs nothing else
// of it: package browsertool has those types, too.
package toolkit

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Kit is what the tools of one task work with. It is safe for concurrent use.
type Kit struct {
	Task    *host.Task
	Options Options
	Kept    continuations // of the calls that were interrupted
	acted   atomic.Uint64 // the number of the last request before the latest action
	told    atomic.Bool   // the agent knows what the restart of its browser lost

	landed    atomic.Bool               // it has reached a page that it asked for
	returning chan struct{}             // a lock for returning to the last page
	again     atomic.Pointer[PageAgain] // not yet reported

	mu      sync.Mutex
	blocked map[string]uint64             // how many requests each plugin had blocked at the last result
	denied  int                           // the number of the newest denial at the last result
	noticed map[string]int                // how often results have reported each of its notices
	inUse   host.TabInfo                  // as last reported by a result, or initially
	files   map[string]host.DownloadState // the downloads that a result has reported, by id
	signIns []string                      // the dialogs to sign in that a result has told of
}

// New returns the kit of a task.
func New(t *host.Task, o Options) *Kit {
	return &Kit{Task: t, Options: o.WithDefaults(), inUse: tabInUse(t), denied: t.Snapshot().LastDenial(), returning: make(chan struct{}, 1)}
}

// Within applies the timeout of a call to a context.
func (k *Kit) Within(ctx context.Context, t Timeout) (context.Context, context.CancelFunc) {
	limit := time.Duration(t.TimeoutMS) * time.Millisecond
	if limit == 0 || t.Unchosen {
		ctx = context.WithValue(ctx, unchosen{}, readyLimit)
	}
	return context.WithTimeout(ctx, cmp.Or(limit, k.Options.Timeout))
}

// readyLimit is how long an element may take to appear, and then to become actionable, in a call whose time nobody
// chose. One that does not is mostly one that the agent only supposes, or that something is in the way of, and it waits
// for the answer; Playwright MCP takes 5 s.
const readyLimit = 10 * time.Second

// unchosen is the key of the time that an element has to appear, in the context of a call whose time nobody chose.
type unchosen struct{}

// Timeout is a parameter of every tool that may take a while.
type Timeout struct {
	// TimeoutMS bounds the call in milliseconds, at most 600,000. 0: [Options.Timeout].
	TimeoutMS int `json:"timeout_ms,omitempty" min:"1" max:"600000"`
	// Unchosen says that TimeoutMS is the share of a longer call, and nobody's choice.
	Unchosen bool `json:"-"`
}
