package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/script"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// onPage is onTab for work that needs the answers of the page; see onceLoaded.
func (p *Pages) onPage(ctx context.Context, tab string, work func(*driver) (any, error)) (any, error) {
	return p.onTab(ctx, tab, func(d *driver) (any, error) {
		return p.onceLoaded(d, func() (any, error) { return work(d) })
	})
}

// onceLoaded does work that needs the answers of the frames of a tab. While that is loading another page, it waits for
// that first, and until what has come is parsed; see [engine.Task.AwaitLoad] and [engine.Operation.AwaitParsed].
func (p *Pages) onceLoaded(d *driver, work func() (any, error)) (any, error) {
	at, err := d.op.Locate(supervise.FrameSelector{Target: d.tab})
	if err != nil {
		return nil, err
	}
	return p.onceThere(d.op, at, "", work)
}

// onceThere is onceLoaded for a place in the tab, of whose frames only one may matter; empty: all do.
func (p *Pages) onceThere(op *engine.Operation, at supervise.ScriptTarget, frame cdproto.FrameID, work func() (any, error)) (value any, err error) {
	if err = p.AwaitLoad(op.Context(), at); err == nil {
		op.AwaitParsed(at.Page, frame)
		awaitVerdicts(op, at.Page)
		value, err = work()
	}
	loading, busy := (*fault.LoadingError)(nil), (*fault.RendererBusyError)(nil)
	if errors.As(err, &busy) && !busy.Acted { // the load may have begun since
		loading = p.Loading(at.Page)
	}
	if loading != nil || errors.As(err, &loading) {
		err = &fault.LoadingError{URL: namedURL(loading.URL), For: loading.For}
	}
	return value, err
}

// namedURL is a URL as errors name it.
func namedURL(url string) string { return pagetext.Line(page.SafeURL(url)) }

// onTab runs work on a tab of the task as an operation. It has one budget and is interrupted by dialogs; the Value of
// its Task.Resume (package host) is what work returned. An empty tab is the one in use.
func (p *Pages) onTab(ctx context.Context, tab string, work func(*driver) (any, error)) (any, error) {
	if p.IsClosed() {
		return nil, fault.ErrClosed
	}
	return p.Operate(ctx, func(op *engine.Operation) (any, error) {
		place, err := op.Locate(supervise.FrameSelector{Target: target.ID(tab)})
		if err != nil {
			return nil, err
		}
		awaitVerdicts(op, place.Page)
		return work(&driver{op: op, pages: p, tab: place.Page})
	})
}

// driver reaches the frames of a tab within an operation. It implements [page.Reader] and [input.Actor].
type driver struct {
	op           *engine.Operation
	pages        *Pages
	tab          target.ID
	limit        time.Duration   // how long a main thread has to answer; zero: the rest of the budget
	within       time.Duration   // how long an element may take to be ready; zero: WaitLimit
	ofField      bool            // a text names a field
	watch        *pageWatch      // nil: nothing is watched
	inputFrame   cdproto.FrameID // the frame that the input is for; empty: not known
	runsHandlers bool            // its scripts may run handlers of the page
	hangs        bool            // the document that the tab was loading did not come in time
}

var (
	_ page.Reader = (*driver)(nil)
	_ input.Actor = (*driver)(nil)
)

// Context implements [page.Driver].
func (d *driver) Context() context.Context { return d.op.Context() }

// Target implements [page.Driver].
func (d *driver) Target() string { return string(d.tab) }

// Frames implements [page.Driver].
func (d *driver) Frames() []page.Frame {
	t := d.op.Task().Snapshot().Target(string(d.tab))
	if t == nil || t.RawFrameTree == nil {
		return nil
	}
	var list []page.Frame
	for _, f := range frames(t.RawFrameTree) {
		list = append(list, page.Frame{
			ID: cdproto.FrameID(f.FrameID), Parent: cdproto.FrameID(f.ParentFrameID), Session: f.SessionID, OOPIF: f.IsOOPIF, URL: f.URL, Origin: f.Origin,
			Document: f.Document(), Filtered: filtered(f), Undecided: f.Undecided(),
			Empty: f.ParentFrameID != "" && strings.HasPrefix(f.URL, "about:blank") && !d.op.Task().HasDocument(cdproto.FrameID(f.FrameID)),
		})
	}
	return list
}

