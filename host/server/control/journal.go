package control

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
)

const pathJournal = "/v1/journal"

// JournalAPI gives access to the hook calls that a host made.
type JournalAPI interface {
	// Journal lists recent calls, oldest first; see [host.Host.Journal].
	Journal(ctx context.Context, f host.JournalFilter) ([]host.JournalEntry, error)
}

// Journal implements [API].
func (l *Local) Journal(_ context.Context, f host.JournalFilter) ([]host.JournalEntry, error) {
	return l.Host.Journal(f), nil
}

// Journal implements [API].
func (c *Client) Journal(ctx context.Context, f host.JournalFilter) ([]host.JournalEntry, error) {
	q := url.Values{}
	for name, value := range map[string]string{
		"plugin": f.Plugin, "task": f.Task, "hook": string(f.Hook), "subject": f.Subject,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Sequence != 0 {
		q.Set("sequence", strconv.FormatUint(f.Sequence, 10))
	}
	if f.Max > 0 {
		q.Set("max", strconv.Itoa(f.Max))
	}
	if f.Candidates {
		q.Set("candidates", "true")
	}
	return call[[]host.JournalEntry](ctx, c, "GET", pathJournal, q, nil)
}

// journalRoute serves [JournalAPI].
func journalRoute(api JournalAPI) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		f, err := journalFilter(r.URL.Query())
		if err != nil {
			return nil, err
		}
		return api.Journal(r.Context(), f)
	}
}

func journalFilter(q url.Values) (f host.JournalFilter, err error) {
	f = host.JournalFilter{Plugin: q.Get("plugin"), Task: q.Get("task"), Hook: abi.Hook(q.Get("hook")), Subject: q.Get("subject")}
	if f.Hook != "" && !slices.Contains(abi.Hooks(), f.Hook) {
		return f, badRequest("hook is %q; the hooks are %v", f.Hook, abi.Hooks())
	}
	if f.Sequence, err = strconv.ParseUint(cmp.Or(q.Get("sequence"), "0"), 10, 64); err != nil {
		return f, badRequest("sequence is %q, want the number of a call", q.Get("sequence"))
	}
	if f.Max, err = strconv.Atoi(cmp.Or(q.Get("max"), "0")); err != nil || f.Max < 0 {
		return f, badRequest("max is %q, want a number of calls", q.Get("max"))
	}
	if f.Candidates, err = strconv.ParseBool(cmp.Or(q.Get("candidates"), "false")); err != nil {
		return f, badRequest("candidates is %q, want true or false", q.Get("candidates"))
	}
	return f, nil
}
