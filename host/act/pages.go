package act

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/lasturl"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/script"
	"github.com/hermes-cdp/hermes-cdp/host/view"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// Pages is a task of package engine with what its readings and actions remember.
type Pages struct {
	*engine.Task
	Rules    *Rules
	readings *readings
	lastURL  *lasturl.Record
	blocked  *blockedTabs
	kept     script.Kept
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
func NewPages(t *engine.Task, r *Rules, last *lasturl.Record) *Pages {
	return &Pages{Task: t, Rules: r, readings: newReadings(t), lastURL: last, blocked: newBlockedTabs()}
}

// Follow makes a task that has not begun continue the numbering of one with the same id that has ended. dialog is the
// highest dialog number of that one, and ended says how its browser ended.
func (p *Pages) Follow(last *Pages, dialog int, ended string) {
	tab, call := last.HighestNumbers()
	f := engine.Earlier{Ref: last.readings.refs.Next() - 1, Tab: tab, Call: call, Dialog: dialog, Reading: last.readings.refs.Readings(), Ended: ended}
	p.ContinueNumbering(f)
	p.readings.refs.After(f.Ref, f.Reading)
	p.lastURL.Inherit(last.lastURL)
}

// LastURL is the URL of the last page that [Tab.Navigate] loaded in a tab of the task, of its former lives, or of the
// browsers that had its profile directory before; empty if there was none. It does not count responses with a status of
// 400 or above, failed navigations, and pages of no site or file, such as about:blank. It is untrusted text: a site may
// have redirected there.
func (p *Pages) LastURL() string { return p.lastURL.Get() }

// lookup returns what is known of a tab, or of the tab in use for an empty id; nil if there is none.
func (p *Pages) lookup(id string) *view.Target {
	if id == "" {
		return p.Snapshot().Page()
	}
	return p.Snapshot().Target(id)
}

// Rules are what the operator allows the agents of a host.
type Rules struct {
	// EvaluateDisabled refuses scripts of agents.
	EvaluateDisabled bool
	// Schemes are the URL schemes that may be loaded.
	Schemes scheme.Policy
	// Uploads are the files that pages may be given.
	Uploads upload.Rules
}

// MayLoad checks whether a URL may be loaded for a task. Every way to give one goes through it: navigations, new tabs,
// the start of a task, and raw commands. Errors: [fault.ErrEvaluateDisabled], [fault.ErrRefused], and
// [fault.ErrNavigate] for a URL that is not absolute.
func (r *Rules) MayLoad(url string) error {
	if r.EvaluateDisabled && !scheme.Plain(url) {
		return fmt.Errorf("%w: the URL is neither http:, https:, file: nor about:blank", fault.ErrEvaluateDisabled)
	}
	return r.MayShow(url)
}

// MayShow checks whether the scheme of a URL is allowed. Errors: [fault.ErrRefused] and [fault.ErrNavigate].
func (r *Rules) MayShow(url string) error {
	err := r.Schemes.Check(url)
	var because *scheme.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &because) && because.Scheme == "":
		return fmt.Errorf("%w: invalid URL: %w", fault.ErrNavigate, err)
	}
	return fmt.Errorf("%w: %w", fault.ErrRefused, err)
}

// Uploads are the files that pages may be given: those that the rules allow, and what the task has downloaded into a
// directory of its own.
func (p *Pages) Uploads() upload.Rules { return p.Rules.Uploads.With(p.TemporaryDownloads()) }

// PathError turns an error of package upload into [fault.ErrRefused] for a path that is not allowed, and
// [fault.ErrBadArguments] for one that is invalid.
func PathError(err error) error {
	var outside *upload.OutsideError
	if errors.As(err, &outside) || errors.As(err, new(*upload.PrivateError)) {
		return fmt.Errorf("%w: %w", fault.ErrRefused, err)
	}
	return fmt.Errorf("%w: %w", fault.ErrBadArguments, err)
}
