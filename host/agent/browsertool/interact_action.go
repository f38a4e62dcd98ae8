package browsertool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/act"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/look"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/move"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// actionFields are the fields that each kind of action takes in addition to timeout_ms; those with a * are required.
var actionFields = map[string]string{
	"goto": "url wait_until", "click": "element* button modifiers click_count " + checks, "dblclick": "element* button modifiers " + checks,
	"fill": "field text* append submit " + checks, "hover": "element* " + checks, "press": "key* element",
	"scroll": "direction* element", "select": "element* values*", "check": "element* checked", "drag": "element* to*",
	"extract_text": "element max_chars offset", "wait_for_selector": "selector* frame_id state",
	"wait_for": "element state url request expression load_state", "screenshot": "element full_page out_path", "sleep": "ms*",
	"back": "", "forward": "", "reload": "",
}

// looks are the actions that do nothing to a page.
var looks = []string{"extract_text", "wait_for_selector", "wait_for", "screenshot", "sleep"}

// groups are the fields of which an action takes one, and beside those that it takes in addition.
var (
	groups = map[string][]string{
		"element": {"ref", "selector", "text", "role"}, "field": {"ref", "selector", "field_text", "role"}, "to": {"to_ref", "to_selector", "to_text", "to_role"},
	}
	beside = map[string][]string{"element": {"name", "frame_id"}, "field": {"name", "frame_id"}, "to": {"to_name"}}
)

// checks are the fields of [Checks].
const checks = "force wait_for_hidden wait_for_hidden_ms"

// given lists the fields of an action that are set.
func (a Action) given() []string {
	var list []string
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"url", a.URL != ""}, {"wait_until", a.WaitUntil != ""}, {"out_path", a.OutPath != ""}, {"ref", a.Ref != ""}, {"selector", a.Selector != ""}, {"role", a.Role != ""}, {"name", a.Name != ""}, {"field_text", a.FieldText != ""}, {"frame_id", a.FrameID != ""},
		{"text", a.Text != nil}, {"append", a.Append}, {"submit", a.Submit}, {"key", a.Key != ""},
		{"button", a.Button != ""}, {"modifiers", len(a.Modifiers) > 0}, {"click_count", a.Count != 0},
		{"values", len(a.Values) > 0}, {"checked", a.Checked != nil}, {"to_ref", a.ToRef != ""}, {"to_selector", a.ToSelector != ""}, {"to_text", a.ToText != ""},
		{"to_role", a.ToRole != ""}, {"to_name", a.ToName != ""},
		{"direction", a.Direction != ""}, {"state", a.State != ""}, {"request", a.Request != ""}, {"expression", a.Expression != ""}, {"load_state", a.LoadState != ""}, {"wait_for_hidden", a.WaitForHidden != ""},
		{"wait_for_hidden_ms", a.WaitForHiddenMS != 0}, {"force", a.Force},
		{"max_chars", a.MaxChars != 0}, {"offset", a.Offset != 0}, {"full_page", a.FullPage}, {"ms", a.MS != 0},
	} {
		if f.set {
			list = append(list, f.name)
		}
	}
	return list
}

// check compares the fields that are set with those that the kind of action takes.
func (a Action) check() error {
	fields, known := actionFields[a.Action]
	if !known {
		return result.BadArgument("action", "%q is not an action; see the schema", a.Action)
	}
	given := a.given()
	var takes []string
	for field := range strings.FieldsSeq(fields) {
		name, needed := strings.CutSuffix(field, "*")
		names := groups[name]
		takes = append(takes, beside[name]...)
		if names == nil {
			names = []string{name}
		}
		takes = append(takes, names...)
		var there []string
		for _, n := range names {
			if slices.Contains(given, n) {
				there = append(there, n)
			}
		}
		switch {
		case needed && len(there) == 0:
			return result.BadArgument(names[0], "%s needs %s", a.Action, strings.Join(names, " or "))
		case len(there) > 1:
			return result.BadArgument(there[1], "%s takes one of %s", a.Action, strings.Join(names, " or "))
		}
	}
	if a.WaitForHiddenMS != 0 && a.WaitForHidden == "" {
		return result.BadArgument("wait_for_hidden_ms", "it needs wait_for_hidden")
	}
	if a.Action == "wait_for" {
		if err := a.wait("", toolkit.Timeout{}).Check(); err != nil {
			return err
		}
	}
	for _, name := range given {
		if !slices.Contains(takes, name) {
			return result.BadArgument(name, "%s does not take it; it takes %s", a.Action, toolkit.OrNone(takes))
		}
	}
	return nil
}

// target is the element that the action names in a tab.
func (a Action) target(tab string) toolkit.Target {
	at := toolkit.Target{Ref: a.Ref, Selector: a.Selector, Role: a.Role, Name: a.Name, FrameID: a.FrameID, Tab: tab}
	if a.Text != nil && a.Action != "fill" {
		at.Shows = *a.Text
	}
	return at
}