// isLoading reports whether more may come of the tab's page, or of a frame of it.
func (d *driver) isLoading() bool {
	return !d.pages.Link.IsParsed(d.tab) || slices.ContainsFunc(d.Frames(), func(f page.Frame) bool { return f.Empty })
}

// filtered is by what agents may not look into a frame; empty: they may.
func filtered(f view.Frame) string {
	if f.Filtered == "" && f.Undecided() {
		return "the frame filter, which has not decided yet"
	}
	return f.Filtered
}

// verdictLimit bounds the wait for the frame filter. What it has not decided on by then is left out.
const verdictLimit = 2 * time.Second

// awaitVerdicts waits until the frame filter has decided on the frames of a tab, which it is asked about when they
// appear.
func awaitVerdicts(op *engine.Operation, tab target.ID) {
	ctx, cancel := context.WithTimeout(op.Context(), verdictLimit)
	defer cancel()
	op.Task().Wait(ctx, func(s *view.Snapshot) bool {
		t := s.Target(string(tab))
		return t == nil || t.RawFrameTree == nil || !slices.ContainsFunc(t.RawFrameTree.Children, view.Frame.Undecided)
	})
}

// Read implements [page.Driver].
func (d *driver) Read(frame cdproto.FrameID, method string, params, result any) error {
	return d.do(frame, &engine.Call{Method: method, Params: params}, result)
}

// Act implements [page.Driver].
func (d *driver) Act(frame cdproto.FrameID, method string, params, result any) error {
	return d.act(frame, &engine.Call{Method: method, Params: params}, result)
}

// ActThen implements [input.Actor].
func (d *driver) ActThen(method string, params any, next string, nextParams any) error {
	return d.act("", &engine.Call{Method: method, Params: params, Next: &engine.Command{Method: next, Params: nextParams}}, nil)
}

func (d *driver) act(frame cdproto.FrameID, c *engine.Call, result any) error {
	handlers := engine.MayRunHandlers(c.Method)
	if handlers {
		if err := d.op.BeforeInput(d.tab, d.inputFrame); err != nil {
			return err
		}
	}
	c.HasEffect, c.Input = true, handlers
	return d.do(frame, c, result)
}

// ReadWithin implements [page.Reader]. ctx is derived from the operation's.
func (d *driver) ReadWithin(ctx context.Context, frame cdproto.FrameID, method string, params, result any) error {
	place, err := d.op.LocateWithin(ctx, supervise.FrameSelector{Target: d.tab, Frame: frame})
	if err != nil {
		return err
	}
	return d.op.DoWithin(ctx, &engine.Call{Method: method, Params: params, Call: schedule.Call{At: &place}}, result)
}

// Ends implements [page.Reader].
func (d *driver) Ends(err error) bool {
	if d.op.Context().Err() != nil {
		return true
	}
	return slices.ContainsFunc([]error{
		fault.ErrBlockedByDialog, fault.ErrTargetCrashed, fault.ErrTargetGone, fault.ErrUnknownTarget, fault.ErrDisconnected, fault.ErrClosed,
	}, func(code error) bool { return errors.Is(err, code) })
}

func (d *driver) do(frame cdproto.FrameID, c *engine.Call, result any) error {
	place, err := d.op.Locate(supervise.FrameSelector{Target: d.tab, Frame: frame})
	if err != nil {
		return err
	}
	c.At = &place
	return d.op.Do(c, result)
}

// WithThreadTimeout implements [page.Actor].
func (d *driver) WithThreadTimeout(limit time.Duration) page.Actor {
	hasty := *d
	hasty.limit = limit
	if limit == 0 {
		hasty.limit = max(d.op.Remaining()/2, engine.MinWaitLimit) // also for a budget without an end
	}
	return &hasty
}

