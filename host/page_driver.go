package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schedule"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
)

// onPage runs work on a tab of the task as an operation: one budget, interrupted by dialogs, and resumed with
// [Task.Resume], whose Value is then what work returned. An empty targetID is the tab in use.
func (t *actTask) onPage(ctx context.Context, timeout time.Duration, targetID string, work func(*tabDriver) (any, error)) (any, error) {
	if t.closed.Load() {
		return nil, ErrClosed
	}
	return t.operate(ctx, timeout, func(op *operation) (any, error) {
		place, err := op.locate(supervise.Where{Target: target.ID(targetID)})
		if err != nil {
			return nil, err
		}
		return work(&tabDriver{op: op, task: t, tab: place.Page})
	})
}

// tabDriver reaches the frames of a tab within an operation.
type tabDriver struct {
	op    *operation
	task  *actTask
	tab   target.ID
	limit time.Duration   // how long a main thread has to answer; zero: as long as the operation has
	watch *pageWatch      // nil: nothing is watched
	on    cdproto.FrameID // that the input is for; empty: not known
	acts  bool            // script may make the page's handlers run, too
}

var (
	_ page.Reader = (*tabDriver)(nil)
	_ page.Actor  = (*tabDriver)(nil)
)

// Context implements [page.Driver].
func (d *tabDriver) Context() context.Context { return d.op.ctx }

// Target implements [page.Driver].
func (d *tabDriver) Target() string { return string(d.tab) }

// Frames implements [page.Driver].
func (d *tabDriver) Frames() []page.Frame {
	t := d.op.task.Snapshot().Target(string(d.tab))
	if t == nil || t.RawFrameTree == nil {
		return nil
	}
	frames := make([]page.Frame, 0, 1+len(t.RawFrameTree.Children))
	for _, f := range append([]Frame{t.RawFrameTree.Top}, t.RawFrameTree.Children...) {
		frames = append(frames, page.Frame{
			ID: cdproto.FrameID(f.FrameID), Parent: cdproto.FrameID(f.ParentFrameID), Session: f.SessionID, OOPIF: f.IsOOPIF, URL: f.URL, Origin: f.Origin,
			Document: f.loader,
		})
	}
	return frames
}

// Read implements [page.Driver].
func (d *tabDriver) Read(frame cdproto.FrameID, method string, params, result any) error {
	return d.do(frame, &call{method: method, params: params}, result)
}

// Act implements [page.Driver].
func (d *tabDriver) Act(frame cdproto.FrameID, method string, params, result any) error {
	if stirs(method) {
		if err := d.stir(); err != nil {
			return err
		}
	}
	return d.do(frame, &call{method: method, params: params, Call: schedule.Call{Begins: true, Input: stirs(method)}}, result)
}

// ReadWithin implements [page.Reader]. The context is one of the operation's.
func (d *tabDriver) ReadWithin(ctx context.Context, frame cdproto.FrameID, method string, params, result any) error {
	place, err := d.op.locateWithin(ctx, supervise.Where{Target: d.tab, Frame: frame})
	if err != nil {
		return err
	}
	return d.op.doWithin(ctx, &call{method: method, params: params, Call: schedule.Call{At: &place}}, result)
}

// Ends implements [page.Reader].
func (d *tabDriver) Ends(err error) bool {
	if d.op.ctx.Err() != nil {
		return true
	}
	for _, code := range []error{ErrBlockedByDialog, ErrTargetCrashed, ErrTargetGone, ErrUnknownTarget, ErrDisconnected, ErrClosed} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

func (d *tabDriver) do(frame cdproto.FrameID, c *call, result any) error {
	place, err := d.op.locate(supervise.Where{Target: d.tab, Frame: frame})
	if err != nil {
		return err
	}
	c.At = &place
	return d.op.do(c, result)
}

// Impatient implements [page.Actor].
func (d *tabDriver) Impatient(limit time.Duration) page.Actor {
	hasty := *d
	hasty.limit = limit
	if limit == 0 {
		hasty.limit = max(d.op.left()/2, minPatience) // where there is no end to it, too
	}
	return &hasty
}

// Patience implements [page.Actor].
func (d *tabDriver) Patience() time.Duration {
	left := d.op.left()
	if left < 0 { // there is no end to it
		return defaultWait
	}
	return left - min(left/3, lastWord)
}

// lastWord is what is kept of a budget for what follows a wait; a third of it where that is less.
const lastWord = 2 * time.Second

// Unresponsive implements [page.Actor].
func (d *tabDriver) Unresponsive(err error) bool {
	return d.op.ctx.Err() == nil && (errors.Is(err, ErrRendererBusy) || errors.Is(err, ErrTimeout))
}

// Gone implements [page.Actor].
func (d *tabDriver) Gone(err error) bool {
	return errors.Is(err, ErrFrameGone) || errors.Is(err, ErrUnknownFrame) || errors.Is(err, ErrNoElement)
}

// Seen implements [page.Actor].
func (d *tabDriver) Seen(method string) []byte {
	if d.watch == nil {
		return nil
	}
	return d.watch.seen(method)
}

// Run implements [page.Driver].
func (d *tabDriver) Run(frame cdproto.FrameID, node cdproto.BackendNodeID, function string, args []any, result any) error {
	expression, err := application(function, node != 0, args)
	if err != nil {
		return err
	}
	o := EvaluateOptions{TargetID: string(d.tab), FrameID: string(frame), World: WorldIsolated, AwaitPromise: true}
	if node != 0 {
		o.Element = &Element{BackendNodeID: int64(node)}
	}
	if d.op.stirring.turn { // an operation waits for a turn with none of another thread
		d.op.settleTurn()
	}
	e := evaluator{op: d.op, options: o, limit: d.limit, ours: !d.acts}
	value, err := e.evaluate(expression)
	d.op.settleTurn() // others may want to run script while this operation waits for something
	if err != nil || result == nil {
		return err
	}
	return decodeRun(value, result)
}

// decodeRun decodes what a function of [page.Driver] came to.
func decodeRun(value Evaluation, result any) error {
	if element, ok := result.(*cdproto.BackendNodeID); ok {
		*element = cdproto.BackendNodeID(value.BackendNodeID)
		return nil
	}
	if len(value.Value) == 0 {
		return fmt.Errorf("%w: %s", ErrNotSerialisable, value.Description)
	}
	return json.Unmarshal(value.Value, result)
}

// application is the expression that applies a function to arguments; with an element it is a function of that.
func application(function string, element bool, args []any) (string, error) {
	texts := make([]string, len(args))
	for i, arg := range args {
		text, err := json.Marshal(arg)
		if err != nil {
			return "", fmt.Errorf("%w: argument %d has no JSON: %w", ErrBadCall, i, err)
		}
		texts[i] = string(text)
	}
	if !element {
		return "(" + function + ")(" + strings.Join(texts, ", ") + ")", nil
	}
	return "(element) => (" + function + ")(" + strings.Join(append([]string{"element"}, texts...), ", ") + ")", nil
}
