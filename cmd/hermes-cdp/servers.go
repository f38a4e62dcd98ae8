package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/agent/upstream"
)

// serversTimeout is how long a command waits for MCP servers to say what they have. Programs that are downloaded first take
// longer, and are then listed as starting.
const serversTimeout = 10 * time.Second

// serverRows say how the MCP servers are.
func serverRows(list []upstream.Status) [][]string {
	var rows [][]string
	for _, s := range list {
		rows = append(rows, []string{"MCP server " + s.Name, serverText(s)})
	}
	return rows
}

func serverText(s upstream.Status) string {
	text := string(s.State)
	if s.State == upstream.StateReady {
		text += fmt.Sprintf(", %s, %d tools, started again %d times", s.Program, len(s.Tools), s.Restarts)
	}
	if s.Error != "" {
		text += ": " + s.Error
	}
	if s.RetryAt != nil {
		text += ", next try at " + s.RetryAt.Format(time.TimeOnly)
	}
	if len(s.Unmatched) > 0 {
		text += "; include or exclude name what it does not have: " + strings.Join(s.Unmatched, ", ")
	}
	for _, why := range s.LeftOut {
		text += "; left out: " + why
	}
	return text
}
