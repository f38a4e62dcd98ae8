package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

const path = "/v1/audit"

// maxRead limits the entries of one request.
const maxRead = 100_000

// Route lets the operator read the record.
func Route(l *Log, log *slog.Logger) access.Route {
	serve := func(w http.ResponseWriter, r *http.Request) {
		f, err := filterOf(r.URL.Query())
		var list []Entry
		if err == nil {
			list, err = l.Read(f)
		}
		if err != nil {
			e := control.ErrorOf(err)
			control.WriteJSON(w, e.Code.HTTPStatus(), control.ErrorBody{Error: e}, log)
			return
		}
		control.WriteJSON(w, http.StatusOK, list, log)
	}
	return access.Route{Pattern: "GET " + path, Role: access.Operator, Does: "list what operators did", Handler: http.HandlerFunc(serve)}
}

func filterOf(q url.Values) (f Filter, err error) {
	f = Filter{Action: q.Get("action"), Who: q.Get("who"), Task: q.Get("task"), Plugin: q.Get("plugin")}
	if text := q.Get("since"); text != "" {
		if f.Since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return f, fmt.Errorf("%w: since is %q, want a time such as 2026-01-31T12:00:00Z", fault.ErrBadRequest, text)
		}
	}
	if text := q.Get("max"); text != "" {
		if f.Max, err = strconv.Atoi(text); err != nil || f.Max < 1 || f.Max > maxRead {
			return f, fmt.Errorf("%w: max is %q, want a number from 1 to %d", fault.ErrBadRequest, text, maxRead)
		}
	}
	return f, nil
}

// Read reads the record of a daemon.
func Read(ctx context.Context, c *control.Client, f Filter) ([]Entry, error) {
	q := url.Values{}
	for name, value := range map[string]string{"action": f.Action, "who": f.Who, "task": f.Task, "plugin": f.Plugin} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if !f.Since.IsZero() {
		q.Set("since", f.Since.Format(time.RFC3339Nano))
	}
	if f.Max > 0 {
		q.Set("max", strconv.Itoa(f.Max))
	}
	response, err := c.Do(ctx, "GET", path, q, nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var list []Entry
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
		return nil, c.Lost(ctx, err)
	}
	return list, nil
}