// wait is what wait_for waits for in a tab.
func (a Action) wait(tab string, limit toolkit.Timeout) look.WaitParams {
	at := a.target(tab)
	return look.WaitParams{
		Ref: at.Ref, Selector: at.Selector, Shows: at.Shows, Role: at.Role, Name: at.Name, FrameID: at.FrameID, Tab: tab,
		State: a.State, URL: a.URL, Request: a.Request, Expression: a.Expression, LoadState: a.LoadState, Timeout: limit,
	}
}

// do runs one action.
func (b *Browser) do(ctx context.Context, a Action, tab string, limit toolkit.Timeout) (any, error) {
	at := a.target(tab)
	checks := act.Checks{Force: a.Force, WaitForHidden: a.WaitForHidden, WaitForHiddenMS: a.WaitForHiddenMS}
	if !slices.Contains(looks, a.Action) {
		b.MarkRequests()
	}
	history := move.HistoryParams{Tab: tab, Observing: toolkit.Unobserved, Timeout: limit}
	switch a.Action {
	case "goto":
		return b.kit.Load(ctx, a.URL, tab, a.WaitUntil, limit)
	case "click":
		return b.Click(ctx, act.ClickParams{Target: at, Checks: checks, Clicking: a.Clicking, Observing: toolkit.Unobserved, Timeout: limit})
	case "dblclick":
		return b.DoubleClick(ctx, act.ClickParams{Target: at, Checks: checks, Clicking: a.Clicking, Observing: toolkit.Unobserved, Timeout: limit})
	case "fill":
		return b.Type(ctx, act.TypeParams{Target: at, Text: *a.Text, FieldText: a.FieldText, Append: a.Append, Submit: a.Submit, Checks: checks, Observing: toolkit.Unobserved, Timeout: limit})
	case "hover":
		return b.Hover(ctx, act.HoverParams{Target: at, Checks: checks, Observing: toolkit.Unobserved, Timeout: limit})
	case "press":
		return b.Press(ctx, act.PressParams{Key: a.Key, Target: at, Observing: toolkit.Unobserved, Timeout: limit})
	case "scroll":
		return b.Scroll(ctx, act.ScrollParams{Direction: a.Direction, Target: at, Observing: toolkit.Unobserved, Timeout: limit})
	case "select":
		return b.Select(ctx, act.SelectParams{Target: at, Values: a.Values, Observing: toolkit.Unobserved, Timeout: limit})
	case "check":
		return b.Check(ctx, act.CheckParams{Target: at, Checked: a.Checked, Observing: toolkit.Unobserved, Timeout: limit})
	case "drag":
		return b.Drag(ctx, act.DragParams{Target: at, Onto: a.Onto, Observing: toolkit.Unobserved, Timeout: limit})
	case "extract_text":
		return b.ExtractText(ctx, look.ExtractParams{Target: at, MaxChars: a.MaxChars, Offset: a.Offset, Timeout: limit})
	case "wait_for_selector":
		return b.WaitFor(ctx, look.WaitParams{Selector: a.Selector, FrameID: a.FrameID, State: a.State, Tab: tab, Timeout: limit})
	case "wait_for":
		return b.WaitFor(ctx, a.wait(tab, limit))
	case "screenshot":
		return b.Screenshot(ctx, look.ScreenshotParams{Target: at, FullPage: a.FullPage, OutPath: a.OutPath, Timeout: limit})
	case "back":
		return b.Back(ctx, history)
	case "forward":
		return b.Forward(ctx, history)
	case "reload":
		return b.Reload(ctx, history)
	}
	return slept(ctx, time.Duration(a.MS)*time.Millisecond)
}

// SleptResult is the result of the action sleep.
type SleptResult struct {
	SleptMS int64 `json:"slept_ms"`
}

// Text says how long it slept.
func (r SleptResult) Text() string { return fmt.Sprintf("slept %d ms", r.SleptMS) }

// sleepError says what ended a sleep early. It wraps its cause.
type sleepError struct{ cause error }

func (e *sleepError) Error() string {
	switch {
	case errors.Is(e.cause, context.DeadlineExceeded):
		return "the call timed out during its sleep; give it a longer timeout"
	case errors.Is(e.cause, context.Canceled):
		return "the call was canceled during its sleep"
	}
	return "the sleep was ended: " + e.cause.Error()
}

func (e *sleepError) Unwrap() error { return e.cause }

func slept(ctx context.Context, d time.Duration) (SleptResult, error) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return SleptResult{d.Milliseconds()}, nil
	case <-ctx.Done():
		return SleptResult{}, &sleepError{context.Cause(ctx)}
	}
}
