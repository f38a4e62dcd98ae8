package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

// TabsParams are the parameters of browser_tabs.
type TabsParams struct {
	// Action is list (the default), open, focus or close.
	Action string `json:"action,omitempty" enum:"list,open,focus,close"`
	// URL is what to open.
	URL string `json:"url,omitempty"`
	// Tab is the handle (t1) or target id of the tab to focus or close.
	Tab             string `json:"tab,omitempty"`
	toolkit.Timeout `list:"no"`
}

// TabsResult is the result of browser_tabs.
type TabsResult struct {
	// Tabs are the tabs now, with the one in use marked. Tab is the one that was opened, focused or closed.
	Tabs      []host.TabInfo    `json:"tabs"`
	Tab       *host.TabInfo     `json:"tab,omitempty"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Tabs lists, opens, focuses and closes tabs. A tab that is opened or focused becomes the tab in use, on which calls
// without tab act. Errors are those of [host.Task.OpenTab], [host.Tab.Navigate], [host.Tab.Focus],
// [host.Tab.Close] and [host.Task.ListTabs]. A tab whose URL could not be loaded stays open; the error names it.
func (k *Kit) Tabs(ctx context.Context, p TabsParams) (TabsResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	if err := p.check(); err != nil {
		return TabsResult{}, err
	}
	p.URL = scheme.Complete(p.URL)
	if err := toolkit.Loadable(ctx, "url", p.URL); p.URL != "" && err != nil {
		return TabsResult{}, err
	}
	var tab host.TabInfo
	var err error
	switch p.Action {
	case "open":
		tab, err = k.openTab(ctx, p.URL)
	case "focus":
		err = k.Task.Tab(p.Tab).Focus(ctx)
		tab = k.Task.Tab(p.Tab).Info()
	case "close":
		tab, err = k.closeTab(ctx, p.Tab)
	}
	if err != nil {
		return TabsResult{}, err
	}
	there, err := k.Task.ListTabs(ctx)
	if err != nil {
		return TabsResult{}, err
	}
	out := TabsResult{Tabs: toolkit.VisibleTabs(there), Untrusted: k.Untrusted("", "tabs", "tab")}
	if tab.Handle != "" {
		out.Tab = &toolkit.VisibleTabs([]host.TabInfo{withTitle(tab, there)})[0]
	}
	return out, nil
}

// openTab opens a tab and waits until the browser has the document of the URL. A page that opens a dialog at once
// counts as loaded.
func (k *Kit) openTab(ctx context.Context, url string) (host.TabInfo, error) {
	if url != "" {
		if err := k.Task.CheckURL(url); err != nil { // before opening a tab
			return host.TabInfo{}, err
		}
	}
	opened, err := k.Task.OpenTab(ctx, "")
	if err != nil {
		return host.TabInfo{}, err
	}
	tab := opened.Info()
	if url == "" || url == tab.URL {
		return tab, nil
	}
	loaded, err := k.Open(ctx, tab.Handle, url, host.NavigateOptions{WaitUntil: host.WaitCommit, KeepLastURL: true})
	if err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		return host.TabInfo{}, fmt.Errorf("the tab %s is open and in use, but its URL was not loaded: %w", tab.Handle, err)
	}
	tab.URL, tab.Title = cmp.Or(loaded.URL, url), loaded.Title
	return tab, nil
}

// closeTab closes a tab. Its title can only be asked for before that.
func (k *Kit) closeTab(ctx context.Context, named string) (host.TabInfo, error) {
	before, err := k.Task.ListTabs(ctx)
	if err != nil {
		return host.TabInfo{}, err
	}
	tab := k.Task.Tab(named)
	info := tab.Info()
	return withTitle(info, before), tab.Close(ctx)
}

// withTitle gives a tab the title that it has in a list, if it is there: the known title may be that of the document's
// start.
func withTitle(tab host.TabInfo, list []host.TabInfo) host.TabInfo {
	for _, it := range list {
		if it.TargetID == tab.TargetID {
			tab.Title = it.Title
		}
	}
	return tab
}

func (p TabsParams) check() error {
	named := p.Action == "focus" || p.Action == "close"
	switch {
	case named && p.Tab == "":
		return result.BadArgument("tab", "%s needs the handle of a tab", p.Action)
	case !named && p.Tab != "":
		return result.BadArgument("tab", "it is only for focus and close")
	case p.URL != "" && p.Action != "open":
		return result.BadArgument("url", "it is only for open")
	}
	return nil
}

// Text has a line for each tab.
func (r TabsResult) Text() string {
	lines := make([]string, len(r.Tabs))
	for i, t := range r.Tabs {
		lines[i] = fmt.Sprintf("%s %s %s", t.Handle, t.URL, pagetext.QuoteShown(t.Title))
		if t.Popup {
			lines[i] += " popup"
		}
		if t.Crashed {
			lines[i] += " crashed"
		}
		if t.InUse {
			lines[i] += " in use"
		}
	}
	if len(lines) == 0 {
		return "no tabs"
	}
	return strings.Join(lines, "\n")
}
