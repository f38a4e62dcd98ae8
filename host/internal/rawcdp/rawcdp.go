package rawcdp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// Call is a raw command of an agent.
type Call struct {
	// Method is Domain.command. Params is a JSON object; nil for none.
	Method string
	Params json.RawMessage
	// TargetID or FrameID, at most one of them, names the tab, worker or frame whose session the command is sent on. If
	// both are empty, it is the tab in use.
	TargetID, FrameID string
}

// where is the target or frame that the command is for.
func (c Call) where() supervise.FrameSelector {
	return supervise.FrameSelector{Target: target.ID(c.TargetID), Frame: cdproto.FrameID(c.FrameID)}
}

// Result is the browser's reply, with the session that it came from.
type Result struct {
	Method    string
	Result    json.RawMessage
	TargetID  string
	FrameID   string
	SessionID string
}

// Do checks a command and sends it within an operation of the task.
func Do(ctx context.Context, t *act.Pages, c Call) (Result, error) {
	p, err := parseParams(c)
	if err != nil {
		return Result{}, err
	}
	if err := check(t, c, p); err != nil {
		return Result{}, err
	}
	if err := confine(t, c.Method, p); err != nil {
		return Result{}, err
	}
	if err := mayRedirect(t, c.Method, p); err != nil {
		return Result{}, err
	}
	if err := mayGive(ctx, t, c, p); err != nil {
		return Result{}, err
	}
	send := sendOnSession
	if special, ok := handlers[c.Method]; ok {
		send = special
	}
	began := time.Now()
	value, err := t.Operate(ctx, func(op *engine.Operation) (any, error) {
		result, err := send(t, op, c, p)
		result.Method = c.Method
		return result, err
	})
	if runsScript[c.Method] {
		t.Evaluated(time.Since(began), err)
	}
	if err != nil {
		return Result{}, err
	}
	return value.(Result), nil
}

// params are the parameters of a raw command by name.
type params map[string]json.RawMessage

// parseParams checks the form of a raw command and decodes its parameters.
func parseParams(c Call) (params, error) {
	domain, command, ok := strings.Cut(c.Method, ".")
	if !ok || domain == "" || command == "" || strings.Contains(command, ".") {
		return nil, fmt.Errorf("%w: a method has the form Domain.command, got %q", fault.ErrBadArguments, c.Method)
	}
	if c.TargetID != "" && c.FrameID != "" {
		return nil, fmt.Errorf("%w: a command goes to a target or to a frame, not to both", fault.ErrBadArguments)
	}
	p := params{}
	if len(bytes.TrimSpace(c.Params)) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(c.Params, &p); err != nil || p == nil {
		return nil, fmt.Errorf("%w: the params of %s are not a JSON object", fault.ErrBadArguments, c.Method)
	}
	return p, nil
}

// text returns a string parameter; empty if it is missing or of another type.
func (p params) text(name string) string {
	var s string
	if json.Unmarshal(p[name], &s) != nil {
		return ""
	}
	return s
}

func (p params) flag(name string) bool { return string(p[name]) == "true" }

// setText sets a string parameter, unless it or one of the others is present.
func (p params) setText(name, value string, unless ...string) {
	for _, other := range append(unless, name) {
		if _, ok := p[other]; ok {
			return
		}
	}
	p[name], _ = json.Marshal(value) // a string always encodes
}

// runsScript lists the commands that run script of the agent on the main thread; they take a turn there.
var runsScript = map[string]bool{
	runtime.CommandEvaluate: true, runtime.CommandCallFunctionOn: true, runtime.CommandRunScript: true,
}

// namesFrame lists the commands that have a parameter frameId.
var namesFrame = map[string]bool{
	cdppage.CommandNavigate: true, cdppage.CommandCreateIsolatedWorld: true, cdppage.CommandSetDocumentContent: true,
	cdppage.CommandGetResourceContent: true, cdppage.CommandSearchInResource: true, "Page.getPermissionsPolicyState": true,
	"Accessibility.getFullAXTree": true, "Accessibility.getRootAXNode": true, "Network.loadNetworkResource": true,
	"CSS.createStyleSheet": true, "DOM.getFrameOwner": true,
}

