package act

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// defaultWait bounds a wait that has no other limit.
const defaultWait = 30 * time.Second

// Wait waits until an element, or a text, is in a state, in any frame or in that of the locator. A selector or a text
// is visible when any match is; a role with a name when a reading of the page has it. Enabled is the one element that
// an action would take, once it is visible and nothing disables it. Without a deadline of the context it waits 30 s.
// Errors: [*WaitError] when the time is over, a [*fault.RendererBusyError] if the page did not answer then, a
// [*StaleRefError] for a ref that is gone and is not awaited to be, ErrBadArguments, and those of [Tab.Click].
func (t Tab) Wait(ctx context.Context, l Locator, state WaitState) (err error) {
	defer fault.During("wait", &err)
	awaited, err := awaited(l, state)
	if err != nil {
		return err
	}
	return t.await(ctx, l, &WaitError{Locator: l, State: state}, func(d *driver, out *WaitError) error {
		if l.Ref == "" && l.Role == "" && l.BackendNodeID == 0 && state != WaitEnabled {
			_, err := query.Await(d, awaited, 0)
			return err
		}
		_, err := query.Until(d, 0, func() (is bool, unresponsive, err error) {
			is, seen, err := t.pages.isIn(d, l, state)
			out.Seen = cmp.Or(seen, out.Seen)
			unresponsive, err = d.goesOn(err)
			return is, unresponsive, err
		})
		return err
	})
}

// WaitURL waits until the URL of the tab, or of one of its frames, matches a pattern: a regular expression between
// slashes, or a text in which * stands for any characters. A change without a load, as by history.pushState, counts.
// Errors: as [Tab.Wait].
func (t Tab) WaitURL(ctx context.Context, pattern, frameID string) (err error) {
	defer fault.During("wait_url", &err)
	match, err := urlPattern(pattern)
	if err != nil {
		return err
	}
	return t.await(ctx, InFrame(frameID), &WaitError{URL: pattern}, func(d *driver, out *WaitError) error {
		_, err := query.Until(d, 0, func() (is bool, unresponsive, err error) {
			url := d.url(cdproto.FrameID(frameID))
			if out.Seen = namedURL(url); match.MatchString(url) {
				return true, nil, nil
			}
			unresponsive, err = d.goesOn(d.answers())
			return false, unresponsive, err
		})
		return err
	})
}

// WaitRequest waits until a request of the tab has ended that matches, and returns it: the first of those that came
// after the one with the number after, such as [Task.LastRequest] before an action. It begins to record requests if
// nothing has; earlier ones are then unknown. match is called with a lock held, and must not wait. Errors: as
// [Tab.Wait].
func (t Tab) WaitRequest(ctx context.Context, after uint64, match func(view.Request) bool) (found view.Request, err error) {
	defer fault.During("wait_request", &err)
	late := t.pages.StartRequests()
	err = t.await(ctx, Locator{}, &WaitError{Request: true}, func(d *driver, out *WaitError) error {
		_, err := query.Until(d, 0, func() (is bool, unresponsive, err error) {
			one, there := t.pages.RequestSince(after, d.Target(), match)
			switch {
			case there && one.Ended:
				found = one
				return true, nil, nil
			case there:
				out.Seen = fmt.Sprintf("%s %s is under way", one.Method, namedURL(one.URL))
			case late:
				out.Seen = "no such request, but requests are recorded only since this wait began"
			default:
				out.Seen = "no such request"
			}
			unresponsive, err = d.goesOn(d.answers())
			return false, unresponsive, err
		})
		return err
	})
	return found, err
}

// urlPattern compiles a pattern of [Tab.WaitURL].
func urlPattern(pattern string) (*regexp.Regexp, error) {
	if inner, ok := strings.CutPrefix(pattern, "/"); ok && strings.HasSuffix(inner, "/") {
		match, err := regexp.Compile(strings.TrimSuffix(inner, "/"))
		if err != nil {
			return nil, fmt.Errorf("%w: url: %w", fault.ErrBadArguments, err)
		}
		return match, nil
	}
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$"), nil
}

// answers asks the page for nothing, which shows whether a dialog holds it or its main thread is busy.
func (d *driver) answers() error {
	return d.WithThreadTimeout(time.Second).Run("", 0, "() => 0", nil, nil)
}

// goesOn tells the errors that end a wait from that of a main thread that does not answer. That a document is gone is
// none: the next look is at its successor.
func (d *driver) goesOn(err error) (unresponsive, ends error) {
	switch {
	case d.Unresponsive(err):
		return err, nil
	case d.Gone(err):
		return nil, nil
	}
	return nil, err
}

