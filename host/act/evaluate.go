package act

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// EvaluateOptions says how an expression is evaluated. The zero value is valid.
type EvaluateOptions struct {
	// Locator is the element that the expression, which is then a function, is called with; a frame alone: where the
	// expression runs; zero: the tab's top frame.
	Locator Locator
	// World is where the expression runs.
	World World
	// UserGesture makes the page believe that a user acted, which beforeunload dialogs and popups require.
	UserGesture bool
	// AwaitPromise waits for a promise that the expression returns.
	AwaitPromise bool
	// REPL reads the expression as a console does: await works at top level, what let, const and class declared may be
	// declared again, an object literal needs no parentheses, and an expression that is nothing but a function is called.
	// Without effect with an element.
	REPL bool
}

// World is a JavaScript world of a frame.
type World string

// The worlds of a frame.
const (
	// WorldMain is the page's own.
	WorldMain World = ""
	// WorldIsolated shares the document with the page and nothing else: the page's scripts cannot be seen there, nor
	// interfere.
	WorldIsolated World = "isolated"
)

// isolatedWorldName is the name of the world of WorldIsolated, of which each document has one.
const isolatedWorldName = "hermes-cdp"

// Evaluation is the result of an expression. All of it comes from the page and is untrusted.
type Evaluation struct {
	// Value is JSON; nil for undefined, functions, symbols, DOM nodes, and numbers that JSON cannot represent.
	Value json.RawMessage `json:"value,omitempty"`
	// Type and Subtype are as in Runtime.RemoteObject: object, function, undefined, string, number, boolean, symbol,
	// bigint; null, array, node, regexp, date, error, ...
	Type    string `json:"type"`
	Subtype string `json:"subtype,omitempty"`
	// Unserializable is Infinity, -Infinity, NaN, -0, or a bigint such as 12n.
	Unserializable string `json:"unserializable,omitempty"`
	// Description is what a console would print for an object.
	Description string `json:"description,omitempty"`
	// BackendNodeID is the backendNodeId of a DOM node, for a later [Locator].
	BackendNodeID int64 `json:"backend_node_id,omitempty"`
}

// Evaluate runs a JavaScript expression in a frame of the tab, or in a worker if the tab is named by a worker's target
// id, and returns its value. The expression runs once, or not at all. As in [Tab.Read], a document that has just
// arrived is parsed before.
//
// It ends at once with a [*view.BlockedError] when a dialog holds the tab: the expression continues in the page, and
// Task.Resume (package host) returns its value. At the end of the context, a script that still runs is
// terminated, but a promise that is still pending is left alone: the [*fault.StoppedError] says which of the two it
// was. An expression is only sent to a page whose main thread answers; a [*fault.RendererBusyError] says that nothing
// was run and what keeps the thread busy. Other errors: [*fault.EvaluateError] for an exception,
// [*NotSerialisableError], [fault.ErrTooLarge], [fault.ErrUnknownFrame], [fault.ErrUnknownTarget],
// [fault.ErrNoElement], [fault.ErrUnknownRef], a [*StaleRefError], [fault.ErrFrameGone], [fault.ErrTargetCrashed],
// [fault.ErrTargetGone], [fault.ErrDisconnected], [fault.ErrClosed], [fault.ErrEvaluateDisabled],
// [*fault.ProtocolError].
func (t Tab) Evaluate(ctx context.Context, expression string, options *EvaluateOptions) (_ Evaluation, err error) {
	defer fault.During("evaluate", &err)
	o, p := optional.Or(options), t.pages
	if p.Rules.EvaluateDisabled {
		return Evaluation{}, fault.ErrEvaluateDisabled
	}
	if err := o.check(); err != nil {
		return Evaluation{}, err
	}
	tab, err := t.targetOf(o.Locator)
	if err != nil {
		return Evaluation{}, err
	}
	began := time.Now()
	value, err := p.Operate(ctx, func(op *engine.Operation) (any, error) {
		where := supervise.FrameSelector{Target: target.ID(tab), Frame: cdproto.FrameID(o.Locator.FrameID)}
		at, err := op.Locate(where)
		if err != nil {
			return nil, err
		}
		return p.onceThere(op, at, cmp.Or(at.Frame, cdproto.FrameID(at.Target)), func() (any, error) {
			e := evaluator{op: op, pages: p, tab: tab, options: o}
			return e.evaluate(expression)
		})
	})
	p.Evaluated(time.Since(began), err)
	if err != nil {
		return Evaluation{}, err
	}
	return value.(Evaluation), nil
}