// sendOnSession sends a command on the agent's session of its target.
func sendOnSession(t *act.Pages, op *engine.Operation, c Call, p params) (Result, error) {
	if frame := cdproto.FrameID(p.text("frameId")); frame != "" {
		if _, err := op.Locate(supervise.FrameSelector{Frame: frame}); errors.Is(err, fault.ErrFrameFiltered) {
			return Result{}, err
		}
	}
	place, err := op.Locate(c.where())
	if err != nil {
		return Result{}, err
	}
	session, err := op.AttachAgent(place)
	if err != nil {
		return Result{}, err
	}
	if c.FrameID != "" {
		p.setFrame(c.Method, place)
	}
	params, err := json.Marshal(p)
	if err != nil {
		return Result{}, err
	}
	command := &engine.Call{Method: c.Method, Params: json.RawMessage(params), Call: schedule.Call{At: &place, Agent: session, HasEffect: true}}
	if runsScript[c.Method] {
		if err := op.TakeTurn(&place); err != nil {
			return Result{}, err
		}
		if p.flag("awaitPromise") {
			command.Turn = schedule.FenceAfter
		}
	}
	switch c.Method {
	case cdppage.CommandNavigateToHistoryEntry:
		if err := checkHistoryEntry(t, op, place, c, p); err != nil {
			return Result{}, err
		}
	case cdppage.CommandNavigate:
		defer t.PrepareToLeave(op.Context(), string(place.Page), op.Remaining())()
	case cdppage.CommandEnable, cdppage.CommandDisable:
		t.Post(supervise.AgentEnabledPage{Session: session, Enabled: c.Method == cdppage.CommandEnable})
	}
	var result json.RawMessage
	if err := op.Do(command, &result); err != nil {
		return Result{}, act.RunError(err)
	}
	return Result{Result: result, TargetID: string(place.Target), FrameID: c.FrameID, SessionID: string(session)}, nil
}

// checkHistoryEntry refuses an entry of a tab's history whose URL scheme is not allowed: the entry may be older than
// the task.
func checkHistoryEntry(t *act.Pages, op *engine.Operation, place supervise.ScriptTarget, c Call, p params) error {
	var history cdppage.GetNavigationHistoryResult
	if err := op.Do(&engine.Call{Method: cdppage.CommandGetNavigationHistory, Call: schedule.Call{At: &place}}, &history); err != nil {
		return err
	}
	var id float64 // a float, as 1, 1.0 and 1e0 are the same id
	if err := json.Unmarshal(p["entryId"], &id); err != nil {
		return fmt.Errorf("%w: entryId must be a number from Page.getNavigationHistory", fault.ErrBadArguments)
	}
	for _, entry := range history.Entries {
		if float64(entry.ID) != id {
			continue
		}
		if err := t.Rules.Schemes.Check(entry.URL); err != nil {
			return &fault.RefusedError{Method: c.Method, Reason: err.Error()}
		}
		return nil
	}
	return fmt.Errorf("%w: the tab's history has no entry %v", fault.ErrBadArguments, id)
}

// setFrame sets the frame of a place in the parameters of a command that accepts one, unless they name one already.
func (p params) setFrame(method string, place supervise.ScriptTarget) {
	switch {
	case namesFrame[method]:
		p.setText("frameId", string(place.Frame))
	case place.Context.Unique == "":
	case method == runtime.CommandEvaluate && !place.Root: // the root frame is the session's default
		p.setText("uniqueContextId", place.Context.Unique, "contextId")
	case method == runtime.CommandCallFunctionOn:
		p.setText("uniqueContextId", place.Context.Unique, "executionContextId", "objectId")
	}
}
