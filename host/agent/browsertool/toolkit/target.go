package toolkit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// Target identifies an element by exactly one of Ref, Selector, Text, and Role with Name.
type Target struct {
	// Ref is a ref from a snapshot, such as e5.
	Ref string `json:"ref,omitempty"`
	// Selector is a CSS selector.
	Selector string `json:"selector,omitempty" doc:"CSS"`
	// Shows is what the innermost element with it shows, as [host.ByText] has it.
	Shows string `json:"text,omitempty"`
	// Role and Name are those of a snapshot: button, "Save".
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
	// FrameID is where it is searched; empty: in all frames.
	FrameID string `json:"frame_id,omitempty" list:"no"`
	// Tab is a handle (t1) or a target id; empty: the ref's tab, or the tab in use.
	Tab string `json:"tab,omitempty"`
}

// Empty reports whether no element is given.
func (t Target) Empty() bool {
	return t.Ref == "" && t.Selector == "" && t.Shows == "" && t.Role == "" && t.Name == ""
}

// Check rejects a target that names an element in several ways.
func (t Target) Check() error {
	ways := 0
	for _, way := range []string{t.Ref, t.Selector, t.Shows, t.Role + t.Name} {
		if way != "" {
			ways++
		}
	}
	switch {
	case ways > 1:
		return result.BadArgument("ref", "name the element in one way: ref, selector, text, or role with name")
	case t.Name != "" && t.Role == "":
		return result.BadArgument("name", "%q needs a role, as the snapshot has it", t.Name)
	}
	return nil
}

// Locator converts t for package host: the tab, and where in it.
func (k *Kit) Locator(ctx context.Context, t Target) (host.Tab, host.Locator, error) {
	if err := t.Check(); err != nil {
		return host.Tab{}, host.Locator{}, err
	}
	tab, err := k.OnPage(ctx, t.Tab)
	if t.Ref == "" {
		return k.Task.Tab(tab), t.At(ctx), err
	}
	if t.Tab == "" {
		tab = k.tabOfRef(t.Ref)
	}
	return k.Task.Tab(tab), t.At(ctx), err
}

// At is where in its tab t is, in the context of a call.
func (t Target) At(ctx context.Context) host.Locator {
	at := host.Locator{Ref: t.Ref}
	if t.Ref == "" {
		at = host.Locator{Selector: t.Selector, Text: t.Shows, Role: t.Role, Name: t.Name, FrameID: t.FrameID}
	}
	if limit, ok := ctx.Value(unchosen{}).(time.Duration); ok && !t.Empty() {
		at.Within = limit
	}
	return at
}

// tabOfRef returns the target id of a ref's tab; empty if the ref is of no use.
func (k *Kit) tabOfRef(ref string) string {
	at, _ := k.Task.ResolveRef(ref)
	return at.TargetID
}

// Element is [Kit.Locator] for tools that need an element.
func (k *Kit) Element(ctx context.Context, t Target) (host.Tab, host.Locator, error) {
	if t.Empty() {
		return host.Tab{}, host.Locator{}, result.BadArgument("ref", "an element is required: a ref from a snapshot, a CSS selector, a text that it shows, or its role and name")
	}
	return k.Locator(ctx, t)
}

var handlePattern = regexp.MustCompile(`^t[1-9][0-9]*$`)

// Tab returns the target id of a handle; anything else is taken for a target id. Without a handle it is the tab in use,
// fixed for the whole call; empty if there is none.
func (k *Kit) Tab(handle string) (string, error) {
	if handle == "" {
		return k.Task.Snapshot().TabInUse, nil
	}
	if !handlePattern.MatchString(handle) {
		return handle, nil
	}
	var known []string
	for _, t := range k.Task.Tabs() {
		if t.ID() == handle {
			return t.Info().TargetID, nil
		}
		known = append(known, t.ID())
	}
	if r := k.Task.Restarted(); r != nil && slices.ContainsFunc(r.Tabs, func(t host.TabInfo) bool { return t.Handle == handle }) {
		return "", fmt.Errorf("%w: the tab %s is gone, as the browser was restarted: %s; the tabs are %s",
			host.ErrUnknownTarget, handle, result.Visible(r.Reason), OrNone(known))
	}
	return "", fmt.Errorf("%w: there is no tab %s; the tabs are %s", host.ErrUnknownTarget, handle, OrNone(known))
}

// OrNone lists names, or says that there are none.
func OrNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// Untrusted marks fields of a result about a tab; an empty id is the tab in use.
func (k *Kit) Untrusted(tab string, fields ...string) *result.Untrusted {
	return &result.Untrusted{Origin: OriginOf(k.Task.Snapshot(), tab), Fields: fields}
}

// OriginOf returns the origin of the document of a tab; an empty id is the tab in use.
func OriginOf(s *host.Snapshot, tab string) string {
	target := s.Page()
	if tab != "" {
		target = s.Target(tab)
	}
	if target == nil || target.RawFrameTree == nil {
		return ""
	}
	return target.RawFrameTree.Top.Origin
}