// url is that of a frame; without a frame, of the tab.
func (d *driver) url(frame cdproto.FrameID) string {
	for i, f := range d.Frames() {
		if f.ID == frame || i == 0 && frame == "" {
			return f.URL
		}
	}
	return ""
}

// condition evaluates an expression, or calls it if it is a function, and says whether that is truthy. What it throws
// is told apart from an expression that cannot be compiled.
const condition = `(async () => {
	const said = v => { try { return typeof v === "string" ? JSON.stringify(v) : String(v) } catch { return typeof v } };
	try {
		const value = (%s
		);
		const is = await (typeof value === "function" ? value() : value);
		return {is: !!is, saw: said(is).slice(0, 200)};
	} catch (e) { return {is: false, saw: "an exception: " + said(e).slice(0, 200)} }
})()`

// WaitTrue waits until a JavaScript expression, or a function, is truthy in the main world of the tab's top frame, or
// of another frame. It is evaluated again and again, after navigations too; what it throws counts as not yet true.
// Errors: as [Tab.Wait], and those of [Tab.Evaluate], as for an expression that cannot be compiled.
func (t Tab) WaitTrue(ctx context.Context, expression, frameID string) (err error) {
	defer fault.During("wait_true", &err)
	if t.pages.Rules.EvaluateDisabled {
		return fault.ErrEvaluateDisabled
	}
	script := fmt.Sprintf(condition, strings.TrimRight(expression, "; \t\n"))
	return t.await(ctx, InFrame(frameID), &WaitError{Expression: expression}, func(d *driver, out *WaitError) error {
		_, err := query.Until(d, 0, func() (is bool, unresponsive, err error) {
			e := evaluator{op: d.op, pages: t.pages, tab: string(d.tab), options: EvaluateOptions{Locator: InFrame(frameID), AwaitPromise: true}}
			value, err := e.evaluate(script)
			d.op.ReleaseTurn()
			var found struct {
				Is  bool
				Saw string
			}
			switch {
			case errors.Is(err, fault.ErrFrameGone):
				return false, nil, nil
			case err == nil:
				err = json.Unmarshal(value.Value, &found)
				out.Seen = pagetext.Line(found.Saw)
			case out.Seen == "":
				out.Seen = "not known yet"
			}
			return found.Is, nil, err
		})
		return err
	})
}

// Pause waits for a time, during which a dialog that holds the tab is told at once. Errors: those of [Tab.Wait].
func (t Tab) Pause(ctx context.Context, pause time.Duration) (err error) {
	defer fault.During("pause", &err)
	over := time.Now().Add(pause)
	return t.await(ctx, Locator{}, &WaitError{Pause: pause}, func(d *driver, _ *WaitError) error {
		_, err := query.Until(d, 0, func() (is bool, unresponsive, err error) {
			_, err = d.goesOn(d.answers())
			return !time.Now().Before(over), nil, err
		})
		return err
	})
}

// await does the work of a wait. At the end of its time the error is out, in which work says what it saw.
func (t Tab) await(ctx context.Context, l Locator, out *WaitError, work func(*driver, *WaitError) error) error {
	tab, err := t.targetOf(l)
	if err != nil {
		return err
	}
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, defaultWait)
		defer cancel()
	}
	_, err = t.pages.onTab(ctx, tab, func(d *driver) (any, error) {
		err := work(d, out)
		var stopped *fault.StoppedError
		ranOn := errors.As(err, &stopped) && (stopped.Terminated || stopped.Ending)
		if err != nil && !ranOn && !errors.Is(err, fault.ErrRendererBusy) && errors.Is(context.Cause(d.Context()), fault.ErrTimeout) {
			return nil, out
		}
		return nil, actError(err)
	})
	return err
}

// awaited checks what is awaited.
func awaited(l Locator, state WaitState) (query.Awaited, error) {
	a := query.Awaited{Selector: l.Selector, Text: l.Text, Frame: cdproto.FrameID(l.FrameID)}
	if err := l.check(); err != nil {
		return a, err
	}
	if l.Selector == "" && l.Ref == "" && l.Role == "" && l.BackendNodeID == 0 && strings.TrimSpace(l.Text) == "" {
		return a, fmt.Errorf("%w: a wait is for an element, not for %s", fault.ErrBadArguments, l)
	}
	switch state {
	case WaitVisible:
		a.Present, a.Visible = true, true
	case WaitHidden:
		a.Visible = true
	case WaitAttached:
		a.Present = true
	case WaitDetached, WaitEnabled:
	default:
		return a, fmt.Errorf("%w: there is no state %q: visible, hidden, attached, detached or enabled", fault.ErrBadArguments, state)
	}
	if (l.Text != "" || l.Role != "") && !a.Visible && state != WaitEnabled {
		return a, fmt.Errorf("%w: a text or a role can be visible or hidden, or enabled, not %q", fault.ErrBadArguments, state)
	}
	return a, nil
}

