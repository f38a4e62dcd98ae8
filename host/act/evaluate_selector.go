package act

import (
	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// pointed finds the element of a selector or a ref as actions do, in any frame and shadow root, and names it by its node.
func (e *evaluator) pointed(el Element) error {
	task, at := e.task, Locator{Ref: el.Ref, Selector: el.Selector, FrameID: e.options.FrameID, TargetID: e.options.TargetID}
	tab, err := task.tabOf(at)
	if err != nil {
		return err
	}
	place, err := e.op.Locate(supervise.Where{Target: target.ID(tab), Frame: cdproto.FrameID(e.options.FrameID)})
	if err != nil {
		return err
	}
	found, err := task.find(&driver{op: e.op, task: task, tab: place.Page}, at)
	if err != nil {
		return actError(err)
	}
	e.options.TargetID, e.options.FrameID, e.options.Element = tab, string(found.Frame), &Element{BackendNodeID: int64(found.ID)}
	return nil
}
