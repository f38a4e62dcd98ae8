package agent

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Target names an element by exactly one of Ref and Selector.
type Target struct {
	// Ref is that of a snapshot, such as e5.
	Ref string `json:"ref,omitempty"`
	// Selector is a CSS selector, searched in FrameID, or in all frames where that is empty.
	Selector string `json:"selector,omitempty" doc:"CSS"`
	FrameID  string `json:"frame_id,omitempty" list:"no"`
	// Tab is a handle (t1) or a target id; empty: the tab in use, or that of the ref.
	Tab string `json:"tab,omitempty"`
}

// empty tells whether no element is named.
func (t Target) empty() bool { return t.Ref == "" && t.Selector == "" }

// locator is the element as package host names it.
func (b *Browser) locator(ctx context.Context, t Target) (host.Locator, error) {
	if t.Ref != "" && t.Selector != "" {
		return host.Locator{}, badArgument("selector", "the element is named by ref or by selector, not by both")
	}
	return b.place(ctx, t)
}

// element is locator for tools that can not do without one.
func (b *Browser) element(ctx context.Context, t Target) (host.Locator, error) {
	if t.empty() {
		return host.Locator{}, badArgument("ref", "an element is needed: a ref of a snapshot, or a CSS selector")
	}
	return b.locator(ctx, t)
}

func (b *Browser) place(ctx context.Context, t Target) (host.Locator, error) {
	tab, err := b.onPage(ctx, t.Tab)
	if t.Ref != "" && t.Tab == "" {
		tab = "" // it is that of the ref
	}
	return host.Locator{Ref: t.Ref, Selector: t.Selector, FrameID: t.FrameID, TargetID: tab}, err
}

var handlePattern = regexp.MustCompile(`^t[1-9][0-9]*$`)

// tab gives the target id of a handle; what is none is taken for a target id. Without one it is the tab in use, for the whole
// of a call; empty where there is none.
func (b *Browser) tab(handle string) (string, error) {
	if handle == "" {
		return b.task.Snapshot().TabInUse, nil
	}
	if !handlePattern.MatchString(handle) {
		return handle, nil
	}
	var known []string
	for _, t := range b.task.Tabs() {
		if t.Handle == handle {
			return t.TargetID, nil
		}
		known = append(known, t.Handle)
	}
	if r := b.task.Restarted(); r != nil && slices.ContainsFunc(r.Tabs, func(t host.Tab) bool { return t.Handle == handle }) {
		return "", fmt.Errorf("%w: the tab %s is gone, as the browser was restarted since: %s; there are %s",
			host.ErrUnknownTarget, handle, visible(r.Reason), orNone(known))
	}
	return "", fmt.Errorf("%w: there is no tab %s; there are %s", host.ErrUnknownTarget, handle, orNone(known))
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
