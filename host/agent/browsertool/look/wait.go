package look

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// WaitParams are the parameters of browser_wait_for: exactly one condition, which is an element, URL, Request,
// Expression, LoadState or TimeMS.
type WaitParams struct {
	// Ref, Selector, Shows, and Role with Name are as in [toolkit.Target], but each match of a selector or a text counts.
	Ref      string `json:"ref,omitempty" list:"no"`
	Selector string `json:"selector,omitempty" doc:"CSS; or"`
	Shows    string `json:"text,omitempty"`
	Role     string `json:"role,omitempty" list:"no"`
	Name     string `json:"name,omitempty" list:"no"`
	// State is that of the element: visible (the default), hidden, attached, detached or enabled.
	State string `json:"state,omitempty" enum:"visible,hidden,attached,detached,enabled"`
	// URL is what the URL must match: a text in which * stands for anything, or a regular expression between slashes.
	URL string `json:"url,omitempty" list:"no" doc:"with *, or /a regular expression/"`
	// Request is a part of a request's URL, or a regular expression between slashes: a request of the tab that began after
	// the latest action, or has yet to begin, must have ended.
	Request string `json:"request,omitempty" list:"no" doc:"part of the URL, or /regex/, of a request since the last action that must end"`
	// Expression is JavaScript, or a function, that must become truthy.
	Expression string `json:"expression,omitempty" list:"no" doc:"JavaScript, or a function, to become truthy"`
	// LoadState is what the document, or the one to which the tab is on its way, must have reached.
	LoadState string `json:"load_state,omitempty" enum:"domcontentloaded,load,networkidle" list:"no"`
	// TimeMS is a pause.
	TimeMS  int    `json:"time_ms,omitempty" min:"1" max:"600000" list:"no" doc:"a pause"`
	FrameID string `json:"frame_id,omitempty" list:"no"`
	// Tab is a handle (t1) or a target id; empty: the ref's tab, or the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Timeout
}

// target is the element that p names.
func (p WaitParams) target() toolkit.Target {
	return toolkit.Target{Ref: p.Ref, Selector: p.Selector, Shows: p.Shows, Role: p.Role, Name: p.Name, FrameID: p.FrameID, Tab: p.Tab}
}

// Check rejects what is not exactly one condition.
func (p WaitParams) Check() error {
	conditions := 0
	for _, given := range []bool{!p.target().Empty(), p.URL != "", p.Request != "", p.Expression != "", p.LoadState != "", p.TimeMS != 0} {
		if given {
			conditions++
		}
	}
	switch {
	case conditions != 1:
		return result.BadArgument("selector", "give one condition: an element (ref, selector, text, or role with name), url, request, expression, load_state, or time_ms")
	case p.State != "" && p.target().Empty():
		return result.BadArgument("state", "only an element has one")
	case p.LoadState != "" && p.FrameID != "":
		return result.BadArgument("frame_id", "load_state is that of the tab")
	case p.Request != "" && p.FrameID != "":
		return result.BadArgument("frame_id", "request is one of the tab")
	}
	return p.target().Check()
}

// WaitResult is the result of browser_wait_for.
type WaitResult struct {
	// State is that of the element; empty if none was awaited.
	State string `json:"state,omitempty"`
	// Request is the one that ended.
	Request  *EndedRequest `json:"request,omitempty"`
	WaitedMS int64         `json:"waited_ms"`
}

// EndedRequest is a request that was awaited.
type EndedRequest struct {
	// ID is that of browser_network_request.
	ID     string `json:"id"`
	Method string `json:"method"`
	// Status is 0 if there was no response; Failure says why, or why its body did not arrive to the end: a page that does
	// not read it cancels the request.
	Status  int    `json:"status,omitempty"`
	Failure string `json:"failure,omitempty"`
}

// WaitFor waits for an element, a URL, a request, an expression, a load or a time. Errors are those of [host.Tab.Wait]
// and its like, and [host.ErrRefused] for an expression of a client that has no tool to run script.
func (k *Kit) WaitFor(ctx context.Context, p WaitParams) (WaitResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	if err := p.Check(); err != nil {
		return WaitResult{}, err
	}
	tab, at, err := k.Locator(ctx, p.target())
	if err != nil {
		return WaitResult{}, err
	}
	began := time.Now()
	var ended *EndedRequest
	state, pause := p.State, time.Duration(p.TimeMS)*time.Millisecond
	deadline, _ := ctx.Deadline()
	switch {
	case p.URL != "":
		err = tab.WaitURL(ctx, p.URL, p.FrameID)
	case p.Request != "":
		ended, err = k.waitRequest(ctx, tab, p.Request)
	case p.Expression != "":
		if err = toolkit.MayRunScript(ctx, "expression"); err == nil {
			err = tab.WaitTrue(ctx, p.Expression, p.FrameID)
		}
	case p.LoadState != "":
		err = tab.WaitLoad(ctx, host.WaitUntil(p.LoadState))
	case pause > 0 && time.Until(deadline) < pause:
		err = result.BadArgument("time_ms", "the pause is longer than the call may take; give a larger timeout_ms")
	case pause > 0:
		err = tab.Pause(ctx, pause)
	default:
		state = cmp.Or(state, string(host.WaitVisible))
		err = tab.Wait(ctx, at, host.WaitState(state))
	}
	return toolkit.Then(ctx, k.Kit, toolkit.Nothing{}, err, func(context.Context, toolkit.Nothing) (WaitResult, error) {
		return WaitResult{state, ended, time.Since(began).Milliseconds()}, nil
	})
}

func (k *Kit) waitRequest(ctx context.Context, tab host.Tab, pattern string) (*EndedRequest, error) {
	inURL, err := toolkit.InURL("request", pattern)
	if err != nil {
		return nil, err
	}
	r, err := tab.WaitRequest(ctx, k.RequestsBefore(), func(r host.Request) bool { return inURL(r.URL) })
	if err != nil {
		return nil, err
	}
	return &EndedRequest{ID: toolkit.RequestID(r), Method: result.Visible(r.Method), Status: r.Status, Failure: result.Visible(r.Failure)}, nil
}

func (WaitResult) OwnText() bool { return true }

// Text says what was reached.
func (r WaitResult) Text() string {
	switch {
	case r.Request != nil:
		return r.Request.line()
	case r.State == "":
		return fmt.Sprintf("it is so, after %d ms", r.WaitedMS)
	}
	return "it is " + r.State
}

// line says how it ended.
func (r EndedRequest) line() string {
	named := fmt.Sprintf("the request %s (%s)", r.ID, r.Method)
	switch {
	case r.Status == 0:
		return named + " has failed: " + r.Failure
	case r.Failure != "":
		return fmt.Sprintf("%s has ended with status %d; of its body not all arrived: %s", named, r.Status, r.Failure)
	}
	return fmt.Sprintf("%s has ended with status %d", named, r.Status)
}
