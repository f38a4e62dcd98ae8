package toolkit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// Observing is a parameter of tools that act.
type Observing struct {
	// Observe adds to the result what the page shows differently after the action. Nil: [Options.Observe].
	Observe *bool `json:"observe,omitempty" doc:"return what changed" list:"no"`
}

// Observes reports whether to observe what an action changes.
func (o Observing) Observes(k *Kit) bool {
	if o.Observe != nil {
		return *o.Observe
	}
	return k.Options.Observe
}

// Unobserved is for actions that others observe together.
var Unobserved = Observing{Observe: new(bool)}

// observer is a tool's parameters that say whether to observe.
type observer interface{ observes(*Kit) bool }

// Prepare makes the host know, before an action that is observed, which answers the page waits for after it.
func (k *Kit) Prepare(parameters any) {
	if o, ok := parameters.(observer); ok && o.observes(k) {
		k.Task.WatchNetwork()
	}
}

// Observed is what a page shows that its last reading did not.
type Observed struct {
	// Changes has a line for each change, with refs, as [host.Observation] has it.
	Changes string `json:"changes"`
	// Focus is the element that got the focus, unless that is the one acted on.
	Focus string `json:"focus,omitempty"`
	// More is how many changes it has no room for.
	More int `json:"more,omitempty"`
	// Token is the one for the since of a snapshot, and Since that of the reading that this is compared with; empty: the
	// page was not read before.
	Token string `json:"token,omitempty"`
	Since string `json:"since,omitempty"`
	URL   string `json:"url"`
	Title string `json:"title"`
	// Awaiting are requests of the page that had not ended, the latest first and three at most: what they bring is not
	// there yet.
	Awaiting []string `json:"awaiting,omitempty"`
	// Dialogs hold the page.
	Dialogs []result.DialogInfo `json:"pending_dialogs,omitempty"`
	// Missing says why the page could not be observed.
	Missing string `json:"missing,omitempty"`

	newURL, urlSaid bool // the URL is another one; something else in the result says so
}

// At most so many requests are named that are awaited, with so many characters of each URL.
const maxAwaiting, maxAwaitedURL = 3, 200

// Observe says what a tab shows differently after an action on an element, if there was one. That it cannot be said is
// no failure of the action.
func (k *Kit) Observe(ctx context.Context, tab, element string) *Observed {
	seen, err := k.Task.Tab(tab).Observe(ctx)
	if err != nil {
		return &Observed{Missing: result.Visible(err.Error())}
	}
	o := &Observed{Changes: seen.Text, More: seen.More, Token: seen.Token, Since: seen.Since, URL: seen.URL, Title: seen.Title, newURL: seen.NewURL}
	if element == "" || !isCalled(seen.Focus, element) {
		o.Focus = seen.Focus
	}
	for _, r := range seen.Awaited {
		request := fmt.Sprintf("%s %s (%s)", r.Method, pagetext.Shorten(r.URL, maxAwaitedURL), r.Type)
		if len(o.Awaiting) < maxAwaiting && !slices.Contains(o.Awaiting, request) {
			o.Awaiting = append(o.Awaiting, request)
		}
	}
	if len(seen.Dialogs) > 0 {
		o.Dialogs = result.Dialogs(seen.Dialogs)
	}
	if seen.Stale {
		o.Missing = "it does not answer now"
	}
	return o
}

// isCalled reports whether what has the focus, with its hint and its ref, has the role and the name of an element.
func isCalled(focus, element string) bool {
	rest, begins := strings.CutPrefix(focus, element)
	return begins && (rest == "" || strings.HasPrefix(rest, " @") || strings.HasPrefix(rest, " [hint="))
}

// Lines are what a model reads.
func (o *Observed) Lines() []string {
	if o == nil {
		return nil
	}
	lines := result.InfoLines(o.Dialogs)
	switch {
	case o.Missing != "":
		return append(lines, "the page was not observed: "+o.Missing)
	case o.Since == "":
		lines = append(lines, fmt.Sprintf("another page, %s: %s %s", o.Token, o.URL, pagetext.QuoteShown(o.Title)))
	case o.Changes == "" && o.Focus == "" && !o.newURL:
		lines = append(lines, "nothing changed on the page since "+o.Since)
	case o.Changes == "" && o.Focus == "" && o.urlSaid:
		lines = append(lines, "nothing else changed on the page since "+o.Since)
	default:
		lines = append(lines, fmt.Sprintf("changed on the page since %s (%s):", o.Since, o.Token))
	}
	if o.newURL && !o.urlSaid {
		lines = append(lines, "the URL is "+o.URL)
	}
	if o.Changes != "" {
		lines = append(lines, o.Changes)
	}
	if o.Focus != "" {
		lines = append(lines, "the focus is on "+o.Focus)
	}
	for _, request := range o.Awaiting {
		lines = append(lines, "the page still waits for "+request)
	}
	return lines
}

// Guidance says how to get what is left out, and what is not there yet.
func (o *Observed) Guidance(tools result.Offered) (lines []string) {
	if o == nil {
		return nil
	}
	if len(o.Awaiting) > 0 {
		if advice := tools.Advice("browser_wait_for waits for it, by a text that it brings or by its request"); advice != "" {
			lines = append(lines, advice)
		}
	}
	if o.More == 0 {
		return lines
	}
	more := fmt.Sprintf("%d more", o.More)
	if o.Since == "" {
		return append(lines, more+tools.Advice(": browser_snapshot has the page", ""))
	}
	return append(lines, more+tools.Advice(fmt.Sprintf(": browser_snapshot with since %q has them", o.Since), ""))
}
