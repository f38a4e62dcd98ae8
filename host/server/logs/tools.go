package logs

import (
	"context"
	"log/slog"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// Tools returns tools whose calls are logged: those that fail as info, all others as debug. Arguments and results are
// never logged.
func Tools(tools agent.Tools, log *slog.Logger) agent.Tools { return logged{tools, log} }

type offered = agent.Tools // embedded under another name than its method's

type logged struct {
	offered
	log *slog.Logger
}

func (l logged) Call(ctx context.Context, c agent.Call) (agent.Result, error) {
	began := time.Now()
	result, err := l.offered.Call(ctx, c)
	switch {
	case err != nil:
		l.log.Info("a call has no tool", "task", c.Task, "tool", c.Name, "client", c.Client)
	case result.IsError:
		l.log.Info("a call failed", "task", c.Task, "tool", c.Name, "client", c.Client, "code", result.Structured["code"], "took", time.Since(began))
	default:
		l.log.Debug("a call ended", "task", c.Task, "tool", c.Name, "client", c.Client, "took", time.Since(began))
	}
	return result, err
}
