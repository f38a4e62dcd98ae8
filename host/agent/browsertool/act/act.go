package act

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// Checks are parameters of actions on an element.
type Checks struct {
	// Force skips the checks that the element is visible, enabled, at rest and not covered.
	Force bool `json:"force,omitempty"`
	// WaitForHidden is a CSS selector: the action waits until no match is visible.
	WaitForHidden string `json:"wait_for_hidden,omitempty"`
	// WaitForHiddenMS limits that wait, in milliseconds, within the action's own timeout. 0: 5,000.
	WaitForHiddenMS int `json:"wait_for_hidden_ms,omitempty" min:"1" max:"600000" list:"no"`
}

func (c Checks) options() host.ActionOptions {
	return host.ActionOptions{Force: c.Force, WaitForHidden: c.WaitForHidden, HiddenTimeout: time.Duration(c.WaitForHiddenMS) * time.Millisecond}
}

// ClickParams are the parameters of browser_click and browser_dblclick.
type ClickParams struct {
	toolkit.Target
	Checks
	Clicking
	toolkit.Observing
	toolkit.Timeout
}

// Clicking says with which button and which keys an element is clicked.
type Clicking struct {
	// Button is left (the default), middle or right.
	Button string `json:"button,omitempty" enum:"left,middle,right"`
	// Modifiers are keys that are held down meanwhile, as people write them: Control, ctrl, cmd, Shift, Alt.
	Modifiers []string `json:"modifiers,omitempty"`
	// Count is how many clicks follow on each other: 1 (the default), 2 or 3.
	Count int `json:"click_count,omitempty" min:"1" max:"3"`
}

// ClickResult is the result of browser_click and browser_dblclick.
type ClickResult struct {
	// Clicked is the element's role and name.
	Clicked string `json:"clicked"`
	toolkit.Outcome
}

// Click clicks an element. Errors are those of [host.Tab.Click].
func (k *Kit) Click(ctx context.Context, p ClickParams) (ClickResult, error) {
	return k.click(ctx, p, false)
}

// DoubleClick clicks an element twice. Errors are those of [host.Tab.Click].
func (k *Kit) DoubleClick(ctx context.Context, p ClickParams) (ClickResult, error) {
	return k.click(ctx, p, true)
}

func (k *Kit) click(ctx context.Context, p ClickParams, double bool) (ClickResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	acted, err := k.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		return tab.Click(ctx, at, &host.ClickOptions{
			ActionOptions: p.options(), Double: double, Count: p.Count, Modifiers: p.Modifiers, Button: host.MouseButton(p.Button),
		})
	})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (ClickResult, error) {
		return ClickResult{a.Element, k.Outcome(ctx, p.Target, p.Observing, a, "clicked")}, nil
	})
}

// on runs an action on an element.
func (k *Kit) on(ctx context.Context, t toolkit.Target, do func(context.Context, host.Tab, host.Locator) (host.ActionResult, error)) (host.ActionResult, error) {
	tab, at, err := k.Element(ctx, t)
	if err != nil {
		return host.ActionResult{}, err
	}
	return do(ctx, tab, at)
}

// Text says what was clicked and what that caused.
func (r ClickResult) Text() string { return r.Outcome.TextAfter("clicked " + r.Clicked) }

// HoverParams are the parameters of browser_hover.
type HoverParams struct {
	toolkit.Target
	Checks
	toolkit.Observing
	toolkit.Timeout `list:"no"`
}

// HoverResult is the result of browser_hover.
type HoverResult struct {
	Hovered string `json:"hovered"`
	toolkit.Outcome
}

// Hover moves the pointer onto an element. Errors are those of [host.Tab.Hover].
func (k *Kit) Hover(ctx context.Context, p HoverParams) (HoverResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	acted, err := k.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		o := p.options()
		return tab.Hover(ctx, at, &o)
	})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (HoverResult, error) {
		return HoverResult{a.Element, k.Outcome(ctx, p.Target, p.Observing, a, "hovered")}, nil
	})
}

// Text says what the pointer is over.
func (r HoverResult) Text() string { return r.Outcome.TextAfter("hovered over " + r.Hovered) }

// TypeParams are the parameters of browser_type.
type TypeParams struct {
	toolkit.Target
	Text string `json:"text" need:"yes"`
	// FieldText names the field by the text of its label; Text is what to type.
	FieldText string `json:"field_text,omitempty" doc:"its label"`
	// Append keeps what the field has, and types at its end.
	Append bool `json:"append,omitempty"`
	// Submit presses Enter afterwards.
	Submit bool `json:"submit,omitempty" doc:"press Enter after"`
	Checks
	toolkit.Observing
	toolkit.Timeout
}

// TypeResult is the result of browser_type.
type TypeResult struct {
	// Typed is how many characters were typed; the text itself may be a password.
	Typed   int    `json:"typed"`
	Element string `json:"element"`
	toolkit.Outcome

	shown string // the text, if it is known to be no secret
}