// EvaluateInWorld runs an expression in an isolated world with the given name, in the top frame of a tab, and awaits
// its promise. It also returns the tab's id.
func EvaluateInWorld(op *engine.Operation, world, tab, expression string) (value Evaluation, id string, err error) {
	e := evaluator{op: op, tab: tab, world: world, options: EvaluateOptions{World: WorldIsolated, AwaitPromise: true}}
	value, err = e.evaluate(expression)
	return value, string(e.place.Page), err
}

// evaluator is one evaluation: a few commands in sequence.
type evaluator struct {
	op         *engine.Operation
	pages      *Pages // nil if the element has a backend node id, or there is none
	tab        string // or a worker; empty: the tab of the frame, else the one in use
	options    EvaluateOptions
	world      string        // the name of the isolated world; empty: isolatedWorldName
	harmless   bool          // the expression calls no script of the page
	limit      time.Duration // how long the main thread has to answer; zero: the rest of the budget
	place      supervise.ScriptTarget
	groupName  string // of the group of the page's objects that it keeps
	hasObjects bool   // the group is not empty

	checksDocument bool // the expression checks that its element belongs to the frame's document
	byValue        bool // the result is known to have JSON
}

// maxDocuments is how often an expression is retried in a frame whose document was replaced just before it ran. It is
// as many as the redirects that browsers follow (https://fetch.spec.whatwg.org/#http-redirect-fetch): scripts send a
// page on in such chains, too.
const maxDocuments = 20

// errReplaced says that a frame has another document whenever its document is asked for something.
var errReplaced = fmt.Errorf("%w: it was replaced %d times in a row just before it was asked; a page that sends itself on and on cannot be used until it stops",
	fault.ErrFrameGone, maxDocuments)

func (e *evaluator) evaluate(expression string) (Evaluation, error) {
	defer e.release()
	if l := e.options.Locator; !l.isZero() && l.BackendNodeID == 0 {
		if err := e.locateElement(l); err != nil {
			return Evaluation{}, err
		}
	}
	for try := 1; ; try++ {
		if err := e.find(); err != nil {
			return Evaluation{}, err
		}
		object, err := e.run(expression)
		if isNoContext(err) {
			if try == maxDocuments {
				return Evaluation{}, errReplaced
			}
			e.op.Task().CountNoDocument()
			continue
		}
		if err != nil {
			return Evaluation{}, RunError(err)
		}
		if object, err = e.finishREPL(expression, object); err != nil {
			return Evaluation{}, RunError(err)
		}
		value, err := e.value(object)
		return value, RunError(err)
	}
}

// check rejects invalid options.
func (o EvaluateOptions) check() error {
	if o.World != WorldMain && o.World != WorldIsolated {
		return fmt.Errorf("%w: there is no world %q", fault.ErrBadArguments, o.World)
	}
	if o.Locator.isZero() {
		return nil
	}
	return o.Locator.check()
}

// find locates the place, creates its isolated world if that is asked for, and takes the turn there.
func (e *evaluator) find() error {
	where := supervise.FrameSelector{Target: target.ID(e.tab), Frame: cdproto.FrameID(e.options.Locator.FrameID)}
	if e.options.World == WorldIsolated {
		where.World = e.isolatedWorld()
	}
	place, err := e.op.Locate(where)
	if err != nil {
		return err
	}
	e.place = place
	if e.resolvingTakesTurn() {
		return nil
	}
	if err := e.op.TakeTurnWithin(&e.place, e.limit); err != nil {
		return err
	}
	if where.World != "" && e.place.Context.Unique == "" {
		return e.createWorld()
	}
	return nil
}