// WaitLimit implements [page.Actor].
func (d *driver) WaitLimit() time.Duration {
	left := d.op.Remaining()
	if left < 0 { // a budget without an end
		return defaultWait
	}
	return left - min(left/3, max(reserve, left/10))
}

// ReadyLimit implements [page.Actor].
func (d *driver) ReadyLimit() time.Duration {
	if limit := d.WaitLimit(); d.within == 0 || limit < d.within {
		return limit
	}
	return d.within
}

// reserve is the part of a budget that is kept for what follows a wait: not more than a third of it, and not less than
// a tenth, because whoever has much time may have a slow machine.
const reserve = 2 * time.Second

// Unresponsive implements [page.Actor].
func (d *driver) Unresponsive(err error) bool {
	return d.op.Context().Err() == nil && (errors.Is(err, fault.ErrRendererBusy) || errors.Is(err, fault.ErrTimeout))
}

// Gone implements [page.Actor].
func (d *driver) Gone(err error) bool {
	return errors.Is(err, fault.ErrFrameGone) || errors.Is(err, fault.ErrUnknownFrame) || errors.Is(err, fault.ErrNoElement)
}

// LatestEvent implements [input.Actor].
func (d *driver) LatestEvent(method string) []byte {
	if d.watch == nil {
		return nil
	}
	return d.watch.latest(method)
}

// Run implements [page.Driver].
func (d *driver) Run(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) error {
	defer d.op.ReleaseTurn() // so that others can run script while this operation waits
	return d.run(frame, node, function, args, result, true)
}

// RunBeforeInput implements [input.Actor].
func (d *driver) RunBeforeInput(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) error {
	err := d.run(frame, node, function, args, result, false)
	if err != nil {
		d.op.ReleaseTurn()
		return err
	}
	d.op.KeepTurn()
	return nil
}

// Touches implements [input.Actor].
func (d *driver) Touches() bool { return d.pages.Emulation().Touch }

// NoInput implements [input.Actor].
func (d *driver) NoInput() { d.op.ReleaseTurn() }

func (d *driver) run(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any, awaits bool) error {
	at := d.frame(frame)
	texts, err := script.JSON(args)
	if err != nil {
		return err
	}
	for {
		expression, kept := d.pages.kept.Call(at, function, node != 0, texts)
		err := d.runExpression(frame, node, expression, result, awaits)
		if !kept || !threw(err, script.NotKept) {
			return err
		}
		d.pages.kept.Forget(at.ID)
	}
}

// frame returns a frame of the tab as it is known now; "" is the top frame.
func (d *driver) frame(id cdproto.FrameID) page.Frame {
	for _, f := range d.Frames() {
		if f.ID == id || id == "" {
			return f
		}
	}
	return page.Frame{}
}

func (d *driver) runExpression(frame cdproto.FrameID, node cdproto.BackendNodeID, expression string, result any, awaits bool) error {
	o := EvaluateOptions{World: WorldIsolated, AwaitPromise: awaits, Locator: Locator{BackendNodeID: int64(node), FrameID: string(frame)}}
	if d.op.HasInputTurn() { // an operation holds no turn while it waits for another thread's
		d.op.ReleaseTurn()
	}
	_, wantsElement := result.(*cdproto.BackendNodeID)
	e := evaluator{
		op: d.op, tab: string(d.tab), options: o, limit: d.limit, harmless: !d.runsHandlers, checksDocument: true, byValue: !wantsElement,
	}
	value, err := e.evaluate(expression)
	if threw(err, script.OtherDocument) {
		return fmt.Errorf("%w: the element with the backend node id %d is in another frame", fault.ErrNoElement, node)
	}
	if err != nil || result == nil {
		return err
	}
	return decodeRun(value, result)
}

// threw reports whether an error is an exception of ours.
func threw(err error, text string) bool {
	thrown := (*fault.EvaluateError)(nil)
	return errors.As(err, &thrown) && strings.Contains(thrown.Exception, text)
}

