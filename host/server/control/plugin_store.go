package control

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// StoreAPI looks at, and changes, what plugins have stored for tasks, and reads what their modules write.
type StoreAPI interface {
	// PluginEntries lists the entries of a plugin's store for a task, without their values; the others are
	// about one entry.
	PluginEntries(ctx context.Context, name, task string) (PluginEntries, error)
	PluginEntry(ctx context.Context, name, task, key string) (host.PluginEntry, error)
	// SetPluginEntry stores a value that is gone after ttl; 0: it stays.
	SetPluginEntry(ctx context.Context, name, task, key string, value []byte, ttl time.Duration) (host.PluginEntry, error)
	DeletePluginEntry(ctx context.Context, name, task, key string) (host.PluginEntry, error)

	// PluginLog lists the latest lines of a plugin's log after the one with that number, oldest first; with wait it waits
	// a while for one if there are none.
	PluginLog(ctx context.Context, name string, after uint64, wait bool) ([]host.PluginLine, error)
}

// PluginEntries are the entries of a plugin's store for a task.
type PluginEntries struct {
	Task    string             `json:"task"`
	Entries []host.PluginEntry `json:"entries"`
	// Usage is that of the plugin's store for all tasks.
	Usage host.PluginStoreUsage `json:"usage"`
}

// The paths of [StoreAPI].
const (
	pathStore = pathPlugins + "/{name}/kv"
	pathEntry = pathPlugins + "/{name}/kv/entry"
	pathLog   = pathPlugins + "/{name}/logs"
)

// logPatience is how long a request waits for a line. The client then asks again.
const logPatience = 20 * time.Second

type entryRequest struct {
	Value []byte `json:"value"`
	TTLMS int64  `json:"ttl_ms,omitempty"` // 0: the value stays
}

// maxTTLMS keeps the number of a request, which the host checks, within a [time.Duration].
const maxTTLMS = int64(2 * abi.MaxKVTTL / time.Millisecond)

// storeRoutes are the routes of [StoreAPI].
func storeRoutes(api StoreAPI) []route {
	entry := func(ask func(ctx context.Context, name, task, key string) (host.PluginEntry, error)) func(*http.Request) (any, error) {
		return func(r *http.Request) (any, error) {
			return ask(r.Context(), r.PathValue("name"), taskOf(r), r.URL.Query().Get("key"))
		}
	}
	return []route{
		{"GET " + pathStore, "list what a plugin has stored for a task", func(r *http.Request) (any, error) {
			return api.PluginEntries(r.Context(), r.PathValue("name"), taskOf(r))
		}},
		{"GET " + pathEntry, "show an entry of a plugin's store", entry(api.PluginEntry)},
		{"PUT " + pathEntry, "change an entry of a plugin's store", body(func(r *http.Request, in entryRequest) (any, error) {
			return api.SetPluginEntry(r.Context(), r.PathValue("name"), taskOf(r), r.URL.Query().Get("key"), in.Value, time.Duration(max(-1, min(in.TTLMS, maxTTLMS)))*time.Millisecond)
		})},
		{"DELETE " + pathEntry, "delete an entry of a plugin's store", entry(api.DeletePluginEntry)},
		{"GET " + pathLog, "list what the modules of a plugin wrote", func(r *http.Request) (any, error) {
			q := r.URL.Query()
			after, err := strconv.ParseUint(cmp.Or(q.Get("after"), "0"), 10, 64)
			if err != nil {
				return nil, badRequest("after is %q, want the number of a line", q.Get("after"))
			}
			wait, err := strconv.ParseBool(cmp.Or(q.Get("wait"), "false"))
			if err != nil {
				return nil, badRequest("wait is %q, want true or false", q.Get("wait"))
			}
			return api.PluginLog(r.Context(), r.PathValue("name"), after, wait)
		}},
	}
}

// PluginEntries implements [API].
func (l *Local) PluginEntries(ctx context.Context, name, task string) (PluginEntries, error) {
	return with(ctx, l, task, func(t *host.Task) (PluginEntries, error) {
		list, err := t.PluginEntries(name)
		if err != nil {
			return PluginEntries{}, err
		}
		usage, err := l.Host.PluginStoreUsage(name)
		return PluginEntries{Task: t.ID(), Entries: list, Usage: usage}, err
	})
}

// PluginEntry implements [API].
func (l *Local) PluginEntry(ctx context.Context, name, task, key string) (host.PluginEntry, error) {
	return with(ctx, l, task, func(t *host.Task) (host.PluginEntry, error) { return t.PluginEntry(name, key) })
}

// SetPluginEntry implements [API].
func (l *Local) SetPluginEntry(ctx context.Context, name, task, key string, value []byte, ttl time.Duration) (host.PluginEntry, error) {
	return with(ctx, l, task, func(t *host.Task) (host.PluginEntry, error) { return t.SetPluginEntry(name, key, value, ttl) })
}

// DeletePluginEntry implements [API].
func (l *Local) DeletePluginEntry(ctx context.Context, name, task, key string) (host.PluginEntry, error) {
	return with(ctx, l, task, func(t *host.Task) (host.PluginEntry, error) { return t.DeletePluginEntry(name, key) })
}

// PluginLog implements [API].
func (l *Local) PluginLog(ctx context.Context, name string, after uint64, wait bool) ([]host.PluginLine, error) {
	ctx, cancel := context.WithTimeout(ctx, logPatience)
	defer cancel()
	if !wait {
		cancel() // what is there is returned all the same
	}
	return l.Host.PluginLines(ctx, name, after)
}

// PluginEntries implements [API].
func (c *Client) PluginEntries(ctx context.Context, name, task string) (PluginEntries, error) {
	return callStore[PluginEntries](ctx, c, "GET", pathStore, name, queryOf(task), nil)
}

// PluginEntry implements [API].
func (c *Client) PluginEntry(ctx context.Context, name, task, key string) (host.PluginEntry, error) {
	return callStore[host.PluginEntry](ctx, c, "GET", pathEntry, name, queryOf(task, "key", key), nil)
}

// SetPluginEntry implements [API].
func (c *Client) SetPluginEntry(ctx context.Context, name, task, key string, value []byte, ttl time.Duration) (host.PluginEntry, error) {
	return callStore[host.PluginEntry](ctx, c, "PUT", pathEntry, name, queryOf(task, "key", key), entryRequest{value, ttl.Milliseconds()})
}

// DeletePluginEntry implements [API].
func (c *Client) DeletePluginEntry(ctx context.Context, name, task, key string) (host.PluginEntry, error) {
	return callStore[host.PluginEntry](ctx, c, "DELETE", pathEntry, name, queryOf(task, "key", key), nil)
}

// PluginLog implements [API].
func (c *Client) PluginLog(ctx context.Context, name string, after uint64, wait bool) ([]host.PluginLine, error) {
	q := queryOf("", "after", strconv.FormatUint(after, 10), "wait", strconv.FormatBool(wait))
	return callStore[[]host.PluginLine](ctx, c, "GET", pathLog, name, q, nil)
}

// callStore is callPlugin with a query.
func callStore[Out any](ctx context.Context, c *Client, method, path, name string, query url.Values, in any) (Out, error) {
	if err := checkName(name); err != nil {
		return *new(Out), err
	}
	return call[Out](ctx, c, method, strings.Replace(path, "{name}", name, 1), query, in)
}
