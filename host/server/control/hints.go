package control

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// HintAPI helps to complete command lines.
type HintAPI interface {
	// Hints lists the names in a task. It waits for no page and starts nothing.
	Hints(ctx context.Context, task string) (Hints, error)
}

// Hints are the names that commands about a task accept.
type Hints struct {
	Tabs []host.TabInfo `json:"tabs"`
	// Refs are of elements that were present when the page was last read: the newest 500.
	Refs []RefHint `json:"refs"`
	// Dialogs are open, or closed recently, as ClosedBy says.
	Dialogs []host.Dialog `json:"dialogs"`
	// Calls are the interrupted calls that can be resumed.
	Calls []string `json:"calls"`
}

// RefHint is an element. Its name comes from the page: untrusted text.
type RefHint struct {
	Ref  string `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name"`
}

const (
	pathHints = "/v1/hints"
	// maxRefHints limits what a shell has to show.
	maxRefHints = 500
)

// Hints implements [API].
func (l *Local) Hints(ctx context.Context, task string) (Hints, error) {
	t, err := l.task(ctx, task)
	if err != nil {
		return Hints{}, err
	}
	s := t.Snapshot()
	out := Hints{Tabs: []host.TabInfo{}, Refs: []RefHint{}, Calls: t.Interrupted(), Dialogs: []host.Dialog{}}
	for _, tab := range t.Tabs() {
		out.Tabs = append(out.Tabs, tab.Info())
	}
	out.Dialogs = append(append(out.Dialogs, s.PendingDialogs...), s.RecentDialogs...)
	refs := t.Refs()
	for _, r := range refs[max(0, len(refs)-maxRefHints):] {
		out.Refs = append(out.Refs, RefHint{r.Ref, r.Role, r.Name})
	}
	return out, nil
}

// Hints implements [API].
func (c *Client) Hints(ctx context.Context, task string) (Hints, error) {
	return call[Hints](ctx, c, "GET", pathHints, queryOf(task), nil)
}
