package act

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// MouseParams are the parameters of browser_mouse.
type MouseParams struct {
	Action string `json:"action" enum:"click,double_click,hover,drag,wheel" need:"yes"`
	// X and Y are where, in CSS pixels from the top left of the viewport: those of a screenshot of it.
	X float64 `json:"x" need:"yes" min:"0" max:"100000" doc:"pixels of a screenshot"`
	Y float64 `json:"y" need:"yes" min:"0" max:"100000"`
	// ToX and ToY are where a drag ends.
	ToX *float64 `json:"to_x,omitempty" min:"0" max:"100000" doc:"end of a drag"`
	ToY *float64 `json:"to_y,omitempty" min:"0" max:"100000"`
	// Direction is that of the wheel, down by default, and Amount is how far, in CSS pixels; 0: most of the viewport.
	Direction string  `json:"direction,omitempty" enum:"up,down,left,right" doc:"of the wheel"`
	Amount    float64 `json:"amount,omitempty" min:"0" max:"1000000" doc:"pixels"`
	// Button is that of a click: left (the default), middle or right.
	Button string `json:"button,omitempty" enum:"left,middle,right"`
	// Modifiers are keys that are held down during a click.
	Modifiers []string `json:"modifiers,omitempty"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Observing
	toolkit.Timeout
}

// MouseResult is the result of browser_mouse.
type MouseResult struct {
	Action string `json:"action"`
	// Element is the role and the name of what is at the point.
	Element string `json:"element"`
	// By says how far the wheel has scrolled; nil if that cannot be said.
	By *host.Scrolled `json:"pixels,omitempty" schema:"-"`
	toolkit.Outcome
}

// Mouse acts on a point of the viewport, whatever is there. Errors are those of [host.Tab.ClickAt].
func (k *Kit) Mouse(ctx context.Context, p MouseParams) (MouseResult, error) {
	if drags := p.Action == "drag"; drags != (p.ToX != nil) || drags != (p.ToY != nil) {
		return MouseResult{}, result.BadArgument("to_x", "a drag ends at to_x and to_y, which no other action takes")
	}
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	id, err := k.OnPage(ctx, p.Tab)
	if err != nil {
		return MouseResult{}, err
	}
	acted, err := p.do(ctx, k.Task.Tab(id))
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (MouseResult, error) {
		return MouseResult{p.Action, a.Element, a.Scrolled, k.Outcome(ctx, toolkit.Target{Tab: p.Tab}, p.Observing, a, "element")}, nil
	})
}

func (p MouseParams) do(ctx context.Context, tab host.Tab) (host.ActionResult, error) {
	at := host.Point{X: p.X, Y: p.Y}
	switch p.Action {
	case "hover":
		return tab.HoverAt(ctx, at, nil)
	case "drag":
		return tab.DragAt(ctx, at, host.Point{X: *p.ToX, Y: *p.ToY}, nil)
	case "wheel":
		return tab.Scroll(ctx, &host.ScrollOptions{At: &at, Direction: host.Direction(p.Direction), Amount: p.Amount})
	}
	return tab.ClickAt(ctx, at, &host.ClickOptions{Double: p.Action == "double_click", Button: host.MouseButton(p.Button), Modifiers: p.Modifiers})
}

// Text says what was done, and to what.
func (r MouseResult) Text() string {
	done := map[string]string{"click": "clicked ", "double_click": "double-clicked ", "hover": "hovered over ", "drag": "dragged ", "wheel": "turned the wheel over "}[r.Action]
	if r.By != nil {
		return r.Outcome.TextAfter(fmt.Sprintf("%s%s, which scrolled by %.0f pixels", done, r.Element, r.By.By))
	}
	return r.Outcome.TextAfter(done + r.Element)
}
