package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// TabsParams are the parameters of browser_tabs.
type TabsParams struct {
	// Action is list (the default), open, focus or close.
	Action string `json:"action,omitempty" enum:"list,open,focus,close"`
	// URL is opened by open.
	URL string `json:"url,omitempty"`
	// Tab is the handle (t1), or the target id, of what is focused or closed.
	Tab     string `json:"tab,omitempty"`
	Timeout `list:"no"`
}

// TabsResult is that of browser_tabs.
type TabsResult struct {
	// Tabs are those that there are now; Tab is the one that was opened, focused or closed.
	Tabs      []host.Tab `json:"tabs"`
	Tab       *host.Tab  `json:"tab,omitempty"`
	Untrusted *Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Tabs lists, opens, focuses and closes tabs. Errors are those of [host.Task.OpenTab], [host.Task.FocusTab] and
// [host.Task.CloseTab].
func (b *Browser) Tabs(ctx context.Context, p TabsParams) (TabsResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	if err := p.check(); err != nil {
		return TabsResult{}, err
	}
	var tab host.Tab
	var err error
	switch p.Action {
	case "open":
		tab, err = b.task.OpenTab(ctx, p.URL)
	case "focus":
		tab, err = b.task.FocusTab(ctx, p.Tab)
	case "close":
		tab, err = b.task.CloseTab(ctx, p.Tab)
	}
	if err != nil {
		return TabsResult{}, err
	}
	out := TabsResult{Tabs: tabs(b.task.Tabs()), Untrusted: b.untrusted("", "tabs", "tab")}
	if tab.Handle != "" {
		out.Tab = &tabs([]host.Tab{tab})[0]
	}
	return out, nil
}

func (p TabsParams) check() error {
	named := p.Action == "focus" || p.Action == "close"
	switch {
	case named && p.Tab == "":
		return badArgument("tab", "%s needs the handle of a tab", p.Action)
	case !named && p.Tab != "":
		return badArgument("tab", "it is for focus and close")
	case p.URL != "" && p.Action != "open":
		return badArgument("url", "it is for open")
	}
	return nil
}

// Text has a line for each tab.
func (r TabsResult) Text() string {
	lines := make([]string, len(r.Tabs))
	for i, t := range r.Tabs {
		lines[i] = fmt.Sprintf("%s %s %q", t.Handle, t.URL, t.Title)
		if t.Popup {
			lines[i] += " popup"
		}
		if t.Crashed {
			lines[i] += " crashed"
		}
	}
	if len(lines) == 0 {
		return "no tabs"
	}
	return strings.Join(lines, "\n")
}