// Type clears a field and types into it; without an element, into the field that has the focus, or where the caret is
// in an editor. Errors are those of [host.Tab.Type].
func (k *Kit) Type(ctx context.Context, p TypeParams) (TypeResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	p.Shows = cmp.Or(p.FieldText, p.Shows)
	tab, at, err := k.Locator(ctx, p.Target)
	if err != nil {
		return TypeResult{}, err
	}
	acted, err := tab.Type(ctx, at, p.Text, &host.TypeOptions{ActionOptions: p.options(), Clear: !p.Append, Submit: p.Submit})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (TypeResult, error) {
		r := TypeResult{Typed: len([]rune(p.Text)), Element: a.Element, Outcome: k.Outcome(ctx, p.Target, p.Observing, a, "element")}
		if !a.Secret {
			r.shown = p.Text
		}
		return r, nil
	})
}

// ShownText is the text if it is known to be no secret.
func (r TypeResult) ShownText() string { return r.shown }

// Text says which element was typed into.
func (r TypeResult) Text() string { return r.Outcome.TextAfter("typed into " + r.Element) }

// PressParams are the parameters of browser_press.
type PressParams struct {
	// Key is a value of KeyboardEvent.key, optionally with modifiers: Enter, Control+a.
	Key string `json:"key" need:"yes" doc:"Enter, ctrl+a"`
	// Target is focused first; without an element the key goes to whatever has the focus.
	toolkit.Target
	toolkit.Observing
	toolkit.Timeout `list:"no"`
}

// PressResult is the result of browser_press.
type PressResult struct {
	Pressed string `json:"pressed"`
	toolkit.Outcome
}

// Press presses a key. Errors are those of [host.Tab.Press].
func (k *Kit) Press(ctx context.Context, p PressParams) (PressResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := k.Locator(ctx, p.Target)
	if err != nil {
		return PressResult{}, err
	}
	acted, err := tab.Press(ctx, p.Key, &host.PressOptions{Locator: at})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (PressResult, error) {
		return PressResult{p.Key, k.Outcome(ctx, p.Target, p.Observing, a)}, nil
	})
}

// Text says what was pressed.
func (r PressResult) Text() string {
	return r.Outcome.TextAfter("pressed " + result.Visible(r.Pressed))
}

// ScrollParams are the parameters of browser_scroll.
type ScrollParams struct {
	Direction string `json:"direction" enum:"up,down,left,right" need:"yes"`
	// Amount is in CSS pixels; 0: most of the viewport.
	Amount float64 `json:"amount,omitempty" min:"0" max:"1000000" doc:"pixels"`
	// Target is where the wheel is turned; without an element, in the middle of the tab.
	toolkit.Target
	toolkit.Observing
	toolkit.Timeout `list:"no"`
}

// ScrollResult is the result of browser_scroll.
type ScrollResult struct {
	Scrolled string `json:"scrolled"`
	// By says how far that was, and how far it can be scrolled from there in each direction, in CSS pixels; nil if that
	// cannot be said. AtEnd says that it cannot be scrolled further in this direction.
	By    *host.Scrolled `json:"pixels,omitempty" schema:"-"`
	AtEnd bool           `json:"at_end,omitempty" schema:"-"`
	toolkit.Outcome
}

// Scroll turns the wheel. Errors are those of [host.Tab.Scroll].
func (k *Kit) Scroll(ctx context.Context, p ScrollParams) (ScrollResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := k.Locator(ctx, p.Target)
	if err != nil {
		return ScrollResult{}, err
	}
	acted, err := tab.Scroll(ctx, &host.ScrollOptions{Locator: at, Direction: host.Direction(p.Direction), Amount: p.Amount})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (ScrollResult, error) {
		return ScrollResult{p.Direction, a.Scrolled, a.Scrolled != nil && a.Scrolled.Rest(host.Direction(p.Direction)) == 0, k.Outcome(ctx, p.Target, p.Observing, a)}, nil
	})
}

// Text says how far it was scrolled.
func (r ScrollResult) Text() string {
	if r.By == nil {
		return r.Outcome.TextAfter("scrolled " + r.Scrolled)
	}
	done := fmt.Sprintf("scrolled %s by %.0f pixels", r.Scrolled, r.By.By)
	if r.AtEnd {
		done += ", to the end"
	}
	var rest []string
	for _, way := range []host.Direction{host.ScrollUp, host.ScrollDown, host.ScrollLeft, host.ScrollRight} {
		if pixels := r.By.Rest(way); pixels > 0 {
			rest = append(rest, fmt.Sprintf("%.0f %s", pixels, way))
		}
	}
	// Pages that show one screen after the other, and lists for fingers, move their content by themselves.
	if r.By.By == 0 && len(rest) == 0 {
		return r.Outcome.TextAfter("nothing scrolled: nothing there has more than it shows, unless the page moves it by a script of its own")
	}
	return r.Outcome.TextAfter(done + "; left to scroll: " + toolkit.OrNone(rest))
}
