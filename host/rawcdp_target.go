package host

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// rawMethod does what a raw command asks for in another way than by sending it on the agent's session.
type rawMethod func(t *Task, op *operation, c CDPCall, p rawParams) (CDPResult, error)

// rawMethods are Page.handleJavaScriptDialog, and what is allowed of the domains Target and Browser.
var rawMethods map[string]rawMethod

func init() {
	rawMethods = map[string]rawMethod{
		page.CommandHandleJavaScriptDialog: rawDialog,
		runtime.CommandTerminateExecution:  rawTerminate,
		target.CommandGetTargets:           rawTargets,
		target.CommandGetTargetInfo:        rawOfTarget,
		target.CommandActivateTarget:       rawOfTarget,
		target.CommandCloseTarget:          rawOfTarget,
		browser.CommandGetWindowForTarget:  rawOfTarget,
		target.CommandCreateTarget:         rawCreateTarget,
		browser.CommandGetVersion:          rawOfBrowser,
		browser.CommandResetPermissions:    rawOfContext,
		browser.CommandSetPermission:       rawOfContext,
		browser.CommandSetDownloadBehavior: rawOfContext,
	}
}

// rawDialog answers the dialog of a tab through the state machine, which would otherwise take it for another client's.
func rawDialog(t *Task, op *operation, c CDPCall, p rawParams) (CDPResult, error) {
	var answer page.HandleJavaScriptDialogParams
	if err := unmarshal(c.Params, &answer); err != nil {
		return CDPResult{}, fmt.Errorf("%w: %w", ErrBadCall, err)
	}
	place, err := op.locate(supervise.Where{Target: target.ID(c.TargetID), Frame: cdp.FrameID(c.FrameID)})
	if err != nil {
		return CDPResult{}, err
	}
	response := DialogResponse{Accept: answer.Accept}
	if text := p.text("promptText"); p["promptText"] != nil {
		response.PromptText = &text
	}
	for _, d := range t.Snapshot().PendingDialogs {
		if d.TargetID == string(place.Page) && !d.Answering {
			response.DialogID = d.ID
			break
		}
	}
	if response.DialogID == "" {
		return CDPResult{}, &DialogError{Code: ErrNoDialog, text: "no dialog is open in this tab"}
	}
	if _, err := t.RespondDialog(op.ctx, response); err != nil {
		return CDPResult{}, err
	}
	return CDPResult{Result: json.RawMessage(`{}`), TargetID: string(place.Page), FrameID: c.FrameID}, nil
}

// rawTerminate ends the script that runs on a main thread. It goes to the supervisor's session: Chromium makes a new one on
// the main thread, so that an agent's own, attached to a page that is stuck, would not be heard before the script is over.
func rawTerminate(_ *Task, op *operation, c CDPCall, p rawParams) (CDPResult, error) {
	place, err := op.locate(supervise.Where{Target: target.ID(c.TargetID), Frame: cdp.FrameID(c.FrameID)})
	if err != nil {
		return CDPResult{}, err
	}
	var result json.RawMessage
	err = op.do(&call{method: c.Method, params: p, Call: schedule.Call{At: &place, Begins: true}}, &result)
	return CDPResult{Result: result, TargetID: string(place.Target), FrameID: c.FrameID}, err
}

// owned tells which of some targets belong to the task.
func (op *operation) owned(ids []target.ID) map[target.ID]bool {
	l := op.task.link
	owned, _ := ask(l, func() map[target.ID]bool {
		owned := map[target.ID]bool{}
		for _, id := range ids {
			owned[id] = l.state.Owned(op.task.id, id)
		}
		return owned
	})
	return owned
}

// onBrowser sends a command on the browser's own session.
func (op *operation) onBrowser(method string, params any) (CDPResult, error) {
	var result json.RawMessage
	if err := op.task.link.command(op.ctx, "", method, params, &result); err != nil {
		if op.ctx.Err() != nil {
			return CDPResult{}, op.cause()
		}
		return CDPResult{}, callError(err)
	}
	return CDPResult{Result: result}, nil
}

// rawTargets lists the targets that belong to the task.
func rawTargets(_ *Task, op *operation, c CDPCall, _ rawParams) (CDPResult, error) {
	all, err := op.onBrowser(c.Method, c.Params)
	if err != nil {
		return CDPResult{}, err
	}
	var list struct {
		TargetInfos []json.RawMessage `json:"targetInfos"`
	}
	if err := json.Unmarshal(all.Result, &list); err != nil {
		return CDPResult{}, err
	}
	ids := make([]target.ID, len(list.TargetInfos))
	for i, raw := range list.TargetInfos {
		var info struct {
			ID target.ID `json:"targetId"`
		}
		if err := json.Unmarshal(raw, &info); err != nil {
			return CDPResult{}, err
		}
		ids[i] = info.ID
	}
	owned := op.owned(ids)
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
func rawOfTarget(_ *Task, op *operation, c CDPCall, p rawParams) (CDPResult, error) {
	id := target.ID(cmp.Or(p.text("targetId"), c.TargetID, c.FrameID))
	if id != "" && !op.owned([]target.ID{id})[id] {
		return CDPResult{}, fmt.Errorf("%w: %s is not a target of the task", ErrUnknownTarget, id)
	}
	where := supervise.Where{Target: id}
	place, err := op.locate(where)
	if err != nil {
		where = supervise.Where{Frame: cdp.FrameID(id)} // a frame in a process of its own
		if place, err = op.locate(where); err != nil {
			return CDPResult{}, err
		}
	}
	p.setText("targetId", string(cmp.Or(id, place.Page)))
	params, err := json.Marshal(p)
	if err != nil {
		return CDPResult{}, err
	}
	var result json.RawMessage
	err = op.do(&call{method: c.Method, params: json.RawMessage(params), Call: schedule.Call{At: &place, OnBrowser: true, Begins: true}}, &result)
	return CDPResult{Result: result, TargetID: string(place.Target)}, err
}

// rawCreateTarget opens a tab that belongs to the task. Of its parameters only the address is taken: it is loaded when the
// tab is prepared.
func rawCreateTarget(_ *Task, op *operation, _ CDPCall, p rawParams) (CDPResult, error) {
	reply, err := op.task.link.request(op.ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.OpenTab{Request: id, Task: op.task.id, URL: p.text("url")}
	})
	if err != nil {
		return CDPResult{}, err
	}
	if reply.Err != nil {
		return CDPResult{}, publicError(reply.Err)
	}
	result, err := json.Marshal(target.CreateTargetResult{TargetID: reply.Target})
	return CDPResult{Result: result, TargetID: string(reply.Target)}, err
}

// rawOfBrowser sends a command that tells of the browser what every page can know.
func rawOfBrowser(_ *Task, op *operation, c CDPCall, _ rawParams) (CDPResult, error) {
	return op.onBrowser(c.Method, c.Params)
}

// rawOfContext sends a command that acts on a browser context, for a task that has one of its own.
func rawOfContext(t *Task, op *operation, c CDPCall, p rawParams) (CDPResult, error) {
	if t.context == "" {
		return CDPResult{}, &RefusedError{Method: c.Method, Reason: "the task shares its browser context; start it in one of its own"}
	}
	p.setText("browserContextId", string(t.context))
	params, err := json.Marshal(p)
	if err != nil {
		return CDPResult{}, err
	}
	return op.onBrowser(c.Method, json.RawMessage(params))
}
