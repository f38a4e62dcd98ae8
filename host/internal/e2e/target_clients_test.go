package e2e

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// The first client that resumes a popup resumes it for all. Beside a host, another one prepares its popup late: nothing
// was loaded before.
func TestAHostDoesNotResumeThePopupsOfAnotherClient(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	w := newWorldOn(t, address, host.Options{}, map[string]string{"/popup": "popup"}, host.TaskOptions{})
	raw := newRawClient(w.ctx, t, address, "Target.attachedToTarget", "Fetch.requestPaused")
	opener := raw.attach(raw.newTab())
	raw.navigate(opener, w.url("localhost", "/empty"))
	flatten := true
	raw.call("", target.CommandSetAutoAttach, &target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &flatten}, nil)
	if _, err := raw.conn.Send(opener, runtime.CommandEvaluate, &runtime.EvaluateParams{Expression: `open("/popup"); 0`}); err != nil {
		t.Fatal(err)
	}
	var popup target.EventAttachedToTarget
	for popup.TargetInfo == nil || !popup.WaitingForDebugger {
		if err := json.Unmarshal(raw.next().Params, &popup); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // the host has heard of the popup before the first reply, and what it did was done before the next
		w.evaluate("1")
	}
	session := string(popup.SessionID)
	raw.call(session, fetch.CommandEnable, &fetch.EnableParams{Patterns: []*fetch.RequestPattern{
		{ResourceType: network.ResourceTypeDocument, RequestStage: fetch.RequestStageRequest},
	}}, nil)
	raw.call(session, runtime.CommandRunIfWaitingForDebugger, nil, nil)
	for raw.next().Method != "Fetch.requestPaused" {
	}
	w.never("/popup")
}
