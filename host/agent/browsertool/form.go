package browsertool

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// SelectParams are the parameters of browser_select.
type SelectParams struct {
	Target
	// Values are values or labels of the select's options.
	Values []string `json:"values" need:"yes"`
	Observing
	Timeout
}

// SelectResult is the result of browser_select.
type SelectResult struct {
	// Selected are the values that are now selected.
	Selected []string `json:"selected"`
	Element  string   `json:"element"`
	Outcome
}

// Select chooses options of a select. Errors are those of [host.Tab.Select].
func (b *Browser) Select(ctx context.Context, p SelectParams) (SelectResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	acted, err := b.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		return tab.Select(ctx, at, p.Values, nil)
	})
	return then(ctx, b, acted, err, func(ctx context.Context, a host.ActionResult) (SelectResult, error) {
		selected := make([]string, len(a.Selected))
		for i, value := range a.Selected {
			selected[i] = result.Visible(value)
		}
		return SelectResult{selected, a.Element, b.outcome(ctx, p.Target, p.Observing, a, "selected", "element")}, nil
	})
}

// Text says what is now selected.
func (r SelectResult) Text() string {
	return r.Outcome.text("selected " + strings.Join(r.Selected, ", ") + " in " + r.Element)
}

// CheckParams are the parameters of browser_check.
type CheckParams struct {
	Target
	// Checked is the state to set; nil: true.
	Checked *bool `json:"checked,omitempty" doc:"default true"`
	Observing
	Timeout
}

// CheckResult is the result of browser_check.
type CheckResult struct {
	Checked bool   `json:"checked"`
	Element string `json:"element"`
	Outcome
}

// Check sets a checkbox, radio button or switch. Errors are those of [host.Tab.Check].
func (b *Browser) Check(ctx context.Context, p CheckParams) (CheckResult, error) {
	on := p.Checked == nil || *p.Checked
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	acted, err := b.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		return tab.Check(ctx, at, on, nil)
	})
	return then(ctx, b, acted, err, func(ctx context.Context, a host.ActionResult) (CheckResult, error) {
		checked := on
		if a.Checked != nil {
			checked = *a.Checked
		}
		return CheckResult{checked, a.Element, b.outcome(ctx, p.Target, p.Observing, a, "element")}, nil
	})
}

// Text says which state it is in.
func (r CheckResult) Text() string {
	return r.Outcome.text(fmt.Sprintf("%s is checked: %t", r.Element, r.Checked))
}

// DragParams are the parameters of browser_drag.
type DragParams struct {
	Target
	Onto
	Observing
	Timeout
}

// Onto is where an element is dropped: a [Target] with other names.
type Onto struct {
	ToRef      string `json:"to_ref,omitempty"`
	ToSelector string `json:"to_selector,omitempty"`
	ToText     string `json:"to_text,omitempty"`
	ToRole     string `json:"to_role,omitempty" list:"no"`
	ToName     string `json:"to_name,omitempty" list:"no"`
}

func (o Onto) target() Target {
	return Target{Ref: o.ToRef, Selector: o.ToSelector, Shows: o.ToText, Role: o.ToRole, Name: o.ToName}
}

// DragResult is the result of browser_drag.
type DragResult struct {
	Dragged string `json:"dragged"`
	Outcome
}

// Drag drags an element onto another. Errors are those of [host.Tab.Drag].
func (b *Browser) Drag(ctx context.Context, p DragParams) (DragResult, error) {
	end := p.target()
	if end.empty() || end.check() != nil {
		return DragResult{}, result.BadArgument("to_ref", "give one of to_ref, to_selector, to_text, and to_role with to_name")
	}
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	acted, err := b.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, from host.Locator) (host.ActionResult, error) {
		to := host.Locator{Ref: end.Ref, Selector: end.Selector, Text: end.Shows, Role: end.Role, Name: end.Name}
		if end.Ref == "" {
			to = to.In(p.FrameID)
		}
		return tab.Drag(ctx, from, to, nil)
	})
	return then(ctx, b, acted, err, func(ctx context.Context, a host.ActionResult) (DragResult, error) {
		return DragResult{a.Element, b.outcome(ctx, p.Target, p.Observing, a, "dragged")}, nil
	})
}

// Text says what was dragged.
func (r DragResult) Text() string { return r.Outcome.text("dragged " + r.Dragged) }

// UploadParams are the parameters of browser_upload.
type UploadParams struct {
	Target
	// Paths are absolute paths of files on this machine.
	Paths []string `json:"paths" need:"yes" doc:"absolute paths"`
	Observing
	Timeout
}

// UploadResult is the result of browser_upload.
type UploadResult struct {
	Uploaded int    `json:"uploaded"`
	Element  string `json:"element"`
	// Dropped says that they were dropped on the element, which opens no file chooser.
	Dropped bool `json:"dropped,omitempty" schema:"-"`
	Outcome
}

// Upload gives files to a file input or to an element that opens a file chooser, or else drops them on it. Errors are
// those of [host.Tab.Upload].
func (b *Browser) Upload(ctx context.Context, p UploadParams) (UploadResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	acted, err := b.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		return tab.Upload(ctx, at, p.Paths, nil)
	})
	return then(ctx, b, acted, err, func(ctx context.Context, a host.ActionResult) (UploadResult, error) {
		return UploadResult{len(p.Paths), a.Element, a.Dropped, b.outcome(ctx, p.Target, p.Observing, a, "element")}, nil
	})
}

// Text says how many files were given to which element.
func (r UploadResult) Text() string {
	if r.Dropped {
		return r.Outcome.text(fmt.Sprintf("dropped %s on %s", result.Number(r.Uploaded, "file"), r.Element))
	}
	return r.Outcome.text(fmt.Sprintf("gave %s to %s", result.Number(r.Uploaded, "file"), r.Element))
}
