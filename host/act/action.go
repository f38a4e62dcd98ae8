package act

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// hiddenTimeout is the default of ActOptions.HiddenTimeout.
const hiddenTimeout = 5 * time.Second

// action is an action on a page, running within an operation.
type action struct {
	pages      *Pages
	d          *driver
	name       string // as errors name it
	typed      string // the text that it types
	leavesPage bool   // it leaves the page, so nothing is asked of the page's main thread
	labelled   string // for which controls a text beside them stands, as CSS; empty: for none
	recovered  bool   // the page was left so that the tab receives input again
	before     *view.Snapshot
	failures   uint64          // the mark of the failures of the network before it
	frame      cdproto.FrameID // the frame that has the element
	choosers   map[string]bool // the sessions whose file choosers are intercepted
	wrote      *page.Element   // the field that has a text now which is no secret; nil: none
	returned   string          // why a page that was gone back from is still shown; empty: it is not
	elsewhere  string          // where the file of the download was put, other than in the task's directory
	out        ActionResult
}

// act runs an action on the tab, or on that of the locator's ref, and reports what came of it.
func (t Tab) act(ctx context.Context, name string, l Locator, o ActionOptions, work func(*action) error) (ActionResult, error) {
	tab, err := t.targetOf(l)
	if err != nil {
		return ActionResult{}, err
	}
	return t.pages.perform(ctx, tab, action{name: name}, l, o, work)
}

// perform runs an action on a tab.
func (p *Pages) perform(ctx context.Context, tab string, kind action, l Locator, o ActionOptions, work func(*action) error) (ActionResult, error) {
	ended := p.traced(ctx, Action{Name: kind.name, Tab: tab, What: "element", At: l.String(), Typed: kind.typed})
	onTab := p.onPage
	if kind.leavesPage {
		onTab = p.onTab
	}
	value, err := onTab(ctx, tab, func(d *driver) (any, error) {
		a := &kind
		a.pages, a.d, a.before, a.failures, a.choosers = p, d, p.Snapshot(), p.guardMark(), map[string]bool{}
		err := a.run(l, o, work)
		stopped := !a.d.watch.whenLoadsStopped().IsZero()
		if err != nil {
			a.pages.blocked.noteLost(a.d.tab, stopped, a.d.watch.countOpened(), a.d.signIn(), err)
			return nil, actError(err)
		}
		if stopped {
			note := loginNote
			if a.d.watch.countOpened() > 0 {
				note = windowsNote
			}
			a.note(note)
		}
		return a.out, nil
	})
	acted, _ := value.(ActionResult)
	ended(acted, err)
	return acted, err
}

