package rawcdp

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"

	cdpbrowser "github.com/chromedp/cdproto/browser"

	cdproto "github.com/chromedp/cdproto/cdp"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// method does what a raw command asks for in another way than by sending it on the agent's session.
type method func(t *act.Task, op *engine.Operation, c Call, p params) (Result, error)

// methods are Page.handleJavaScriptDialog, and what is allowed of the domains Target and Browser.
var methods map[string]method

func init() {
	methods = map[string]method{
		cdppage.CommandHandleJavaScriptDialog: rawDialog,
		runtime.CommandTerminateExecution:     rawTerminate,
		target.CommandGetTargets:              rawTargets,
		target.CommandGetTargetInfo:           rawOfTarget,
		target.CommandActivateTarget:          rawOfTarget,
		target.CommandCloseTarget:             rawOfTarget,
		cdpbrowser.CommandGetWindowForTarget:  rawOfTarget,
		target.CommandCreateTarget:            rawCreateTarget,
		cdpbrowser.CommandGetVersion:          rawOfBrowser,
		cdpbrowser.CommandResetPermissions:    rawOfContext,
		cdpbrowser.CommandSetPermission:       rawOfContext,
		cdpbrowser.CommandSetDownloadBehavior: rawOfContext,
	}
}

// rawDialog answers the dialog of a tab through the state machine, which would otherwise take it for another client's.
func rawDialog(t *act.Task, op *engine.Operation, c Call, p params) (Result, error) {
	var answer cdppage.HandleJavaScriptDialogParams
	if err := cdp.Unmarshal(c.Params, &answer); err != nil {
		return Result{}, fmt.Errorf("%w: %w", fault.ErrBadCall, err)
	}
	place, err := op.Locate(supervise.Where{Target: target.ID(c.TargetID), Frame: cdproto.FrameID(c.FrameID)})
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
		return Result{}, &fault.DialogError{Code: fault.ErrNoDialog, Text: "no dialog is open in this tab"}
	}
	if _, err := t.Respond(op.Context(), dialog, answer.Accept, prompt); err != nil {
		return Result{}, err
	}
	return Result{Result: json.RawMessage(`{}`), TargetID: string(place.Page), FrameID: c.FrameID}, nil
}

// rawTerminate ends the script that runs on a main thread. It goes to the supervisor's session: Chromium makes a new one on
// the main thread, so that an agent's own, attached to a page that is stuck, would not be heard before the script is over.
func rawTerminate(_ *act.Task, op *engine.Operation, c Call, p params) (Result, error) {
	place, err := op.Locate(supervise.Where{Target: target.ID(c.TargetID), Frame: cdproto.FrameID(c.FrameID)})
	if err != nil {
		return Result{}, err
	}
	var result json.RawMessage
	err = op.Do(&engine.Call{Method: c.Method, Params: p, Call: schedule.Call{At: &place, Begins: true}}, &result)
	return Result{Result: result, TargetID: string(place.Target), FrameID: c.FrameID}, err
}

// onBrowser sends a command to the browser itself.
func onBrowser(op *engine.Operation, method string, params any) (Result, error) {
	var result json.RawMessage
	err := op.OnBrowser(method, params, &result)
	return Result{Result: result}, err
}

// rawTargets lists the targets that belong to the task.
func rawTargets(_ *act.Task, op *engine.Operation, c Call, _ params) (Result, error) {
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

// rawOfTarget sends a command that names a target of the task: the one of the call, unless its parameters do. While a dialog
// is open it waits or is refused like others: closing a tab under the dialog of a frame would end the browser.
func rawOfTarget(_ *act.Task, op *engine.Operation, c Call, p params) (Result, error) {
	id := target.ID(cmp.Or(p.text("targetId"), c.TargetID, c.FrameID))
	if id != "" && !op.Owned([]target.ID{id})[id] {
		return Result{}, fmt.Errorf("%w: %s is not a target of the task", fault.ErrUnknownTarget, id)
	}
	where := supervise.Where{Target: id}
	place, err := op.Locate(where)
	if err != nil {
		where = supervise.Where{Frame: cdproto.FrameID(id)} // a frame in a process of its own
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
	err = op.Do(&engine.Call{Method: c.Method, Params: json.RawMessage(params), Call: schedule.Call{At: &place, OnBrowser: true, Begins: true}}, &result)
	return Result{Result: result, TargetID: string(place.Target)}, err
}

// rawCreateTarget opens a tab that belongs to the task. Of its parameters only the address is taken: it is loaded when the
// tab is prepared.
func rawCreateTarget(_ *act.Task, op *engine.Operation, _ Call, p params) (Result, error) {
	reply, err := op.Task().Ask(op.Context(), func(id supervise.RequestID) supervise.Event {
		return supervise.OpenTab{Request: id, Task: op.Task().ID(), URL: p.text("url")}
	})
	if err != nil {
		return Result{}, err
	}
	result, err := json.Marshal(target.CreateTargetResult{TargetID: reply.Target})
	return Result{Result: result, TargetID: string(reply.Target)}, err
}

// rawOfBrowser sends a command that tells of the browser what every page can know.
func rawOfBrowser(_ *act.Task, op *engine.Operation, c Call, _ params) (Result, error) {
	return onBrowser(op, c.Method, c.Params)
}

// rawOfContext sends a command that acts on a browser context, for a task that has one of its own.
func rawOfContext(t *act.Task, op *engine.Operation, c Call, p params) (Result, error) {
	if t.Context() == "" {
		return Result{}, &fault.RefusedError{Method: c.Method, Reason: "the task shares its browser context; start it in one of its own"}
	}
	p.setText("browserContextId", string(t.Context()))
	params, err := json.Marshal(p)
	if err != nil {
		return Result{}, err
	}
	return onBrowser(op, c.Method, json.RawMessage(params))
}
