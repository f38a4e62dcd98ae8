package control

import (
	"context"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/server/logs"
)

// LogAPI changes what a daemon logs, until its configuration is read again.
type LogAPI interface {
	// LogLevels returns the levels in use.
	LogLevels(ctx context.Context) (logs.Setting, error)
	// SetLogLevels changes some of them, and returns those in use; see [logs.Levels.Change].
	SetLogLevels(ctx context.Context, change logs.Setting) (logs.Setting, error)
}

const pathLogLevels = "/v1/log/levels"

// logRoutes are the routes of [LogAPI].
func logRoutes(api LogAPI) []route {
	return []route{
		{"GET " + pathLogLevels, "show the levels of the log", of(api.LogLevels)},
		{"PATCH " + pathLogLevels, "change levels of the log", taking(api.SetLogLevels)},
	}
}

// errNoLevels says that a host without a daemon has no log of its own.
var errNoLevels = fmt.Errorf("%w: levels of the log are a daemon's", fault.ErrUnsupported)

// LogLevels implements [API].
func (l *Local) LogLevels(context.Context) (logs.Setting, error) {
	if l.Levels == nil {
		return logs.Setting{}, errNoLevels
	}
	return l.Levels.Setting(), nil
}

// SetLogLevels implements [API].
func (l *Local) SetLogLevels(_ context.Context, change logs.Setting) (logs.Setting, error) {
	if l.Levels == nil {
		return logs.Setting{}, errNoLevels
	}
	if err := l.Levels.Change(change); err != nil {
		return logs.Setting{}, err
	}
	return l.Levels.Setting(), nil
}

// LogLevels implements [API].
func (c *Client) LogLevels(ctx context.Context) (logs.Setting, error) {
	return call[logs.Setting](ctx, c, "GET", pathLogLevels, nil, nil)
}

// SetLogLevels implements [API].
func (c *Client) SetLogLevels(ctx context.Context, change logs.Setting) (logs.Setting, error) {
	return call[logs.Setting](ctx, c, "PATCH", pathLogLevels, nil, change)
}
