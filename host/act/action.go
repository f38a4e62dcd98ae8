package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// hiddenTimeout is the default of ActOptions.HiddenTimeout.
const hiddenTimeout = 5 * time.Second

// action is an action on a page, running within an operation.
type action struct {
	task       *Task
	d          *driver
	name       string // as errors name it
	leavesPage bool   // it leaves the page, so nothing is asked of the page's main thread
	recovered  bool   // the page was left so that the tab receives input again
	before     *view.Snapshot
	frame      cdproto.FrameID // the frame that has the element
	choosers   map[string]bool // the sessions whose file choosers are intercepted
	out        ActionResult
}

// act runs an action on the tab of a locator and reports what came of it.
func (t *Task) act(ctx context.Context, name string, l Locator, o ActionOptions, work func(*action) error) (ActionResult, error) {
	tab, err := t.tabOf(l)
	if err != nil {
		return ActionResult{}, err
	}
	return t.perform(ctx, tab, action{name: name}, l, o, work)
}

// perform runs an action on a tab.
func (t *Task) perform(ctx context.Context, tab string, kind action, l Locator, o ActionOptions, work func(*action) error) (ActionResult, error) {
	value, err := t.onPage(ctx, o.Timeout, tab, func(d *driver) (any, error) {
		a := &kind
		a.task, a.d, a.before, a.choosers = t, d, t.Snapshot(), map[string]bool{}
		if err := a.run(l, o, work); err != nil {
			a.task.blocked.noteLost(a.d.tab, err)
			return nil, actError(err)
		}
		return a.out, nil
	})
	acted, _ := value.(ActionResult)
	return acted, err
}

// tabOf returns the target id of the tab that a locator names.
func (t *Task) tabOf(l Locator) (string, error) {
	tab, err := t.targetOf(l.TargetID)
	if err != nil || l.Ref == "" {
		return tab, err
	}
	ref, err := t.ResolveRef(l.Ref)
	if err != nil {
		return "", err
	}
	if tab != "" && tab != ref.TargetID {
		return "", fmt.Errorf("%w: @%s is in the tab %s, not in %s", fault.ErrBadCall, ref.Ref, ref.TargetID, l.TargetID)
	}
	return ref.TargetID, nil
}

func (a *action) run(l Locator, o ActionOptions, work func(*action) error) error {
	defer a.d.startWatch()()
	a.d.op.Expect(a.name, string(a.d.tab), a.d.watch.isDelivered)
	if a.leavesPage {
		return a.runLeaving(work)
	}
	if err := a.emulateFocus(); err != nil {
		return err
	}
	if o.WaitForHidden != "" {
		if err := a.waitForHidden(l, o); err != nil {
			return err
		}
	}
	a.d.runsHandlers = true
	defer a.releaseChoosers()
	if err := a.interceptChooser(""); err != nil {
		return err
	}
	if err := work(a); err != nil {
		return a.closedIsSuccess(err)
	}
	return a.settle()
}

// runLeaving runs an action that leaves the page, whatever state the page is in.
func (a *action) runLeaving(work func(*action) error) error {
	defer a.task.PrepareToLeave(a.d.op.Context(), string(a.d.tab), a.d.op.Remaining())()
	if err := work(a); err != nil {
		return a.closedIsSuccess(err)
	}
	return a.settle()
}

// emulateFocus makes the tab render frames even in the background, where elements would never come to rest.
func (a *action) emulateFocus() error {
	if err := a.d.awaitThread(); err != nil {
		return err
	}
	return a.d.Read("", emulation.CommandSetFocusEmulationEnabled, &emulation.SetFocusEmulationEnabledParams{Enabled: true}, nil)
}

// closedIsSuccess turns the error that the tab is gone into success: the action closed the tab. If input should have
// been delivered before that and was not, somebody else closed the tab, and the error stands.
func (a *action) closedIsSuccess(err error) error {
	if err != nil && a.tabGone() && a.d.op.HasBegun() && !a.d.watch.isUndelivered() {
		a.out.TabClosed = true
		a.collect()
		return nil
	}
	return err
}