func (a *action) run(l Locator, o ActionOptions, work func(*action) error) error {
	defer a.d.startWatch()()
	defer a.noteExternalRequest()
	a.d.op.Expect(a.name, string(a.d.tab), a.d.watch.isDelivered)
	if a.leavesPage {
		return a.runLeaving(work)
	}
	if err := a.emulateFocus(l); err != nil {
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
	if err := a.settle(); err != nil {
		return err
	}
	a.noteKept()
	return nil
}

// runLeaving runs an action that leaves the page, whatever state the page is in.
func (a *action) runLeaving(work func(*action) error) error {
	defer a.leave()()
	defer a.pages.PrepareToLeave(a.d.op.Context(), string(a.d.tab), a.d.op.Remaining())()
	if err := work(a); err != nil {
		return a.closedIsSuccess(a.unanswered(err))
	}
	return a.settle()
}

// emulateFocus makes the tab render frames even in the background, where elements would never come to rest. It waits
// for the tab's main thread, unless the tab does so already and the action begins by asking that thread for an element.
func (a *action) emulateFocus(l Locator) error {
	place, err := a.d.op.Locate(supervise.FrameSelector{Target: a.d.tab})
	if err == nil && !(a.pages.focused.has(place.Session) && a.beginsAt(l, place.Session)) {
		place, err = a.d.awaitThread()
	}
	if err != nil {
		return err
	}
	a.pages.focused.add(place.Session)
	a.pages.Tell(place.Session, emulation.CommandSetFocusEmulationEnabled, &emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return nil
}

// beginsAt reports whether the element of a locator is known to be in a frame of a session.
func (a *action) beginsAt(l Locator, session target.SessionID) bool {
	if l.Ref == "" {
		return false
	}
	e, err := a.pages.ResolveRef(l.Ref)
	return err == nil && e.BackendNodeID != 0 && a.d.frame(cdproto.FrameID(e.Frame)).Session == string(session)
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
	gone, err := query.Await(a.d, query.Awaited{Selector: o.WaitForHidden, Visible: true}, a.hiddenLimit(o))
	late := err != nil && errors.Is(context.Cause(a.d.op.Context()), fault.ErrTimeout) && !errors.Is(err, fault.ErrRendererBusy)
	if late || err == nil && !gone {
		return &WaitError{Locator: BySelector(o.WaitForHidden), State: WaitHidden, before: fmt.Sprintf("%s(%s)", a.name, cmp.Or(l.Ref, l.String()))}
	}
	return err
}

// hiddenLimit is at most nine tenths of the time that is left, so that this wait ends first and its error is the one
// returned.
func (a *action) hiddenLimit(o ActionOptions) time.Duration {
	limit := cmp.Or(o.HiddenTimeout, hiddenTimeout)
	if left := a.d.op.Remaining(); left > 0 {
		limit = min(limit, left*9/10)
	}
	return limit
}

// find returns the element of a locator and records its name.
func (a *action) find(l Locator) (n page.Element, err error) {
	var name string
	a.d.within, a.d.ofField = l.Within, a.labelled != ""
	if l.Ref != "" {
		n, name, err = a.pages.findRef(a.d, l)
	} else {
		n, err = a.pages.find(a.d, l)
	}
	if err != nil {
		return page.Element{}, err
	}
	a.frame, a.d.inputFrame = n.Frame, n.Frame
	if err := a.interceptChooser(n.Frame); err != nil {
		return page.Element{}, err
	}
	if a.labelled != "" && l.Text != "" {
		if n, err = input.Labelled(a.d, n, a.labelled); err != nil {
			return page.Element{}, err
		}
	}
	switch {
	case name != "":
		a.out.Element = name
	case l.Text != "":
		a.out.Element, err = a.nameOfText(n, l.Text)
	default:
		a.out.Element, err = page.Name(a.d, n)
	}
	return n, err
}

// nameOfText is the role and the name of an element that a text names. Most have no name: then it is that of the
// control around it, or else the text.
func (a *action) nameOfText(n page.Element, text string) (string, error) {
	role, name, err := page.RoleAndName(a.d, n)
	if err != nil || strings.TrimSpace(name) != "" {
		return page.Describe(role, name), err
	}
	control, err := input.PressedWith(a.d, n)
	if err == nil && control != n {
		as, called, err := page.RoleAndName(a.d, control)
		if err != nil || strings.TrimSpace(called) != "" {
			return page.Describe(as, called), err
		}
	}
	return page.Describe(cmp.Or(role, "element"), text), err
}

// ready finds an element and aims at the point where it can be acted on, with input of the given signs.
func (a *action) ready(l Locator, force bool, signs input.Signs) (aim *input.Aim, err error) {
	if l.Ref != "" && !force {
		if aim, err := a.readyAtOnce(l, signs); aim != nil || err != nil {
			return aim, err
		}
	}
	err = a.onElement(l, func(n page.Element) error {
		aim, err = input.Ready(a.d, n, force, signs)
		return err
	})
	if err == nil && l.Ref == "" {
		aim.Again = func() (page.Element, error) { return a.find(l) }
	}
	return aim, err
}

// readyAtOnce is ready for a ref whose element can be acted on as it is; else nil. It saves a script that only asks
// whether the element is still there.
func (a *action) readyAtOnce(l Locator, signs input.Signs) (*input.Aim, error) {
	e, _ := a.pages.ResolveRef(l.Ref)
	if valid := l.check() == nil; !valid || e.BackendNodeID == 0 {
		return nil, nil // finding it says why
	}
	n := page.Element{Frame: cdproto.FrameID(e.Frame), ID: cdproto.BackendNodeID(e.BackendNodeID)}
	a.frame, a.d.inputFrame = n.Frame, n.Frame
	aim, err := input.ReadyAtOnce(a.d, n, signs)
	switch {
	case a.d.Gone(err):
		return nil, nil
	case err != nil || aim == nil:
		return nil, err
	}
	if a.out.Element = aim.Called; aim.Called == "" {
		a.out.Element, err = page.Name(a.d, n)
	}
	return aim, err
}

// onElement does what has no effect until it succeeds on an element. If the page replaces the element meanwhile, the
// new one is found and it is done on that, unless a ref or an id names the element.
func (a *action) onElement(l Locator, do func(page.Element) error) error {
	var removed error
	for end := time.Now().Add(a.d.WaitLimit()); ; {
		n, err := a.find(l)
		switch {
		case err == nil:
			err = do(n)
			removed = err
		case errors.Is(err, page.ErrNotFound) && removed != nil:
			return removed
		}
		if l.Ref != "" || l.BackendNodeID != 0 || !input.WasReplaced(err) || time.Now().After(end) {
			return err
		}
	}
}

// interceptChooser keeps file choosers from opening in a frame's process; the browser announces them instead.
func (a *action) interceptChooser(frame cdproto.FrameID) error {
	place, err := a.d.op.Locate(supervise.FrameSelector{Target: a.d.tab, Frame: frame})
	if err != nil || a.choosers[string(place.Session)] {
		return err
	}
	a.choosers[string(place.Session)] = true
	a.pages.Tell(place.Session, cdppage.CommandSetInterceptFileChooserDialog, &cdppage.SetInterceptFileChooserDialogParams{Enabled: true})
	return nil
}

// releaseChoosers lets file choosers open again. It does not wait for the replies: a dialog may hold the page.
func (a *action) releaseChoosers() {
	for session := range a.choosers {
		a.pages.Tell(target.SessionID(session), cdppage.CommandSetInterceptFileChooserDialog, &cdppage.SetInterceptFileChooserDialogParams{})
	}
}

// maxFocused is how many sessions are remembered to have the focus.
const maxFocused = 1000

// focusedSessions are those whose tabs were told to behave as if they had the focus. When there are too many, all are
// forgotten.
type focusedSessions struct {
	mu    sync.Mutex
	known map[target.SessionID]bool
}

func (f *focusedSessions) has(session target.SessionID) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.known[session]
}

func (f *focusedSessions) add(session target.SessionID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil || len(f.known) >= maxFocused {
		f.known = map[target.SessionID]bool{}
	}
	f.known[session] = true
}
