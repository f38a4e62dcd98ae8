package act

import (
	"context"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// Pages is a task of package engine with what its readings and actions remember.
type Pages struct {
	*engine.Task
	Rules    *Rules
	readings *readings
	lastURL  *lastURL
	blocked  *blockedTabs
	kept     keptFunctions
	focused  focusedSessions
	leaving  sync.Map // the action that leaves the page of a tab, by its target id

	// Windowless says that no person sees the browser, so that nobody answers what it asks.
	Windowless bool
	// Traced is told of every action, and then how it ended. Nil: nobody is.
	Traced func(context.Context, Action) (end func(ActionResult, error))
}

// Action is what a trace tells of an action on a page.
type Action struct {
	// Name is that of the action, as errors name it; Tab its target id.
	Name, Tab string
	// At is the element or, of a navigation, the URL that the caller named, and What says which; empty: none.
	What, At string
	// Typed is the text that it types, which may be a secret; see [ActionResult.Secret].
	Typed string
}

// traced begins to trace an action.
func (p *Pages) traced(ctx context.Context, a Action) (end func(ActionResult, error)) {
	if p.Traced == nil {
		return func(ActionResult, error) {}
	}
	return p.Traced(ctx, a)
}

// NewPages adds readings and actions to a task.
func NewPages(t *engine.Task, r *Rules, last *lastURL) *Pages {
	return &Pages{Task: t, Rules: r, readings: newReadings(t), lastURL: last, blocked: newBlockedTabs()}
}

// Follow makes a task that has not begun continue the numbering of one with the same id that has ended. dialog is the
// highest dialog number of that one, and ended says how its browser ended.
func (p *Pages) Follow(last *Pages, dialog int, ended string) {
	tab, call := last.HighestNumbers()
	f := engine.Earlier{Ref: last.readings.refs.Next() - 1, Tab: tab, Call: call, Dialog: dialog, Reading: last.readings.refs.Readings(), Ended: ended}
	p.ContinueNumbering(f)
	p.readings.refs.After(f.Ref, f.Reading)
	p.lastURL.inherit(last.lastURL)
}

// lookup returns what is known of a tab, or of the tab in use for an empty id; nil if there is none.
func (p *Pages) lookup(id string) *view.Target {
	if id == "" {
		return p.Snapshot().Page()
	}
	return p.Snapshot().Target(id)
}
