package control

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// HintAPI is what helps people to complete a command line.
type HintAPI interface {
	// Hints lists what a task has names for. It waits for no page, and starts nothing.
	Hints(ctx context.Context, task string) (Hints, error)
}

// Hints are the names that commands about a task take.
type Hints struct {
	Tabs []host.Tab `json:"tabs"`
	// Refs are of elements that were there when the page was read last; at most 500, those that got theirs last.
	Refs []RefHint `json:"refs"`
	// Dialogs are open, or among the last that closed, which their ClosedBy tells.
	Dialogs []host.Dialog `json:"dialogs"`
	// Calls are those that dialogs interrupted, and that can be resumed.
	Calls []string `json:"calls"`
}

// RefHint is an element. Its name is the page's; untrusted text.
type RefHint struct {
	Ref  string `json:"ref"`
	Role string `json:"role"`
	Name string `json:"name"`
}

const (
	pathHints = "/v1/hints"
	// maxRefHints bounds what a shell has to show.
	maxRefHints = 500
)

// Hints implements [API].
func (l *Local) Hints(_ context.Context, task string) (Hints, error) {
	t, err := l.task(task)
	if err != nil {
		return Hints{}, err
	}
	s := t.Snapshot()
	out := Hints{Tabs: t.Tabs(), Refs: []RefHint{}, Calls: t.Interrupted(), Dialogs: []host.Dialog{}}
	out.Dialogs = append(append(out.Dialogs, s.PendingDialogs...), s.RecentDialogs...)
	refs := t.Refs()
	for _, r := range refs[max(0, len(refs)-maxRefHints):] {
		out.Refs = append(out.Refs, RefHint{r.Ref, r.Role, r.Name})
	}
	return out, nil
}

// Hints implements [API].
func (c *Client) Hints(ctx context.Context, task string) (Hints, error) {
	return call[Hints](ctx, c, "GET", pathHints, of(task), nil)
}
