package rawcdp

import (
	"cmp"
	"encoding/json"
	"fmt"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// handler carries out a raw command in another way than sending it on the session of the agent.
type handler func(t *act.Pages, op *engine.Operation, c Call, p params) (Result, error)

// handlers are those of the commands that need special treatment, and of all that is allowed in the domains Target and
// Browser.
var handlers map[string]handler

func init() {
	handlers = map[string]handler{
		cdppage.CommandHandleJavaScriptDialog: answerDialog,
		runtime.CommandTerminateExecution:     terminateScript,
		target.CommandGetTargets:              listTargets,
		target.CommandGetTargetInfo:           onOwnTarget,
		target.CommandActivateTarget:          onOwnTarget,
		target.CommandCloseTarget:             onOwnTarget,
		cdpbrowser.CommandGetWindowForTarget:  onOwnTarget,
		target.CommandCreateTarget:            createTarget,
		cdpbrowser.CommandGetVersion:          browserInfo,
		cdpbrowser.CommandResetPermissions:    onOwnContext,
		cdpbrowser.CommandSetPermission:       onOwnContext,
		cdpbrowser.CommandSetDownloadBehavior: onOwnContext,
	}
}

// answerDialog answers the dialog of a tab through the state machine, which would otherwise mistake the answer for
// another client's.
func answerDialog(t *act.Pages, op *engine.Operation, c Call, p params) (Result, error) {
	var answer cdppage.HandleJavaScriptDialogParams
	if err := cdp.Unmarshal(c.Params, &answer); err != nil {
		return Result{}, fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
	}
	place, err := op.Locate(c.where())
	if err != nil {
		return Result{}, err
	}
	var dialog string
	var prompt *string
	if text := p.text("promptText"); p["promptText"] != nil {
		prompt = &text
	}
	for _, d := range t.Snapshot().PendingDialogs {
		if d.TargetID == string(place.Page) && !d.Answering {
			dialog = d.ID
			break
		}
	}
	if dialog == "" {
		return Result{}, &view.DialogError{Code: fault.ErrNoDialog, Text: "no dialog is open in this tab"}
	}
	if _, err := t.Respond(op.Context(), dialog, answer.Accept, prompt); err != nil {
		return Result{}, err
	}
	return Result{Result: json.RawMessage(`{}`), TargetID: string(place.Page), FrameID: c.FrameID}, nil
}

// terminateScript terminates the script that runs on a main thread, on the session of the supervisor. Chromium attaches
// a new session on the main thread, so the agent's own session of a stuck page would not be heard before the script
// ends.
func terminateScript(_ *act.Pages, op *engine.Operation, c Call, p params) (Result, error) {
	place, err := op.Locate(c.where())
	if err != nil {
		return Result{}, err
	}
	var result json.RawMessage
	err = op.Do(&engine.Call{Method: c.Method, Params: p, Call: schedule.Call{At: &place, HasEffect: true}}, &result)
	return Result{Result: result, TargetID: string(place.Target), FrameID: c.FrameID}, err
}

// onBrowser sends a command on the browser's own session.
func onBrowser(op *engine.Operation, method string, params any) (Result, error) {
	var result json.RawMessage
	err := op.OnBrowser(method, params, &result)
	return Result{Result: result}, err
}

// listTargets lists the targets that belong to the task.
func listTargets(_ *act.Pages, op *engine.Operation, c Call, _ params) (Result, error) {
	all, err := onBrowser(op, c.Method, c.Params)
	if err != nil {
		return Result{}, err
	}
	var list struct {
		TargetInfos []json.RawMessage `json:"targetInfos"`
	}
	if err := json.Unmarshal(all.Result, &list); err != nil {
		return Result{}, err
	}
	ids := make([]target.ID, len(list.TargetInfos))
	for i, raw := range list.TargetInfos {
		var info struct {
			ID target.ID `json:"targetId"`
		}
		if err := json.Unmarshal(raw, &info); err != nil {
			return Result{}, err
		}
		ids[i] = info.ID
	}
	owned := op.Owned(ids)
	own := []json.RawMessage{}
	for i, raw := range list.TargetInfos {
		if owned[ids[i]] {
			own = append(own, raw)
		}
	}
	all.Result, err = json.Marshal(map[string]any{"targetInfos": own})
	return all, err
}

// onOwnTarget sends a command that names a target of the task: the one in its parameters, else the one of the call.
// While a dialog is open it waits or is refused like other commands: closing a tab while one of its frames shows a
// dialog would crash the browser.
func onOwnTarget(_ *act.Pages, op *engine.Operation, c Call, p params) (Result, error) {
	id := target.ID(cmp.Or(p.text("targetId"), c.TargetID, c.FrameID))
	if id != "" && !op.Owned([]target.ID{id})[id] {
		return Result{}, fmt.Errorf("%w: %s is not a target of the task", fault.ErrUnknownTarget, id)
	}
	where := supervise.FrameSelector{Target: id}
	place, err := op.Locate(where)
	if err != nil {
		where = supervise.FrameSelector{Frame: cdproto.FrameID(id)} // an OOPIF
		if place, err = op.Locate(where); err != nil {
			return Result{}, err
		}
	}
	p.setText("targetId", string(cmp.Or(id, place.Page)))
	params, err := json.Marshal(p)
	if err != nil {
		return Result{}, err
	}
	var result json.RawMessage
	err = op.Do(&engine.Call{Method: c.Method, Params: json.RawMessage(params), Call: schedule.Call{At: &place, OnBrowser: true, HasEffect: true}}, &result)
	return Result{Result: result, TargetID: string(place.Target)}, err
}

// createTarget opens a tab that belongs to the task. The URL is the only parameter that is used; it is loaded once the
// tab is prepared.
func createTarget(_ *act.Pages, op *engine.Operation, _ Call, p params) (Result, error) {
	reply, err := op.Task().Ask(op.Context(), func(id supervise.RequestID) supervise.Event {
		return supervise.OpenTab{Request: id, Task: op.Task().ID(), URL: p.text("url")}
	})
	if err != nil {
		return Result{}, err
	}
	result, err := json.Marshal(target.CreateTargetResult{TargetID: reply.Target})
	return Result{Result: result, TargetID: string(reply.Target)}, err
}

// browserInfo sends a command that returns only what every page can find out about the browser.
func browserInfo(_ *act.Pages, op *engine.Operation, c Call, _ params) (Result, error) {
	return onBrowser(op, c.Method, c.Params)
}

// onOwnContext sends a command that acts on a browser context, for a task that has one of its own.
func onOwnContext(t *act.Pages, op *engine.Operation, c Call, p params) (Result, error) {
	if t.Context() == "" {
		return Result{}, &fault.RefusedError{Method: c.Method, Reason: "the task has no browser context of its own; start it in one, or set permissions with browser_emulate or browser.emulation.permissions"}
	}
	p.setText("browserContextId", string(t.Context()))
	params, err := json.Marshal(p)
	if err != nil {
		return Result{}, err
	}
	return onBrowser(op, c.Method, json.RawMessage(params))
}
