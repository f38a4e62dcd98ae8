package look

import (
	"context"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// FindParams are the parameters of browser_find. At least one of Text, Pattern, Role and Name is needed.
type FindParams struct {
	// Text is a part of a text, a name or a value, in any case.
	Text string `json:"text,omitempty"`
	// Pattern is a regular expression for the same.
	Pattern string `json:"pattern,omitempty" doc:"regular expression; (?i) ignores case"`
	// Role is a role as snapshots write it.
	Role string `json:"role,omitempty"`
	// Name is a part of the name of an element.
	Name string `json:"name,omitempty"`
	// Context is how many lines before and after each that is found are shown.
	Context int `json:"context,omitempty" min:"0" max:"20" doc:"lines around each"`
	// Scope is a ref: only what is below it is searched.
	Scope string `json:"scope,omitempty" list:"no"`
	// Page selects a page of what did not fit into one.
	Page int `json:"page,omitempty" min:"0" max:"100000" list:"no"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Timeout
}

// FindResult is the result of browser_find.
type FindResult struct {
	Reading
	Found     int               `json:"found"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Find searches a page in all its frames. While a dialog holds the page it searches the last known state. Errors are
// those of [host.Tab.Read].
func (k *Kit) Find(ctx context.Context, p FindParams) (FindResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, err := k.OnPage(ctx, p.Tab)
	if err != nil {
		return FindResult{}, err
	}
	if p.Scope != "" && p.Tab == "" {
		tab = "" // the ref's
	}
	r, err := k.Task.Tab(tab).Read(ctx, &host.ReadOptions{Scope: p.Scope, Page: p.Page, Find: &host.Find{
		Text: p.Text, Pattern: p.Pattern, Role: p.Role, Name: p.Name, Context: p.Context,
	}})
	if err != nil {
		return FindResult{}, err
	}
	return FindResult{ReadingOf(r), r.Found, &result.Untrusted{Origin: r.Origin, Fields: []string{"snapshot", "title", "url"}}}, nil
}

func (r FindResult) Counted() result.Counted { return result.CountFallbacks(r.Stale, Unread(r.Frames)) }

// Text returns what was found, marked by *, with its place in the page.
func (r FindResult) Text() string {
	said := result.Number(r.Found, "place") + " found, marked with *"
	if r.Found == 0 {
		said = "nothing like that is on the page; some pages show more once they are scrolled"
	}
	return strings.Join(append([]string{said}, r.Lines()...), "\n")
}
