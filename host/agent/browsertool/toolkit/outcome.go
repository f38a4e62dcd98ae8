package toolkit

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Outcome is what an action caused, as far as it was observed.
type Outcome struct {
	// Navigated is the URL to which the tab went, Navigating the one that it was about to load at the end. Stayed says why
	// the tab did not go where it was about to.
	Navigated  string `json:"navigated,omitempty" schema:"-"`
	Navigating string `json:"navigating,omitempty" schema:"-"`
	Stayed     string `json:"stayed,omitempty" schema:"-"`
	// NavigationFailed says why the tab shows the browser's error page in place of Navigated.
	NavigationFailed string `json:"navigation_failed,omitempty" schema:"-"`
	// ExternalProtocol is an address of another program that the page asked for.
	ExternalProtocol string `json:"external_protocol,omitempty" schema:"-"`
	// Note says what the page did with the action if that may not be what was wanted.
	Note string `json:"note,omitempty" schema:"-"`
	// TabClosed says that the action closed its tab.
	TabClosed bool `json:"tab_closed,omitempty" schema:"-"`
	// Dialogs were opened and answered during the action.
	Dialogs []result.DialogInfo `json:"dialogs,omitempty" schema:"-"`
	NewTabs []host.TabInfo      `json:"new_tabs,omitempty" schema:"-"`
	// MoreNewTabs counts those that are left out.
	MoreNewTabs int `json:"more_new_tabs,omitempty" schema:"-"`
	// FileChooser says that the page asked for files, to be given with browser_upload.
	FileChooser bool `json:"file_chooser,omitempty" schema:"-"`
	// Observed is what changed on the page, if that was asked for.
	Observed  *Observed         `json:"observed,omitempty" schema:"-"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Outcome describes what an action on a target caused; named are the fields of the result that a page chose, besides
// those of Outcome.
func (k *Kit) Outcome(ctx context.Context, at Target, observing Observing, a host.ActionResult, named ...string) Outcome {
	o := Outcome{
		Navigated: result.Visible(a.Navigated), NavigationFailed: result.Visible(a.NavigationFailed), Navigating: result.Visible(a.Navigating),
		Stayed: result.Visible(a.NotNavigated), Note: a.Note, TabClosed: a.TabClosed, FileChooser: a.FileChooser, ExternalProtocol: result.Visible(a.ExternalProtocol),
		NewTabs: VisibleTabs(a.NewTabs[:min(len(a.NewTabs), maxNewTabs)]), MoreNewTabs: max(len(a.NewTabs)-maxNewTabs, 0),
	}
	for _, field := range []struct {
		name  string
		there bool
	}{
		{"navigated", a.Navigated != ""}, {"navigation_failed", a.NavigationFailed != ""}, {"navigating", a.Navigating != ""},
		{"stayed", a.NotNavigated != ""}, {"external_protocol", a.ExternalProtocol != ""},
		{"note", a.Note != ""}, {"dialogs", len(a.Dialogs) > 0}, {"new_tabs", len(a.NewTabs) > 0},
	} {
		if field.there {
			named = append(named, field.name)
		}
	}
	if len(a.Dialogs) > 0 {
		o.Dialogs = result.Dialogs(a.Dialogs)
	}
	id, _ := k.Tab(at.Tab) // it was found before the action
	if at.Ref != "" && at.Tab == "" {
		id = k.tabOfRef(at.Ref)
	}
	if observing.Observes(k) && !a.TabClosed {
		o.Observed = k.Observe(ctx, id, a.Element)
		o.Observed.urlSaid = a.Navigated != "" // it is not if a page sets its URL a moment after the action
		named = append(named, "observed")
	}
	if len(named) > 0 {
		o.Untrusted = k.Untrusted(id, named...)
	}
	return o
}

// maxNewTabs is how many new tabs a result lists: a page can open any number of them.
const maxNewTabs = 20

// VisibleTabs makes what pages have said of tabs safe to show.
func VisibleTabs(list []host.TabInfo) []host.TabInfo {
	out := make([]host.TabInfo, len(list))
	for i, t := range list {
		t.URL, t.Title, t.Failed = result.Visible(t.URL), result.Visible(t.Title), result.Visible(t.Failed)
		out[i] = t
	}
	return out
}

// TextAfter returns what was done, followed by what it caused, one line each.
func (o Outcome) TextAfter(done string) string {
	lines := []string{done}
	switch {
	case o.NavigationFailed != "":
		lines = append(lines, "the tab went to "+o.Navigated+", which was not loaded: "+o.NavigationFailed)
	case o.Navigated != "":
		lines = append(lines, "the tab went to "+o.Navigated)
	}
	if o.Navigating != "" {
		lines = append(lines, "the tab is about to load "+o.Navigating)
	}
	if o.TabClosed {
		lines = append(lines, "the action closed the tab")
	}
	if o.Stayed != "" {
		lines = append(lines, "the tab stayed: "+o.Stayed)
	}
	if o.ExternalProtocol != "" {
		lines = append(lines, "the page asked for another program by "+pagetext.QuoteShown(o.ExternalProtocol))
	}
	if o.Note != "" {
		lines = append(lines, o.Note)
	}
	lines = append(lines, result.InfoLines(o.Dialogs)...)
	for _, t := range o.NewTabs {
		line := fmt.Sprintf("new tab %s %s", t.Handle, t.URL)
		switch {
		case t.Closed && t.Failed == "":
			line += ", already closed again"
		case t.Failed != "" && !t.Closed:
			line += ", which was not loaded: " + t.Failed
		case t.Failed != "":
			line += ", already closed again: " + t.Failed
		}
		lines = append(lines, line)
	}
	if o.MoreNewTabs > 0 {
		lines = append(lines, fmt.Sprintf("and %d more new tabs", o.MoreNewTabs))
	}
	return strings.Join(append(lines, o.Observed.Lines()...), "\n")
}

// Guidance says how to respond to a file chooser, and how to get the changes that are left out.
func (o Outcome) Guidance(tools result.Offered) []string {
	more := o.Observed.Guidance(tools)
	if o.FileChooser {
		return append(more, tools.Advice("the page asks for a file: use browser_upload", "the page asks for a file, which no tool here gives"))
	}
	return more
}
