package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// listed is a result that says itself what it adds, as that of a list of actions does.
type listed result.Counted

func (l listed) Counted() result.Counted { return result.Counted(l) }

func TestCallsAreCountedByTool(t *testing.T) {
	terminated := &host.StoppedError{Code: host.ErrTimeout, Cause: context.DeadlineExceeded, Sent: true, Terminated: true}
	cancelled := &host.StoppedError{Code: host.ErrAborted, Cause: context.Canceled, Sent: true, Terminated: true}
	var c counters
	c.ended("act", 3*time.Millisecond, browsertool.ClickResult{}, nil)
	c.ended("act", 30*time.Millisecond, nil, fmt.Errorf("the click was done: %w", terminated))
	c.ended("act", 2*time.Minute, nil, cancelled)
	c.ended("act", time.Second, nil, &host.NotActionableError{})
	c.ended("look", time.Second, browsertool.SnapshotResult{Reading: browsertool.Reading{Stale: true, Frames: []host.FrameNote{{}}}}, nil)
	c.ended("look", time.Second, browsertool.NavigateResult{Reading: browsertool.Reading{Frames: []host.FrameNote{{}}}}, nil)
	c.ended("look", time.Second, browsertool.ExtractResult{Unresponsive: []string{"f"}}, nil)
	c.ended("look", time.Second, browsertool.ExtractResult{}, nil)
	c.ended("plugin", 0, Result{IsError: true, Structured: map[string]any{"kind": "of_its_own"}}, nil)
	c.ended("list", 0, listed{Failure: host.ErrTimeout, Timeouts: 1, Terminations: 1, Fallbacks: []string{FallbackFrames}}, nil)
	all := c.all()

	act := all["act"]
	if act.Calls != 4 || act.Timeouts != 1 || act.Terminations != 2 || act.MaxNS != int64(2*time.Minute) || len(act.Fallbacks) != 0 ||
		!maps.Equal(act.Failures, map[string]uint64{string(host.ErrTimeout): 1, string(host.ErrAborted): 1, string(host.ErrNotActionable): 1}) {
		t.Errorf("of actions: %+v", act)
	}
	if look := all["look"]; look.Calls != 4 || len(look.Failures) != 0 || !maps.Equal(look.Fallbacks, map[string]uint64{FallbackLastKnown: 1, FallbackFrames: 3}) {
		t.Errorf("of looks: %+v", look)
	}
	if plugin := all["plugin"]; plugin.Failures["of_its_own"] != 1 {
		t.Errorf("of a plugin's tool: %+v", plugin)
	}
	if list := all["list"]; list.Failures[string(host.ErrTimeout)] != 1 || len(list.Failures) != 1 || list.Timeouts != 1 || list.Terminations != 1 || list.Fallbacks[FallbackFrames] != 1 {
		t.Errorf("of a list of actions: %+v", list)
	}
	c.ended("act", 0, nil, errors.New("another"))
	if act.Calls != 4 || len(act.Failures) != 3 {
		t.Error("the copy changes with the counters")
	}
}

func TestDurationsAreCountedInSteps(t *testing.T) {
	var c counters
	for _, took := range []time.Duration{0, 10 * time.Millisecond, 11 * time.Millisecond, time.Second, time.Minute, time.Hour} {
		c.ended("tool", took, nil, nil)
	}
	var steps []uint64
	total := uint64(0)
	for _, d := range c.all()["tool"].Durations {
		steps = append(steps, d.Calls)
		total += d.Calls
	}
	if fmt.Sprint(steps) != "[2 1 1 0 1 1]" || total != c.all()["tool"].Calls {
		t.Errorf("the steps are %v", steps)
	}
}
