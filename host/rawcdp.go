package host

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// CDPCall is one raw command of the Chrome DevTools Protocol.
type CDPCall struct {
	// Method is Domain.command.
	Method string `json:"method"`
	// Params is a JSON object; nil for none.
	Params json.RawMessage `json:"params,omitempty"`
	// TargetID is the tab or worker, FrameID the frame, to whose session the command goes; at most one of them. Both empty:
	// the tab in use.
	TargetID string `json:"target_id,omitempty"`
	FrameID  string `json:"frame_id,omitempty"`
	// Timeout bounds the call as the context does; zero: the context alone.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// CDPResult is the browser's reply.
type CDPResult struct {
	Method    string          `json:"method"`
	Result    json.RawMessage `json:"result"`
	TargetID  string          `json:"target_id,omitempty"`
	FrameID   string          `json:"frame_id,omitempty"`
	SessionID string          `json:"session_id,omitempty"`
}

// CDP sends a raw command on the agent's own session of a target, which is attached for the first command and kept: what is
// enabled, disabled or set there is the agent's alone. The events of that session go nowhere. So Fetch.enable holds requests
// that nobody continues, until Fetch.disable; and Debugger.pause holds the page until Debugger.resume.
//
// A frame in a process of its own has a session of its own; any other is reached through the session that shows it, and the
// commands that can name a frame or its execution context are made to (Runtime.evaluate, Runtime.callFunctionOn,
// Page.navigate, Page.createIsolatedWorld, ...) unless Params does. The others act on all that the session shows.
//
// Page.handleJavaScriptDialog is an answer like [Task.RespondDialog]. Target.* and Browser.* reach what belongs to the task;
// what does not, and what acts on the whole browser, is a [*RefusedError]. The errors are otherwise those of
// [Task.Evaluate], a [*BlockedError] with its CallID included.
func (t *Task) CDP(ctx context.Context, c CDPCall) (CDPResult, error) {
	p, err := parseParams(c)
	if err != nil {
		return CDPResult{}, err
	}
	if err := t.allow(c, p); err != nil {
		return CDPResult{}, err
	}
	if err := t.confine(c.Method, p); err != nil {
		return CDPResult{}, err
	}
	send := t.sendRaw
	if special, ok := rawMethods[c.Method]; ok {
		send = func(op *operation, c CDPCall, p rawParams) (CDPResult, error) { return special(t, op, c, p) }
	}
	began := time.Now()
	r, err := t.operate(ctx, c.Timeout, func(op *operation) (Resumed, error) {
		result, err := send(op, c, p)
		if err != nil {
			return Resumed{}, err
		}
		result.Method = c.Method
		return Resumed{CDP: &result}, nil
	})
	if runsScript[c.Method] {
		t.link.host.evaluations.ended(time.Since(began), err)
	}
	if err != nil {
		return CDPResult{}, err
	}
	return *r.CDP, nil
}

// rawParams are the parameters of a raw command by name.
type rawParams map[string]json.RawMessage

// parseParams checks what every raw command must be.
func parseParams(c CDPCall) (rawParams, error) {
	domain, command, ok := strings.Cut(c.Method, ".")
	if !ok || domain == "" || command == "" || strings.Contains(command, ".") {
		return nil, fmt.Errorf("%w: a method is Domain.command, not %q", ErrBadCall, c.Method)
	}
	if c.TargetID != "" && c.FrameID != "" {
		return nil, fmt.Errorf("%w: a command goes to a target or to a frame, not to both", ErrBadCall)
	}
	p := rawParams{}
	if len(bytes.TrimSpace(c.Params)) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(c.Params, &p); err != nil || p == nil {
		return nil, fmt.Errorf("%w: the params of %s are not a JSON object", ErrBadCall, c.Method)
	}
	return p, nil
}

// text is a parameter that is a string; empty for all others.
func (p rawParams) text(name string) string {
	var s string
	if json.Unmarshal(p[name], &s) != nil {
		return ""
	}
	return s
}

func (p rawParams) flag(name string) bool { return string(p[name]) == "true" }

// setText sets a string parameter, unless one of these is there already.
func (p rawParams) setText(name, value string, unless ...string) {
	for _, other := range append(unless, name) {
		if _, ok := p[other]; ok {
			return
		}
	}
	p[name], _ = json.Marshal(value) // a string always encodes
}

// runsScript are the commands that run script of the agent's on the main thread; they take a turn there.
var runsScript = map[string]bool{
	runtime.CommandEvaluate: true, runtime.CommandCallFunctionOn: true, runtime.CommandRunScript: true,
}

// namesFrame are the commands with an optional or a required frameId.
var namesFrame = map[string]bool{
	page.CommandNavigate: true, page.CommandCreateIsolatedWorld: true, page.CommandSetDocumentContent: true,
	page.CommandGetResourceContent: true, page.CommandSearchInResource: true, "Page.getPermissionsPolicyState": true,
	"Accessibility.getFullAXTree": true, "Accessibility.getRootAXNode": true, "Network.loadNetworkResource": true,
	"CSS.createStyleSheet": true, "DOM.getFrameOwner": true,
}

// sendRaw sends a command on the agent's session of the target that it is for.
func (t *Task) sendRaw(op *operation, c CDPCall, p rawParams) (CDPResult, error) {
	place, err := op.locate(supervise.Where{Target: target.ID(c.TargetID), Frame: cdp.FrameID(c.FrameID)})
	if err != nil {
		return CDPResult{}, err
	}
	session, err := op.attach(place)
	if err != nil {
		return CDPResult{}, err
	}
	if c.FrameID != "" {
		p.aim(c.Method, place)
	}
	params, err := json.Marshal(p)
	if err != nil {
		return CDPResult{}, err
	}
	command := &call{method: c.Method, params: json.RawMessage(params), Call: schedule.Call{At: &place, Agent: session, Begins: true}}
	if runsScript[c.Method] {
		if err := op.takeTurn(&place); err != nil {
			return CDPResult{}, err
		}
		if p.flag("awaitPromise") {
			command.Turn = schedule.FencedOff
		}
	}
	switch c.Method {
	case page.CommandNavigateToHistoryEntry:
		if err := op.mayTravel(place, c, p); err != nil {
			return CDPResult{}, err
		}
	case page.CommandNavigate:
		defer t.freeToLeave(op.ctx, string(place.Page), op.left())()
	case page.CommandEnable, page.CommandDisable:
		op.task.link.inbox.put(supervise.Event(supervise.AgentEnabledPage{Session: session, Enabled: c.Method == page.CommandEnable}))
	}
	var result json.RawMessage
	if err := op.do(command, &result); err != nil {
		return CDPResult{}, runError(err)
	}
	return CDPResult{Result: result, TargetID: string(place.Target), FrameID: c.FrameID, SessionID: string(session)}, nil
}

// mayTravel refuses an entry of a tab's history whose scheme is not allowed: it may be of a time before the task.
func (op *operation) mayTravel(place supervise.Place, c CDPCall, p rawParams) error {
	var history page.GetNavigationHistoryResult
	if err := op.do(&call{method: page.CommandGetNavigationHistory, Call: schedule.Call{At: &place}}, &history); err != nil {
		return err
	}
	var id float64 // which 1, 1.0 and 1e0 are all
	if err := json.Unmarshal(p["entryId"], &id); err != nil {
		return fmt.Errorf("%w: entryId is a number that Page.getNavigationHistory gives", ErrBadCall)
	}
	for _, entry := range history.Entries {
		if float64(entry.ID) != id {
			continue
		}
		if err := op.task.link.host.schemes.Check(entry.URL); err != nil {
			return &RefusedError{Method: c.Method, Reason: err.Error()}
		}
		return nil
	}
	return fmt.Errorf("%w: the tab's history has no entry %v", ErrBadCall, id)
}

// aim names the frame of a place in the parameters of commands that can, unless they do.
func (p rawParams) aim(method string, place supervise.Place) {
	switch {
	case namesFrame[method]:
		p.setText("frameId", string(place.Frame))
	case place.Context.Unique == "":
	case method == runtime.CommandEvaluate && !place.Root: // else it is the session's default
		p.setText("uniqueContextId", place.Context.Unique, "contextId")
	case method == runtime.CommandCallFunctionOn:
		p.setText("uniqueContextId", place.Context.Unique, "executionContextId", "objectId")
	}
}

// attach gives the agent's own session of a target.
func (op *operation) attach(place supervise.Place) (target.SessionID, error) {
	reply, err := op.task.link.request(op.ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.AttachAgent{Request: id, Task: op.task.id, Place: place}
	})
	if err != nil {
		return "", err
	}
	if lost := op.task.Snapshot().Disconnected; reply.Err != nil && lost != "" {
		return "", fmt.Errorf("%w: %s", ErrDisconnected, lost)
	}
	if reply.Err != nil {
		return "", fmt.Errorf("%w: %s: %w", ErrTargetGone, place.Target, reply.Err)
	}
	return reply.Session, nil
}
