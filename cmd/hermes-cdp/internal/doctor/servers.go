package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
)

// serversTimeout is how long MCP servers may take to list their tools; a program that is downloaded first may take
// longer.
const serversTimeout = 20 * time.Second

// nobody takes the tools of servers that are only looked at.
type nobody struct{}

func (nobody) Register(string, ...agent.Custom) error { return nil }
func (nobody) List(agent.View) []agent.Listing        { return nil }
func (nobody) CheckConfigured() error                 { return nil }
func (nobody) Announce(...string)                     {}

// checkServers starts, or connects to, each MCP server of the configuration. One that cannot be used costs its own
// tools, so that it is a warning.
func checkServers(ctx context.Context, cfg *config.Config, report *config.Report) []Check {
	if len(cfg.MCPServers) == 0 {
		return nil
	}
	var getenv func(string) string
	if report != nil {
		getenv = report.Getenv
	}
	servers := upstream.Start(nobody{}, options.Upstream(cfg, getenv, "doctor", nil))
	defer servers.Close()
	ctx, cancel := context.WithTimeout(ctx, serversTimeout)
	defer cancel()
	servers.Settled(ctx)
	var checks []Check
	for _, s := range servers.Status() {
		checks = append(checks, checkServer(s))
	}
	return checks
}

func checkServer(s upstream.Status) Check {
	name, key := "MCP server "+s.Name, "mcp_servers."+s.Name
	switch s.State {
	case upstream.StateDisabled:
		return ok(name, "not enabled")
	case upstream.StateStarting:
		return warn(name, fmt.Sprintf("it did not list its tools within %v", serversTimeout), "start it by hand; or set "+key+".enabled to false")
	case upstream.StateFailed:
		return warn(name, s.Error, "correct "+key+"; or set "+key+".enabled to false")
	}
	if len(s.Unmatched) > 0 {
		return warn(name, "it has no tool "+strings.Join(s.Unmatched, ", "), "correct "+key+".include and exclude")
	}
	if len(s.LeftOut) > 0 {
		return warn(name, "left out: "+strings.Join(s.LeftOut, "; "), "leave them out by "+key+".exclude, or ask who makes the server")
	}
	return ok(name, fmt.Sprintf("%s, %d tools", s.Program, len(s.Tools)))
}