func (a *action) waitForHidden(l Locator, o ActionOptions) error {
	gone, err := page.Await(a.d, page.Awaited{Selector: o.WaitForHidden, Visible: true}, hiddenLimit(o))
	late := err != nil && errors.Is(context.Cause(a.d.op.Context()), fault.ErrTimeout) && !errors.Is(err, fault.ErrRendererBusy)
	if late || err == nil && !gone {
		return &WaitError{fmt.Sprintf("wait_for_hidden(%s) timed out before %s(%s)", o.WaitForHidden, a.name, cmp.Or(l.Selector, l.Ref))}
	}
	return err
}

// hiddenLimit is at most nine tenths of the timeout, so that this wait ends first and its error is the one returned.
func hiddenLimit(o ActionOptions) time.Duration {
	limit := cmp.Or(o.HiddenTimeout, hiddenTimeout)
	if o.Timeout > 0 {
		limit = min(limit, o.Timeout*9/10)
	}
	return limit
}

// find returns the element of a locator and records its name.
func (a *action) find(l Locator) (page.Element, error) {
	n, err := a.task.find(a.d, l)
	if err != nil {
		return page.Element{}, err
	}
	a.frame, a.d.inputFrame = n.Frame, n.Frame
	if err := a.interceptChooser(n.Frame); err != nil {
		return page.Element{}, err
	}
	a.out.Element, err = page.Name(a.d, n)
	return n, err
}

// find returns the element of a locator in the tab of a driver.
func (t *Task) find(d *driver, l Locator) (page.Element, error) {
	switch {
	case (l.Ref == "") == (l.Selector == ""):
		return page.Element{}, fmt.Errorf("%w: exactly one of ref and selector must name the element", fault.ErrBadCall)
	case l.Ref != "":
		e, err := t.liveRef(d, l.Ref)
		return page.Element{Frame: cdproto.FrameID(e.Frame), ID: cdproto.BackendNodeID(e.BackendNodeID)}, err
	}
	return page.Find(d, l.Selector, cdproto.FrameID(l.FrameID))
}

// ready finds an element and aims at the point where it can be acted on, with input of the given signs.
func (a *action) ready(l Locator, force bool, signs page.Signs) (page.Element, *page.Aim, error) {
	n, err := a.find(l)
	if err != nil {
		return n, nil, err
	}
	aim, err := page.Ready(a.d, n, force, signs)
	return n, aim, err
}

// click clicks what is aimed at and verifies that the click was delivered.
func (a *action) click(aim *page.Aim, button page.Button, times int64) error {
	return aim.Deliver(a.d, func(at page.Point) error { return page.Click(a.d, at, button, times) })
}

// interceptChooser keeps file choosers from opening in a frame's process; the browser announces them instead.
func (a *action) interceptChooser(frame cdproto.FrameID) error {
	place, err := a.d.op.Locate(supervise.FrameSelector{Target: a.d.tab, Frame: frame})
	if err != nil || a.choosers[string(place.Session)] {
		return err
	}
	a.choosers[string(place.Session)] = true
	return a.d.Read(frame, cdppage.CommandSetInterceptFileChooserDialog, &cdppage.SetInterceptFileChooserDialogParams{Enabled: true}, nil)
}

// releaseChoosers lets file choosers open again. It does not wait for the replies: a dialog may hold the page.
func (a *action) releaseChoosers() {
	for session := range a.choosers {
		a.task.Tell(target.SessionID(session), cdppage.CommandSetInterceptFileChooserDialog, &cdppage.SetInterceptFileChooserDialogParams{})
	}
}

// targetOf returns the target id of a tab's handle. Any other text is taken for a target id.
func (t *Task) targetOf(id string) (string, error) {
	number, ok := handleNumber(id)
	if !ok {
		return id, nil
	}
	for _, tab := range t.Tabs() {
		if tab.Handle == id {
			return tab.TargetID, nil
		}
	}
	if number <= t.Earlier().Tab {
		return "", fmt.Errorf("%w: t%d is gone: %s", fault.ErrUnknownTarget, number, t.Earlier().Why())
	}
	return "", fmt.Errorf("%w: t%d is closed, or was never given out", fault.ErrUnknownTarget, number)
}

// handleNumber parses a handle: t1, t2, ...
func handleNumber(text string) (int, bool) {
	if len(text) < 2 || text[0] != 't' {
		return 0, false
	}
	n, err := strconv.Atoi(text[1:])
	return n, err == nil && n > 0
}
