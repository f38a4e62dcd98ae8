package supervise_test

import (
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// The browser answers no command of a session that is detached. A task does not wait for the detachment of its workers,
// whose Detached comes when nobody knows any more whose they were, so their calls end with the task.
func TestCallsOnASharedWorkerEndWithItsTask(t *testing.T) {
	s := newScript(t).on(add(supervise.TaskSettings{Scope: supervise.ScopeBrowser}), pageAttached("tab", "page"))
	s.reply("browser create about:blank", supervise.CommandReply{Target: "tab"})
	s.on(supervise.Attached{Session: "worker", Info: target.Info{TargetID: "worker", Type: "shared_worker"}})
	ended := s.removeTask()
	s.pass(time.Minute)
	s.on(supervise.Detached{Session: "worker"}, supervise.Detached{Session: "page"})
	s.replyTo(ended)
	want := supervise.Interrupt{Task: "task", Session: "worker", Reason: supervise.InterruptGone}
	if all := effectsOf[supervise.Interrupt](s); !slices.Contains(all, want) {
		t.Errorf("calls in flight on the worker never end: %+v", all)
	}
}
