package agent

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Target identifies an element by exactly one of Ref and Selector.
type Target struct {
	// Ref is a ref from a snapshot, such as e5.
	Ref string `json:"ref,omitempty"`
	// Selector is a CSS selector, searched in FrameID, or in all frames if that is empty.
	Selector string `json:"selector,omitempty" doc:"CSS"`
	FrameID  string `json:"frame_id,omitempty" list:"no"`
	// Tab is a handle (t1) or a target id; empty: the ref's tab, or the tab in use.
	Tab string `json:"tab,omitempty"`
}

// empty reports whether no element is given.
func (t Target) empty() bool { return t.Ref == "" && t.Selector == "" }

// locator converts t for package host: the tab, and where in it.
func (b *Browser) locator(ctx context.Context, t Target) (host.Tab, host.Locator, error) {
	if t.Ref != "" && t.Selector != "" {
		return host.Tab{}, host.Locator{}, badArgument("selector", "give ref or selector, not both")
	}
	tab, err := b.onPage(ctx, t.Tab)
	if t.Ref == "" {
		return b.task.Tab(tab), host.Locator{Selector: t.Selector, FrameID: t.FrameID}, err
	}
	if t.Tab == "" {
		tab = b.tabOfRef(t.Ref)
	}
	return b.task.Tab(tab), host.ByRef(t.Ref), err
}

// tabOfRef returns the target id of a ref's tab; empty if the ref is of no use.
func (b *Browser) tabOfRef(ref string) string {
	at, _ := b.task.ResolveRef(ref)
	return at.TargetID
}

// element is locator for tools that need an element.
func (b *Browser) element(ctx context.Context, t Target) (host.Tab, host.Locator, error) {
	if t.empty() {
		return host.Tab{}, host.Locator{}, badArgument("ref", "an element is required: a ref from a snapshot, or a CSS selector")
	}
	return b.locator(ctx, t)
}

var handlePattern = regexp.MustCompile(`^t[1-9][0-9]*$`)

// tab returns the target id of a handle; anything else is taken for a target id. Without a handle it is the tab in use,
// fixed for the whole call; empty if there is none.
func (b *Browser) tab(handle string) (string, error) {
	if handle == "" {
		return b.task.Snapshot().TabInUse, nil
	}
	if !handlePattern.MatchString(handle) {
		return handle, nil
	}
	var known []string
	for _, t := range b.task.Tabs() {
		if t.ID() == handle {
			return t.Info().TargetID, nil
		}
		known = append(known, t.ID())
	}
	if r := b.task.Restarted(); r != nil && slices.ContainsFunc(r.Tabs, func(t host.TabInfo) bool { return t.Handle == handle }) {
		return "", fmt.Errorf("%w: the tab %s is gone, as the browser was restarted: %s; the tabs are %s",
			host.ErrUnknownTarget, handle, visible(r.Reason), orNone(known))
	}
	return "", fmt.Errorf("%w: there is no tab %s; the tabs are %s", host.ErrUnknownTarget, handle, orNone(known))
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
