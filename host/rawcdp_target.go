package host

import (
	"cmp"
	"encoding/json"
	"fmt"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	cdproto "github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// rawMethod does what a raw command asks for in another way than by sending it on the agent's session.
type rawMethod func(t *actTask, op *operation, c rawCall, p rawParams) (rawResult, error)

// rawMethods are Page.handleJavaScriptDialog, and what is allowed of the domains Target and Browser.
var rawMethods map[string]rawMethod

func init() {
	rawMethods = map[string]rawMethod{
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
func rawDialog(t *actTask, op *operation, c rawCall, p rawParams) (rawResult, error) {
	var answer cdppage.HandleJavaScriptDialogParams
	if err := cdp.Unmarshal(c.Params, &answer); err != nil {
		return rawResult{}, fmt.Errorf("%w: %w", ErrBadCall, err)
	}
	place, err := op.locate(supervise.Where{Target: target.ID(c.TargetID), Frame: cdproto.FrameID(c.FrameID)})
	if err != nil {
		return rawResult{}, err
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
		return rawResult{}, &DialogError{Code: ErrNoDialog, text: "no dialog is open in this tab"}
	}
	if _, err := t.respond(op.ctx, dialog, answer.Accept, prompt); err != nil {
		return rawResult{}, err
	}
	return rawResult{Result: json.RawMessage(`{}`), TargetID: string(place.Page), FrameID: c.FrameID}, nil
}

// rawTerminate ends the script that runs on a main thread. It goes to the supervisor's session: Chromium makes a new one on
// the main thread, so that an agent's own, attached to a page that is stuck, would not be heard before the script is over.
func rawTerminate(_ *actTask, op *operation, c rawCall, p rawParams) (rawResult, error) {
	place, err := op.locate(supervise.Where{Target: target.ID(c.TargetID), Frame: cdproto.FrameID(c.FrameID)})
	if err != nil {
		return rawResult{}, err
	}
	var result json.RawMessage
	err = op.do(&call{method: c.Method, params: p, Call: schedule.Call{At: &place, Begins: true}}, &result)
	return rawResult{Result: result, TargetID: string(place.Target), FrameID: c.FrameID}, err
}

// onBrowser sends a command to the browser itself.
func onBrowser(op *operation, method string, params any) (rawResult, error) {
	var result json.RawMessage
	err := op.onBrowser(method, params, &result)
	return rawResult{Result: result}, err
}

// rawTargets lists the targets that belong to the task.
func rawTargets(_ *actTask, op *operation, c rawCall, _ rawParams) (rawResult, error) {
	all, err := onBrowser(op, c.Method, c.Params)
	if err != nil {
		return rawResult{}, err
	}
	var list struct {
		TargetInfos []json.RawMessage `json:"targetInfos"`
	}
	if err := json.Unmarshal(all.Result, &list); err != nil {
		return rawResult{}, err
	}
	ids := make([]target.ID, len(list.TargetInfos))
	for i, raw := range list.TargetInfos {
		var info struct {
			ID target.ID `json:"targetId"`
		}
		if err := json.Unmarshal(raw, &info); err != nil {
			return rawResult{}, err
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
func rawOfTarget(_ *actTask, op *operation, c rawCall, p rawParams) (rawResult, error) {
	id := target.ID(cmp.Or(p.text("targetId"), c.TargetID, c.FrameID))
	if id != "" && !op.owned([]target.ID{id})[id] {
		return rawResult{}, fmt.Errorf("%w: %s is not a target of the task", ErrUnknownTarget, id)
	}
	where := supervise.Where{Target: id}
	place, err := op.locate(where)
	if err != nil {
		where = supervise.Where{Frame: cdproto.FrameID(id)} // a frame in a process of its own
		if place, err = op.locate(where); err != nil {
			return rawResult{}, err
		}
	}
	p.setText("targetId", string(cmp.Or(id, place.Page)))
	params, err := json.Marshal(p)
	if err != nil {
		return rawResult{}, err
	}
	var result json.RawMessage
	err = op.do(&call{method: c.Method, params: json.RawMessage(params), Call: schedule.Call{At: &place, OnBrowser: true, Begins: true}}, &result)
	return rawResult{Result: result, TargetID: string(place.Target)}, err
}

// rawCreateTarget opens a tab that belongs to the task. Of its parameters only the address is taken: it is loaded when the
// tab is prepared.
func rawCreateTarget(_ *actTask, op *operation, _ rawCall, p rawParams) (rawResult, error) {
	reply, err := op.task.link.request(op.ctx, func(id supervise.RequestID) supervise.Event {
		return supervise.OpenTab{Request: id, Task: op.task.id, URL: p.text("url")}
	})
	if err != nil {
		return rawResult{}, err
	}
	if reply.Err != nil {
		return rawResult{}, publicError(reply.Err)
	}
	result, err := json.Marshal(target.CreateTargetResult{TargetID: reply.Target})
	return rawResult{Result: result, TargetID: string(reply.Target)}, err
}

// rawOfBrowser sends a command that tells of the browser what every page can know.
func rawOfBrowser(_ *actTask, op *operation, c rawCall, _ rawParams) (rawResult, error) {
	return onBrowser(op, c.Method, c.Params)
}

// rawOfContext sends a command that acts on a browser context, for a task that has one of its own.
func rawOfContext(t *actTask, op *operation, c rawCall, p rawParams) (rawResult, error) {
	if t.context == "" {
		return rawResult{}, &RefusedError{Method: c.Method, Reason: "the task shares its browser context; start it in one of its own"}
	}
	p.setText("browserContextId", string(t.context))
	params, err := json.Marshal(p)
	if err != nil {
		return rawResult{}, err
	}
	return onBrowser(op, c.Method, json.RawMessage(params))
}
