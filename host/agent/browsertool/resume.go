package browsertool

import (
	"context"
	"errors"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/script"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// ResumeParams are the parameters of browser_resume.
type ResumeParams struct {
	// CallID comes from a [*host.BlockedError] or a [*host.DeliveredError].
	CallID string `json:"call_id" need:"yes"`
	toolkit.Timeout
}

// Resume waits for the result of an interrupted call and returns what its tool would have returned. Nothing is done
// twice. If another dialog interrupts the call, the error is a [*host.BlockedError] with the same id; if the time ends
// first, the call can still be resumed. Other errors are those of the call, and [host.ErrUnknownCall].
func (b *Browser) Resume(ctx context.Context, p ResumeParams) (any, error) {
	next := b.kit.Kept.Get(p.CallID)
	if next == nil {
		next = b.notOurs
	}
	waiting, cancel := b.kit.Within(ctx, p.Timeout)
	defer cancel()
	value, err := b.kit.Task.Resume(waiting, p.CallID)
	if waiting.Err() != nil && (errors.Is(err, host.ErrTimeout) || errors.Is(err, host.ErrAborted)) {
		return nil, err // the call goes on
	}
	b.kit.Kept.Drop(p.CallID)
	return next(waiting, value, err)
}

// notOurs returns the result of a call that was not made by a tool, but for example on the command line.
func (b *Browser) notOurs(_ context.Context, r host.Resumed, err error) (any, error) {
	switch {
	case err != nil:
		return nil, err
	case r.Evaluation != nil:
		return script.EvaluatedIn(b.kit, "", *r.Evaluation)
	case r.CDP != nil:
		return script.Replied(b.kit, *r.CDP)
	case r.PluginTool != nil:
		return result.OfPlugin(*r.PluginTool), nil
	}
	return r.Value, nil
}

// CloseParams are the parameters of browser_close.
type CloseParams struct {
	// Wipe also removes what pages have stored; see [host.Task.Wipe].
	Wipe            bool `json:"wipe,omitempty" list:"no"`
	toolkit.Timeout `list:"no"`
}

// CloseResult is the result of browser_close.
type CloseResult struct {
	// Closed is false if there was nothing to close.
	Closed bool `json:"closed"`
	// Wiped says that what pages had stored was removed.
	Wiped bool `json:"wiped,omitempty" schema:"-"`
	// Trace is the file of the trace that was running.
	Trace string `json:"trace_path,omitempty" schema:"-"`
}

// Close ends the task: open dialogs are dismissed, tabs that it opened are closed, and a browser that was started for
// it ends. b is nil for a task without a browser: then there is nothing to close, and none is started. Errors are those
// of [host.Task.Close].
func (b *Browser) Close(ctx context.Context, p CloseParams) (CloseResult, error) {
	if b == nil {
		return CloseResult{}, nil
	}
	ctx, cancel := b.kit.Within(ctx, p.Timeout)
	defer cancel()
	if profile := b.kit.Task.Profile(); p.Wipe && profile != "" && profile != b.kit.Options.Wipeable {
		return CloseResult{}, fmt.Errorf("%w: the profile %s is not the agent's to remove; an operator sets browser.profile_wipe for one that browser.profile names", host.ErrRefused, profile)
	}
	end := b.kit.Task.Close
	if p.Wipe {
		end = b.kit.Task.Wipe
	}
	var traced host.Trace
	if b.kit.Task.Tracing() != nil {
		traced, _ = b.kit.Task.StopTrace(ctx) // the host logs why there is no file
	}
	if err := end(ctx); err != nil {
		return CloseResult{}, err
	}
	return CloseResult{Closed: true, Wiped: p.Wipe, Trace: traced.Path}, nil
}

func (CloseResult) OwnText() bool { return true }

// Text says whether anything was closed.
func (r CloseResult) Text() string {
	if !r.Closed {
		return "there was no browser to close"
	}
	if r.Wiped && r.Trace == "" {
		return "closed; what its pages had stored is gone"
	}
	if r.Trace != "" {
		return "closed; the trace is in " + r.Trace
	}
	return "closed"
}
