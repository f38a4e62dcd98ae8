package act

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// SelectParams are the parameters of browser_select.
type SelectParams struct {
	toolkit.Target
	// Values are values or labels of the options.
	Values []string `json:"values" need:"yes"`
	toolkit.Observing
	toolkit.Timeout
}

// SelectResult is the result of browser_select.
type SelectResult struct {
	// Selected are the values that are now selected; in a list that the page draws itself, what was asked for.
	Selected []string `json:"selected"`
	Element  string   `json:"element"`
	toolkit.Outcome
}

// Select chooses options of a select, or of a list that the page draws itself. Errors are those of [host.Tab.Select].
func (k *Kit) Select(ctx context.Context, p SelectParams) (SelectResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	acted, err := k.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		return tab.Select(ctx, at, p.Values, nil)
	})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (SelectResult, error) {
		selected := make([]string, len(a.Selected))
		for i, value := range a.Selected {
			selected[i] = result.Visible(value)
		}
		return SelectResult{selected, a.Element, k.Outcome(ctx, p.Target, p.Observing, a, "selected", "element")}, nil
	})
}

// Text says what is now selected.
func (r SelectResult) Text() string {
	return r.Outcome.TextAfter("selected " + strings.Join(r.Selected, ", ") + " in " + r.Element)
}

// CheckParams are the parameters of browser_check.
type CheckParams struct {
	toolkit.Target
	// Checked is the state to set; nil: true.
	Checked *bool `json:"checked,omitempty" doc:"default true"`
	toolkit.Observing
	toolkit.Timeout
}

// CheckResult is the result of browser_check.
type CheckResult struct {
	Checked bool   `json:"checked"`
	Element string `json:"element"`
	toolkit.Outcome
}

// Check sets a checkbox, radio button or switch. Errors are those of [host.Tab.Check].
func (k *Kit) Check(ctx context.Context, p CheckParams) (CheckResult, error) {
	on := p.Checked == nil || *p.Checked
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	acted, err := k.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		return tab.Check(ctx, at, on, nil)
	})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (CheckResult, error) {
		checked := on
		if a.Checked != nil {
			checked = *a.Checked
		}
		return CheckResult{checked, a.Element, k.Outcome(ctx, p.Target, p.Observing, a, "element")}, nil
	})
}

// Text says which state it is in.
func (r CheckResult) Text() string {
	return r.Outcome.TextAfter(fmt.Sprintf("%s is checked: %t", r.Element, r.Checked))
}

// DragParams are the parameters of browser_drag.
type DragParams struct {
	toolkit.Target
	Onto
	toolkit.Observing
	toolkit.Timeout
}

// Onto is where an element is dropped: a [toolkit.Target] with other names.
type Onto struct {
	ToRef      string `json:"to_ref,omitempty"`
	ToSelector string `json:"to_selector,omitempty"`
	ToText     string `json:"to_text,omitempty"`
	ToRole     string `json:"to_role,omitempty" list:"no"`
	ToName     string `json:"to_name,omitempty" list:"no"`
}

func (o Onto) target() toolkit.Target {
	return toolkit.Target{Ref: o.ToRef, Selector: o.ToSelector, Shows: o.ToText, Role: o.ToRole, Name: o.ToName}
}

// DragResult is the result of browser_drag.
type DragResult struct {
	Dragged string `json:"dragged"`
	toolkit.Outcome
}

// Drag drags an element onto another. Errors are those of [host.Tab.Drag].
func (k *Kit) Drag(ctx context.Context, p DragParams) (DragResult, error) {
	end := p.target()
	if end.Empty() || end.Check() != nil {
		return DragResult{}, result.BadArgument("to_ref", "give one of to_ref, to_selector, to_text, and to_role with to_name")
	}
	end.FrameID = p.FrameID
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	acted, err := k.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, from host.Locator) (host.ActionResult, error) {
		return tab.Drag(ctx, from, end.At(ctx), nil)
	})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (DragResult, error) {
		return DragResult{a.Element, k.Outcome(ctx, p.Target, p.Observing, a, "dragged")}, nil
	})
}

// Text says what was dragged.
func (r DragResult) Text() string { return r.Outcome.TextAfter("dragged " + r.Dragged) }

// UploadParams are the parameters of browser_upload.
type UploadParams struct {
	toolkit.Target
	// Paths are absolute paths of files on this machine, or of one directory for a field for directories.
	Paths []string `json:"paths" need:"yes" doc:"absolute paths"`
	toolkit.Observing
	toolkit.Timeout
}

// UploadResult is the result of browser_upload.
type UploadResult struct {
	Uploaded int    `json:"uploaded"`
	Element  string `json:"element"`
	// Dropped says that they were dropped on the element, which opens no file chooser.
	Dropped bool `json:"dropped,omitempty" schema:"-"`
	toolkit.Outcome
}

// Upload gives files to a file input or to an element that opens a file chooser, or else drops them on it. Errors are
// those of [host.Tab.Upload].
func (k *Kit) Upload(ctx context.Context, p UploadParams) (UploadResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	acted, err := k.on(ctx, p.Target, func(ctx context.Context, tab host.Tab, at host.Locator) (host.ActionResult, error) {
		return tab.Upload(ctx, at, p.Paths, nil)
	})
	return toolkit.Then(ctx, k.Kit, acted, err, func(ctx context.Context, a host.ActionResult) (UploadResult, error) {
		return UploadResult{a.Given, a.Element, a.Dropped, k.Outcome(ctx, p.Target, p.Observing, a, "element")}, nil
	})
}

// Text says how many files were given to which element.
func (r UploadResult) Text() string {
	if r.Dropped {
		return r.Outcome.TextAfter(fmt.Sprintf("dropped %s on %s", result.Number(r.Uploaded, "file"), r.Element))
	}
	return r.Outcome.TextAfter(fmt.Sprintf("gave %s to %s", result.Number(r.Uploaded, "file"), r.Element))
}