// isIn looks once whether an element is in a state, and says in which it is if not.
func (p *Pages) isIn(d *driver, l Locator, state WaitState) (is bool, seen string, err error) {
	n, err := p.findNow(d, l)
	gone := state == WaitHidden || state == WaitDetached
	switch stale := (*StaleRefError)(nil); {
	case gone && errors.As(err, &stale):
		return true, "", nil
	case errors.Is(err, page.ErrUnread):
		return false, "", d.answers()
	case errors.Is(err, page.ErrNotFound):
		return gone, "nothing like that is there", nil
	case l.Role != "" && state != WaitEnabled && errors.Is(err, fault.ErrAmbiguousElement):
		return !gone, "visible", nil
	case err != nil:
		return false, "", err
	case l.Role != "" && state != WaitEnabled: // a reading has it
		return !gone, "visible", nil
	}
	obstacle, cause, err := input.ObstacleOf(d, n)
	if errors.Is(err, fault.ErrNoElement) || errors.Is(err, fault.ErrUnknownFrame) {
		obstacle, err = input.Detached, nil
	}
	if err != nil {
		return false, "", err
	}
	seen = cmp.Or(string(obstacle), "visible and enabled")
	if cause != "" && obstacle != input.Unfit {
		seen += " (" + pagetext.Line(cause) + ")"
	}
	switch out := obstacle == input.Detached; state {
	case WaitVisible:
		is = !out && obstacle != input.Hidden
	case WaitHidden:
		is = out || obstacle == input.Hidden
	case WaitAttached:
		is = !out
	case WaitDetached:
		is = out
	case WaitEnabled:
		is = obstacle == "" || obstacle == input.Unfit // an option of a list
	}
	return is, seen, nil
}

// findNow is find without waiting for an element that is not there yet.
func (p *Pages) findNow(d *driver, l Locator) (page.Element, error) {
	frame := cdproto.FrameID(l.FrameID)
	switch {
	case l.Role != "":
		return query.FindRoleNow(d, p.readings.refs, l.Role, l.Name, frame)
	case l.Text != "":
		return query.FindTextNow(d, l.Text, frame)
	case l.Selector != "":
		return query.FindNow(d, l.Selector, frame)
	}
	return p.find(d, l) // which does not wait for a ref
}

// WaitLoad waits until the tab's document has reached a state, as [Tab.Navigate] does: WaitDOMContentLoaded, WaitLoad
// or WaitNetworkIdle. If the tab is about to have another document, that one counts. The network is idle once a
// document has been without a request for half a second, whatever it asks for later. Errors: as [Tab.Wait].
func (t Tab) WaitLoad(ctx context.Context, until WaitUntil) (err error) {
	defer fault.During("wait_load", &err)
	if !slices.Contains([]WaitUntil{WaitDOMContentLoaded, WaitLoad, WaitNetworkIdle}, until) {
		return fmt.Errorf("%w: there is no load_state %q: domcontentloaded, load or networkidle", fault.ErrBadArguments, until)
	}
	return t.await(ctx, Locator{}, &WaitError{Load: until}, func(d *driver, out *WaitError) error {
		defer d.startWatch()()
		quick := *d
		quick.limit = time.Second
		a := &action{pages: t.pages, d: &quick}
		_, err := query.Until(d, 0, func() (is bool, unresponsive, err error) {
			if url := t.pages.Leaves(d.tab); url != "" { // and holds back what it is asked
				out.Seen = "on its way to " + namedURL(url)
				return false, nil, nil
			}
			is, seen, err := a.hasReached(until)
			if seen != "" {
				out.Seen = seen
			}
			unresponsive, err = d.goesOn(err)
			return is && t.pages.Leaves(d.tab) == "", unresponsive, err
		})
		return err
	})
}

// hasReached looks once whether the tab's document has reached a state, and says what it was.
func (a *action) hasReached(until WaitUntil) (is bool, seen string, err error) {
	if until == WaitNetworkIdle {
		a.d.watch.inspect(func(w *pageWatch) { is = a.isIdle(w) })
		return is, "not idle", a.d.answers()
	}
	looked := a.pages.Snapshot().Document(string(a.d.tab))
	err = a.d.Run("", 0, "() => document.readyState", nil, &seen)
	is = seen == "complete" || seen == "interactive" && until == WaitDOMContentLoaded
	return is && a.pages.Snapshot().Document(string(a.d.tab)) == looked, seen, err
}