// decodeRun decodes the result of a function of [page.Driver].
func decodeRun(value Evaluation, result any) error {
	if element, ok := result.(*cdproto.BackendNodeID); ok {
		*element = cdproto.BackendNodeID(value.BackendNodeID)
		return nil
	}
	if len(value.Value) == 0 {
		return fmt.Errorf("%w: %s", fault.ErrNotSerialisable, value.Description)
	}
	return json.Unmarshal(value.Value, result)
}

// awaitThread waits until the main thread of a tab answers, before anything else is asked of it.
func (d *driver) awaitThread() (supervise.ScriptTarget, error) {
	place, err := d.op.Locate(supervise.FrameSelector{Target: d.tab})
	if err != nil {
		return place, err
	}
	defer d.op.ReleaseTurn()
	return place, d.op.TakeTurnWithin(&place, 0)
}

// RunOn implements [page.Actor].
func (d *driver) RunOn(frame cdproto.FrameID, nodes []cdproto.BackendNodeID, function string, args []any, result any) error {
	if len(nodes) == 0 {
		return d.Run(frame, 0, function, append([]any{[]int{}}, args...), result)
	}
	declaration, err := script.OnNodes(function, args)
	if err != nil {
		return err
	}
	value, err := d.callOnNodes(frame, nodes, declaration)
	d.op.ReturnTurn() // as in Run, so that others can run script
	if err != nil || result == nil {
		return err
	}
	return decodeRun(value, result)
}

func (d *driver) callOnNodes(frame cdproto.FrameID, nodes []cdproto.BackendNodeID, declaration string) (Evaluation, error) {
	e := evaluator{op: d.op, tab: string(d.tab), limit: d.limit, options: EvaluateOptions{World: WorldIsolated, AwaitPromise: true}}
	e.options.Locator.FrameID = string(frame)
	defer e.release()
	if err := e.find(); err != nil {
		return Evaluation{}, err
	}
	arguments := make([]*runtime.CallArgument, len(nodes))
	for i, node := range nodes {
		e.options.Locator.BackendNodeID = int64(node)
		object, err := e.resolve(e.place.Context.ID)
		if err != nil {
			return Evaluation{}, err
		}
		arguments[i] = &runtime.CallArgument{ObjectID: object}
	}
	await := true
	object, err := e.callOn(arguments[0].ObjectID, declaration, &runtime.CallFunctionOnParams{Arguments: arguments, AwaitPromise: &await})
	if err != nil {
		return Evaluation{}, RunError(err)
	}
	value, err := e.value(object)
	return value, RunError(err)
}

// RunUnlessLeft implements [input.Actor].
func (d *driver) RunUnlessLeft(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) (left bool, err error) {
	ctx, stop := d.untilHanging()
	defer stop()
	err = d.op.Within(ctx, func() error { return d.Run(frame, node, function, args, result) })
	if errors.Is(err, errHangs) {
		d.hangs = true
		return true, nil
	}
	return false, err
}

// errHangs ends the wait for a page that is being left.
var errHangs = errors.New("the document that the tab is loading does not come")

// untilHanging returns a context that ends when the tab has been loading a document for commitLimit. What was asked of
// its page at the moment when that began may be held back, like all that follows.
func (d *driver) untilHanging() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(d.op.Context())
	go func() {
		var limit <-chan time.Time
		for {
			navigating := false
			changed := d.watch.inspect(func(w *pageWatch) { navigating = w.navigating && !w.stopped })
			switch {
			case !navigating || d.hasDialog():
				limit = nil
			case limit == nil:
				limit = time.After(commitLimit)
			}
			select {
			case <-changed:
			case <-limit:
				if !d.hasDialog() {
					cancel(errHangs)
				}
				limit = nil
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// hasDialog reports whether a dialog is open in the tab.
func (d *driver) hasDialog() bool {
	return slices.ContainsFunc(d.pages.Snapshot().PendingDialogs, func(p view.Dialog) bool { return p.TargetID == string(d.tab) })
}