// resolvingTakesTurn reports whether resolving the element is the fence before its function, which saves a round trip.
// The world exists and the thread is known then; otherwise a fence of its own comes first.
func (e *evaluator) resolvingTakesTurn() bool {
	return e.checksDocument && e.options.Locator.BackendNodeID != 0 && e.place.Context.Unique != "" && e.place.Isolate != ""
}

// The texts by which Chromium says that there was no document for an expression, so that nothing has run.
const (
	errNoUniqueContext = "uniqueContextId not found"
	errNoContext       = "Cannot find context with specified id"
	errNoDefault       = "Cannot find default execution context"
)

func isNoContext(err error) bool {
	return refusedWith(err, errNoUniqueContext, errNoContext, errNoDefault)
}

// The texts by which Chromium says that the document was replaced or removed while the expression ran.
const (
	errDestroyed = "Execution context was destroyed"
	errNavigated = "Inspected target navigated or closed"
)

// errExecutionTerminated is the text with which an expression ends that somebody terminated.
const errExecutionTerminated = "Execution was terminated"

// RunError translates the browser's refusals of an expression.
func RunError(err error) error {
	switch {
	case refusedWith(err, errDestroyed, errNavigated, errNoUniqueContext, errNoContext, errNoDefault):
		return fmt.Errorf("%w: %w", fault.ErrFrameGone, err)
	case refusedWith(err, errExecutionTerminated):
		return fmt.Errorf("%w by another client or the page's end; what the expression did until then remains: %w", fault.ErrAborted, err)
	}
	return err
}

// refusedWith reports whether the browser refused a command with one of these texts.
func refusedWith(err error, texts ...string) bool {
	var refused *fault.ProtocolError
	return errors.As(err, &refused) && slices.Contains(texts, refused.Message)
}

// NotSerialisableError describes a result that has no JSON. It is [fault.ErrNotSerialisable].
type NotSerialisableError struct {
	// Evaluation has the type and the description, but no value.
	Evaluation Evaluation
	// Reason is the browser's.
	Reason string
}

// Error names the type and the reason. The description, which comes from the page, is only in Evaluation.
func (e *NotSerialisableError) Error() string {
	kind := e.Evaluation.Type
	if e.Evaluation.Subtype != "" {
		kind += " (" + e.Evaluation.Subtype + ")"
	}
	return fmt.Sprintf("%v: it is of type %s: %s; return a part of it, or a string", fault.ErrNotSerialisable, kind, e.Reason)
}

// Unwrap returns [fault.ErrNotSerialisable].
func (e *NotSerialisableError) Unwrap() error { return fault.ErrNotSerialisable }

// locateElement finds an element as actions do, in any frame and shadow root, and replaces it in the options by its
// frame and its backend node id.
func (e *evaluator) locateElement(l Locator) error {
	place, err := e.op.Locate(supervise.FrameSelector{Target: target.ID(e.tab), Frame: cdproto.FrameID(l.FrameID)})
	if err != nil {
		return err
	}
	found, err := e.pages.find(&driver{op: e.op, pages: e.pages, tab: place.Page}, l)
	if err != nil {
		return actError(err)
	}
	e.tab, e.options.Locator = string(place.Page), Locator{BackendNodeID: int64(found.ID), FrameID: string(found.Frame)}
	return nil
}

// Isolated calls a function of the host's own with texts, in an isolated world of the tab's top frame, which the page
// cannot reach into. It must not run handlers of the page.
func (p *Pages) Isolated(ctx context.Context, tab, function string, arguments []any, result any) error {
	_, err := p.onPage(ctx, tab, func(d *driver) (any, error) {
		return nil, d.Run(cdproto.FrameID(tab), 0, function, arguments, result)
	})
	if blocked := (*view.BlockedError)(nil); errors.As(err, &blocked) {
		return &view.BlockedError{Dialogs: blocked.Dialogs} // what it returns is for the host alone: nobody resumes it
	}
	if thrown := (*fault.EvaluateError)(nil); errors.As(err, &thrown) {
		says, _, _ := strings.Cut(thrown.Exception, "\n")
		return fmt.Errorf("%w: %s", fault.ErrFailed, says)
	}
	return err
}
